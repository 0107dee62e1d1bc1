package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

// TestTimeline compares the parts of a timeline with the samples that are in them.
func TestTimeline(t *testing.T) {
	type sample struct {
		ms int64
		v  float64
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, step := range []int64{1, 40, 1000, 15_000, 3_600_000, 700 * 86_400_000} {
		for _, points := range []int{2, 7, 60, 1000} {
			var rows strings.Builder
			var all []sample
			missing := 0
			for i := range int64(300) {
				s := sample{-5_000_000 + step*i + rng.Int64N(step), math.Round(1000 * rng.NormFloat64())}
				if i%7 == 3 {
					missing++
					rows.WriteString(`{"time":"2026-03-17T07:00:00Z","path":"a","value":null}` + "\n")
					continue
				}
				all = append(all, s)
			}
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, s := range all {
				fmt.Fprintf(&rows, `{"time":%q,"path":"a","value":%v}`+"\n", time.UnixMilli(s.ms).UTC().Format(time.RFC3339Nano), s.v)
			}
			item := timelineOf(t, rows.String(), points)[0]
			about := fmt.Sprintf("step %d, %d points: %+v", step, points, item)
			assert.Equal(t, missing, item.Missing, about)
			assert.Equal(t, len(all), item.Samples, about)
			require.LessOrEqual(t, len(item.Points), points, about)
			require.GreaterOrEqual(t, len(item.Points), min(points/15, 20), about)
			n := 0
			for _, p := range item.Points {
				from := item.Start.UnixMilli() + int64(math.Round(1000*p[0]))
				count, sum, low, high := 0, 0.0, math.Inf(1), math.Inf(-1)
				for _, s := range all {
					if s.ms >= from && s.ms < from+int64(math.Round(1000*item.Step)) {
						count, sum, low, high = count+1, sum+s.v, min(low, s.v), max(high, s.v)
					}
				}
				n += count
				assert.InDelta(t, sum/float64(count), p[1], 1e-3, about)
				assert.Equal(t, []float64{low, high}, p[2:], about)
			}
			assert.Equal(t, len(all), n, about)
		}
	}
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, `{"time":"2026-03-17T07:00:00Z","path":"%d","value":1}`+"\n", i)
	}
	assert.Len(t, timelineOf(t, many.String(), 5), 100)
}

type series struct {
	Start            time.Time
	Step             float64 `json:"step_s"`
	Points           [][]float64
	Samples, Missing int
}

func timelineOf(t *testing.T, rows string, points int) []series {
	t.Helper()
	in, out, end := serve(t, func(_ context.Context, ios *iostreams.IOStreams, _ func(string) (*os.File, error), _ []string) int {
		_, _ = io.WriteString(ios.Out, rows)
		return 0
	})
	_, _ = io.WriteString(in, line(t, "timeline", map[string]any{"paths": []string{"story"}, "counters": []string{`\*`}, "points": points, "max_chars": 100_000}))
	require.NoError(t, in.Close())
	require.NoError(t, <-end)
	var a struct {
		Result struct {
			StructuredContent struct{ Items []series }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(next(t, out)), &a))
	return a.Result.StructuredContent.Items
}
