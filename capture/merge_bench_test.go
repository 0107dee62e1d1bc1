package capture_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// BenchmarkOverlap reads logs that overlap: many of a few rows, so that little
// else is done than to put the moments in order.
func BenchmarkOverlap(b *testing.B) {
	const logs, rows = 64, 400
	var inputs []*detect.Input
	for i := range logs {
		inputs = append(inputs, textLog(b, string(rune('A'+i)), "H", noon.Add(time.Duration(i*7%logs)*time.Millisecond), time.Second, rows))
	}
	r := record(b, capture.Options{}, capture.CookOptions{}, inputs...)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range r.Frames() {
			require.NoError(b, err)
			n++
		}
		require.Equal(b, logs*rows, n)
	}
	require.NoError(b, r.Close())
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(logs*rows), "ns/frame")
}
