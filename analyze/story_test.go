package analyze_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/story"
)

// found returns the report of a log.
func found(t *testing.T, log []byte, known map[string]float64) *analyze.Report {
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	defer r.Close()
	require.NoError(t, r.Add(&capture.Input{At: bytes.NewReader(log), Size: int64(len(log)), Format: "blg", Name: "x.blg"}))
	a := analyze.New(analyze.BuiltIn(), known)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		a.Add(f)
	}
	all := a.Reports()
	require.Len(t, all, 1)
	return all[0]
}

// TestStory holds that the troubles of the story are found, at their times within
// a sample, and nothing else.
func TestStory(t *testing.T) {
	s := story.SQL()
	ram := map[string]float64{"ram": 16 << 30}
	for _, known := range []map[string]float64{nil, ram} {
		r := found(t, s.Log, known)
		rules := map[string]string{"disk-slow": "disk-slow", "core-burst": "process-one-core", "network-full": "network-send-busy", "leak": "process-handle-leak"}
		near := func(want, got time.Time) { assert.InDelta(t, 0, got.Sub(want).Seconds(), float64(s.Interval)) }
		for _, x := range s.Troubles {
			switch x.Kind {
			case "gap":
				require.Len(t, r.Quality.Gaps, 1)
				near(x.Start, r.Quality.Gaps[0].Start)
				near(x.End, r.Quality.Gaps[0].End)
			case "restart":
				require.Len(t, r.Quality.Restarts, 1)
				assert.Equal(t, x.Instance, r.Quality.Restarts[0].Instance)
				near(x.Start, r.Quality.Restarts[0].Time)
			default:
				var f *analyze.Finding
				for _, one := range r.Findings {
					if one.Rule == rules[x.Kind] {
						f = one
					}
				}
				require.NotNil(t, f, x.Kind)
				assert.Equal(t, x.Instance, f.Instance)
				require.Len(t, f.Intervals, 1, x.Kind)
				near(x.Start, f.Intervals[0].Start)
				near(x.End, f.Intervals[0].End)
				delete(rules, x.Kind)
			}
		}
		assert.Empty(t, rules)
		assert.Len(t, r.Findings, 4, "and nothing else")
		assert.Equal(t, 1, r.Quality.Restarted)
	}
	r := found(t, s.Log, ram)
	assert.Equal(t, "BackupAgent", r.Findings[1].Evidence[0].Series().Instance, "who it was")
	assert.Equal(t, "robocopy", r.Findings[2].Evidence[0].Series().Instance)
	assert.InEpsilon(t, 90, r.Findings[2].Average, 0.01)
	assert.InEpsilon(t, 28800.0/8/3600, r.Findings[0].Trend.PerSecond, 0.01)
}

// TestQuiet holds that a machine without troubles has no finding.
func TestQuiet(t *testing.T) {
	for _, known := range []map[string]float64{nil, {"ram": 8 << 30}} {
		r := found(t, story.Quiet().Log, known)
		assert.Empty(t, r.Findings)
		assert.Empty(t, r.Quality.Gaps)
		assert.Empty(t, r.Quality.Restarts)
		assert.Greater(t, r.Checked, 35)
	}
}
