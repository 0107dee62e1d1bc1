package export

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/budget"
)

// partWriter is a FrameWriter that takes frames in parts: a frame of a busy server
// has a million cells.
type partWriter interface {
	FrameWriter
	// writePart writes some cells of a frame; first says whether these are the
	// first.
	writePart(f *capture.Frame, first bool) error
}

// partCells is about how many cells a part has.
const partCells = 4096

// overFrames returns a constructor of a [Writer] over one of a partWriter.
func overFrames(open func(io.Writer, Options) (FrameWriter, error)) func(io.Writer, Options) (Writer, error) {
	return func(w io.Writer, o Options) (Writer, error) {
		o.raw = true
		to, err := open(w, o)
		if err != nil {
			return nil, err
		}
		return &rawFrames{w: to.(partWriter), series: rawSeries{
			owners: map[capture.Owner]*capture.Owner{}, metrics: map[metricKey]*capture.Metric{}, known: map[seriesKey]*knownSeries{},
		}}, nil
	}
}

// rawFrames gives the raw values of snapshots to a writer of frames, without those
// that are no numbers. It keeps what identifies each series. The series that it
// passes on are valid until the next part: there may be a million.
type rawFrames struct {
	w      partWriter
	frame  capture.Frame    // as much of it as has been read and not yet been written
	of     []capture.Series // those of its cells
	begun  bool             // some of the frame has been written
	series rawSeries
}

func (r *rawFrames) Write(s *capture.Snapshot) error {
	block := s.Block()
	if block == nil {
		return r.WriteRows(s.Rows())
	}
	r.series.budget.Size += int64(block.Size())
	r.series.budget.Take(block.Size()) // it is in memory
	r.begin(capture.Frame{Time: s.Time, Offset: s.Offset, Zone: s.Zone, Host: s.Host, Source: s.Source, Log: s.Log, Record: s.Record})
	for row := range s.Rows() {
		if err := r.add(row); err != nil {
			return err
		}
	}
	return r.flush()
}

// WriteRows writes those of one record as a frame. They may be of several hosts.
func (r *rawFrames) WriteRows(rows iter.Seq[*capture.Row]) error {
	begun := false
	for row := range rows {
		r.series.budget.Size += minRow
		f := &r.frame
		if begun && (f.Record != row.Record || f.Source != row.Source || !f.Time.Equal(row.Time)) {
			if err := r.flush(); err != nil {
				return err
			}
			begun = false
		}
		if !begun {
			begun = true
			r.begin(capture.Frame{Time: row.Time, Offset: row.Offset, Zone: row.Zone, Host: row.Host, Source: row.Source, Log: row.Log, Record: row.Record})
		}
		if err := r.add(row); err != nil {
			return err
		}
	}
	if !begun {
		return nil
	}
	return r.flush()
}

func (r *rawFrames) begin(f capture.Frame) {
	r.series.frame++
	r.begun = false
	f.Cells, f.Tuples, r.of = r.frame.Cells[:0], r.frame.Tuples[:0], r.of[:0]
	r.frame = f
}

// flush writes the current part of the frame.
func (r *rawFrames) flush() error {
	for i := range r.frame.Cells {
		r.frame.Cells[i].Series = &r.of[i]
	}
	err := r.w.writePart(&r.frame, !r.begun)
	r.begun = true
	r.frame.Cells, r.frame.Tuples, r.of = r.frame.Cells[:0], r.frame.Tuples[:0], r.of[:0]
	return err
}

// Flush does nothing: a line or table may continue until Close.
func (r *rawFrames) Flush() error { return nil }

func (r *rawFrames) Close() error { return r.w.Close() }

// Discard ends what a writer does that is not closed.
func (r *rawFrames) Discard() {
	if w, ok := r.w.(interface{ Discard() }); ok {
		w.Discard()
	}
}

func (r *rawFrames) add(row *capture.Row) error {
	if row.NoFirst {
		return nil
	}
	series, err := r.series.find(row)
	if err != nil {
		return err
	}
	// A part does not end within an instance, which some outputs keep together.
	if n := len(r.of); n >= partCells && r.of[n-1].Owner != series.Owner {
		if err := r.flush(); err != nil {
			return err
		}
	}
	r.of = append(r.of, series)
	r.frame.Cells = append(r.frame.Cells, capture.Cell{})
	r.frame.Tuples = append(r.frame.Tuples, capture.Tuple{First: row.First, Second: row.Second, Multi: row.Multi, Known: true})
	return nil
}

// rawSeries finds the series of raw values.
type rawSeries struct {
	owners  map[capture.Owner]*capture.Owner
	metrics map[metricKey]*capture.Metric
	known   map[seriesKey]*knownSeries
	frame   int32 // counts frames
	budget  budget.Budget

	owner *capture.Owner // the last one: rows come instance by instance
}

// metricKey identifies a metric. Title indexes identify neither metrics nor owners:
// they differ between machines.
type metricKey struct {
	host, object, counter string
	typ                   countertypes.Type
	scale                 int8
}

// seriesKey identifies a series. A snapshot may hold a counter of an instance more
// than once: n counts those.
type seriesKey struct {
	owner  *capture.Owner
	metric *capture.Metric
	n      int32
}

// knownSeries is a series. The one with n = 0 counts the series of its names in the
// frame.
type knownSeries struct{ id, frame, used int32 }

const (
	// The bytes that a series, an instance and a counter take, in outputs too.
	rawCost       = 100
	rawOwnerCost  = 480
	rawMetricCost = 1000
	minRow        = 8 // bytes of input, of what is no block
)

func (r *rawSeries) find(row *capture.Row) (capture.Series, error) {
	key := seriesKey{owner: r.ownerOf(row), metric: r.metricOf(row)}
	s := capture.Series{Owner: key.owner, Metric: key.metric}
	known, err := r.of(key)
	if err != nil {
		return s, err
	}
	if known.frame != r.frame {
		known.frame, known.used = r.frame, 0
	}
	if key.n = known.used; key.n > 0 {
		first := known
		if known, err = r.of(key); err != nil {
			return s, err
		}
		first.used++
	} else {
		known.used++
	}
	s.ID = int(known.id)
	return s, nil
}

func (r *rawSeries) of(key seriesKey) (*knownSeries, error) {
	known := r.known[key]
	if known == nil {
		if !r.budget.Take(rawCost) {
			return nil, r.budget.Err(len(r.known))
		}
		known = &knownSeries{id: int32(len(r.known))}
		r.known[key] = known
	}
	return known, nil
}

func (r *rawSeries) ownerOf(row *capture.Row) *capture.Owner {
	o := capture.Owner{
		Host: row.Host, Object: row.Object, Parent: row.Parent, HasParent: row.HasParent,
		Instance: row.Instance, HasInstance: row.HasInstance, InstanceIndex: row.InstanceIndex,
	}
	if r.owner != nil {
		o.ObjectIndex = r.owner.ObjectIndex
		if *r.owner == o {
			return r.owner
		}
		o.ObjectIndex = 0
	}
	known := r.owners[o]
	if known == nil {
		r.budget.Take(rawOwnerCost)
		known = new(o)
		known.ObjectIndex = row.ObjectIndex
		r.owners[o] = known
	}
	r.owner = known
	return known
}

func (r *rawSeries) metricOf(row *capture.Row) *capture.Metric {
	key := metricKey{row.Host, row.Object, row.Counter, row.Type, row.DefaultScale}
	known := r.metrics[key]
	if known == nil {
		r.budget.Take(rawMetricCost)
		known = &capture.Metric{
			Counter: row.Counter, CounterIndex: row.CounterIndex, Type: row.Type, HasType: true, DefaultScale: row.DefaultScale, TimeBase: row.TimeBase,
		}
		r.metrics[key] = known
	}
	return known
}
