package capture_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

func record(t testing.TB, o capture.Options, c capture.CookOptions, inputs ...*detect.Input) *capture.Recording {
	t.Helper()
	r := capture.NewRecording(o, c)
	for _, in := range inputs {
		require.NoError(t, r.Add(in))
	}
	return r
}

func bytesOf(name string, b []byte) *detect.Input {
	return &detect.Input{Name: name, Format: detect.PerfData, Data: b}
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

// TestFramesAreWhatTheSamplerGives holds the frames of two moments of a busy
// server against the pairs of samples of perfdata, cooked one by one.
func TestFramesAreWhatTheSamplerGives(t *testing.T) {
	older, newer := perftest.Busy(1, perftest.Small), perftest.BusyNext(1, perftest.Small)
	a, err := perfdata.Parse(older, perfdata.Options{})
	require.NoError(t, err)
	b, err := perfdata.Parse(newer, perfdata.Options{})
	require.NoError(t, err)
	names := capture.NewNames()

	var wants []map[string]value
	for _, pair := range [][2]*perfdata.Block{{nil, a}, {a, b}} {
		want := map[string]value{}
		var s perfdata.Sampler
		var of *perfdata.Object
		var display []string
		met := map[string]int{}
		for s.Reset(pair[0], pair[1], nil); s.Next(); {
			if of != s.Object() {
				of, display = s.Object(), display[:0]
				for _, name := range of.DisplayNames() {
					display = append(display, name)
				}
			}
			c := of.Counter(s.Counter())
			if c.CounterType.Hidden() {
				continue
			}
			p := pdhpath.Path{Machine: pair[1].ComputerName(), Object: names.Name(of.ObjectNameTitleIndex), Counter: names.Name(c.CounterNameTitleIndex)}
			if s.Instance().Defined() {
				p.HasInstance, p.Instance = true, display[s.Instance().Position()]
			}
			v, status := countertypes.Cook(s.Older(), s.Newer(), nil)
			met[p.String()]++
			want[p.String()] = value{v, status}
		}
		wants = append(wants, want)
	}

	for _, raw := range []bool{false, true} {
		r := record(t, capture.Options{}, capture.CookOptions{Raw: raw}, bytesOf("b", newer), bytesOf("a", older))
		n := 0
		for f, err := range r.Frames() {
			require.NoError(t, err)
			require.Equal(t, []string{"a", "b"}[n], f.Source, "the older one first, whatever the order of the names")
			got := cooked(t, f)
			require.Equal(t, len(wants[n]), len(got))
			ok := 0
			for path, w := range wants[n] {
				g, has := got[path]
				require.True(t, has, path)
				require.Equal(t, w.status, g.status, path)
				require.Equal(t, math.Float64bits(w.value), math.Float64bits(g.value), path)
				if w.status == countertypes.StatusOK {
					ok++
				}
			}
			require.Greater(t, ok, 50)
			n++
		}
		require.Equal(t, 2, n)
	}
}

func TestFramesWithinTime(t *testing.T) {
	b := perftest.Busy(1, perftest.Small)
	var inputs []*detect.Input
	for i := range 6 {
		inputs = append(inputs, bytesOf(string(rune('a'+i)), later(b, time.Duration(i)*time.Minute)))
	}
	read := func(c capture.CookOptions) (sources string) {
		for f, err := range record(t, capture.Options{}, c, inputs...).Frames() {
			require.NoError(t, err)
			sources += f.Source
			for _, cell := range f.Cells {
				if cell.Series.Type.NeedsTwo() && len(sources) == 1 && !c.From.Set {
					require.NotEqual(t, countertypes.StatusOK, cell.Status, "nothing stands before the first")
				}
			}
		}
		return sources
	}
	start, err := perfdata.Parse(b, perfdata.Options{})
	require.NoError(t, err)
	at, _ := start.Time()
	after := func(d time.Duration) capture.Moment { return capture.Moment{After: d, Set: true} }
	require.Equal(t, "abcdef", read(capture.CookOptions{}))
	require.Equal(t, "ace", read(capture.CookOptions{Every: 2}))
	require.Equal(t, "cdef", read(capture.CookOptions{From: after(2 * time.Minute)}))
	require.Equal(t, "cde", read(capture.CookOptions{From: after(2 * time.Minute), To: after(4 * time.Minute)}))
	require.Equal(t, "ab", read(capture.CookOptions{To: capture.Moment{At: at.Add(90 * time.Second), Set: true}}))
	require.Equal(t, "bd", read(capture.CookOptions{Every: 2, From: after(time.Minute), To: after(4 * time.Minute)}))
}

// later returns the block b as it would be d after it.
func later(b []byte, d time.Duration) []byte {
	b = bytes.Clone(b)
	le := binary.LittleEndian
	var st perfdata.SystemTime
	blk, err := perfdata.Parse(b, perfdata.Options{})
	if err != nil {
		panic(err)
	}
	t, _ := blk.Time()
	st = perfdata.NewSystemTime(t.Add(d))
	if _, err := binary.Encode(b[36:], le, st); err != nil {
		panic(err)
	}
	le.PutUint64(b[56:], uint64(blk.PerfTime)+uint64(d.Seconds()*float64(blk.PerfFreq)))
	le.PutUint64(b[72:], uint64(blk.PerfTime100nSec)+uint64(d/100))
	return b
}

func TestFilteredColumns(t *testing.T) {
	filter, err := capture.NewFilter(`\Process(svc*)\% Processor Time`, `\Memory\*`)
	require.NoError(t, err)
	r := record(t, capture.Options{Filter: filter}, capture.CookOptions{},
		bytesOf("a", perftest.Busy(1, perftest.Small)), bytesOf("b", perftest.BusyNext(1, perftest.Small)))
	columns, err := r.Columns()
	require.NoError(t, err)
	require.NotEmpty(t, columns)
	met := map[*capture.Series]bool{}
	for _, s := range columns {
		require.Contains(t, []string{"Process", "Memory"}, s.Object)
		require.False(t, met[s])
		met[s] = true
	}
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			require.True(t, met[c.Series], "a series of the first reading is the one of the second")
		}
	}
}

func TestRestartIsTold(t *testing.T) {
	b := perftest.Busy(1, perftest.Small)
	anew := later(b, time.Hour)
	binary.LittleEndian.PutUint64(anew[56:], 5) // PerfTime counts from the start of the machine
	var told []capture.Remark
	r := record(t, capture.Options{}, capture.CookOptions{Remark: func(m capture.Remark) { told = append(told, m) }},
		bytesOf("a", b), bytesOf("b", anew))
	for _, err := range r.Frames() {
		require.NoError(t, err)
	}
	require.Len(t, told, 1)
	require.Equal(t, capture.RemarkRestart, told[0].Code)
	require.Equal(t, "b", told[0].Source)
}

// TestRecordingOpensInputsAgain has more bytes of inputs than are kept.
func TestRecordingOpensInputsAgain(t *testing.T) {
	b := perftest.Busy(1, perftest.Server)
	all := map[string]*detect.Input{}
	opened := 0
	var inputs []*detect.Input
	for i := range 9 {
		in := bytesOf(string(rune('a'+i)), later(b, time.Duration(i)*time.Second))
		all[in.Name] = in
		inputs = append(inputs, in)
	}
	filter, err := capture.NewFilter(`\Memory\*`)
	require.NoError(t, err)
	r := capture.NewRecording(capture.Options{Filter: filter}, capture.CookOptions{})
	r.Reopen = func(name string) (*detect.Input, error) { opened++; return all[name], nil }
	for _, in := range inputs {
		require.NoError(t, r.Add(in))
	}
	sources := ""
	for f, err := range r.Frames() {
		require.NoError(t, err)
		sources += f.Source
	}
	require.Equal(t, "abcdefghi", sources)
	require.Positive(t, opened)
	require.Less(t, opened, 9)
}
