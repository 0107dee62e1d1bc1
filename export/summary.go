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

// SummaryKept is how many bytes summaries keep of each series, see [capture.CookOptions].
const SummaryKept = 40

// summary is what is known of all values of a series.
type summary struct {
	tally.Stats

	Series    *capture.Series
	status    countertypes.Status // of its last cell
	rank      int32               // in the order that is asked for
	quantiles *sketch.Sketch      // nil as long as the stats have every value
	curve     *spark.Curve        // nil if nobody asks for it
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
	of        paged.Slice[summary]
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
			s.addCell(s.of.At(c.Series.ID), c, s.frames-1)
		}
	}
}

// addCell adds a cell of a frame to the summary of its series.
func (s *summaries) addCell(x *summary, c *capture.Cell, frame int) {
	x.Series, x.status = c.Series, c.EffectiveStatus()
	v, ok := s.number(c)
	if ok && s.quantiles {
		x.learn(v)
	}
	if ok && s.curves && c.Series.ID < maxCurves {
		if x.curve == nil {
			x.curve = &spark.Curve{}
		}
		x.curve.Add(frame, v)
	}
	x.Add(v, ok)
}

// maxCurves is how many series have a curve.
const maxCurves = 1 << 15

// learn adds a value to the quantiles. A series has none as long as its stats have
// every value: many counters never change.
func (s *summary) learn(v float64) {
	if s.quantiles == nil {
		same := math.Float64bits(s.Min) == math.Float64bits(s.Max)
		if s.Count < 2 || same && math.Float64bits(v) == math.Float64bits(s.Min) {
			return
		}
		s.quantiles = &sketch.Sketch{}
		for range s.Count - 1 {
			s.quantiles.Add(s.Min)
		}
		s.quantiles.Add(s.Max)
	}
	s.quantiles.Add(v)
}

// all yields the summaries in their order.
func (s *summaries) all() iter.Seq[*summary] {
	if s.sort == "" && s.top == 0 && s.rank == nil {
		return s.each
	}
	return func(yield func(*summary) bool) {
		list := slices.Collect(s.each)
		switch s.sort {
		case "":
			if s.rank != nil {
				for _, x := range list {
					x.rank = int32(s.rank(x.Series))
				}
				slices.SortStableFunc(list, func(a, b *summary) int { return cmp.Compare(a.rank, b.rank) })
			}
		case "name":
			slices.SortStableFunc(list, func(a, b *summary) int { return strings.Compare(a.Series.Path(), b.Series.Path()) })
		default:
			slices.SortStableFunc(list, func(a, b *summary) int {
				if a.Count == 0 || b.Count == 0 {
					return cmp.Compare(min(b.Count, 1), min(a.Count, 1))
				}
				return cmp.Compare(b.number(s.sort), a.number(s.sort))
			})
		}
		if s.top > 0 {
			list = list[:min(len(list), s.top)]
		}
		slices.Values(list)(yield)
	}
}

func (s *summaries) each(yield func(*summary) bool) {
	for _, x := range s.of.All() {
		if x.Count+x.Missing > 0 && !yield(x) {
			return
		}
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
