package analyze_test

import (
	"compress/gzip"
	"io"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestGuardAnalysisSpeed holds that findings cost at most one and a half times what a
// summary of the log costs.
func TestGuardAnalysisSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	packed, err := os.Open("../testdata/story/srv-sql-01.blg.gz")
	require.NoError(t, err)
	defer func() { _ = packed.Close() }()
	z, err := gzip.NewReader(packed)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	each := func(o capture.CookOptions, do func(*capture.Frame)) {
		recording := capture.NewRecording(capture.Options{}, o)
		defer func() { _ = recording.Close() }()
		require.NoError(t, recording.Add(&capture.Input{Name: "x.blg", Format: "blg", Data: data, Size: int64(len(data))}))
		for f, err := range recording.Frames() {
			require.NoError(t, err)
			do(f)
		}
	}
	best := math.Inf(1)
	for i := 0; i < 5 && best > 1.5; i++ {
		took := perftest.Turns(1, func() {
			a := analyze.New(analyze.BuiltIn(), nil)
			each(capture.CookOptions{Kept: analyze.Kept}, a.Add)
			assert.NotEmpty(t, a.Reports()[0].Findings)
		}, func() {
			w, err := export.NewSummary(io.Discard, "csv", export.Options{})
			require.NoError(t, err)
			each(capture.CookOptions{}, func(f *capture.Frame) { require.NoError(t, w.WriteFrame(f)) })
			require.NoError(t, w.Close())
		})
		best = min(best, float64(took[0].Best)/float64(took[1].Best))
	}
	t.Logf("%.2f times a summary", best)
	assert.LessOrEqual(t, best, 1.5)
}
