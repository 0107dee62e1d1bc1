package countertypes_test

import (
	"fmt"

	"github.com/perfdump/perfdump/countertypes"
)

func ExampleCook() {
	// Disk reads at two times, on a clock of 10 MHz.
	older := countertypes.Sample{
		Type:  countertypes.PERF_COUNTER_COUNTER,
		First: 1000, Second: 1_000_000_000, TimeBase: 10_000_000,
	}
	newer := older
	newer.First, newer.Second = 1500, 1_020_000_000

	value, status := countertypes.Cook(&older, &newer, nil)
	fmt.Println(status, countertypes.Format(value, newer.Type))

	value, status = countertypes.Cook(nil, &newer, nil)
	fmt.Println(status, value)
	// Output:
	// ok 250/sec
	// needs-second-sample 0
}

// A raw count of 64 bits with all its digits, of which a float64 holds 53 bits.
func ExampleExact() {
	sample := countertypes.Sample{Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, First: 1<<60 + 7}
	value, status := countertypes.Cook(nil, &sample, nil)
	fmt.Println(status, countertypes.Format(value, sample.Type))

	if value >= countertypes.Inexact {
		fmt.Println(countertypes.FormatInt(countertypes.Exact(value, countertypes.Rest(nil, &sample, value)), sample.Type, 8))
	}
	// Output:
	// ok 1152921504606847000
	// 1152921504606846983
}

func ExampleType_Tuple() {
	clocks := countertypes.Clocks{PerfTime: 5000, PerfFreq: 1000, Time100ns: 131_000_000_000_000_000}
	for _, name := range []string{"PERF_COUNTER_TIMER", "100nsec_timer", "PERF_AVERAGE_TIMER"} {
		t, _ := countertypes.Parse(name)
		second, timeBase, fromBase := t.Tuple(&clocks, nil)
		fmt.Println(t, second, timeBase, fromBase)
	}
	// Output:
	// PERF_COUNTER_TIMER 5000 1000 false
	// PERF_100NSEC_TIMER 131000000000000000 10000000 false
	// PERF_AVERAGE_TIMER 0 1000 true
}

func ExampleOptions_Set() {
	var o countertypes.Options
	fmt.Println(o.Set("negative", "wrap32"), o)
	fmt.Println(o.Set("cap", "50"))
	// Output:
	// <nil> negative=wrap32
	// switch cap: unknown value "50": want none, 100, 0-100
}

func ExampleExplain() {
	fmt.Print(countertypes.Explain(0x20020400))
	// Output:
	// 0x20020400  PERF_RAW_FRACTION
	//   A part of a whole in percent.
	//   (N1 / B1) * 100
	//   the next definition, PERF_RAW_BASE as a rule
	//   8-9    0x00000000  size        DWORD, 4 bytes
	//   10-11  0x00000400  kind        COUNTER
	//   16-19  0x00020000  subtype     FRACTION
	//   20-21  0x00000000  clock       timer ticks of the block
	//   28-30  0x20000000  suffix      %
}

func ExampleLookup() {
	info, _ := countertypes.Lookup(0x40020500)
	fmt.Println(info.Name, "=", info.Formula)
	// Output:
	// PERF_AVERAGE_BULK = (N1 - N0) / (B1 - B0)
}
