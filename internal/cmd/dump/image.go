package dump

import (
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// image writes the IPC control blocks of a process dump, or of raw memory, as
// tables or as rows.
func (d *dumper) image(in *detect.Input) error {
	m, err := capture.OpenImage(in, d.co)
	if err != nil {
		return err
	}
	show, err := d.o.showBlocks(d.co.Names)
	if err != nil {
		return err
	}
	failures := m.Errors()
	failed := func(err error) { failures = append(failures, err) }
	shown := false
	switch w := d.w.(type) {
	case *export.Table:
		shown, err = w.WriteImage(export.Image{Image: m, Show: show, Failed: failed})
	case rowWriter:
		err = w.WriteRows(d.imageRows(m, show, failed, &shown))
	}
	if err != nil {
		return err
	}
	d.nothing(m)
	if len(m.Found) > 0 {
		d.lookBlocks(shown)
	}
	if err := d.w.Flush(); err != nil {
		return err
	}
	return d.failures(in, failures)
}

// imageRows yields the rows of each runtime once, from the table that is most
// to be trusted.
func (d *dumper) imageRows(m *capture.Image, show capture.BlockFilter, failed func(error), shown *bool) iter.Seq[*capture.Row] {
	return func(yield func(*capture.Row) bool) {
		repeats := 0
		for t, err := range m.Tables() {
			if err != nil {
				failed(err)
				continue
			}
			for _, fault := range t.Table.Faults() {
				failed(t.Place(fault))
			}
			if t.Repeats {
				repeats++
				continue
			}
			for row := range capture.BlockRows(t.Table, t.Name(), t.Owner(), nil, show) {
				*shown = true
				if !yield(row) {
					return
				}
			}
		}
		if repeats > 0 {
			d.o.Note("%s: %d of %d tables repeat runtimes of a better one and gave no rows; -o json has them", m.File, repeats, len(m.Found))
		}
	}
}

// nothing says why there is no table in memory. The table for people says it
// itself.
func (d *dumper) nothing(m *capture.Image) {
	if d.o.Output != "table" && len(m.Found) == 0 {
		d.o.Note("%s: %s", cmdutil.FileName(m.File), m.Why())
	}
}

// failures tells of what could not be read.
func (d *dumper) failures(in *detect.Input, failures []error) error {
	for _, err := range failures {
		d.o.Report(in.Name, err)
	}
	if len(failures) > 0 {
		return cmdutil.ErrInput
	}
	return nil
}

// image writes the document of a process dump, or of raw memory.
func (d *jsonDumper) image(in *detect.Input) error {
	m, err := capture.OpenImage(in, d.co)
	if err != nil {
		return err
	}
	failures := m.Errors()
	if err := document.WriteImage(d.out, m, d.options, func(err error) { failures = append(failures, err) }); err != nil {
		return err
	}
	d.nothing(m)
	if len(m.Found) > 0 {
		_, shown := d.co.Filter.Fields()
		d.lookBlocks(shown)
	}
	return d.failures(in, failures)
}
