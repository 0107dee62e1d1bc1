package analyze_test

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// recording is a recording in memory. A value that is NaN is missing, and a series
// whose value is infinite has no cell.
type recording struct {
	n      int
	step   time.Duration
	values map[string]func(i int) float64 // by path
	late   func(i int) time.Duration      // nil for none
}

var begin = time.Date(2026, 3, 17, 8, 0, 0, 0, time.UTC)

func (r *recording) at(i int) time.Time {
	t := begin.Add(time.Duration(i) * r.step)
	if r.late != nil {
		t = t.Add(r.late(i))
	}
	return t
}

func (r *recording) frames(t testing.TB) capture.Frames {
	type line struct {
		*capture.Series
		value func(int) float64
	}
	var lines []line
	paths := make([]string, 0, len(r.values))
	for path := range r.values {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for i, path := range paths {
		p, err := pdhpath.Parse(path)
		require.NoError(t, err)
		s := &capture.Series{
			ID:     i,
			Owner:  &capture.Owner{Host: cmp.Or(p.Machine, "SRV"), Object: p.Object, Parent: p.Parent, Instance: p.Instance, InstanceIndex: p.Index, HasInstance: p.HasInstance},
			Metric: &capture.Metric{Counter: p.Counter},
		}
		lines = append(lines, line{s, r.values[path]})
	}
	return func(yield func(*capture.Frame, error) bool) {
		f := &capture.Frame{Host: "SRV", Offset: capture.Offset{Known: true}}
		for i := range r.n {
			f.Time, f.Record, f.Cells = r.at(i), i, f.Cells[:0]
			for _, l := range lines {
				v := l.value(i)
				switch {
				case math.IsInf(v, 0):
				case math.IsNaN(v):
					f.Cells = append(f.Cells, capture.Cell{Series: l.Series, Status: countertypes.StatusInvalidData})
				default:
					f.Cells = append(f.Cells, capture.Cell{Series: l.Series, Value: v})
				}
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// analyze returns the report of the recording.
func (r *recording) analyze(t testing.TB, a *analyze.Analysis) *analyze.Report {
	for f := range r.frames(t) {
		a.Add(f)
	}
	all := a.Reports()
	require.Len(t, all, 1)
	return all[0]
}

func parse(t testing.TB, text string) *analyze.Rules {
	rules, err := analyze.Parse([]byte(text), perfdump.Options{})
	require.NoError(t, err)
	return rules
}
