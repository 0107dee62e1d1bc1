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
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
)

// rawLog is a binary log of a host with one counter, from a time on.
func rawLog(t testing.TB, name, host string, start time.Time, step time.Duration, records int) *capture.Input {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{})
	of := item("O", "", "C", countertypes.PERF_COUNTER_LARGE_RAWCOUNT)
	of.Path.Machine = host
	w.Items(ticks(start), of)
	for i := range records {
		at := ticks(start.Add(time.Duration(i) * step))
		w.Sample(at, blgwriter.Series{Kind: blg.Single, Local: at, Values: []blgwriter.Value{{Multi: 1, First: uint64(i)}}})
	}
	return written(t, name, w)
}

func ticks(at time.Time) int64 { return at.UnixMicro()*10 + wire.Filetime1970 }

// blockAt is a block of a host with one counter.
func blockAt(name, host string, at time.Time) *capture.Input {
	b := perftest.Block{Name: host, PerfTime100nSec: ticks(at), Objects: []perftest.Object{{
		Title: 2, Single: true, Counters: []perftest.Counter{{Title: 4, Type: 0x00010000}},
	}}}
	return bytesOf(name, b.Bytes())
}

// agentOutput has a section of one object every second.
func agentOutput(name string, start time.Time, sections int) *capture.Input {
	var b strings.Builder
	for i := range sections {
		fmt.Fprintf(&b, "<<<winperf_x>>>\n%d.00 10 5\n2 %d rawcount\n", start.Unix()+int64(i), i)
	}
	return text(name, b.String())
}

// recorded are inputs of all kinds that overlap in time, in no order.
func recorded(t testing.TB) []*capture.Input {
	return []*capture.Input{
		blockAt("block3", "H", noon.Add(3*time.Second)),
		rawLog(t, "late", "L", noon.Add(time.Hour), time.Second, 4),
		agentOutput("agent", noon.Add(time.Second), 7),
		rawLog(t, "b", "B", noon, time.Second, 10),
		blockAt("block1", "H", noon.Add(time.Second)),
		rawLog(t, "a", "A", noon, 700*time.Millisecond, 10),
		blockAt("block2", "G", noon.Add(2500*time.Millisecond)),
	}
}

// moments are the sources and records of entries, and of one that has an error
// its source and the code.
func moments(t testing.TB, snapshots func(yield func(*capture.Snapshot, error) bool)) (all []string) {
	t.Helper()
	for s, err := range snapshots {
		if err != nil {
			require.Equal(t, &capture.Snapshot{Source: s.Source}, s)
			all = append(all, fmt.Sprint(s.Source, " ", err))
			continue
		}
		all = append(all, fmt.Sprint(s.Source, s.Record, s.Time))
	}
	return all
}

func timeline(t testing.TB, o capture.Options, c capture.CookOptions, inputs ...*capture.Input) *capture.Reader {
	t.Helper()
	all := capture.NewReader(o, c)
	t.Cleanup(func() { require.NoError(t, all.Close()) })
	for _, in := range inputs {
		require.NoError(t, all.Add(in))
	}
	return all
}

// TestTimelineIsInTheOrderOfFrames expects what was recorded in the order in which
// it is cooked, for windows of any kind: these come another way. It can be read
// again, and left.
func TestTimelineIsInTheOrderOfFrames(t *testing.T) {
	for _, c := range []capture.CookOptions{
		{},
		{From: after(2500 * time.Millisecond)},
		{To: after(4 * time.Second)},
		{From: after(time.Second), To: after(time.Hour)},
		{From: capture.Moment{At: noon.Add(2 * time.Second), Set: true}},
		{Every: 3},
	} {
		var want []string
		for f := range frames(t, c, recorded(t)...) {
			want = append(want, fmt.Sprint(f.Source, f.Record, f.Time))
		}
		all := timeline(t, capture.Options{}, c, recorded(t)...)
		require.NotEmpty(t, want)
		require.Equal(t, want, moments(t, all.Snapshots()))
		for range all.Snapshots() {
			break
		}
		require.Equal(t, want, moments(t, all.Snapshots()))
		if c.Every == 0 { // which block is the third is another one
			require.ElementsMatch(t, want, moments(t, all.ByInput()))
		}
	}
}

// TestTimelineAsGiven expects the entries input by input, of a window that is one
// for all.
func TestTimelineAsGiven(t *testing.T) {
	c := capture.CookOptions{To: capture.Moment{After: 3 * time.Second, Set: true}}
	all := timeline(t, capture.Options{}, c, blockAt("z", "H", noon.Add(2*time.Second)), rawLog(t, "y", "L", noon.Add(time.Second), time.Second, 4), blockAt("x", "H", noon))
	var sources []string
	for e, err := range all.ByInput() {
		require.NoError(t, err)
		sources = append(sources, e.Source)
	}
	require.Equal(t, []string{"z", "y", "y", "y", "x"}, sources)

	blocks := []*capture.Input{blockAt("z", "H", noon), blockAt("y", "G", noon), blockAt("x", "H", noon), blockAt("w", "H", noon)}
	all = timeline(t, capture.Options{}, capture.CookOptions{Every: 2}, blocks...)
	require.Len(t, moments(t, all.ByInput()), 3, "every second of each machine")
}

// TestTimelineTellsErrors expects an error to end its input alone, behind what was
// read before it, and a format that holds no records to be refused.
func TestTimelineTellsErrors(t *testing.T) {
	agent := text("agent", "<<<winperf_x>>>\n1592222400 10 5\n2 1 rawcount\n<<<winperf_x>>>\nno time\n")
	all := timeline(t, capture.Options{Options: perfdump.Options{Mode: perfdump.Strict}}, capture.CookOptions{}, blockAt("block", "H", noon.Add(time.Second)), agent)
	one := blockAt("", "H", noon.Add(2*time.Second)).Data
	require.Error(t, all.Add(bytesOf("cut", append(one, one[:len(one)-8]...))))
	var none *capture.NoCaptureError
	require.ErrorAs(t, all.Add(&capture.Input{Name: "t", Format: "titles"}), &none)

	got := moments(t, all.Snapshots())
	require.Len(t, got, 4)
	require.Contains(t, got[0], "agent0")
	require.Contains(t, got[1], "agent section[1]: ")
	require.Contains(t, got[2], "block0")
	require.Contains(t, got[3], "cut0")
}

// TestRecordsThatAreThereTwice gives logs and blocks twice: rows have each once, and
// what is shown file by file has all.
func TestRecordsThatAreThereTwice(t *testing.T) {
	times := minutes(noon, 4)
	inputs := []*capture.Input{
		zonedLog(t, "log", "M", oneGUID, times...), zonedLog(t, "copy", "M", oneGUID, times[1:3]...), zonedLog(t, "other", "M", otherGUID, times[2]),
		rawLog(t, "items", "M", noon, time.Minute, 1), blockAt("block", "H", noon), blockAt("again", "H", noon), blockAt("next", "H", times[1]),
	}
	var c capture.CookOptions
	remarks := reported(&c)
	tl := timeline(t, capture.Options{}, c, inputs...)
	var all []string
	for _, m := range moments(t, tl.Snapshots()) {
		source, _, _ := strings.Cut(m, " ")
		all = append(all, source)
	}
	require.Equal(t, []string{"again0", "items0", "log0", "copy0", "next0", "copy1", "other0", "log3"}, all)
	require.Equal(t, []string{"twice: block: given twice: 3 snapshots of this and 1 other file; counted once"}, *remarks)
	require.Len(t, moments(t, tl.ByInput()), 11)
}
