package dump

import (
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

// faults tells of the chunks that could not be read.
func (d *dumper) faults(in *detect.Input, t *ipcblock.Table) error {
	for _, fault := range t.Faults() {
		d.o.Report(in.Name, fault)
	}
	if len(t.Faults()) > 0 {
		return cmdutil.ErrInput
	}
	return nil
}

// rowWriter is a writer of rows.
type rowWriter interface {
	WriteRows(rows iter.Seq[*capture.Row]) error
}

// blocks writes IPC control blocks as a table or as rows.
func (d *dumper) blocks(in *detect.Input) error {
	t, err := capture.ParseBlocks(in.Data, d.co)
	if err != nil {
		return err
	}
	b := export.Blocks{Source: in.Name, Table: t}
	if b.Show, err = d.o.showBlocks(d.co.Names); err != nil {
		return err
	}
	shown := false
	switch w := d.w.(type) {
	case *export.Table:
		shown, err = w.WriteBlocks(b)
	case rowWriter:
		err = w.WriteRows(func(yield func(*capture.Row) bool) {
			for row := range capture.BlockRows(t, in.Name, 0, nil, b.Show) {
				shown = true
				if !yield(row) {
					return
				}
			}
		})
	}
	if err != nil {
		return err
	}
	d.lookBlocks(shown)
	if err := d.w.Flush(); err != nil {
		return err
	}
	return d.faults(in, t)
}

func matches(patterns []*pdhpath.Pattern, object, counter string) bool {
	for _, p := range patterns {
		if p.MatchObject(object) && p.MatchCounter(counter) {
			return true
		}
	}
	return false
}

// showBlocks returns which counters of the CLR are asked for.
func (o *Options) showBlocks(names *capture.Names) (capture.BlockFilter, error) {
	patterns, err := o.patterns(names)
	return capture.NewBlockFilter(patterns), err
}

// lookBlocks is look for IPC control blocks, whose counters are always the
// same.
func (d *dumper) lookBlocks(shown bool) {
	d.apart = true
	switch {
	case shown:
		d.shown, d.empty = true, cmdutil.Choices{}
	case !d.shown:
		d.empty.LookBlocks(d.o.Counters)
	}
}

// blocks writes the document of IPC control blocks.
func (d *jsonDumper) blocks(in *detect.Input) error {
	t, err := capture.ParseBlocks(in.Data, d.co)
	if err != nil {
		return err
	}
	if err := document.WriteIPCBlock(d.out, document.IPCBlock{Name: in.Name, Data: in.Data, Table: t}, d.options); err != nil {
		return err
	}
	_, shown := d.co.Filter.Fields()
	d.lookBlocks(shown)
	return d.faults(in, t)
}

// patterns returns the paths of -c.
func (o *Options) patterns(names *capture.Names) ([]*pdhpath.Pattern, error) {
	var all []*pdhpath.Pattern
	for _, path := range o.Counters {
		patterns, err := names.Patterns(path)
		if err != nil { // not here: the filter has taken it
			return nil, &cmdutil.UsageError{Text: err.Error()}
		}
		all = append(all, patterns...)
	}
	return all, nil
}
