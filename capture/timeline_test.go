package capture_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// rawLog is a binary log of a host with one counter, from a time on.
func rawLog(t testing.TB, name, host string, start time.Time, step time.Duration, records int) *detect.Input {
	t.Helper()
	at := func(i int) int64 {
		return start.Add(time.Duration(i)*step).UnixMicro()*10 + wire.Filetime1970
	}
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(at(0), blg.NewItem{Path: pdhpath.Path{Machine: host, Object: "O", Counter: "C"}, Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT})
	for i := range records {
		w.Sample(at(i), blg.NewSeries{Kind: blg.Single, Local: at(i), Values: []blg.NewValue{{Multi: 1, First: uint64(i)}}})
	}
	in := written(t, name, w)
	in.Name = name
	return in
}

// blockAt is a block of a host with one counter.
func blockAt(name, host string, at time.Time) *detect.Input {
	b := perftest.Block{Name: host, PerfTime100nSec: at.UnixMicro()*10 + wire.Filetime1970, Objects: []perftest.Object{{
		Title: 2, Single: true, Counters: []perftest.Counter{{Title: 4, Type: 0x00010000}},
	}}}
	return bytesOf(name, b.Bytes())
}

// agentOutput has a section of one object every second.
func agentOutput(t testing.TB, name string, start time.Time, sections int) *detect.Input {
	t.Helper()
	var b strings.Builder
	for i := range sections {
		fmt.Fprintf(&b, "<<<winperf_x>>>\n%d.00 10 5\n2 %d rawcount\n", start.Unix()+int64(i), i)
	}
	in := opened(t, b.String())
	in.Name = name
	return in
}

// recorded are inputs of all kinds that overlap in time, in no order.
func recorded(t testing.TB) []*detect.Input {
	return []*detect.Input{
		blockAt("block3", "H", noon.Add(3*time.Second)),
		rawLog(t, "late", "L", noon.Add(time.Hour), time.Second, 4),
		agentOutput(t, "agent", noon.Add(time.Second), 7),
		rawLog(t, "b", "B", noon, time.Second, 10),
		blockAt("block1", "H", noon.Add(time.Second)),
		rawLog(t, "a", "A", noon, 700*time.Millisecond, 10),
		blockAt("block2", "G", noon.Add(2500*time.Millisecond)),
	}
}

// moments are the sources and records of entries, and of one that has an error
// its source and the code.
func moments(t testing.TB, entries func(yield func(*capture.Entry, error) bool)) (all []string) {
	t.Helper()
	for e, err := range entries {
		switch {
		case err != nil:
			require.True(t, e.Snapshot == nil && e.Record == nil && e.Section == nil)
			all = append(all, fmt.Sprint(e.Source, " ", err))
		case e.Snapshot != nil:
			require.Equal(t, e.Source, e.Snapshot.Source)
			all = append(all, fmt.Sprint(e.Source, e.Snapshot.Record, e.Snapshot.Time))
		case e.Record != nil:
			require.Equal(t, e.Source, e.Record.Source)
			all = append(all, fmt.Sprint(e.Source, e.Record.Record, e.Record.Time))
		default:
			require.Equal(t, e.Source, e.Section.Source)
			all = append(all, fmt.Sprint(e.Source, e.Section.Record, e.Section.Time))
		}
	}
	return all
}

func timeline(t testing.TB, o capture.Options, c capture.CookOptions, inputs ...*detect.Input) *capture.Timeline {
	t.Helper()
	all := capture.NewTimeline(o, c)
	t.Cleanup(func() { require.NoError(t, all.Close()) })
	for _, in := range inputs {
		require.NoError(t, all.Add(in))
	}
	return all
}

// TestTimelineIsInTheOrderOfFrames wants what was recorded in the order in which
// it is cooked, for windows of any kind: these come another way. It can be read
// again, and left.
func TestTimelineIsInTheOrderOfFrames(t *testing.T) {
	after := func(d time.Duration) capture.Moment { return capture.Moment{After: d, Set: true} }
	for _, c := range []capture.CookOptions{
		{},
		{From: after(2500 * time.Millisecond)},
		{To: after(4 * time.Second)},
		{From: after(time.Second), To: after(time.Hour)},
		{From: capture.Moment{At: noon.Add(2 * time.Second), Set: true}},
		{Every: 3},
	} {
		var want []string
		r := record(t, capture.Options{}, c, recorded(t)...)
		for f, err := range r.Frames() {
			require.NoError(t, err)
			want = append(want, fmt.Sprint(f.Source, f.Record, f.Time))
		}
		require.NoError(t, r.Close())
		all := timeline(t, capture.Options{}, c, recorded(t)...)
		require.NotEmpty(t, want)
		require.Equal(t, want, moments(t, all.Entries()))
		for range all.Entries() {
			break
		}
		require.Equal(t, want, moments(t, all.Entries()))
		if c.Every == 0 { // which block is the third is another one
			require.ElementsMatch(t, want, moments(t, all.Given()))
		}
	}
}

// TestTimelineAsGiven wants the entries input by input, of a window that is one
// for all.
func TestTimelineAsGiven(t *testing.T) {
	c := capture.CookOptions{To: capture.Moment{After: 3 * time.Second, Set: true}}
	all := timeline(t, capture.Options{}, c, blockAt("z", "H", noon.Add(2*time.Second)), rawLog(t, "y", "L", noon.Add(time.Second), time.Second, 4), blockAt("x", "H", noon))
	var sources []string
	for e, err := range all.Given() {
		require.NoError(t, err)
		sources = append(sources, e.Source)
	}
	require.Equal(t, []string{"z", "y", "y", "y", "x"}, sources)

	blocks := []*detect.Input{blockAt("z", "H", noon), blockAt("y", "G", noon), blockAt("x", "H", noon), blockAt("w", "H", noon)}
	all = timeline(t, capture.Options{}, capture.CookOptions{Every: 2}, blocks...)
	require.Len(t, moments(t, all.Given()), 3, "every second of each machine")
}

// TestTimelineTellsErrors wants an error to end its input alone, behind what was
// read before it, and a format that holds no records to be refused.
func TestTimelineTellsErrors(t *testing.T) {
	agent := opened(t, "<<<winperf_x>>>\n1592222400 10 5\n2 1 rawcount\n<<<winperf_x>>>\nno time\n")
	agent.Name = "agent"
	all := timeline(t, capture.Options{Mode: perfdump.Strict}, capture.CookOptions{}, blockAt("block", "H", noon.Add(time.Second)), agent)
	one := blockAt("", "H", noon.Add(2*time.Second)).Data
	require.Error(t, all.Add(bytesOf("cut", append(one, one[:len(one)-8]...))))
	var none *capture.NoCaptureError
	require.ErrorAs(t, all.Add(&detect.Input{Name: "t", Format: detect.Titles}), &none)

	got := moments(t, all.Entries())
	require.Len(t, got, 4)
	require.Contains(t, got[0], "agent0")
	require.Contains(t, got[1], "agent section[1]: ")
	require.Contains(t, got[2], "block0")
	require.Contains(t, got[3], "cut0")
}

// TestTimelineOpensInputsAgain wants blocks that are not kept to be read again.
func TestTimelineOpensInputsAgain(t *testing.T) {
	many := func() (all []*detect.Input) {
		for i := range 5 {
			in := blockAt(fmt.Sprint("f", i), "H", noon.Add(time.Duration(9-i)*time.Second))
			in.Data = append(in.Data, make([]byte, 9<<20)...)
			all = append(all, in)
		}
		return all
	}
	inputs := many()
	all := timeline(t, capture.Options{}, capture.CookOptions{})
	again := 0
	all.Reopen = func(name string) (*detect.Input, error) {
		again++
		for _, in := range inputs {
			if in.Name == name {
				return in, nil
			}
		}
		return nil, fmt.Errorf("no %s", name)
	}
	for _, in := range many() {
		require.NoError(t, all.Add(in))
	}
	require.Len(t, moments(t, all.Entries()), 5)
	require.Positive(t, again)
	inputs = nil
	require.Contains(t, fmt.Sprint(moments(t, all.Entries())), "no f")
}

// TestRecordsThatAreThereTwice gives logs and blocks twice: rows have each once, and
// what is shown file by file has all.
func TestRecordsThatAreThereTwice(t *testing.T) {
	times := minutes(noon, 4)
	inputs := []*detect.Input{
		zonedLog(t, "log", "M", oneGUID, times...), zonedLog(t, "copy", "M", oneGUID, times[1:3]...), zonedLog(t, "other", "M", otherGUID, times[2]),
		rawLog(t, "items", "M", noon, time.Minute, 1), blockAt("block", "H", noon), blockAt("again", "H", noon), blockAt("next", "H", times[1]),
	}
	var told []string
	c := capture.CookOptions{Remark: func(m capture.Remark) { told = append(told, fmt.Sprint(m.Code, ": ", m.Source, ": ", m.Text)) }}
	tl := timeline(t, capture.Options{}, c, inputs...)
	var all []string
	for _, m := range moments(t, tl.Entries()) {
		source, _, _ := strings.Cut(m, " ")
		all = append(all, source)
	}
	require.Equal(t, []string{"again0", "items0", "log0", "copy0", "next0", "copy1", "other0", "log3"}, all)
	require.Equal(t, []string{"twice: block: given twice: 3 snapshots of this and 1 other file; counted once"}, told)
	require.Len(t, moments(t, tl.Given()), 11)
}
