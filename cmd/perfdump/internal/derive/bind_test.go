package derive_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// recording is one that tests make up.
type recording struct {
	series []*capture.Series
	frames [][]capture.Cell
}

// add returns the ID of a new series of a path.
func (r *recording) add(path string) int {
	p, _ := pdhpath.Parse(path)
	s := &capture.Series{
		ID:     len(r.series),
		Owner:  &capture.Owner{Host: p.Machine, Object: p.Object, Parent: p.Parent, HasParent: p.Parent != "", Instance: p.Instance, HasInstance: p.HasInstance, InstanceIndex: p.Index},
		Metric: &capture.Metric{Counter: p.Counter},
	}
	r.series = append(r.series, s)
	return s.ID
}

func (r *recording) cell(id int, v float64, s countertypes.Status) capture.Cell {
	return capture.Cell{Series: r.series[id], Value: v, Status: s}
}

func (r *recording) Frames() capture.Frames {
	return func(yield func(*capture.Frame, error) bool) {
		var f capture.Frame
		for i, cells := range r.frames {
			f.Record, f.Source = i, "test"
			f.Cells = append(f.Cells[:0], cells...)
			if !yield(&f, nil) {
				return
			}
		}
	}
}

// show returns the cells that were derived.
func show(t *testing.T, b *derive.Binding, r *recording) []string {
	t.Helper()
	var lines []string
	for f, err := range b.Apply(r.Frames()) {
		require.NoError(t, err)
		for _, c := range f.Cells {
			if c.Series.ID >= len(r.series) {
				lines = append(lines, fmt.Sprintf("%d %s %v %v", f.Record, c.Series.Path(), c.Value, c.Status))
			}
		}
	}
	return lines
}

func bind(t *testing.T, r *recording, text string) *derive.Binding {
	t.Helper()
	set, err := derive.ParseString(text)
	require.NoError(t, err)
	b, err := derive.Bind(set, r.series)
	require.NoError(t, err)
	return b
}

// pair is a recording with counters A and B in two instances, and C in an
// object without instances.
func pair(values ...float64) *recording {
	r := &recording{}
	a0, b0 := r.add(`\\h\O(x)\A`), r.add(`\\h\O(x)\B`)
	a1, b1 := r.add(`\\h\O(p/x#2)\A`), r.add(`\\h\O(p/x#2)\B`)
	c := r.add(`\\h\S\C`)
	for i := 0; i+4 < len(values); i += 5 {
		var cells []capture.Cell
		for j, id := range []int{a0, b0, a1, b1, c} {
			if v := values[i+j]; !math.IsNaN(v) {
				cells = append(cells, r.cell(id, v, countertypes.StatusOK))
			}
		}
		r.frames = append(r.frames, cells)
	}
	return r
}

func TestArithmetic(t *testing.T) {
	for expression, want := range map[string]string{
		"A / B":                   "4 ok",
		"A - B - B":               "4 ok",
		"A - (B - B)":             "8 ok",
		"A / B / B":               "2 ok",
		"A + B * 10":              "28 ok",
		"(A + B) * 10":            "100 ok",
		"2 * A - B * B / 4 + 0.5": "15.5 ok",
		"A / (B - 2)":             "0 zero-denominator",
		"(A - 8) / (B - 2)":       "0 zero-denominator",
		"A * 1e308 * 1e308":       "0 invalid-data",
		"-1 * A":                  "-8 ok",
		`A + S\C`:                 "13 ok",
		`S\C / B`:                 "2.5 ok",
		`o\a`:                     "8 ok",
		"A - -1":                  "9 ok",
	} {
		r := pair(8, 2, 8, 2, 5)
		assert.Equal(t, []string{`0 \\h\O(x)\M ` + want, `0 \\h\O(p/x#2)\M ` + want}, show(t, bind(t, r, "M = "+expression), r), expression)
	}
}

// TestMissing checks that a value that is not there is never taken for 0.
func TestMissing(t *testing.T) {
	none := math.NaN()
	r := pair(
		8, 2, none, none, 5, // an instance that is not there
		8, none, 8, 0, 5, // a part that is not there; 0 below the line
		none, 2, 8, 2, none,
	)
	r.frames = append(r.frames, []capture.Cell{
		r.cell(0, 0, countertypes.StatusNegativeDelta), r.cell(1, 0, countertypes.StatusNeedsSecondSample),
		r.cell(2, 1, countertypes.StatusOK), r.cell(3, math.Inf(1), countertypes.StatusOK),
	})
	bad := r.cell(1, 3, countertypes.StatusOK)
	bad.PDH = 0xC0000BBA
	r.frames = append(r.frames, []capture.Cell{r.cell(0, 1, countertypes.StatusOK), bad})
	assert.Equal(t, []string{
		`0 \\h\O(x)\M 4 ok`,
		`1 \\h\O(x)\M 0 invalid-data`,
		`1 \\h\O(p/x#2)\M 0 zero-denominator`,
		`2 \\h\O(p/x#2)\M 4 ok`,
		`3 \\h\O(x)\M 0 negative-delta`,
		`3 \\h\O(p/x#2)\M 0 ok`,
		`4 \\h\O(x)\M 0 invalid-data`,
	}, show(t, bind(t, r, "M = A / B"), r))
}

// TestTwins checks that what happened and what it cost are joined by the names
// of the instances, and that other objects are not.
func TestTwins(t *testing.T) {
	const a, c = `\\h\Per Processor Network Interface Card Activity`, `\\h\Per Processor Network Activity Cycles`
	r := &recording{}
	for _, path := range []string{
		a + `(0,Eth)\Interrupts/sec`, a + `(1,Eth)\Interrupts/sec`, a + `(0,Eth)\DPCs Queued/sec`, a + `(1,Eth)\DPCs Queued/sec`,
		c + `(1,Eth)\Interrupt Cycles/sec`, c + `(0,Eth)\Interrupt Cycles/sec`, c + `(2,Eth)\Interrupt Cycles/sec`,
		`\\h\Processor(0)\Interrupts/sec`, `\\h\Processor(0)\DPCs Queued/sec`, `\\i\Processor(0)\Interrupts/sec`,
	} {
		r.add(path)
	}
	var cells []capture.Cell
	for i := range r.series {
		cells = append(cells, r.cell(i, float64(10*(i+1)), countertypes.StatusOK))
	}
	r.frames = [][]capture.Cell{cells}
	set, _ := derive.NDIS()
	b, err := derive.Bind(set, r.series)
	require.NoError(t, err)
	assert.Equal(t, []string{
		`0 ` + c + `(1,Eth)\Cycles per interrupt 2.5 ok`,
		`0 ` + c + `(0,Eth)\Cycles per interrupt 6 ok`,
		`0 ` + a + `(0,Eth)\DPCs per interrupt 3 ok`,
		`0 ` + a + `(1,Eth)\DPCs per interrupt 2 ok`,
	}, show(t, b, r))
	require.Len(t, b.Unbound(), 15)
	assert.Equal(t, "Received Packets/sec", b.Unbound()[0].Part.Counter)
	assert.True(t, b.Unbound()[0].Nowhere)

	b = bind(t, r, `M = Processor\Interrupts/sec + Per Processor Network Interface Card Activity\Interrupts/sec`)
	assert.Empty(t, show(t, b, r))
	require.Len(t, b.Unbound(), 1)
	assert.False(t, b.Unbound()[0].Nowhere, "both are there, in no instance together")
	assert.False(t, b.Unbound()[0].Taken)
	b = bind(t, r, "Interrupts/sec = DPCs Queued/sec\nDPCs Queued/sec = Nothing")
	require.Len(t, b.Unbound(), 2)
	assert.True(t, b.Unbound()[0].Taken, "a counter of its own has that name")
	assert.False(t, b.Unbound()[1].Taken)
}

// TestColumns checks that derived series stand behind the recorded ones, with
// IDs of their own, and that an instance keeps a counter of its own.
func TestColumns(t *testing.T) {
	r := pair()
	r.add(`\\h\O(x)\M`)
	r.series = append(r.series[1:], r.series[0]) // columns do not stand in the order of IDs
	columns := bind(t, r, "m = A / B\nN = B + 1").Columns()
	var got []string
	for _, s := range columns[len(r.series):] {
		got = append(got, fmt.Sprint(s.ID, " ", s.Path()))
	}
	assert.Equal(t, []string{`6 \\h\O(p/x#2)\m`, `7 \\h\O(x)\N`, `8 \\h\O(p/x#2)\N`}, got)
	assert.Equal(t, &capture.Metric{Counter: "m"}, columns[6].Metric)
}

func TestShow(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{`\O(x)\A`, `\\h\O(x)\A \\h\O(x)\M`},
		{`\O(x)\M`, `\\h\O(x)\M`},
		{`\O(*)\M`, `\\h\O(x)\M \\h\O(p/x#2)\M`},
		{`\S\C`, `\\h\S\C`},
		{`\O(p/x#2)\*`, `\\h\O(p/x#2)\A \\h\O(p/x#2)\B \\h\O(p/x#2)\M`},
	} {
		r := pair(8, 2, 8, 2, 5)
		b := bind(t, r, "M = A / B")
		filter, err := capture.NewFilter(c.path)
		require.NoError(t, err)
		b.Show(filter)
		var columns, cells []string
		for _, s := range b.Columns() {
			columns = append(columns, s.Path())
		}
		for f := range b.Apply(r.Frames()) {
			for i := range f.Cells {
				cells = append(cells, f.Cells[i].Series.Path())
			}
		}
		assert.Equal(t, c.want, strings.Join(columns, " "), c.path)
		assert.Equal(t, c.want, strings.Join(cells, " "), c.path)
	}
}

// TestPaths checks that the paths of a set let its parts through.
func TestPaths(t *testing.T) {
	set, err := derive.ParseString(`M = [A (b)/c] / S\C` + "\nN = B * A")
	require.NoError(t, err)
	assert.Equal(t, []string{`\*(*)\A`, `\*(*)\A (b)/c`, `\*(*)\B`, `\S(*)\C`}, set.Paths())
}

// TestTuples expects each cell to keep its raw values, derived ones to have none, and
// the texts of a frame to be there.
func TestTuples(t *testing.T) {
	r := pair(8, 2, 8, 2, 5, 6, 2, 6, 2, 5)
	b := bind(t, r, "M = A / B")
	filter, err := capture.NewFilter(`\O(*)\B`, `\O(*)\M`)
	require.NoError(t, err)
	b.Show(filter) // A is hidden
	raw := func(yield func(*capture.Frame, error) bool) {
		for f, err := range r.Frames() {
			f.Tuples = nil
			for _, c := range f.Cells {
				f.Tuples = append(f.Tuples, capture.Tuple{First: uint64(100*f.Record + c.Series.ID), Known: true, PID: 7})
			}
			f.Texts = map[*capture.Series]string{f.Cells[0].Series: "x"}
			if !yield(f, err) {
				return
			}
		}
	}
	for f, err := range b.Apply(raw) {
		require.NoError(t, err)
		require.Len(t, f.Cells, 4)
		require.Len(t, f.Texts, 1)
		for i, c := range f.Cells {
			want := capture.Tuple{First: uint64(100*f.Record + c.Series.ID), Known: true, PID: 7}
			if c.Series.Counter == "M" {
				want = capture.Tuple{PID: 7}
			}
			require.Equal(t, want, f.Tuples[i], c.Series.Path())
		}
	}
}

// TestErrorsGoThrough checks that a frame that cannot be read does not end the
// stream, and that a reader may stop early and begin anew.
func TestErrorsGoThrough(t *testing.T) {
	r := pair(8, 2, 8, 2, 5, 6, 2, 6, 2, 5)
	fault := errors.New("fault")
	b := bind(t, r, "M = A / B")
	frames := b.Apply(func(yield func(*capture.Frame, error) bool) {
		for f := range r.Frames() {
			if !yield(f, nil) || !yield(&capture.Frame{Source: "bad"}, fault) {
				return
			}
		}
	})
	for range 2 {
		var got []string
		for f, err := range frames {
			got = append(got, fmt.Sprint(f.Source, len(f.Cells), err))
			if len(got) == 3 {
				break
			}
		}
		assert.Equal(t, []string{"test7 <nil>", "bad0 fault", "test7 <nil>"}, got)
	}
}

func TestLimitOfSeries(t *testing.T) {
	r := &recording{}
	for i := range 1000 {
		r.add(fmt.Sprintf(`\O(%d)\A`, i))
	}
	set, err := derive.ParseString(manyLines(1000))
	require.NoError(t, err)
	_, err = derive.Bind(set, r.series)
	assert.ErrorIs(t, err, perfdump.ErrLimit)
}

// TestAllocApply checks that a frame takes no memory of its own.
func TestAllocApply(t *testing.T) {
	r := pair(slices.Repeat([]float64{8, 2, 8, 2, 5}, 100)...)
	b := bind(t, r, "M = A / B\nN = (A + B) * 2")
	run := func(n int) float64 {
		return testing.AllocsPerRun(10, func() {
			i := 0
			for range b.Apply(r.Frames()) {
				if i++; i == n {
					return
				}
			}
		})
	}
	assert.Equal(t, run(10), run(100))
}
