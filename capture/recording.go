package capture

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// Recording is what one or more inputs hold, in the order of time: a directory
// of buffers is one recording, as a log is. It may be read several times; each
// reading gives the same.
type Recording struct {
	// Reopen opens an input of [Recording.Add] again. With it, a recording
	// does not keep more than some megabytes of its inputs.
	Reopen func(name string) (*detect.Input, error)

	o     Options
	cook  CookOptions
	parts []part
	kept  int // bytes of inputs
	again *detect.Input
	table seriesTable
}

// CookOptions say which values of a recording are cooked, and how. The zero
// CookOptions cooks all by the default rules.
type CookOptions struct {
	Types *countertypes.Options // the switches; nil for the defaults
	From  Moment                // what comes before is as if it was not there
	To    Moment                // as is what comes behind
	Every int                   // every nth snapshot, from the first; 0 is all
	Raw   bool                  // cells have their raw tuples
	// Remark is told what is odd between snapshots: a restart of the
	// machine. nil tells nobody.
	Remark func(Remark)
}

// Remark tells of what is odd between two snapshots of a recording.
type Remark struct {
	Code   perfdump.Code
	Source string
	Record int
	Text   string
}

// RemarkRestart is the code of a machine that was started anew.
const RemarkRestart = perfdump.Code("restart")

// Moment is a point of time: an instant, or so much after the first snapshot.
// The zero Moment is none.
type Moment struct {
	At    time.Time
	After time.Duration
	Set   bool
}

// part is a snapshot that a recording can load again.
type part struct {
	clock     int64 // 100 ns since 1601, by the block's own clock
	time      time.Time
	host      string
	source    string
	record    int
	data      []byte // of the input; nil if it is to be opened again
	off, size int
}

// keepInputs is how many bytes of inputs are kept where they can be opened
// again.
const keepInputs = 32 << 20

// NewRecording returns an empty recording that cooks as c says.
func NewRecording(o Options, c CookOptions) *Recording {
	if o.Names == nil {
		o.Names = NewNames()
	}
	return &Recording{o: o, cook: c, table: seriesTable{filter: o.Filter, names: o.Names}}
}

// Add adds the snapshots of an input, whose bytes must not change from now on.
// What comes before an error in the input is kept. The error is that of [Read].
func (r *Recording) Add(in *detect.Input) error {
	if in.Format != detect.PerfData {
		return &NoCaptureError{Format: in.Format}
	}
	data := in.Data
	if r.kept += len(data); r.Reopen != nil && in.Name != "-" && r.kept > keepInputs {
		r.kept -= len(data)
		data = nil
	}
	record := 0
	for b, err := range perfdata.Blocks(in.Data, r.o.perfdata()) {
		if err != nil {
			return err
		}
		p := part{
			clock: b.PerfTime100nSec, host: b.ComputerName(), source: in.Name, record: record,
			data: data, off: int(b.Offset()), size: b.Size(),
		}
		p.time, _ = b.Time()
		r.parts = append(r.parts, p)
		record++
	}
	return nil
}

// Len returns how many snapshots there are.
func (r *Recording) Len() int { return len(r.parts) }

// Columns returns all series of the recording in the order of columns: object
// by object, instance by instance in the order of their appearance, counter by
// counter. It reads the recording once.
func (r *Recording) Columns() ([]*Series, error) {
	for _, err := range r.frames(false) {
		if err != nil {
			return nil, err
		}
	}
	return r.table.columns(), nil
}

// Frames yields the cooked values, snapshot by snapshot. A value that needs
// two snapshots has the one before as its older.
func (r *Recording) Frames() Frames { return r.frames(true) }

// machine is what is remembered of a host between its snapshots.
type machine struct {
	cooker   blockCooker
	decoders [2]perfdata.Decoder
	older    *perfdata.Block
	n        int
	skipped  int
}

func (r *Recording) frames(values bool) Frames {
	slices.SortStableFunc(r.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.clock, b.clock), cmp.Compare(a.source, b.source), cmp.Compare(a.record, b.record))
	})
	return func(yield func(*Frame, error) bool) {
		machines := map[string]*machine{}
		var window window
		window.reset(r.cook.From, r.cook.To)
		frame := Frame{Offset: Offset{Known: true}, Zone: "UTC"}
		for i := range r.parts {
			p := &r.parts[i]
			if !window.has(p.time) {
				continue
			}
			m := machines[p.host]
			if m == nil {
				m = r.machine()
				machines[p.host] = m
			}
			if m.skipped++; r.cook.Every > 1 && (m.skipped-1)%r.cook.Every != 0 {
				continue
			}
			block, err := r.load(p, &m.decoders[m.n%2])
			if err != nil {
				yield(nil, err)
				return
			}
			m.n++
			if values {
				r.remark(p, m.older, block)
			}
			frame.Time, frame.Host, frame.Source, frame.Record = p.time, p.host, p.source, p.record
			frame.Cells = m.cooker.cells(frame.Cells[:0], p.host, m.older, block, values)
			m.older = block
			if !yield(&frame, nil) {
				return
			}
		}
	}
}

// load decodes a part. Where its input is opened again for each, the bytes of
// the one before stay with its block.
func (r *Recording) load(p *part, d *perfdata.Decoder) (*perfdata.Block, error) {
	data := p.data
	if data == nil {
		if r.again == nil || r.again.Name != p.source {
			in, err := r.Reopen(p.source)
			if err != nil {
				return nil, err
			}
			r.again = in
		}
		data = r.again.Data
	}
	if p.off+p.size > len(data) {
		return nil, perfdump.NewError(perfdump.CodeIO, -1, perfdump.Path{}, "%s has become shorter while it was read", p.source)
	}
	return d.Decode(data[p.off : p.off+p.size])
}

func (r *Recording) machine() *machine {
	m := &machine{cooker: blockCooker{
		table: &r.table, names: r.o.Names, query: r.o.Query, options: r.cook.Types, raw: r.cook.Raw,
	}}
	m.decoders[0].Options, m.decoders[1].Options = r.o.perfdata(), r.o.perfdata()
	return m
}

// remark tells of clocks that do not go on between two blocks.
func (r *Recording) remark(p *part, older, newer *perfdata.Block) {
	if r.cook.Remark == nil || older == nil {
		return
	}
	if newer.PerfTime < older.PerfTime {
		r.cook.Remark(Remark{
			Code: RemarkRestart, Source: p.source, Record: p.record,
			Text: fmt.Sprintf("the performance clock went from %d to %d: the machine was started anew, and rates across that have no value", older.PerfTime, newer.PerfTime),
		})
	}
}

// window is the span of time that is asked for.
type window struct {
	from, to Moment
	first    time.Time
}

func (w *window) reset(from, to Moment) { *w = window{from: from, to: to} }

// has reports whether the time of a snapshot is in the window. The first one
// that it is asked about is where durations count from.
func (w *window) has(t time.Time) bool {
	if w.first.IsZero() {
		w.first = t
	}
	return !(w.from.Set && t.Before(w.resolve(w.from))) && !(w.to.Set && t.After(w.resolve(w.to)))
}

func (w *window) resolve(m Moment) time.Time {
	if m.At.IsZero() {
		return w.first.Add(m.After)
	}
	return m.At
}
