package report

import (
	"errors"
	"io"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/report"
)

// watcher tells a page of the inputs, and keeps the bytes of a single small
// one for the byte map.
type watcher struct {
	page   *report.Page
	inputs int
	failed bool

	name string
	size int64
	open func() hexdump.Document
}

// Input lists a file with what is wrong or odd with it.
func (w *watcher) Input(in *detect.Input, o capture.Options, err error) {
	name := cmdutil.FileName(in.Name)
	w.page.AddInput(report.Input{Name: name, Format: string(in.Format), Packed: in.Packed, Size: in.Size()})
	w.failed = w.failed || err != nil
	if capture.Checks(in.Format) {
		for f := range capture.Check(in, o) {
			w.page.AddFinding(name, f)
		}
	} else if err != nil {
		w.page.AddFinding(name, finding(err))
	}
	if w.inputs++; w.inputs == 1 {
		w.keep(in, o)
	}
}

// keep remembers how the byte map of an input is made.
func (w *watcher) keep(in *detect.Input, o capture.Options) {
	w.name, w.size = cmdutil.FileName(in.Name), in.Size()
	if w.size > report.MaxBytes {
		return
	}
	data, format := in.Data, string(in.Format)
	if in.At != nil {
		data = make([]byte, w.size)
		if _, err := in.At.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
			data = nil
		}
	}
	w.open = func() hexdump.Document {
		return hexdump.Open(format, data, hexdump.Input{Mode: o.Mode, CodePage: o.CodePage, Names: o.Names})
	}
}

// Remark lists what is odd between two snapshots.
func (w *watcher) Remark(m capture.Remark) {
	m.Source = cmdutil.FileName(m.Source)
	w.page.AddRemark(m)
}

// Fault lists what cannot be read of a file.
func (w *watcher) Fault(file string, err error) {
	w.page.AddFinding(cmdutil.FileName(file), finding(err))
}

// finding is an error as a page lists it.
func finding(err error) capture.Finding {
	fe := cmdutil.AsFormatError(err)
	return capture.Finding{Code: fe.Code, Offset: fe.Off, Path: fe.Path, Message: fe.Message(), Severity: capture.SeverityError}
}
