package capture_test

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhpath"
)

const (
	captures   = "../testdata/captures/"
	shared     = "../../shared/captures/"
	logs       = "../../shared/corpus/blg/"
	server2019 = "jagilber_PerfLog-Short_04011208.blg"

	noonTicks = 132366960000000000 // noon as a FILETIME
	second    = 10_000_000
)

var noon = time.Date(2020, 6, 15, 12, 0, 0, 0, time.UTC)

// open opens a file. The test is skipped where the shared files are not there.
func open(t testing.TB, name string) *capture.Input {
	t.Helper()
	in, err := capture.Open(name)
	if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, "../../") {
		t.Skipf("%s is not here", name)
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in
}

func bytesOf(name string, b []byte) *capture.Input {
	return &capture.Input{Name: name, Format: "perfdata", Data: b}
}

// text is a text log or the output of an agent.
func text(name, s string) *capture.Input { return &capture.Input{Name: name, Data: []byte(s)} }

func record(t testing.TB, o capture.Options, c capture.CookOptions, inputs ...*capture.Input) *capture.Recording {
	t.Helper()
	r := capture.NewRecording(o, c)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	for _, in := range inputs {
		require.NoError(t, r.Add(in))
	}
	return r
}

// frames yields the frames of inputs, none of which has an error.
func frames(t testing.TB, c capture.CookOptions, inputs ...*capture.Input) iter.Seq[*capture.Frame] {
	return framesOf(t, record(t, capture.Options{}, c, inputs...))
}

func framesOf(t testing.TB, r *capture.Recording) iter.Seq[*capture.Frame] {
	return func(yield func(*capture.Frame) bool) {
		for f, err := range r.Frames() {
			require.NoError(t, err)
			if !yield(f) {
				return
			}
		}
	}
}

// snapshots yields the snapshots of an input that has no error.
func snapshots(t testing.TB, in *capture.Input, o capture.Options) iter.Seq[*capture.Snapshot] {
	return func(yield func(*capture.Snapshot) bool) {
		for s, err := range capture.Read(in, o) {
			require.NoError(t, err)
			if !yield(s) {
				return
			}
		}
	}
}

type value struct {
	value  float64
	status countertypes.Status
}

// cooked returns the values of a frame by path.
func cooked(t testing.TB, f *capture.Frame) map[string]value {
	t.Helper()
	all := map[string]value{}
	for _, c := range f.Cells {
		_, twice := all[c.Series.Path()]
		require.False(t, twice, c.Series.Path())
		all[c.Series.Path()] = value{c.Value, c.Status}
	}
	return all
}

// said is the value of a cell, or its status where it has none.
func said(c *capture.Cell) string {
	if v, ok := c.Number(); ok {
		return fmt.Sprint(v)
	}
	return c.Status.String()
}

// reported collects the remarks of a recording as "code: source: text".
func reported(c *capture.CookOptions) *[]string {
	all := new([]string)
	c.Remark = func(m capture.Remark) { *all = append(*all, fmt.Sprint(m.Code, ": ", m.Source, ": ", m.Text)) }
	return all
}

func after(d time.Duration) capture.Moment { return capture.Moment{After: d, Set: true} }

// item is an item of a log of the machine M, of all instances for *.
func item(object, instance, counter string, typ countertypes.Type) blgwriter.Item {
	return blgwriter.Item{
		Path: pdhpath.Path{Machine: "M", Object: object, Instance: instance, HasInstance: instance != "", Counter: counter},
		Type: typ, TimeBase: 1000,
	}
}

func single(first, second uint64) blgwriter.Series {
	return several(blgwriter.Value{Multi: 1, First: first, Second: second})
}

// several is a series of one value, or of instances that have names.
func several(values ...blgwriter.Value) blgwriter.Series {
	s := blgwriter.Series{Kind: blg.Single, Values: values}
	if len(values) != 1 || values[0].Name != "" {
		s.Kind = blg.Instances
	}
	return s
}

// object is a whole object with a rate of n, at a time of a clock of 1,000 ticks a
// second.
func object(title uint32, ticks int64, n uint64) blgwriter.Series {
	return wholeObject(title, countertypes.PERF_COUNTER_COUNTER, ticks, noonTicks, n)
}

func wholeObject(title uint32, typ countertypes.Type, ticks, at int64, n uint64) blgwriter.Series {
	b := perftest.Block{DefaultObject: int32(title), PerfTime: ticks, PerfFreq: 1000, PerfTime100nSec: at, Objects: []perftest.Object{{
		Title: title, Single: true, Counters: []perftest.Counter{{Title: 24, Type: uint32(typ)}},
		Instances: []perftest.Instance{{Values: []uint64{n}}},
	}}}
	return blgwriter.Series{Kind: blg.Object, Body: b.Bytes()}
}

// list puts a list of items into a log, and sample a record of the ith second.
func list(w *blgwriter.Writer, i int64, items ...blgwriter.Item) {
	w.Items(noonTicks+i*second-10, items...)
}

func sample(w *blgwriter.Writer, i int64, series ...blgwriter.Series) {
	at := noonTicks + i*second
	for k := range series {
		series[k].Local = at
	}
	w.Sample(at, series...)
}

func written(t testing.TB, name string, w *blgwriter.Writer) *capture.Input {
	t.Helper()
	b, err := w.Bytes()
	require.NoError(t, err)
	return &capture.Input{Name: name, Format: "blg", Data: b}
}

// smallLog is a log of single counters, instances and whole objects of two machines.
func smallLog(t testing.TB) *capture.Input { return open(t, "../testdata/blg/small.blg") }
