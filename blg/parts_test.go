package blg_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
)

// TestParts reads a log from each of its buffers on, with the lists of the first one: its
// records are those that begin there, and none is lost, whatever was cut.
func TestParts(t *testing.T) {
	for _, late := range []bool{false, true} {
		var times []int64
		b := written(t, blgwriter.Options{BufferSize: 0x4000, LoggerName: "1-2"}, func(w *blgwriter.Writer) {
			if !late {
				w.Items(noon-10, sampleItems()...)
			}
			for i := range int64(40) {
				times = append(times, noon+i*second)
				w.Sample(times[i], sampleSeries(t, times[i], 200)...) // of several buffers
			}
			w.NextBuffer()
			if late {
				w.Items(noon+40*second, sampleItems()...)
			}
		})
		whole := open(t, b)
		require.Equal(t, !late, whole.InOrder())
		size, stride := int64(len(b)), int64(0x4000)
		tail := size - stride
		for from := 2 * stride; from < tail; from += stride {
			for to := from + stride; to <= tail; to += 3 * stride {
				var want, got []string
				for rec, err := range whole.Records() {
					require.NoError(t, err)
					if at := rec.FileOffset(); at >= from && at < to {
						want = append(want, fmt.Sprint(rec.FileOffset(), rec.Time(), rec.Len()))
					}
				}
				f, err := blg.OpenParts(bytes.NewReader(b), size, []blg.Part{{To: 2 * stride, Lists: true}, {From: from, To: to}, {From: tail, To: size, Lists: true}}, blg.Options{})
				require.NoError(t, err)
				require.False(t, f.Lost().Any(), f.Anomalies().Kept())
				for rec, err := range f.Records() {
					require.NoError(t, err)
					require.Len(t, rec.Items, len(sampleItems()))
					got = append(got, fmt.Sprint(rec.FileOffset(), rec.Time(), rec.Len()))
				}
				// The last ones may go beyond the part.
				require.LessOrEqual(t, len(want)-len(got), 1)
				require.Equal(t, want[:len(got)], got)
			}
		}
	}
}

// TestDamageInParts holds that what is lost within a part is said.
func TestDamageInParts(t *testing.T) {
	b := small(t)
	const stride = 0x1000
	require.GreaterOrEqual(t, len(b), 2*stride)
	b = bytes.Clone(b)
	b[stride+0x48+3] = 0 // the marker of a record
	f, err := blg.OpenParts(bytes.NewReader(b), int64(len(b)), []blg.Part{{To: stride}, {From: stride, To: int64(len(b))}}, blg.Options{})
	require.NoError(t, err)
	require.True(t, f.Lost().Any())
}
