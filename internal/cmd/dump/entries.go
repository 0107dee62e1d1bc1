package dump

import (
	"context"
	"errors"
	"os"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// together makes the timeline of a run of several files: their rows come in the
// order of time. A table and sections show file by file, but a duration counts
// from the start of the first of all there, too, and a moment without a zone is
// read for each machine, of one file as well. What carving finds stays in its order.
func (d *dumper) together() error {
	o := d.o
	relative := d.period.From.After > 0 || d.period.To.Set && d.period.To.At.IsZero()
	wall := d.period.From.Wall || d.period.To.Wall
	if o.Format == string(detect.Carve) || !wall && (!o.several() || !o.rows() && !relative) {
		return nil
	}
	dopts, err := o.Again(o.Factory)
	if err != nil {
		return err
	}
	period := d.period
	period.Remark = func(m capture.Remark) { o.Note("%s: %s", cmdutil.FileName(m.Source), m.Text) }
	d.all = capture.NewTimeline(d.co, period)
	d.all.Reopen = func(name string) (*detect.Input, error) { return detect.Open(name, dopts) }
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

// entries writes what the timeline has. inputErr is what came of the files before.
func (d *dumper) entries(ctx context.Context, inputErr error) error {
	defer func() { _ = d.all.Close() }()
	if ctx.Err() != nil || errors.Is(inputErr, cmdutil.ErrOutput) {
		return inputErr
	}
	entries := d.all.Given
	if d.o.rows() {
		entries = d.all.Entries
	}
	tell := func(source string, err error) {
		d.o.Report(source, err)
		inputErr = cmdutil.ErrInput
	}
	for e, err := range entries() {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			if err := d.entry(e, tell); err != nil {
				return err
			}
			continue
		case d.taken: // what was read before stands before what is wrong behind it
			if err := d.w.Flush(); err != nil {
				return err
			}
		}
		if tell(e.Source, err); d.o.FailFast {
			break
		}
	}
	return inputErr
}

// entry writes what was recorded at one moment. What of it cannot be read is told.
func (d *dumper) entry(e *capture.Entry, tell func(source string, err error)) error {
	d.taken, d.met = true, true
	switch {
	case e.Record != nil:
		return d.record(e.Record, func(err error) { tell(e.Source, err) })
	case e.Section != nil:
		return d.section(e.Section)
	case e.Sets != nil:
		return d.setBlock(e.Sets, tell)
	default:
		return d.snapshot(e.Snapshot, tell)
	}
}
