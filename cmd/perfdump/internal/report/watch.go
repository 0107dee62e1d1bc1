package report

import (
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/page"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/wire"
)

// watcher adds the inputs to a page, and keeps the bytes of a single small
// one for the byte map.
type watcher struct {
	page   *page.Page
	inputs int
	failed bool

	name string
	size int64
	open func() *hexview.Document

	later []func() // add what was found, in this order
}

// Input lists a file with its errors and anomalies.
func (w *watcher) Input(in *detect.Input, o capture.Options, stays bool, err error) {
	name := cmdutil.FileName(in.Name)
	w.page.AddInput(page.Input{Name: name, Format: string(in.Format), Packed: in.Packed, Size: in.Size()})
	w.failed = w.failed || err != nil
	var found []formats.Finding
	var checking sync.WaitGroup
	if format := formats.Of(in.Format); format.Check != nil {
		if stays {
			o.Names = o.Names.Fork()
			checking.Go(func() { found = slices.Collect(format.Findings(in, o)) })
		} else {
			found = slices.Collect(format.Findings(in, o))
		}
	} else if err != nil {
		found = []formats.Finding{finding(err)}
	}
	w.later = append(w.later, func() {
		checking.Wait()
		for _, f := range found {
			w.page.AddFinding(name, f)
		}
	})
	if w.inputs++; w.inputs == 1 {
		w.keep(in, o)
	}
}

// end waits for the checks, which run while the recording is cooked, and adds what was
// found.
func (w *watcher) end() {
	for _, add := range w.later {
		add()
	}
	w.later = nil
}

// keep remembers how the byte map of an input is made.
func (w *watcher) keep(in *detect.Input, o capture.Options) {
	w.name, w.size = cmdutil.FileName(in.Name), in.Size()
	if w.size > page.MaxBytes {
		return
	}
	data := in.Data
	if in.At != nil {
		data = make([]byte, w.size)
		if _, err := in.At.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
			data = nil
		}
	}
	w.open = func() *hexview.Document {
		return formats.Of(in.Format).Show(data, hexview.Input{Options: o.Options, Names: o.Names})
	}
}

// Remark lists an anomaly between two snapshots.
func (w *watcher) Remark(m capture.Remark) {
	m.Source = cmdutil.FileName(m.Source)
	w.later = append(w.later, func() { w.page.AddRemark(m) })
}

// Fault lists what cannot be read of a file.
func (w *watcher) Fault(file string, err error) {
	w.later = append(w.later, func() { w.page.AddFinding(cmdutil.FileName(file), finding(err)) })
}

// finding is an error as a page lists it.
func finding(err error) formats.Finding {
	fe := wire.AsFormatError(err)
	return formats.Finding{Code: fe.Code, Offset: fe.Off, Path: fe.Path, Message: fe.Message(), Severity: formats.SeverityError}
}
