package perfdata_test

import (
	"fmt"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestCookedPairs cooks each two of many blocks in both ways, which must give
// the same: blocks in which a value lies behind some of the counter blocks, has
// another type, size or place, or whose clocks stand still; with instances in
// another order, fewer, and none.
func TestCookedPairs(t *testing.T) {
	blocks := []*perfdata.Block{nil}
	for clock := range int64(2) {
		for extra := range 4 { // which instances have longer counter blocks
			for counter := range 7 {
				blocks = append(blocks, pairBlock(t, clock, extra, counter, "CounterOffset", 56))
			}
		}
		blocks = append(blocks, pairBlock(t, clock, 0, 0, "CounterSize", 4), pairBlock(t, clock, 0, 2, "CounterSize", 3),
			pairBlock(t, clock, 3, 1, "CounterType", int64(countertypes.PERF_COUNTER_RAWCOUNT)), pairBlock(t, clock, 3, 3, "CounterNameTitleIndex", 99))
	}
	for i, older := range blocks {
		for j, newer := range blocks {
			if newer != nil && !(perftest.Race && (i+j)%8 > 0) {
				requireSameCooked(t, older, newer, nil)
			}
		}
	}
}

// pairBlock makes a block, of which a field of a counter is other than usual.
func pairBlock(t *testing.T, clock int64, extra, counter int, field string, value int64) *perfdata.Block {
	t.Helper()
	o := perftest.Object{Title: 2, PerfTime: 50 * clock, PerfFreq: 1000}
	for i, typ := range []countertypes.Type{
		countertypes.PERF_RAW_FRACTION, countertypes.PERF_RAW_BASE, countertypes.PERF_AVERAGE_BULK, countertypes.PERF_AVERAGE_BASE,
		countertypes.PERF_COUNTER_COUNTER, countertypes.PERF_100NSEC_TIMER_INV, countertypes.PERF_COUNTER_RAWCOUNT,
	} {
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + i/2), Type: uint32(typ)})
	}
	for i := range 4 + extra%2 { // which are read in bulk where they are alike
		n := uint64((i + extra) % 5)
		in := perftest.Instance{Name: fmt.Sprint(n), BlockExtra: 16 * (extra >> i & 1)}
		for j := range o.Counters {
			in.Values = append(in.Values, (n+3)*uint64(j+1)<<clock)
		}
		o.Instances = append(o.Instances, in)
	}
	m := (&perftest.Block{PerfTime: 1000 + 70*clock, PerfTime100nSec: perftest.DefaultTime + 90*clock, Objects: []perftest.Object{o}}).Build()
	blk, err := parseIn(m.Set(fmt.Sprintf("object[0].counter[%d].%s", counter, field), value).Bytes, perfdump.Tolerant)
	if err != nil {
		t.Fatal(err)
	}
	return blk
}

// TestCookedRows: objects of more counters than are cooked at a time have their
// instances one by one.
func TestCookedRows(t *testing.T) {
	for _, counters := range []int{2047, 2048, 2049, 4097} {
		blk := parse(t, perftest.Wide(counters, 5))
		requireSameCooked(t, blk, blk, nil)
	}
}
