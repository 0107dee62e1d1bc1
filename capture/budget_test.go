package capture_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// manySeries is a block whose values share their bytes.
func manySeries(counters, instances int) []byte {
	o := perftest.Object{Title: 2}
	for i := range counters {
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010000, Offset: 4})
	}
	for range instances {
		o.Instances = append(o.Instances, perftest.Instance{Name: "a"})
	}
	return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
}

// columnsText is a PDH-CSV of n columns, whose names end with name.
func columnsText(n int, name string) *capture.Input {
	header := []byte(`"(PDH-CSV 4.0) (UTC)(0)"`)
	for i := range n {
		header = fmt.Appendf(header, `,"\\machine\object\counter %07d%s"`, i, name)
	}
	return text("-", string(header)+"\r\n\"01/02/2020 03:04:05.678\"\r\n")
}

// TestTooManySeries expects more series, rows, hosts and names than the budget holds
// to be refused, alone and next to other inputs, as soon as the budget is exceeded.
func TestTooManySeries(t *testing.T) {
	hosts := func() *capture.Input {
		var b strings.Builder
		for i := range 300_000 {
			fmt.Fprintf(&b, "<<<<%d>>>>\n<<<winperf_x>>>\n1592222400 1\n", i)
		}
		return text("-", b.String())
	}
	long := strings.Repeat("n", 2500)
	for name, of := range map[string]func() []*capture.Input{
		"series": func() []*capture.Input { return []*capture.Input{bytesOf("a", manySeries(40, 30_000))} },
		"other": func() []*capture.Input {
			return []*capture.Input{bytesOf("a", manySeries(40, 30_000)), textLog("b", "B", noon, time.Second, 1)}
		},
		"rows":    func() []*capture.Input { return []*capture.Input{bytesOf("a", manySeries(1, 600_000))} },
		"columns": func() []*capture.Input { return []*capture.Input{columnsText(400_000, "")} },
		"names":   func() []*capture.Input { return []*capture.Input{columnsText(20_000, long)} },
		"hosts":   func() []*capture.Input { return []*capture.Input{hosts()} },
	} {
		inputs := of()
		size := uint64(0)
		for _, in := range inputs {
			size += uint64(len(in.Data))
		}
		before := inUse()
		r := record(t, capture.Options{}, capture.CookOptions{}, inputs...)
		var last error
		for f, err := range r.Frames() {
			require.NoError(t, last, "a frame after the error")
			if last = err; err != nil {
				require.Empty(t, f.Cells)
			}
		}
		require.ErrorIs(t, last, perfdump.ErrLimit, name)
		require.ErrorContains(t, last, "choose some")
		after := inUse()
		if !perftest.Race && (name == "rows" || name == "columns") {
			require.Less(t, after-min(after, before), (64<<20+4*size)*7/8, name) // all of it takes more
		}
		_, err := r.Columns()
		require.ErrorIs(t, err, perfdump.ErrLimit, name)
	}
	for _, in := range []*capture.Input{columnsText(20_000, ""), columnsText(5_000, long)} {
		_, err := record(t, capture.Options{}, capture.CookOptions{}, in).Columns()
		require.NoError(t, err)
	}
	filter, err := capture.NewFilter(`\*(a#29999)\*`)
	require.NoError(t, err)
	columns, err := record(t, capture.Options{Filter: filter}, capture.CookOptions{}, bytesOf("a", manySeries(40, 30_000))).Columns()
	require.NoError(t, err)
	require.Len(t, columns, 40)
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
