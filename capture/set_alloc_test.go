package capture_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perflib2"
)

// A record of a counter set allocates nothing for its values, once its instances
// are known: neither cooked nor raw.
func TestAllocSetsBySeriesNotByRecord(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	registered := registration(t, "Engine", perflib2.MultipleInstances, // no text: each is a string
		counter(2, "Rate/sec", countertypes.PERF_COUNTER_BULK_COUNT, nil),
		counter(3, "Bytes each", countertypes.PERF_AVERAGE_BULK, based(9)), counter(9, "", countertypes.PERF_AVERAGE_BASE, nil),
	)
	names := make([]string, 50)
	for i := range names {
		names[i] = fmt.Sprint("instance ", i)
	}
	make := func(records int) []byte {
		l := setLog{items: []blg.NewItem{setItem("ONE", "engine")}, registrations: [][]byte{registered}}
		for i := range records {
			l.samples = append(l.samples, []blg.NewSeries{setBlock(t, int64(i), engineAt(uint64(i), names...))})
		}
		return l.bytes(t)
	}
	few, many := make(10), make(110)
	for name, read := range map[string]func(b []byte){
		"cooked": func(b []byte) {
			for _, err := range record(t, capture.Options{}, capture.CookOptions{}, logInput("x.blg", b)).Frames() {
				require.NoError(t, err)
			}
		},
		"raw": func(b []byte) {
			l, err := capture.OpenLog(logInput("x.blg", b), capture.Options{})
			require.NoError(t, err)
			for rec, err := range l.Records() {
				require.NoError(t, err)
				for row := range rec.Rows(func(err error) { require.NoError(t, err) }) {
					_ = row.First
				}
			}
		},
	} {
		each := (testing.AllocsPerRun(2, func() { read(many) }) - testing.AllocsPerRun(2, func() { read(few) })) / 100
		t.Logf("%s: %.1f allocations a record", name, each)
		assert.Less(t, each, 20.0, "%s: of a record with 50 instances and 650 values", name)
	}
}
