package export

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"math"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/internal/tally"
)

// summary is what is told of all values of a series.
type summary struct {
	*tally.Entry

	quantiles *quantiles // nil where nobody asks for them, and as long as Stats have all there is to know
}

func (s *summary) quantile(p float64) float64 {
	switch {
	case s.quantiles != nil:
	case s.Count == 2 && p > 0.5:
		return s.Max
	default:
		return s.Min
	}
	return max(s.Min, min(s.Max, s.quantiles.quantile(p)))
}

// summaries are those of all series, by ID.
type summaries struct {
	tally     tally.Tally
	told      paged.Slice[*quantiles]
	quantiles bool
	frames    int
	from, to  time.Time // zero where no frame has a time

	began, ended capture.Offset // of the clock then
}

func (s *summaries) add(f *capture.Frame) {
	s.frames++
	if !f.Time.IsZero() {
		if s.to, s.ended = f.Time, f.Offset; s.from.IsZero() {
			s.from, s.began = f.Time, f.Offset
		}
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		if s.quantiles {
			s.learn(c)
		}
		s.tally.Add(c)
	}
}

// learn adds a value to the quantiles.
func (s *summaries) learn(c *capture.Cell) {
	v, ok := c.Number()
	if !ok {
		return
	}
	if q := s.told.Find(c.Series.ID); q != nil && *q != nil {
		(*q).add(v)
		return
	}
	stats := s.tally.Stats(c.Series.ID)
	same := math.Float64bits(stats.Min) == math.Float64bits(stats.Max)
	if stats.Count < 2 || same && math.Float64bits(v) == math.Float64bits(stats.Min) {
		return
	}
	q := &quantiles{}
	*s.told.At(c.Series.ID) = q
	for range stats.Count - 1 {
		q.add(stats.Min)
	}
	q.add(stats.Max)
	q.add(v)
}

// all yields them.
func (s *summaries) all() iter.Seq[*summary] {
	return func(yield func(*summary) bool) {
		for e := range s.tally.All() {
			x := summary{Entry: e}
			if q := s.told.Find(e.Series.ID); q != nil {
				x.quantiles = *q
			}
			if !yield(&x) {
				return
			}
		}
	}
}

// SummaryFormats returns the names of the formats that have summaries.
func SummaryFormats() []string { return []string{"table", "csv", "jsonl"} }

// summaryNames are the columns of a summary behind those of the series.
var (
	summaryNames = []string{"count", "missing", "min", "avg", "max", "last", "p50", "p90", "p95", "p99"}
	seriesNames  = cookedNames[1 : cookedPath+1]
	shares       = []float64{0.5, 0.9, 0.95, 0.99}
)

// Summary writes a line for each series: how many values it has, how many
// cells without one, the least, average, greatest and last of them, and
// percentiles. Those are exact up to 128 values and within 1 percent beyond,
// since memory does not grow with the log: docs/outputs.md tells more.
type Summary struct {
	w      *bufio.Writer
	format string
	table  *cookedTable
	all    summaries
}

// NewSummary returns a writer of summaries in a format of [SummaryFormats];
// another one is an error.
func NewSummary(w io.Writer, format string, o TableOptions) (*Summary, error) {
	s := &Summary{w: newBuffer(w), format: format, all: summaries{quantiles: true}}
	switch format {
	case "table":
		s.table = newCookedTable(w, nil, o)
		s.table.w = s.w
	case "csv", "jsonl":
	default:
		return nil, fmt.Errorf("no summary in format %q: there are table, csv, jsonl", format)
	}
	return s, nil
}

// WriteFrame adds a frame.
func (s *Summary) WriteFrame(f *capture.Frame) error {
	s.all.add(f)
	return nil
}

// Close writes the lines.
func (s *Summary) Close() error {
	switch s.format {
	case "table":
		s.table.lines(&s.all)
	case "csv":
		s.csv()
	case "jsonl":
		s.jsonl()
	}
	return s.w.Flush()
}

// numbers returns the columns of a summary; those from min on are there only
// if there is a value.
func (x *summary) numbers() []float64 {
	n := []float64{float64(x.Count), float64(x.Missing), x.Min, x.Mean, x.Max, x.Last}
	if x.Count > 0 {
		for _, p := range shares {
			n = append(n, x.quantile(p))
		}
	}
	return n
}

const summaryCounts = 2 // the columns in front of min

func (s *Summary) csv() {
	for i, name := range seriesNames {
		if i > 0 {
			_ = s.w.WriteByte(',')
		}
		_, _ = s.w.WriteString(name)
	}
	for _, name := range summaryNames {
		_, _ = s.w.WriteString("," + name)
	}
	_ = s.w.WriteByte('\n')
	for x := range s.all.all() {
		prefix := appendCSVPrefix(nil, x.Series)
		line := []byte(prefix[1 : len(prefix)-1])
		numbers := x.numbers()
		for k := range summaryNames {
			line = append(line, ',')
			if k < summaryCounts || x.Count > 0 {
				line = appendNumber(line, numbers[k])
			}
		}
		_, _ = s.w.Write(append(line, '\n'))
	}
}

func (s *Summary) jsonl() {
	for x := range s.all.all() {
		prefix := appendJSONPrefix(nil, x.Series)
		line := append([]byte{'{'}, prefix[1:len(prefix)-len(`,"value":`)]...)
		numbers := x.numbers()
		for k, name := range summaryNames {
			line = append(append(append(line, `,"`...), name...), `":`...)
			if k < summaryCounts || x.Count > 0 {
				line = appendNumber(line, numbers[k])
			} else {
				line = append(line, null...)
			}
		}
		_, _ = s.w.Write(append(line, "}\n"...))
	}
}
