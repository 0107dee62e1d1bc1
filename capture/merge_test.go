package capture_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// textLog is a PDH-CSV of a host with two counters, from a time on.
func textLog(name, host string, start time.Time, step time.Duration, rows int) *capture.Input {
	var b strings.Builder
	fmt.Fprintf(&b, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\%s\\O\\A\",\"\\\\%s\\O\\B\"\r\n", host, host)
	for i := range rows {
		fmt.Fprintf(&b, "\"%s\",\"%d\",\"%d\"\r\n", start.Add(time.Duration(i)*step).Format("01/02/2006 15:04:05.000"), i, i+1)
	}
	return text(name, b.String())
}

// overlapping are inputs some of which overlap in time: three of one time, one
// within another, one that begins when another ends, one alone, and blocks.
func overlapping() [][]*capture.Input {
	one := func(in *capture.Input) []*capture.Input { return []*capture.Input{in} }
	return [][]*capture.Input{
		one(textLog("c", "C", noon, time.Second, 60)),
		one(textLog("within", "W", noon.Add(10*time.Second), 700*time.Millisecond, 700)),
		one(textLog("b", "B", noon, time.Second, 60)),
		one(textLog("a", "A", noon, time.Second, 60)),
		one(textLog("touches", "T", noon.Add(59*time.Second), time.Second, 300)),
		one(textLog("alone", "A", noon.Add(48*time.Hour), time.Second, 3)),
		{bytesOf("later", perftest.Busy(1, perftest.Small)), bytesOf("latest", perftest.BusyNext(1, perftest.Small))},
		one(textLog("aside", "S", noon.Add(48*time.Hour), 500*time.Millisecond, 5)),
	}
}

// TestFramesOfOverlappingTracks expects the frames of each track alone, in the order
// of time and of the sources at one time. Series are those of [capture.Recording.Columns]
// and the same in each reading, one that is left in the middle included.
func TestFramesOfOverlappingTracks(t *testing.T) {
	c := capture.CookOptions{Raw: true}
	cellsOf := func(f *capture.Frame) (all []string) {
		for i, cell := range f.Cells {
			all = append(all, fmt.Sprint(f.Source, f.Record, f.Time, cell.Series.Path(), cell.Value, cell.Status, f.Tuple(i)))
		}
		return all
	}
	var want []string
	for _, track := range overlapping() {
		for f := range frames(t, c, track...) {
			want = append(want, cellsOf(f)...)
		}
	}
	slices.Sort(want)

	r := record(t, capture.Options{}, c, slices.Concat(overlapping()...)...)
	columns, err := r.Columns()
	require.NoError(t, err)
	known := map[*capture.Series]bool{}
	for _, s := range columns {
		known[s] = true
	}
	for _, stop := range []int{1, 599, -1} {
		var got []string
		tracks := map[string]int{}
		var before time.Time
		source, n := "", 0
		for f := range framesOf(t, r) {
			if n++; n == stop {
				break
			}
			if _, ok := tracks[f.Source]; !ok {
				tracks[f.Source] = f.Track
			}
			require.Equal(t, tracks[f.Source], f.Track)
			require.False(t, f.Time.Before(before), "%s %d", f.Source, f.Record)
			if f.Time.Equal(before) {
				require.Greater(t, f.Source, source)
			}
			before, source = f.Time, f.Source
			got = append(got, cellsOf(f)...)
			for _, cell := range f.Cells {
				if !known[cell.Series] {
					t.Fatal(cell.Series.Path())
				}
			}
		}
		if stop < 0 {
			require.Len(t, slices.Compact(slices.Sorted(maps.Values(tracks))), len(overlapping()), "each is a track")
			slices.Sort(got)
			require.True(t, slices.Equal(want, got))
		}
	}
}

// TestDurationsCountFromTheFirstOfAll checks that a duration counts from the
// first snapshot of the recording, not of each input.
func TestDurationsCountFromTheFirstOfAll(t *testing.T) {
	for want, c := range map[string]capture.CookOptions{
		"map[a:30 b:50 c:5]": {From: after(30 * time.Second)},
		"map[a:31 b:11]":     {To: after(30 * time.Second)},
	} {
		got := map[string]int{}
		for f := range frames(t, c, textLog("b", "B", noon.Add(20*time.Second), time.Second, 60),
			textLog("a", "A", noon, time.Second, 60), textLog("c", "C", noon.Add(time.Hour), time.Second, 5)) {
			got[f.Source]++
		}
		require.Equal(t, want, fmt.Sprint(got))
	}
}

// TestNamesAreMissedBesideOtherTracks expects the indexes that have no name to be
// counted beside another track as alone.
func TestNamesAreMissedBesideOtherTracks(t *testing.T) {
	missing := func(others ...*capture.Input) int {
		names := capture.NewNames()
		for f := range framesOf(t, record(t, capture.Options{Names: names}, capture.CookOptions{}, append(others, bytesOf("block", perftest.Busy(1, perftest.Small)))...)) {
			_ = f
		}
		return names.Missing()
	}
	require.Positive(t, missing())
	require.Equal(t, missing(), missing(textLog("c", "C", noon, time.Second, 6)))
}

// TestRemarksKeepTheirPlace checks that a remark of a log comes between the
// frames that it comes between where the log is alone.
func TestRemarksKeepTheirPlace(t *testing.T) {
	order := func(others ...*capture.Input) (got []string) {
		c := capture.CookOptions{Remark: func(m capture.Remark) { got = append(got, fmt.Sprint(m.Code, m.Source, m.Record)) }}
		for f := range frames(t, c, append(others, restarted(t))...) {
			if f.Source == "restarted" {
				got = append(got, fmt.Sprint(f.Record))
			}
		}
		return got
	}
	require.Equal(t, []string{"0", "1", "restartrestarted2", "2", "3", "4"}, order())
	require.Equal(t, order(), order(textLog("other", "H", noon, time.Second, 3)))
}

// TestErrorsKeepTheirPlace has an error in one of two tracks of one time: it
// comes after the frame that it came after there.
func TestErrorsKeepTheirPlace(t *testing.T) {
	bad := text("bad", "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\System\\Processes\"\r\n\"06/15/2020 12:00:00.000\",\"7\"\r\n\"06/15/2020 12:00:02.000\",\"x\"\r\n")
	strict := capture.Options{Options: perfdump.Options{Mode: perfdump.Strict}}
	var got []string
	for f, err := range record(t, strict, capture.CookOptions{}, bad, textLog("good", "G", noon, time.Second, 3)).Frames() {
		got = append(got, fmt.Sprint(f.Source, f.Record, err != nil))
	}
	require.Equal(t, []string{"bad0 false", "bad0 true", "good0 false", "good1 false", "good2 false"}, got)
}

// TestTracksAreOpenWhileTheyLast counts the open tracks: no more than overlap, and
// none once the reader has left.
func TestTracksAreOpenWhileTheyLast(t *testing.T) {
	const apart, together = 40, 12
	before := runtime.NumGoroutine()
	for _, stop := range []int{apart*10 + 100, 100, 1 << 30} {
		var inputs []*capture.Input
		for i := range apart {
			inputs = append(inputs, textLog(fmt.Sprintf("%02d", i), "H", noon.Add(time.Duration(i)*time.Hour), time.Second, 10))
		}
		for i := range together {
			inputs = append(inputs, textLog(fmt.Sprintf("z%02d", i), "H", noon.Add(1000*time.Hour), time.Second, 100))
		}
		n := 0
		for range frames(t, capture.CookOptions{}, inputs...) {
			if n++; n > stop {
				break
			}
			limit := 2
			if n > (apart-1)*10 {
				limit = together + 1
			}
			require.LessOrEqual(t, runtime.NumGoroutine()-before, limit, "frame %d", n)
		}
		require.LessOrEqual(t, runtime.NumGoroutine(), before)
	}
}
