package dump

import (
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// sets writes a block of version 2 counter sets.
func (d *dumper) sets(in *detect.Input) error {
	s, err := capture.OpenSetBlock(in, d.co)
	if err != nil {
		return err
	}
	d.taken = true
	if !d.takes(capture.NewWindow(d.period), "", "", s.Time, capture.Offset{Known: true}) {
		return nil
	}
	if err := d.setBlock(s, d.o.Report); err != nil || s.NumFaults() == 0 {
		return err
	}
	return cmdutil.ErrInput
}

// setBlock writes the values of a block, and tells what salvage mode has passed
// over in it.
func (d *dumper) setBlock(s *capture.SetBlock, tell func(source string, err error)) error {
	err := d.setRows(s)
	if err != nil || s.NumFaults() == 0 {
		return err
	}
	if err := d.w.Flush(); err != nil {
		return err
	}
	for _, fault := range s.Faults() {
		tell(s.Source, fault)
	}
	return nil
}

func (d *dumper) setRows(s *capture.SetBlock) (err error) {
	shown := false
	if w, ok := d.w.(*export.Table); ok {
		shown, err = w.WriteSets(s)
	} else {
		err = d.w.(rowWriter).WriteRows(func(yield func(*capture.Row) bool) {
			for row := range s.Rows() {
				shown = true
				if !yield(row) {
					return
				}
			}
		})
	}
	if shown {
		d.shown, d.empty = true, cmdutil.Choices{}
	}
	if d.shown || !d.o.Selection.Any() {
		return err
	}
	for object, counters := range s.Sets() {
		for _, counter := range counters {
			d.empty.LookItem(object, counter, d.o.Counters)
		}
	}
	return err
}
