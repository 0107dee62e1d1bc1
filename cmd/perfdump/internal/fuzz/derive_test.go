package fuzz

import (
	"math"
	"strings"
	"testing"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/countertypes"
)

// FuzzDerive: an error with its place or a set, never both; a metric reads back
// as itself, and has the same value in parentheses; a value is a number, and
// there is none where a part has none.
func FuzzDerive(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte, value float64) {
		if len(text) > maxInput {
			return
		}
		set, err := derive.Parse(text)
		if (err == nil) == (set == nil) {
			t.Fatalf("set %v, error %v", set != nil, err)
		}
		if err != nil {
			checkError(t, text, err)
			return
		}
		for m := range set.All() {
			one := deriveOne(t, m.String())
			if one.Name != m.Name || one.Expression != m.Expression || len(one.Parts()) != len(m.Parts()) {
				t.Fatalf("%q reads back as %q", m, one)
			}
			v, s := deriveValue(t, m, value, -1)
			if s == countertypes.StatusOK && (math.IsNaN(v) || math.IsInf(v, 0)) || s != countertypes.StatusOK && v != 0 {
				t.Fatalf("%s: %v %v", m, v, s)
			}
			if len(one.Expression) < 32<<10 {
				// Too deep by one is the only error that there may be.
				bare := deriveOne(t, "x = "+m.Expression)
				v, s := deriveValue(t, bare, value, -1)
				if again, err := derive.ParseString("x = (" + m.Expression + ")"); err == nil {
					same, _ := again.Find("x")
					if v2, s2 := deriveValue(t, same, value, -1); v2 != v || s2 != s {
						t.Fatalf("%s: %v %v, in parentheses %v %v", m, v, s, v2, s2)
					}
				}
			}
			counters := map[string]bool{}
			for _, p := range m.Parts() {
				counters[strings.ToLower(p.Counter)] = true
			}
			for i := range min(len(m.Parts()), 3) {
				if len(counters) < len(m.Parts()) {
					break // a part is found where another one is
				}
				if _, s := deriveValue(t, m, value, i); s == countertypes.StatusOK {
					t.Fatalf("%s has a value without part %d", m, i)
				}
			}
		}
	})
}

func deriveOne(t *testing.T, line string) *derive.Metric {
	t.Helper()
	set, err := derive.ParseString(line)
	if err != nil || set.Len() != 1 {
		t.Fatalf("%q: %v", line, err)
	}
	for m := range set.All() {
		return m
	}
	return nil
}

// deriveValue computes a metric whose parts have the values v, v+1, ..., and
// one of them none.
func deriveValue(t *testing.T, m *derive.Metric, v float64, without int) (float64, countertypes.Status) {
	t.Helper()
	var series []*capture.Series
	frame := &capture.Frame{}
	for i, p := range m.Parts() {
		// One object for all, and the objects that parts name.
		s := &capture.Series{ID: i, Owner: &capture.Owner{Object: p.Object}, Metric: &capture.Metric{Counter: p.Counter}}
		if p.Object == "" {
			s.Instance, s.HasInstance = "i", true
		}
		if p.Object == m.Name && p.Counter == m.Name {
			return 0, countertypes.StatusInvalidData
		}
		series = append(series, s)
		c := capture.Cell{Series: s, Value: v + float64(i)}
		if i == without {
			c.Value, c.Status = 0, countertypes.StatusNegativeDelta
		}
		frame.Cells = append(frame.Cells, c)
	}
	set := &derive.Set{}
	set.Add(m)
	b, err := derive.Bind(set, series)
	if err != nil {
		t.Fatal(err)
	}
	frames := b.Apply(func(yield func(*capture.Frame, error) bool) { yield(frame, nil) })
	for f := range frames {
		if len(f.Cells) == len(series) { // an instance has a counter of the name itself
			return 0, countertypes.StatusInvalidData
		}
		c := f.Cells[len(series)]
		return c.Value, c.Status
	}
	return 0, countertypes.StatusInvalidData
}
