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
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
)

// textLog is a PDH-CSV of a host with two counters, from a time on.
func textLog(t testing.TB, name, host string, start time.Time, step time.Duration, rows int) *detect.Input {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\%s\\O\\A\",\"\\\\%s\\O\\B\"\r\n", host, host)
	for i := range rows {
		fmt.Fprintf(&b, "\"%s\",\"%d\",\"%d\"\r\n", start.Add(time.Duration(i)*step).Format("01/02/2006 15:04:05.000"), i, i+1)
	}
	in := opened(t, b.String())
	in.Name = name
	return in
}

var noon = time.Date(2020, 6, 15, 12, 0, 0, 0, time.UTC)

// overlapping are inputs some of which overlap in time: three of one time, one
// within another, one that begins when another ends, one alone, and tables that
// have no time.
func overlapping(t testing.TB) []*detect.Input {
	return []*detect.Input{
		textLog(t, "c", "C", noon, time.Second, 60),
		textLog(t, "within", "W", noon.Add(10*time.Second), 700*time.Millisecond, 7000),
		textLog(t, "b", "B", noon, time.Second, 60),
		textLog(t, "a", "A", noon, time.Second, 60),
		textLog(t, "touches", "T", noon.Add(59*time.Second), time.Second, 3000),
		textLog(t, "alone", "A", noon.Add(48*time.Hour), time.Second, 3),
		bytesOf("later", perftest.Busy(1, perftest.Small)),
		textLog(t, "aside", "S", noon.Add(48*time.Hour), 500*time.Millisecond, 5),
	}
}

// TestFramesOfOverlappingTracks holds that frames come in the order of time,
// those of one time by their sources, each track's own in its order, and the
// same whatever the number of processors.
func TestFramesOfOverlappingTracks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want []string
	for _, n := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(n)
		r := record(t, capture.Options{}, capture.CookOptions{}, overlapping(t)...)
		var got []string
		frames, tracks := map[string]int{}, map[string]int{}
		var before time.Time
		source := ""
		for f, err := range r.Frames() {
			require.NoError(t, err)
			require.Equal(t, frames[f.Source], f.Record)
			if frames[f.Source]++; frames[f.Source] == 1 {
				tracks[f.Source] = f.Track
			}
			require.Equal(t, tracks[f.Source], f.Track)
			require.False(t, f.Time.Before(before), "%s %d", f.Source, f.Record)
			if f.Time.Equal(before) {
				require.Greater(t, f.Source, source)
			}
			before, source = f.Time, f.Source
			for _, c := range f.Cells {
				if f.Source != "later" {
					require.Equal(t, countertypes.StatusOK, c.Status)
				}
				got = append(got, fmt.Sprint(f.Source, f.Record, c.Series.ID, c.Series.Path(), c.Value))
			}
		}
		require.NoError(t, r.Close())
		require.Equal(t, map[string]int{"a": 60, "b": 60, "c": 60, "within": 7000, "touches": 3000, "alone": 3, "aside": 5, "later": 1}, frames)
		require.Len(t, slices.Compact(slices.Sorted(maps.Values(tracks))), len(tracks), "each is a track")
		if want == nil {
			want = got
		}
		require.True(t, len(want) == len(got))
		for i := range want {
			require.Equal(t, want[i], got[i])
		}
	}
}

// TestDurationsCountFromTheFirstOfAll holds that a duration counts from the
// first snapshot of the recording, not of each input.
func TestDurationsCountFromTheFirstOfAll(t *testing.T) {
	after := func(d time.Duration) capture.Moment { return capture.Moment{After: d, Set: true} }
	for _, x := range []struct {
		cook capture.CookOptions
		want map[string]int
	}{
		{capture.CookOptions{From: after(30 * time.Second)}, map[string]int{"a": 30, "b": 50, "c": 5}},
		{capture.CookOptions{To: after(30 * time.Second)}, map[string]int{"a": 31, "b": 11}},
	} {
		r := record(t, capture.Options{}, x.cook, textLog(t, "b", "B", noon.Add(20*time.Second), time.Second, 60),
			textLog(t, "a", "A", noon, time.Second, 60), textLog(t, "c", "C", noon.Add(time.Hour), time.Second, 5))
		got := map[string]int{}
		for f, err := range r.Frames() {
			require.NoError(t, err)
			got[f.Source]++
		}
		require.NoError(t, r.Close())
		require.Equal(t, x.want, got)
	}
}

// TestNamesAreMissedBesideOtherTracks wants the indexes that have no name to be
// counted beside another track as alone.
func TestNamesAreMissedBesideOtherTracks(t *testing.T) {
	var missing []int
	for _, beside := range []bool{false, true} {
		names := capture.NewNames()
		inputs := []*detect.Input{bytesOf("block", perftest.Busy(1, perftest.Small))}
		if beside {
			inputs = append(inputs, textLog(t, "c", "C", noon, time.Second, 6))
		}
		r := record(t, capture.Options{Names: names}, capture.CookOptions{}, inputs...)
		for _, err := range r.Frames() {
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
		missing = append(missing, names.Missing())
	}
	require.Positive(t, missing[0])
	require.Equal(t, missing[0], missing[1])
}

// TestRemarksKeepTheirPlace holds that what is told of a log comes between the
// frames that it comes between where the log is alone.
func TestRemarksKeepTheirPlace(t *testing.T) {
	told := func(others ...*detect.Input) (got []string) {
		log := restarted(t)
		remark := func(m capture.Remark) { got = append(got, fmt.Sprint(m.Code, m.Source == log.Name, m.Record)) }
		r := record(t, capture.Options{}, capture.CookOptions{Remark: remark}, append(others, log)...)
		for f, err := range r.Frames() {
			require.NoError(t, err)
			if f.Source == log.Name {
				got = append(got, fmt.Sprint(f.Record))
			}
		}
		require.NoError(t, r.Close())
		return got
	}
	alone := told()
	require.Contains(t, strings.Join(alone, " "), capture.RemarkRestart)
	require.Equal(t, alone, told(textLog(t, "other", "H", noon, time.Second, 3)))
}

// TestErrorsKeepTheirPlace has an error in one of two tracks of one time: it
// comes behind the frame that it came behind there.
func TestErrorsKeepTheirPlace(t *testing.T) {
	bad := "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\System\\Processes\"\r\n\"06/15/2020 12:00:00.000\",\"7\"\r\n\"06/15/2020 12:00:02.000\",\"x\"\r\n"
	in := opened(t, bad)
	in.Name = "bad"
	r := record(t, capture.Options{Mode: perfdump.Strict}, capture.CookOptions{}, in, textLog(t, "good", "G", noon, time.Second, 3))
	var got []string
	for f, err := range r.Frames() {
		got = append(got, fmt.Sprint(f.Source, f.Record, err != nil))
	}
	require.NoError(t, r.Close())
	require.Equal(t, []string{"bad0 false", "bad0 true", "good0 false", "good1 false", "good2 false"}, got)
}

// TestTracksAreOpenWhileTheyLast counts who cooks: no more tracks than overlap,
// or than there are processors; and nobody once the reader has left.
func TestTracksAreOpenWhileTheyLast(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	before := runtime.NumGoroutine()
	const apart, together = 40, 12
	for _, stop := range []int{apart*10 + 1000, 100, 1 << 30} {
		var inputs []*detect.Input
		for i := range apart {
			inputs = append(inputs, textLog(t, fmt.Sprintf("%02d", i), "H", noon.Add(time.Duration(i)*time.Hour), time.Second, 10))
		}
		for i := range together {
			inputs = append(inputs, textLog(t, fmt.Sprintf("z%02d", i), "H", noon.Add(1000*time.Hour), time.Second, 6000))
		}
		r := record(t, capture.Options{}, capture.CookOptions{}, inputs...)
		n := 0
		for _, err := range r.Frames() {
			require.NoError(t, err)
			if n++; n > stop {
				break
			}
			limit := 4
			if n > (apart-2)*10 { // two are cooked ahead
				limit = together + 2
			}
			require.LessOrEqual(t, runtime.NumGoroutine()-before, limit, "frame %d", n)
		}
		require.NoError(t, r.Close())
		for range 1000 {
			if runtime.NumGoroutine() <= before {
				break
			}
			time.Sleep(time.Millisecond)
		}
		require.LessOrEqual(t, runtime.NumGoroutine(), before)
	}
}
