package capture_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
)

// severalTracks are inputs of which each is a track, but for the two buffers,
// and each long enough to be handed over in parts.
func severalTracks(t testing.TB) []*detect.Input {
	t.Helper()
	inputs := []*detect.Input{bytesOf("a", perftest.Busy(1, perftest.Small)), bytesOf("b", perftest.BusyNext(1, perftest.Small))}
	for n := range 5 {
		var csv strings.Builder
		csv.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
		for i := range 50 {
			fmt.Fprintf(&csv, `,"\\H%d\Object(i%d)\Counter"`, n%2, i+n)
		}
		for row := range 600 {
			fmt.Fprintf(&csv, "\r\n\"11/%02d/2016 13:%02d:%02d.000\"", n+1, row/60, row%60)
			for i := range 50 {
				fmt.Fprintf(&csv, `,"%d"`, n+row*i)
			}
		}
		in := opened(t, csv.String()+"\r\n")
		in.Name = fmt.Sprint("csv", n)
		inputs = append(inputs, in)
	}
	return inputs
}

// TestTracksComeInOrder wants the frames of several tracks to be those of each
// alone, one behind the other, and the same whatever the number of processors.
func TestTracksComeInOrder(t *testing.T) {
	var want []string
	for _, group := range [][]int{{2}, {3}, {4}, {5}, {6}, {0, 1}} { // by their times
		inputs := severalTracks(t)
		r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
		for _, i := range group {
			require.NoError(t, r.Add(inputs[i]))
		}
		for f, err := range r.Frames() {
			require.NoError(t, err)
			for _, c := range f.Cells {
				want = append(want, fmt.Sprint(f.Source, f.Record, f.Time, c.Series.Path(), c.Value, c.Status))
			}
		}
	}

	var first []int
	for _, n := range []int{1, 2, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		for _, columns := range []bool{false, true} {
			r := record(t, capture.Options{}, capture.CookOptions{}, severalTracks(t)...)
			known := map[*capture.Series]bool{}
			if columns {
				all, err := r.Columns()
				require.NoError(t, err)
				for _, s := range all {
					known[s] = true
				}
			}
			var got []string
			var ids []int
			for f, err := range r.Frames() {
				require.NoError(t, err)
				for _, c := range f.Cells {
					got = append(got, fmt.Sprint(f.Source, f.Record, f.Time, c.Series.Path(), c.Value, c.Status))
					ids = append(ids, c.Series.ID)
					if columns {
						require.True(t, known[c.Series], c.Series.Path())
					}
				}
			}
			require.Equal(t, len(want), len(got))
			for i := range want {
				require.Equal(t, want[i], got[i])
			}
			if first == nil {
				first = ids
			}
			require.Equal(t, first, ids)
			require.NoError(t, r.Close())
		}
	}
}

// TestTuplesOfTracks wants the raw values of blocks to be the same beside another
// track as alone.
func TestTuplesOfTracks(t *testing.T) {
	tuples := func(inputs ...*detect.Input) (all []string) {
		r := record(t, capture.Options{}, capture.CookOptions{Raw: true}, inputs...)
		for f, err := range r.Frames() {
			require.NoError(t, err)
			for i, c := range f.Cells {
				if tuple := f.Tuple(i); tuple.Known {
					require.Len(t, f.Tuples, len(f.Cells))
					all = append(all, fmt.Sprint(f.Record, c.Series.Path(), tuple))
				}
			}
		}
		require.NoError(t, r.Close())
		return all
	}
	all := severalTracks(t)
	want := tuples(all[:2]...)
	require.NotEmpty(t, want)
	require.Equal(t, want, tuples(severalTracks(t)[:3]...))
}

// TestTracksCanBeLeft stops in the middle, and reads again.
func TestTracksCanBeLeft(t *testing.T) {
	r := record(t, capture.Options{}, capture.CookOptions{}, severalTracks(t)...)
	for _, stop := range []int{0, 1, 599, 601, 1500} {
		n := 0
		for _, err := range r.Frames() {
			require.NoError(t, err)
			if n++; n > stop {
				break
			}
		}
		require.Equal(t, stop+1, n)
	}
	require.NoError(t, r.Close())
}
