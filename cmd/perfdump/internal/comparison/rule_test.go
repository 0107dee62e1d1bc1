package comparison

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
)

// sideOf returns a side of counters of one instance each, by their values.
func sideOf(host string, counters map[string][]float64) *Side {
	s := NewSide(false)
	owner := &capture.Owner{Host: host, Object: "Object"}
	series := map[string]*capture.Series{}
	n := 0
	for name, values := range counters {
		series[name] = &capture.Series{ID: len(series), Owner: owner, Metric: &capture.Metric{Counter: name}}
		n = max(n, len(values))
	}
	frames := make([]*capture.Frame, n)
	for i := range frames {
		frames[i] = &capture.Frame{Time: time.Unix(int64(i), 0)}
		for name, values := range counters {
			if i < len(values) {
				frames[i].Cells = append(frames[i].Cells, capture.Cell{Series: series[name], Value: values[i]})
			}
		}
		s.Add(frames[i])
	}
	if s.Inexact() {
		for _, f := range frames {
			s.Distances(f)
		}
	}
	return s
}

// around returns n values whose median is center and whose median absolute deviation
// is spread.
func around(center, spread float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = center + spread*float64(i%3-1)
	}
	return all
}

func same(v float64, n int) []float64 { return around(v, 0, n) }

// TestNotable tries the rule at its borders.
func TestNotable(t *testing.T) {
	for name, test := range map[string]struct {
		older, newer []float64
		want         bool
		spreads      float64
	}{
		"3 spreads and 10 %":          {around(100, 5, 30), around(116, 5, 30), true, 3.2},
		"less than 3 spreads":         {around(100, 5, 30), around(114.9, 5, 30), false, 2.98},
		"less than 10 %":              {around(1000, 1, 30), around(1099, 1, 30), false, 99},
		"10 %":                        {around(1000, 1, 30), around(1101.5, 1, 30), true, 101.5},
		"down":                        {around(100, 5, 30), around(84, 5, 30), true, 3.2},
		"below 0":                     {around(-100, 5, 30), around(-84, 5, 30), true, 3.2},
		"10 samples":                  {same(100, 10), same(200, 10), true, MaxSpreads},
		"9 samples":                   {same(100, 9), same(200, 10), false, MaxSpreads},
		"9 newer samples":             {same(100, 10), same(200, 9), false, MaxSpreads},
		"constant, 10 %":              {same(100, 10), same(110, 10), false, MaxSpreads},
		"constant, more than 10 %":    {same(100, 10), same(110.1, 10), true, MaxSpreads},
		"constant 0":                  {same(0, 10), same(0.1, 10), true, MaxSpreads},
		"equal":                       {same(7, 10), same(7, 10), false, 0},
		"the same values":             {around(5, 2, 200), around(5, 2, 100), false, 0},
		"many samples":                {around(1e9, 1e6, 3000), around(1.2e9, 1e6, 3000), true, 200},
		"one more burst":              {append(same(1, 99), 100), append(same(1, 98), 100, 100), false, 0},
		"p95 alone":                   {around(10, 1, 100), append(around(10, 1, 80), same(20, 20)...), true, 9},
		"no samples of the newer one": {same(1, 10), nil, false, 0},
	} {
		older, newer := sideOf("a", map[string][]float64{"C": test.older}), sideOf("B", map[string][]float64{"C": test.newer})
		all := Compare(older, newer)
		require.Len(t, all, 1, name)
		assert.Equal(t, test.want, all[0].Notable, name)
		if name != "one more burst" && name != "the same values" {
			assert.InDelta(t, test.spreads, all[0].Spreads, max(0.06, test.spreads*0.02), name)
		}
	}
}

// TestRanking shifts some of many counters, and expects these first, by how far.
func TestRanking(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	noise := func(center, size float64) []float64 {
		all := make([]float64, 400)
		for i := range all {
			all[i] = center + size*rnd.NormFloat64()
		}
		return all
	}
	older, newer := map[string][]float64{}, map[string][]float64{}
	for i := range 300 {
		name := "Quiet " + string(rune('a'+i%26)) + string(rune('a'+i/26))
		center := math.Exp(rnd.Float64() * 20)
		older[name], newer[name] = noise(center, center/10), noise(center, center/10)
	}
	older["Far"], newer["Far"] = noise(50, 1), noise(90, 1)
	older["Near"], newer["Near"] = noise(50, 3), noise(65, 3)
	older["Constant"], newer["Constant"] = same(3, 400), same(4, 400)
	older["Gone"], newer["Came"] = same(1, 400), same(1, 400)
	var paths []string
	all := Compare(sideOf("one", older), sideOf("other", newer))
	for _, c := range all {
		if c.Notable || !c.Both() {
			paths = append(paths, c.Path)
		}
	}
	assert.Equal(t, []string{`\Object\Constant`, `\Object\Far`, `\Object\Near`, `\Object\Gone`, `\Object\Came`}, paths)
	assert.Len(t, Fold(all[:2]), 2)
}

// TestProcesses adds up the processes of one name, and compares machines by name if
// there are several.
func TestProcesses(t *testing.T) {
	side := func(byPID bool, hosts ...string) *Side {
		s, f := NewSide(byPID), &capture.Frame{}
		for _, host := range hosts {
			for i := range 3 {
				owner := &capture.Owner{Host: host, Object: "Process", HasInstance: true, Instance: "svchost", InstanceIndex: i}
				f.Cells = append(f.Cells, capture.Cell{Series: &capture.Series{ID: len(f.Cells), Owner: owner, Metric: &capture.Metric{Counter: "Handle Count"}}, Value: 10})
			}
		}
		s.Add(f)
		return s
	}
	all := Compare(side(false, "a"), side(false, "b"))
	require.Len(t, all, 1)
	assert.Equal(t, `\Process(svchost)\Handle Count`, all[0].Path)
	assert.InDelta(t, 30, all[0].Older.Mean, 0)
	assert.Len(t, Compare(side(true, "a"), side(true, "b")), 3)
	all = Compare(side(false, "a", "b"), side(false, "b", "c"))
	require.Len(t, all, 3)
	assert.Equal(t, `\\b\Process(svchost)\Handle Count`, all[0].Path)
}

// TestAlign lays the second day over the first, and bounds the curves.
func TestAlign(t *testing.T) {
	day := time.Date(2026, 3, 17, 8, 0, 0, 0, time.UTC)
	s := &capture.Series{Owner: &capture.Owner{Object: "O"}, Metric: &capture.Metric{Counter: "C"}}
	frame := func(start time.Time, n int) *capture.Frame {
		return &capture.Frame{Time: start.Add(time.Duration(n) * time.Second), Offset: capture.Offset{East: time.Hour, Known: true}, Cells: []capture.Cell{{Series: s, Value: float64(n % 100)}}}
	}
	older, newer := NewSide(false), NewSide(false)
	next := day.Add(25 * time.Hour)
	const n = 20_000
	for i := range n {
		older.Add(frame(day, i))
		newer.Add(frame(next, i))
	}
	groups := Fold(Compare(older, newer))
	for byDay, back := range map[bool]time.Duration{true: 24 * time.Hour, false: 25 * time.Hour} {
		a := Align(older, newer, byDay, groups)
		assert.Equal(t, back, a.Back())
		for _, l := range []*Line{groups[0].Older, groups[0].Newer} {
			l.points = nil
		}
		for i := range n {
			a.Add(older, frame(day, i))
			a.Add(newer, frame(next, i))
		}
		var first [2]time.Time
		points := 0
		high := 0.0
		for f := range a.Frames(groups[0].Change, "A", "B") {
			if first[f.Track].IsZero() {
				first[f.Track] = f.Time
			}
			high = max(high, f.Cells[0].Value)
			points++
		}
		assert.Equal(t, next.Add(-back).Sub(day), first[1].Sub(first[0]))
		assert.InDelta(t, 99, high, 0)
		assert.LessOrEqual(t, points, 4*(buckets+1))
	}
}
