package diff

import (
	"errors"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/ipcblock"
)

// begin begins the output, once both files could be read.
func (d *differ) begin() {
	if !d.begun {
		d.begun = true
		d.p.Begin(d.older, d.newer)
	}
}

func (d *differ) captures() error {
	for s, err := range capture.Diff(d.older, d.newer, d.co) {
		if err != nil {
			return d.unreadable(err)
		}
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		d.begin()
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
		if err := d.faults(faultsOf(s.Older), faultsOf(s.Newer)); err != nil {
			return err
		}
		d.look(s)
	}
	return nil
}

// unreadable tells of the errors of one file or of both, after what was
// found before them.
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
		var of *capture.DiffError
		if errors.As(err, &of) && of.Newer {
			in = d.newer
		}
		d.o.Report(in.Name, err)
	}
	fe := cmdutil.AsFormatError(err)
	switch {
	case d.o.Mode == "strict" && errors.Is(fe, perfdump.ErrAnomaly):
		d.o.Note("it is readable: --mode tolerant reads it and `perfdump check` lists all that is odd")
	case d.o.Mode == "tolerant" && fe.Off >= 0 && (errors.Is(fe, perfdump.ErrLength) || errors.Is(fe, perfdump.ErrCount)):
		d.o.Note("--mode salvage compares what can still be read, `perfdump check` lists all that is wrong")
	}
	return cmdutil.ErrInput
}

// faults tells what could not be read of both files.
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

// faultsOf yields what salvage mode passed over in a snapshot, if there is one.
func faultsOf(s *capture.Snapshot) iter.Seq[*perfdump.FormatError] {
	return func(yield func(*perfdump.FormatError) bool) {
		if s == nil {
			return
		}
		for i := range s.NumFaults() {
			if !yield(s.Fault(i)) {
				return
			}
		}
	}
}

// look remembers what there is, as long as nothing is selected.
func (d *differ) look(s *capture.SnapshotDiff) {
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
		d.empty.Look(side, d.o.Counters)
	}
}

func (d *differ) titles() error {
	older, errOlder := capture.ParseTitles(d.older.Data, d.co)
	newer, errNewer := capture.ParseTitles(d.newer.Data, d.co)
	if err := capture.DiffErrors(errOlder, errNewer); err != nil {
		return d.unreadable(err)
	}
	d.begin()
	header := capture.DiffTitlesHeader(older, newer)
	d.t.Header += len(header)
	d.t.Older, d.t.Newer = older.Len(), newer.Len()
	d.p.Tables(header)
	for e := range capture.DiffTitles(older, newer) {
		d.t.Entry(e)
		d.p.Entry(e)
		if err := d.p.Err(); err != nil {
			return err
		}
	}
	return nil
}

// texts compares files of text by what they say.
func (d *differ) texts() error {
	all, err := capture.DiffText(d.older, d.newer, d.co)
	if err != nil {
		return d.unreadable(err)
	}
	d.begin()
	d.p.Tables(nil)
	for i := range all {
		d.t.Said(&all[i])
		d.p.Said(&all[i])
		if err := d.p.Err(); err != nil {
			return err
		}
	}
	return nil
}

// blocks compares two tables of IPC control blocks.
func (d *differ) blocks() error {
	older, errOlder := capture.ParseBlocks(d.older.Data, d.co)
	newer, errNewer := capture.ParseBlocks(d.newer.Data, d.co)
	if err := capture.DiffErrors(errOlder, errNewer); err != nil {
		return d.unreadable(err)
	}
	show := d.showFields()
	d.begin()
	header := capture.DiffBlocksHeader(older, newer)
	d.t.Header += len(header)
	d.p.Blocks(newer.Layout(), header)
	for c := range capture.DiffBlocks(older, newer, show) {
		d.t.Chunk(c)
		d.p.Chunk(c)
		if err := d.p.Err(); err != nil {
			return err
		}
	}
	return d.faults(slices.Values(older.Faults()), slices.Values(newer.Faults()))
}

// dumps compares the tables that two process dumps hold.
func (d *differ) dumps() error {
	older, errOlder := capture.OpenImage(d.older, d.co)
	newer, errNewer := capture.OpenImage(d.newer, d.co)
	if err := capture.DiffErrors(errOlder, errNewer); err != nil {
		return d.unreadable(err)
	}
	show := d.showFields()
	pairs, failed := capture.PairTables(older, newer)
	d.begin()
	header := capture.DiffDumpsHeader(older, newer)
	d.t.Header += len(header)
	d.p.Dumps(header)
	for _, pair := range pairs {
		d.p.Pair(pair.Layout())
		for c := range capture.DiffBlocks(pair.Older, pair.Newer, show) {
			d.t.Chunk(c)
			d.p.Chunk(c)
			if err := d.p.Err(); err != nil {
				return err
			}
		}
	}
	for _, m := range []*capture.Image{older, newer} {
		if len(m.Found) == 0 && m.Err == nil {
			d.o.Note("%s: %s", cmdutil.FileName(m.File), m.Why())
		}
	}
	if failed != nil {
		return d.unreadable(failed)
	}
	return nil
}

// showFields returns which fields of IPC control blocks are asked for.
func (d *differ) showFields() func(ipcblock.Field) bool {
	show, found := d.co.Filter.Fields()
	if d.shown = found; !found {
		d.empty.LookBlocks(d.o.Counters)
	}
	return show
}

// end finds out whether files of the same content are the same.
func (d *differ) end() {
	d.t.Nothing = d.t.Partial && !d.shown
	d.t.Failed = d.failed
	if d.t.Any() || d.t.Partial || d.failed || d.t.InPart {
		return
	}
	if diff, ok := capture.DiffBytes(d.older, d.newer, d.co); ok {
		d.t.Bytes = &diff
	}
}

// inPart reports whether only a part of a format's bytes is compared, so that
// files of the same content may well differ elsewhere.
func inPart(f detect.Format) bool {
	return f == detect.Minidump || f == detect.Hive || f == detect.Manifest
}
