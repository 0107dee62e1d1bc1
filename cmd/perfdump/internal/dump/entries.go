package dump

import (
	"context"
	"errors"
	"os"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/internal/detect"
)

// together makes the reader of a run. Rows of several files are sorted by time.
// Tables and sections are written file by file, but are read together if a
// duration counts from the start of the first file or a moment without a zone has
// to be read for each machine. What carving finds stays in its order.
func (d *dumper) together() error {
	o := d.o
	relative := d.period.From.After > 0 || d.period.To.Set && d.period.To.At.IsZero()
	wall := d.period.From.Wall || d.period.To.Wall
	d.merged = !formats.Of(detect.Format(o.Format)).Search && (wall || o.several() && (o.rows() || relative))
	dopts, err := o.Again(o.Factory)
	if err != nil {
		return err
	}
	period := d.period
	period.Remark = func(m capture.Remark) { o.Note("%s: %s", cmdutil.FileName(m.Source), m.Text) }
	d.all = capture.NewReader(d.co, period)
	d.all.Reopen = opened.Again(dopts)
	return nil
}

// several reports whether there may be more than one file.
func (o *Options) several() bool {
	if len(o.Files) != 1 {
		return true
	}
	info, err := os.Stat(o.Files[0])
	return err == nil && info.IsDir()
}

// rows reports whether the output is of values one by one, of any file.
func (o *Options) rows() bool { return o.Output != "table" && o.Output != "checkmk" }

// entries writes what was read together. inputErr is the error so far.
func (d *dumper) entries(ctx context.Context, inputErr error) error {
	defer func() { _ = d.all.Close() }()
	if ctx.Err() != nil || errors.Is(inputErr, cmdutil.ErrOutput) {
		return inputErr
	}
	snapshots := d.all.ByInput
	if d.o.rows() {
		snapshots = d.all.Snapshots
	}
	report := func(source string, err error) {
		d.o.Report(source, err)
		inputErr = cmdutil.ErrInput
	}
	for s, err := range snapshots() {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			if err := d.snapshot(s, func(err error) { report(s.Source, err) }); err != nil {
				return err
			}
			continue
		case d.taken: // what was read is written before the error after it
			if err := d.w.Flush(); err != nil {
				return err
			}
		}
		if report(s.Source, err); d.o.FailFast {
			break
		}
	}
	return inputErr
}
