package export_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
)

// rowsOf yields a row for each counter of some instances.
func rowsOf(instances, counters int, yield func(*capture.Row) bool) {
	names := make([]string, counters)
	for k := range names {
		names[k] = fmt.Sprint("c", k)
	}
	row := capture.Row{Object: "O", HasInstance: true, Type: countertypes.PERF_COUNTER_RAWCOUNT}
	for i := range instances {
		row.Instance = fmt.Sprint("i", i)
		for k := range counters {
			row.Counter, row.First = names[k], uint64(k)
			if !yield(&row) {
				return
			}
		}
	}
}

// TestRawRoom wants more series than there is room for to be refused.
func TestRawRoom(t *testing.T) {
	scratch, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	defer scratch.Close()
	for _, format := range export.RawFormats() {
		w, err := export.NewRaw(io.Discard, format, export.CookedOptions{Metrics: export.MetricsOptions{Scratch: scratch}})
		require.NoError(t, err)
		err = w.WriteRows(func(yield func(*capture.Row) bool) { rowsOf(200_000, 11, yield) })
		require.ErrorIs(t, err, perfdump.ErrLimit)
		require.ErrorContains(t, err, "choose some")
	}
}

// TestRawPartsAreWhole wants a record that is written part by part to be what
// it would be in one: a line for each instance, one record, all values.
func TestRawPartsAreWhole(t *testing.T) {
	const instances, counters = 300, 100
	for format, want := range map[string]map[string]int{
		"influx":      {"\n": instances, "_Raw=": instances * counters},
		"openmetrics": {"# TYPE ": counters, "{instance=": instances * counters},
		"sql":         {",1,NULL,0,": instances * counters},
	} {
		var out strings.Builder
		w, err := export.NewRaw(&out, format, export.CookedOptions{})
		require.NoError(t, err)
		require.NoError(t, w.WriteRows(func(yield func(*capture.Row) bool) { rowsOf(instances, counters, yield) }))
		require.NoError(t, w.Close())
		for part, n := range want {
			require.Equal(t, n, strings.Count(out.String(), part), "%s: %q", format, part)
		}
	}
}
