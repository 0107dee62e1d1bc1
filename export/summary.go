package export

import (
	"cmp"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export/internal/column"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/internal/sketch"
	"github.com/perfdump/perfdump/internal/spark"
	"github.com/perfdump/perfdump/internal/tally"
)

// summary is what is known of all values of a series.
type summary struct {
	tally.Stats

	Series    *capture.Series
	status    countertypes.Status // of its last cell
	quantiles *sketch.Sketch      // nil as long as the stats have every value
	curve     *spark.Curve        // nil if nobody asks for it
}

// kept is what is kept of each series, by ID. There may be a million of them in one or two
// snapshots, so a series with one cell has its last cell only.
type kept struct {
	series paged.Slice[*capture.Series] // nil if there is no cell
	last   paged.Slice[lastCell]
	more   paged.Slice[moreCells]
	curve  paged.Slice[spark.Curve]
}

type lastCell struct {
	value  float64 // the last one, 0 if there is none
	status countertypes.Status
	known  bool // there is a cell
	ok     bool // there is a value
}

// moreCells are the stats of two cells and more, without the last value. They are zero
// until then.
type moreCells struct {
	count, missing int32
	min, max, mean float64
	quantiles      *sketch.Sketch
}

func (k *kept) of(id int) summary {
	last := k.last.At(id)
	x := summary{Series: *k.series.At(id), status: last.status}
	if m := k.more.Find(id); m != nil && m.count+m.missing > 0 {
		x.Stats, x.quantiles = m.stats(last.value), m.quantiles
	} else {
		x.Add(last.value, last.ok)
	}
	if x.Count > 0 {
		x.curve = k.curve.Find(id)
	}
	return x
}

func (m *moreCells) stats(last float64) tally.Stats {
	return tally.Stats{Count: m.count, Missing: m.missing, Min: m.min, Max: m.max, Mean: m.mean, Last: last}
}

func (m *moreCells) set(s *tally.Stats) {
	m.count, m.missing, m.min, m.max, m.mean = s.Count, s.Missing, s.Min, s.Max, s.Mean
}

// number returns a number by the name of its column.
func (s *summary) number(name string) float64 {
	switch name {
	case "count":
		return float64(s.Count)
	case "missing":
		return float64(s.Missing)
	case "min":
		return s.Min
	case "avg":
		return s.Mean
	case "max":
		return s.Max
	case "last", "value":
		return s.Last
	default:
		percent, _ := strconv.Atoi(strings.TrimPrefix(name, "p"))
		return s.quantile(float64(percent) / 100)
	}
}

func (s *summary) quantile(p float64) float64 {
	switch {
	case s.quantiles != nil:
		return max(s.Min, min(s.Max, s.quantiles.Quantile(p)))
	case s.Count == 2 && p > 0.5:
		return s.Max
	default:
		return s.Min
	}
}

// summaries are those of all series, by ID.
type summaries struct {
	kept
	quantiles bool // are asked for
	curves    bool // the same
	drop      func(*capture.Series) bool
	rank      func(*capture.Series) int // the order without sort; nil for that of the recording
	sort      string                    // a number by which they are sorted, or name
	top       int                       // of them, 0 for all
	frames    int
	from, to  time.Time // zero if no frame has a time

	began, ended capture.Offset // of local time then
	shown        bool           // the values are those that people are shown
}

// number returns the value of a cell that is summed up.
func (s *summaries) number(c *capture.Cell) (float64, bool) {
	if s.shown {
		return c.Shown()
	}
	return c.Number()
}

// begin notes a frame before its cells.
func (s *summaries) begin(f *capture.Frame) {
	s.frames++
	if !f.Time.IsZero() {
		if s.to, s.ended = f.Time, f.Offset; s.from.IsZero() {
			s.from, s.began = f.Time, f.Offset
		}
	}
}

func (s *summaries) add(f *capture.Frame) {
	s.begin(f)
	for i := range f.Cells {
		if c := &f.Cells[i]; s.drop == nil || !s.drop(c.Series) {
			s.reserve(c.Series)
			s.addCell(&s.kept, c, s.frames-1)
		}
	}
}

// reserve makes room for the next cell of a series.
func (s *summaries) reserve(series *capture.Series) {
	id := series.ID
	known := s.series.At(id)
	if *known != nil {
		s.more.At(id)
		return
	}
	*known = series
	s.last.At(id)
	if s.curves && id < maxCurves {
		s.curve.At(id)
	}
}

// addCell adds a cell of a frame to what is kept of its series, which has room for it.
func (s *summaries) addCell(to *kept, c *capture.Cell, frame int) {
	id := c.Series.ID
	v, ok := s.number(c)
	last := to.last.At(id)
	if last.known {
		m := to.more.At(id)
		if m.count+m.missing == 0 {
			var first tally.Stats
			first.Add(last.value, last.ok)
			m.set(&first)
		}
		if ok && s.quantiles {
			m.learn(v)
		}
		stats := m.stats(last.value)
		stats.Add(v, ok)
		m.set(&stats)
	}
	last.known, last.status = true, c.EffectiveStatus()
	if !ok {
		return
	}
	last.value, last.ok = v, true
	if s.curves && id < maxCurves {
		to.curve.At(id).Add(frame, v)
	}
}

// apart returns a copy that does not grow into k. They share what is kept.
func (k *kept) apart() kept {
	return kept{last: k.last.Apart(), more: k.more.Apart(), curve: k.curve.Apart()}
}

// maxCurves is how many series have a curve.
const maxCurves = 1 << 15

// learn adds a value to the quantiles. A series has none as long as its stats have
// every value: many counters never change.
func (m *moreCells) learn(v float64) {
	if m.quantiles == nil {
		same := math.Float64bits(m.min) == math.Float64bits(m.max)
		if m.count < 2 || same && math.Float64bits(v) == math.Float64bits(m.min) {
			return
		}
		m.quantiles = &sketch.Sketch{}
		for range m.count - 1 {
			m.quantiles.Add(m.min)
		}
		m.quantiles.Add(m.max)
	}
	m.quantiles.Add(v)
}

// all yields the summaries in their order. One is valid until the next.
func (s *summaries) all() iter.Seq[*summary] {
	return func(yield func(*summary) bool) {
		for _, id := range s.ids() {
			if x := s.of(int(id)); !yield(&x) {
				return
			}
		}
	}
}

// ids returns the IDs of the series in the order of the summaries.
func (s *summaries) ids() []int32 {
	var list []int32
	for id, series := range s.series.All() {
		if *series != nil {
			list = append(list, int32(id))
		}
	}
	switch {
	case s.sort == "name":
		slices.SortStableFunc(list, func(a, b int32) int {
			return strings.Compare((*s.series.At(int(a))).Path(), (*s.series.At(int(b))).Path())
		})
	case s.sort != "":
		sortBy(list, func(id int32) float64 {
			if x := s.of(int(id)); x.Count > 0 {
				return -x.number(s.sort)
			}
			return math.Inf(1)
		})
	case s.rank != nil:
		sortBy(list, func(id int32) float64 { return float64(s.rank(*s.series.At(int(id)))) })
	}
	if s.top > 0 {
		list = list[:min(len(list), s.top)]
	}
	return list
}

// sortBy sorts by a key that is computed once.
func sortBy(list []int32, key func(int32) float64) {
	type item struct {
		key float64
		id  int32
	}
	items := make([]item, len(list))
	for i, id := range list {
		items[i] = item{key(id), id}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.key, b.key) })
	for i := range items {
		list[i] = items[i].id
	}
}

// Sorts are the numbers by which summaries can be sorted, and the name.
func Sorts() []string { return []string{"avg", "max", "p95", "last", "name"} }

// summaryWriter writes a line for each series: counts of cells with and without
// values, minimum, average, maximum, last and percentiles. These are exact up to
// 128 values and within 1 percent beyond.
type summaryWriter struct {
	summaries

	workers *summers // nil for none
	close   func(*summaries) error
}

// NewSummary returns a writer of summaries; an unknown output is an error.
func NewSummary(w io.Writer, output string, o Options) (FrameWriter, error) {
	found, err := find(output, "summary", Output.Summary)
	if err != nil {
		return nil, err
	}
	all := summaries{quantiles: true, shown: output == "table", drop: o.Drop, sort: o.Sort, top: o.Top}
	if all.shown {
		all.rank = o.Rank
		if !o.Plain {
			all.curves = true
		}
	}
	s := &summaryWriter{summaries: all, close: found.summary(w, o)}
	if o.Workers > 1 {
		s.workers = newSummers(&s.summaries, o.Workers-1)
	}
	return s, nil
}

func (s *summaryWriter) WriteFrame(f *capture.Frame) error {
	if s.workers != nil {
		s.workers.add(f)
	} else {
		s.add(f)
	}
	return nil
}

// Discard ends the workers. It does nothing after Close.
func (s *summaryWriter) Discard() {
	if s.workers != nil {
		s.workers.end()
		s.workers = nil
	}
}

func (s *summaryWriter) Close() error {
	s.Discard()
	return s.close(&s.summaries)
}

// summary writes a row for each series: its columns, then the numbers, which are
// null without a value.
func (open openRows) summary(w io.Writer, _ Options) func(*summaries) error {
	columns := column.Cooked.Usual()[column.FirstOfSeries:column.Value]
	numbers, always := []string{"count", "missing", "min", "avg", "max", "last", "p50", "p90", "p95", "p99"}, 2
	r := newCookedRows(open(w, append(column.Names(columns), numbers...)), columns)
	return func(all *summaries) error {
		r.begin()
		for x := range all.all() {
			r.row.SetSeries(x.Series)
			for i := range r.columns {
				r.add(i, r.columns[i].Of(&r.row))
			}
			for i, name := range numbers {
				f := column.Field{}
				if x.Count > 0 || i < always {
					f = column.Field{Kind: column.Float, Bits: math.Float64bits(x.number(name))}
				}
				r.add(len(r.columns)+i, f)
			}
			if err := r.next(); err != nil {
				return err
			}
		}
		return r.Flush()
	}
}
