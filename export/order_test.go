package export_test

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
)

// TestOpenMetricsOfAnyOrder writes frames that go back in time, and each of them
// twice, as raw values of several files come: in each series time goes up, and a
// time is there once.
func TestOpenMetricsOfAnyOrder(t *testing.T) {
	sorted := func(text string) []string { return slices.Sorted(strings.Lines(text)) }
	_, frames := log()
	want := cooked(t, "openmetrics", export.CookedOptions{}, frames)
	slices.Reverse(frames)
	var b bytes.Buffer
	w := export.NewOpenMetrics(&b, export.MetricsOptions{})
	writeAll(t, w, append(slices.Clone(frames), frames...))
	require.Equal(t, sorted(want), sorted(b.String()))
	assert.Positive(t, w.Replaced())
	var series string
	var before float64
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		at, err := strconv.ParseFloat(strings.TrimSpace(line[i:]), 64)
		require.NoError(t, err)
		of := line[:strings.LastIndexByte(line[:i], ' ')]
		if of == series {
			assert.Greater(t, at, before, line)
		}
		series, before = of, at
	}
}

// TestSQLOfAnyOrder holds that a log in the tables of PDH begins before it ends.
func TestSQLOfAnyOrder(t *testing.T) {
	_, frames := log()
	slices.Reverse(frames)
	script := cooked(t, "sql", export.CookedOptions{}, append(frames, capture.Frame{Host: "web01", Source: "no time"}))
	assert.Contains(t, script, "'2020-03-18 19:05:41.123','2020-03-18 19:06:11.123',4,")
}
