package capture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// later returns the block b as it would be d after it.
func later(b []byte, d time.Duration) []byte {
	b = bytes.Clone(b)
	le := binary.LittleEndian
	blk, err := perfdata.Parse(b, perfdump.Options{})
	if err != nil {
		panic(err)
	}
	at, _ := blk.Time()
	if _, err := binary.Encode(b[36:], le, perfdata.NewSystemTime(at.Add(d))); err != nil {
		panic(err)
	}
	le.PutUint64(b[56:], uint64(blk.PerfTime)+uint64(d.Seconds()*float64(blk.PerfFreq)))
	le.PutUint64(b[72:], uint64(blk.PerfTime100nSec)+uint64(d/100))
	return b
}

// TestFramesAreWhatTheSamplerGives compares the frames of two moments of a busy
// server with the pairs of samples of perfdata, cooked one by one.
func TestFramesAreWhatTheSamplerGives(t *testing.T) {
	older, newer := perftest.Busy(1, perftest.Small), perftest.BusyNext(1, perftest.Small)
	a, err := perfdata.Parse(older, perfdump.Options{})
	require.NoError(t, err)
	b, err := perfdata.Parse(newer, perfdump.Options{})
	require.NoError(t, err)
	names := capture.NewNames()

	var wants []map[string]value
	for _, pair := range [][2]*perfdata.Block{{nil, a}, {a, b}} {
		want := map[string]value{}
		var s perfdata.Sampler
		var of *perfdata.Object
		var display []string
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
			want[p.String()] = value{v, status}
		}
		wants = append(wants, want)
	}
	for _, raw := range []bool{false, true} {
		n := 0
		for f := range frames(t, capture.CookOptions{Raw: raw}, bytesOf("b", newer), bytesOf("a", older)) {
			require.Equal(t, []string{"a", "b"}[n], f.Source, "the older one first, whatever the order of the names")
			require.Equal(t, wants[n], cooked(t, f))
			n++
		}
		require.Equal(t, 2, n)
	}
}

func TestFramesWithinTime(t *testing.T) {
	b := perftest.Busy(1, perftest.Small)
	var inputs []*capture.Input
	for i := range 6 {
		inputs = append(inputs, bytesOf(string(rune('a'+i)), later(b, time.Duration(i)*time.Minute)))
	}
	start, err := perfdata.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	at, _ := start.Time()
	for _, x := range []struct {
		want string
		c    capture.CookOptions
	}{
		{"abcdef", capture.CookOptions{}},
		{"ace", capture.CookOptions{Every: 2}},
		{"cdef", capture.CookOptions{From: after(2 * time.Minute)}},
		{"cde", capture.CookOptions{From: after(2 * time.Minute), To: after(4 * time.Minute)}},
		{"ab", capture.CookOptions{To: capture.Moment{At: at.Add(90 * time.Second), Set: true}}},
		{"bd", capture.CookOptions{Every: 2, From: after(time.Minute), To: after(4 * time.Minute)}},
	} {
		sources := ""
		for f := range frames(t, x.c, inputs...) {
			sources += f.Source
		}
		require.Equal(t, x.want, sources)
	}
}

// TestNoRatesAcrossARestart sets the performance clock of a machine back, and
// nothing else: no pair across that has a value, though most would have one.
func TestNoRatesAcrossARestart(t *testing.T) {
	b, next := perftest.Busy(1, perftest.Small), perftest.BusyNext(1, perftest.Small)
	binary.LittleEndian.PutUint64(next[56:], 5)
	for _, raw := range []bool{false, true} {
		var alone []map[string]value
		for _, x := range [][]byte{b, next} {
			for f := range frames(t, capture.CookOptions{Raw: raw}, bytesOf("x", x)) {
				alone = append(alone, cooked(t, f))
			}
		}
		n := 0
		c := capture.CookOptions{Raw: raw}
		remarks := reported(&c)
		for f := range frames(t, c, bytesOf("a", b), bytesOf("b", next), bytesOf("c", later(next, 5*time.Second))) {
			if raw {
				require.Len(t, f.Tuples, len(f.Cells))
			}
			met := map[countertypes.Status]int{}
			if n == 1 {
				require.Len(t, cooked(t, f), len(alone[1]))
			}
			for _, c := range f.Cells {
				if c.Series.Type.NeedsTwo() {
					met[c.Status]++
					require.False(t, n < 2 && c.Status == countertypes.StatusOK, c.Series.Path())
				} else if n < 2 {
					require.Equal(t, alone[n][c.Series.Path()], value{c.Value, c.Status}, "one sample is enough")
				}
			}
			switch n {
			case 1:
				require.Positive(t, met[countertypes.StatusNegativeDenominator], "what the pair itself says is reported")
				require.Greater(t, met[countertypes.StatusNeedsSecondSample], 1000, "what would have a value")
			case 2:
				require.Positive(t, met[countertypes.StatusZeroDenominator]+met[countertypes.StatusOK], "the next pair is of one start")
				require.Zero(t, met[countertypes.StatusNeedsSecondSample])
			}
			n++
		}
		require.Equal(t, 3, n)
		require.Len(t, *remarks, 1)
		require.Contains(t, (*remarks)[0], "restart: b: ")
	}
}

// TestRecordingOpensInputsAgain has more bytes of inputs than are kept.
func TestRecordingOpensInputsAgain(t *testing.T) {
	b := perftest.Busy(1, perftest.Server)
	all := map[string][]byte{}
	opened := 0
	filter, err := capture.NewFilter(`\Memory\*`)
	require.NoError(t, err)
	r := record(t, capture.Options{Filter: filter}, capture.CookOptions{})
	r.Reopen = func(name string) ([]byte, error) { opened++; return all[name], nil }
	for i := range 9 {
		in := bytesOf(string(rune('a'+i)), later(b, time.Duration(i)*time.Second))
		all[in.Name] = in.Data
		require.NoError(t, r.Add(in))
	}
	sources := ""
	for f := range framesOf(t, r) {
		sources += f.Source
	}
	require.Equal(t, "abcdefghi", sources)
	require.Positive(t, opened)
	require.Less(t, opened, 9)
}

// TestCountersOfOtherInputs has an object with other counters at the same
// places, as after an update of Windows: each value goes to its own counter.
func TestCountersOfOtherInputs(t *testing.T) {
	counter := func(title uint32) perftest.Counter { return perftest.Counter{Title: title, Type: 0x00010000} }
	block := func(seconds uint64, counters ...perftest.Counter) *capture.Input {
		b := perftest.Block{Name: "H", Objects: []perftest.Object{{
			Title: 4, Counters: counters, Instances: []perftest.Instance{{Name: "i", Values: []uint64{10 * seconds, 10*seconds + 1}}},
		}}}
		return bytesOf(fmt.Sprint(seconds), later(b.Bytes(), time.Duration(seconds)*time.Second))
	}
	older := "<<<winperf_phydisk>>>\n1352457622.31 234 1000\n1 instances: C:\n-36 3 rawcount\n-22 1000 counter\n"
	newer := "<<<winperf_phydisk>>>\n1352457722.31 234 1000\n1 instances: C:\n-22 2000 counter\n-36 5 rawcount\n-20 7 rawcount\n"
	for want, inputs := range map[string][]*capture.Input{
		`map[\\H\Memory(i)\Available Bytes:[10 21] \\H\Memory(i)\Page Faults/sec:[11 20]]`:                                                                          {block(1, counter(24), counter(28)), block(2, counter(28), counter(24))},
		`map[\PhysicalDisk(C:)\Current Disk Queue Length:[3 5] \PhysicalDisk(C:)\Disk Reads/sec:[7] \PhysicalDisk(C:)\Disk Transfers/sec:[needs-second-sample 10]]`: {text("a", older), text("b", newer)},
	} {
		got := map[string][]string{}
		for f := range frames(t, capture.CookOptions{}, inputs...) {
			for i := range f.Cells {
				path := f.Cells[i].Series.Path()
				got[path] = append(got[path], said(&f.Cells[i]))
			}
		}
		require.Equal(t, want, fmt.Sprint(got))
	}
}

// TestTextsOfCells expects the texts of text counters where they are requested,
// with raw tuples or without, alone or next to another track, across a restart
// of the machine too.
func TestTextsOfCells(t *testing.T) {
	labels := func(name, suffix string, clock int64) *capture.Input {
		o := perftest.Object{Title: 2, Counters: []perftest.Counter{
			{Title: 4, Type: uint32(countertypes.PERF_COUNTER_TEXT), Size: 32}, {Title: 6, Type: uint32(countertypes.PERF_COUNTER_RAWCOUNT)},
		}}
		for i, s := range []string{"a ä漢" + suffix, "", "b" + suffix} {
			raw := make([]byte, 0, 32)
			for _, u := range utf16.Encode([]rune(s)) {
				raw = binary.LittleEndian.AppendUint16(raw, u)
			}
			o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint("i", i), Values: []uint64{0, uint64(i)}, Raw: map[int][]byte{0: raw[:32]}})
		}
		return bytesOf(name, (&perftest.Block{Name: "H", PerfTime: clock, PerfTime100nSec: perftest.DefaultTime + clock, Objects: []perftest.Object{o}}).Bytes())
	}
	for _, c := range []capture.CookOptions{{Texts: true}, {Texts: true, Raw: true}, {}, {Raw: true}} {
		for _, others := range [][]*capture.Input{nil, {textLog("other", "G", noon, time.Second, 1)}} {
			inputs := append(others, labels("a", "1", 20), labels("b", "2", 30), labels("c", "3", 40))
			copy(inputs[len(inputs)-1].Data[56:64], []byte{1, 0, 0, 0, 0, 0, 0, 0}) // a clock after a restart
			var got []string
			var kept []map[*capture.Series]string
			for f := range frames(t, c, inputs...) {
				for i := range f.Cells {
					if text, ok := f.Texts[f.Cells[i].Series]; ok {
						require.Equal(t, countertypes.StatusText, f.Cells[i].Status)
						got = append(got, text)
					}
				}
				if f.Host == "H" {
					kept = append(kept, f.Texts)
				}
			}
			if !c.Texts {
				require.Empty(t, got)
				continue
			}
			require.Equal(t, []string{"a ä漢1", "", "b1", "a ä漢2", "", "b2", "a ä漢3", "", "b3"}, got)
			for _, texts := range kept { // each frame has its own
				require.Len(t, texts, 3)
			}
		}
	}
}
