package export

import (
	"hash/maphash"
	"io"
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/budget"
	"github.com/perfdump/perfdump/internal/paged"
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
		o.raw, o.Workers = true, 0 // parts are valid until the next
		to, err := open(w, o)
		if err != nil {
			return nil, err
		}
		return &rawFrames{w: to.(partWriter), series: rawSeries{
			owners: map[[2]uint64]*rawOwner{}, seeds: newSeeds(), metrics: map[metricKey]*rawMetric{}, ids: map[seriesKey]*[adjacent]int32{},
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
	owners  map[[2]uint64]*rawOwner // by their hashes
	seeds   seeds
	metrics map[metricKey]*rawMetric
	n       int32
	ids     map[seriesKey]*[adjacent]int32 // 1 + the IDs of the series of adjacent owners, 0 for none
	known   paged.Slice[knownSeries]       // by their IDs
	frame   int32                          // counts frames
	budget  budget.Budget

	owner *rawOwner // the last one: rows come instance by instance
}

type rawOwner struct {
	capture.Owner
	number int32
}

type rawMetric struct {
	capture.Metric
	number int32
}

// seeds make hashes that identify what is too large to be kept as a key: two of them have
// 128 bits.
type seeds [2]maphash.Seed

func newSeeds() seeds { return seeds{maphash.MakeSeed(), maphash.MakeSeed()} }

func hashOf[T comparable](s seeds, v T) [2]uint64 {
	return [2]uint64{maphash.Comparable(s[0], v), maphash.Comparable(s[1], v)}
}

// metricKey identifies a metric. Title indexes identify neither metrics nor owners:
// they differ between machines.
type metricKey struct {
	host, object, counter string
	typ                   countertypes.Type
	scale                 int8
}

// seriesKey identifies a series by the numbers of its owner and its metric. A snapshot may
// hold a counter of an instance more than once: n counts those.
type seriesKey struct{ owner, metric, n int32 }

// adjacent is how many owners share an entry of the IDs: the instances of an object have
// adjacent numbers and the same counters.
const adjacent = 16

// knownSeries is a series. The one with n = 0 counts the series of its names in the
// frame.
type knownSeries struct{ frame, used int32 }

const (
	// The bytes that a series, an entry of their IDs, an instance and a counter take, in
	// outputs too.
	rawCost       = 60
	rawIDsCost    = 100
	rawOwnerCost  = 300
	rawMetricCost = 1500
	minRow        = 8 // bytes of input, of what is no block
)

func (r *rawSeries) find(row *capture.Row) (capture.Series, error) {
	owner, metric := r.ownerOf(row), r.metricOf(row)
	s := capture.Series{Owner: &owner.Owner, Metric: &metric.Metric}
	key := seriesKey{owner: owner.number, metric: metric.number}
	id, err := r.of(key)
	if err != nil {
		return s, err
	}
	first := r.known.At(int(id))
	if first.frame != r.frame {
		*first = knownSeries{frame: r.frame}
	}
	key.n = first.used
	first.used++
	if key.n > 0 {
		if id, err = r.of(key); err != nil {
			return s, err
		}
	}
	s.ID = int(id)
	return s, nil
}

func (r *rawSeries) of(key seriesKey) (id int32, err error) {
	at := key.owner % adjacent
	key.owner /= adjacent
	ids := r.ids[key]
	if ids == nil {
		r.budget.Take(rawIDsCost)
		ids = new([adjacent]int32)
		r.ids[key] = ids
	}
	if ids[at] == 0 {
		if !r.budget.Take(rawCost) {
			return 0, r.budget.Err(int(r.n))
		}
		r.n++
		ids[at] = r.n
	}
	return ids[at] - 1, nil
}

func (r *rawSeries) ownerOf(row *capture.Row) *rawOwner {
	o := capture.Owner{
		Host: row.Host, Object: row.Object, Parent: row.Parent, HasParent: row.HasParent,
		Instance: row.Instance, HasInstance: row.HasInstance, InstanceIndex: row.InstanceIndex,
	}
	if r.owner != nil {
		o.ObjectIndex = r.owner.ObjectIndex
		if r.owner.Owner == o {
			return r.owner
		}
		o.ObjectIndex = 0
	}
	hash := hashOf(r.seeds, o)
	known := r.owners[hash]
	if known == nil {
		r.budget.Take(rawOwnerCost)
		known = &rawOwner{o, int32(len(r.owners))}
		known.ObjectIndex = row.ObjectIndex
		r.owners[hash] = known
	}
	r.owner = known
	return known
}

func (r *rawSeries) metricOf(row *capture.Row) *rawMetric {
	key := metricKey{row.Host, row.Object, row.Counter, row.Type, row.DefaultScale}
	known := r.metrics[key]
	if known == nil {
		r.budget.Take(rawMetricCost)
		known = &rawMetric{capture.Metric{
			Counter: row.Counter, CounterIndex: row.CounterIndex, Type: row.Type, HasType: true, DefaultScale: row.DefaultScale, TimeBase: row.TimeBase,
		}, int32(len(r.metrics))}
		r.metrics[key] = known
	}
	return known
}
