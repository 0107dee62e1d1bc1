package diff

import (
	"errors"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/wire"
)

// begin begins the output, once both files could be read.
func (d *differ) begin(header []compare.Field) {
	if !d.begun {
		d.begun = true
		d.p.Begin(d.older, d.newer, header, &d.t)
	}
}

func (d *differ) captures() error {
	d.t.List = "blocks"
	for s, err := range compare.Captures(d.older, d.newer, d.co) {
		if err != nil {
			return d.unreadable(err)
		}
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		d.begin(nil)
		d.p.Block(s)
		d.t.Block(s)
		for o := range s.Objects() {
			d.t.Object(o)
			d.p.Object(o)
			if err := d.p.Err(); err != nil {
				return err
			}
		}
		d.p.EndBlock()
		if err := d.faults(s.Older.Faults(), s.Newer.Faults()); err != nil {
			return err
		}
		d.look(s)
	}
	return nil
}

// unreadable reports the errors of one file or of both, after what was found
// before them.
func (d *differ) unreadable(err error) error {
	if err := d.p.Flush(); err != nil {
		return err
	}
	d.failed = true
	errs := []error{err}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		errs = joined.Unwrap()
	}
	for _, err := range errs {
		in := d.older
		var of *compare.InputError
		if errors.As(err, &of) && of.Newer {
			in = d.newer
		}
		d.o.Report(in.Name, err)
	}
	d.o.Advise(d.o.Factory, d.older.Format, wire.AsFormatError(err))
	return cmdutil.ErrInput
}

// faults reports what could not be read of both files.
func (d *differ) faults(older, newer iter.Seq[*perfdump.FormatError]) error {
	for _, side := range []struct {
		in     *detect.Input
		faults iter.Seq[*perfdump.FormatError]
	}{{d.older, older}, {d.newer, newer}} {
		for fault := range side.faults {
			if err := d.p.Flush(); err != nil {
				return err
			}
			d.failed = true
			d.o.Report(side.in.Name, fault)
		}
	}
	return nil
}

// look remembers what could be selected until something is.
func (d *differ) look(s *compare.Block) {
	if d.shown || !d.o.selective() {
		return
	}
	for _, side := range []*capture.Snapshot{s.Older, s.Newer} {
		if side == nil {
			continue
		}
		for range side.Objects() {
			d.shown = true
			return
		}
		for n := range side.Names() {
			d.empty.Look(n, d.o.Counters)
		}
	}
}

// contents compares files with one state.
func (d *differ) contents() error {
	older, errOlder := d.format.Contents(d.older, d.co)
	newer, errNewer := d.format.Contents(d.newer, d.co)
	if err := compare.Errors(errOlder, errNewer); err != nil {
		return d.unreadable(err)
	}
	show, found := d.co.Filter.Fields()
	if d.shown = found; !found {
		formats.LookBlocks(&d.empty, d.o.Counters)
	}
	header := compare.Header(older, newer)
	d.t.List, d.t.Header, d.t.Part = newer.List(), len(header), newer.Part
	d.t.Numbered, d.t.Older, d.t.Newer = newer.Numbered, len(older.Entries), len(newer.Entries)
	d.begin(header)
	for c := range compare.Chunks(older, newer, show) {
		d.t.Chunk(c)
		if d.p.Chunk(c); d.p.Err() != nil {
			return d.p.Err()
		}
	}
	for _, e := range compare.Entries(older, newer) {
		d.t.Items.Add(e.Change)
		if d.p.Entry(&e); d.p.Err() != nil {
			return d.p.Err()
		}
	}
	for _, c := range []*compare.Contents{older, newer} {
		if c.Note != "" {
			in := d.older
			if c == newer {
				in = d.newer
			}
			d.o.Note("%s: %s", name(in), c.Note)
		}
	}
	if err := compare.Errors(older.Err, newer.Err); err != nil {
		return d.unreadable(err)
	}
	return d.faults(slices.Values(older.Faults), slices.Values(newer.Faults))
}

// end finds out whether files with the same content are the same.
func (d *differ) end() {
	d.t.Nothing = d.t.Partial && !d.shown
	d.t.Failed = d.failed
	if d.t.Any() || d.t.Partial || d.failed || d.t.Part != "" {
		return
	}
	doc := d.format.Show(d.older.Data, hexview.Input{Options: d.co.Options})
	if diff, ok := compare.Bytes(d.older.Data, d.newer.Data, doc.Spans, d.t.List == "entries"); ok {
		d.t.Bytes = &diff
	}
}
