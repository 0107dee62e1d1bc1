package countertypes

import "iter"

// Info is what is known of a named type.
type Info struct {
	Type    Type
	Name    string   // as in winperf.h
	Aliases []string // other names in use for the same type
	Formula string   // with the symbols of docs/countertypes.md; "" if it has no value
	Doc     string   // what it is, in a sentence
	Base    string   // which base or count it needs, in words; "" for none
}

// table is in the order of the numbers.
var table = [...]Info{
	{
		Type: PERF_COUNTER_RAWCOUNT_HEX, Name: "PERF_COUNTER_RAWCOUNT_HEX",
		Formula: "N1",
		Doc:     "The latest value, shown in hex.",
	},
	{
		Type: PERF_COUNTER_LARGE_RAWCOUNT_HEX, Name: "PERF_COUNTER_LARGE_RAWCOUNT_HEX",
		Formula: "N1",
		Doc:     "The latest value of 64 bits, shown in hex.",
	},
	{
		Type: PERF_COUNTER_TEXT, Name: "PERF_COUNTER_TEXT",
		Doc: "A string, no number.",
	},
	{
		Type: PERF_COUNTER_RAWCOUNT, Name: "PERF_COUNTER_RAWCOUNT",
		Formula: "N1",
		Doc:     "The latest value.",
	},
	{
		Type: PERF_COUNTER_LARGE_RAWCOUNT, Name: "PERF_COUNTER_LARGE_RAWCOUNT",
		Formula: "N1",
		Doc:     "The latest value of 64 bits.",
	},
	{
		Type: PERF_DOUBLE_RAW, Name: "PERF_DOUBLE_RAW",
		Formula: "N1",
		Doc:     "A value that is already cooked, as an IEEE 754 double of 8 bytes. WMI lists it, winperf.h does not.",
	},
	{
		Type: PERF_COUNTER_DELTA, Name: "PERF_COUNTER_DELTA",
		Formula: "N1 - N0",
		Doc:     "How much the value grew.",
	},
	{
		Type: PERF_COUNTER_LARGE_DELTA, Name: "PERF_COUNTER_LARGE_DELTA",
		Formula: "N1 - N0",
		Doc:     "How much the value of 64 bits grew.",
	},
	{
		Type: PERF_SAMPLE_COUNTER, Name: "PERF_SAMPLE_COUNTER",
		Formula: "(N1 - N0) / ((T1 - T0) / F)",
		Doc:     "Operations a second, shown without suffix.",
	},
	{
		Type: PERF_COUNTER_QUEUELEN_TYPE, Name: "PERF_COUNTER_QUEUELEN_TYPE",
		Formula: "(N1 - N0) / (T1 - T0)",
		Doc:     "Average length of a queue whose value grows by its length every tick.",
	},
	{
		Type: PERF_COUNTER_LARGE_QUEUELEN_TYPE, Name: "PERF_COUNTER_LARGE_QUEUELEN_TYPE",
		Formula: "(N1 - N0) / (T1 - T0)",
		Doc:     "Average length of a queue, in 64 bits.",
	},
	{
		Type: PERF_COUNTER_100NS_QUEUELEN_TYPE, Name: "PERF_COUNTER_100NS_QUEUELEN_TYPE",
		Formula: "(N1 - N0) / (S1 - S0)",
		Doc:     "Average length of a queue on the 100 ns clock.",
	},
	{
		Type: PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, Name: "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", Aliases: []string{"PERF_COUNTER_OBJ_QUEUELEN_TYPE"},
		Formula: "(N1 - N0) / (O1 - O0)",
		Doc:     "Average length of a queue on the object's clock.",
	},
	{
		Type: PERF_COUNTER_COUNTER, Name: "PERF_COUNTER_COUNTER",
		Formula: "(N1 - N0) / ((T1 - T0) / F)",
		Doc:     "Operations a second.",
	},
	{
		Type: PERF_COUNTER_BULK_COUNT, Name: "PERF_COUNTER_BULK_COUNT",
		Formula: "(N1 - N0) / ((T1 - T0) / F)",
		Doc:     "Operations or bytes a second, in 64 bits.",
	},
	{
		Type: PERF_RAW_FRACTION, Name: "PERF_RAW_FRACTION",
		Formula: "(N1 / B1) * 100",
		Doc:     "A part of a whole in percent.",
		Base:    "the next definition, PERF_RAW_BASE as a rule",
	},
	{
		Type: PERF_LARGE_RAW_FRACTION, Name: "PERF_LARGE_RAW_FRACTION",
		Formula: "(N1 / B1) * 100",
		Doc:     "A part of a whole in percent, in 64 bits.",
		Base:    "the next definition, PERF_LARGE_RAW_BASE as a rule",
	},
	{
		Type: PERF_COUNTER_TIMER, Name: "PERF_COUNTER_TIMER",
		Formula: "((N1 - N0) / (T1 - T0)) * 100",
		Doc:     "Busy time in percent, counted in ticks.",
	},
	{
		Type: PERF_PRECISION_SYSTEM_TIMER, Name: "PERF_PRECISION_SYSTEM_TIMER", Aliases: []string{"PERF_PRECISION_TIMER"},
		Formula: "((N1 - N0) / (B1 - B0)) * 100",
		Doc:     "Busy time in percent of a timestamp that was taken with the value.",
		Base:    "the next definition, PERF_LARGE_RAW_BASE as a rule: the timestamp in ticks",
	},
	{
		Type: PERF_100NSEC_TIMER, Name: "PERF_100NSEC_TIMER",
		Formula: "((N1 - N0) / (S1 - S0)) * 100",
		Doc:     "Busy time in percent, counted in 100 ns.",
	},
	{
		Type: PERF_PRECISION_100NS_TIMER, Name: "PERF_PRECISION_100NS_TIMER",
		Formula: "((N1 - N0) / (B1 - B0)) * 100",
		Doc:     "Busy time in percent of a timestamp that was taken with the value.",
		Base:    "the next definition, PERF_LARGE_RAW_BASE as a rule: the timestamp in 100 ns",
	},
	{
		Type: PERF_OBJ_TIME_TIMER, Name: "PERF_OBJ_TIME_TIMER", Aliases: []string{"PERF_OBJ_TIME_TIME"},
		Formula: "((N1 - N0) / (O1 - O0)) * 100",
		Doc:     "Busy time in percent, counted on the object's clock.",
	},
	{
		Type: PERF_PRECISION_OBJECT_TIMER, Name: "PERF_PRECISION_OBJECT_TIMER",
		Formula: "((N1 - N0) / (B1 - B0)) * 100",
		Doc:     "Busy time in percent of a timestamp that was taken with the value.",
		Base:    "the next definition, PERF_LARGE_RAW_BASE as a rule: the timestamp on the object's clock",
	},
	{
		Type: PERF_SAMPLE_FRACTION, Name: "PERF_SAMPLE_FRACTION",
		Formula: "((N1 - N0) / (B1 - B0)) * 100",
		Doc:     "Hits in percent of the tries since the last sample.",
		Base:    "the next definition, PERF_SAMPLE_BASE as a rule",
	},
	{
		Type: PERF_COUNTER_TIMER_INV, Name: "PERF_COUNTER_TIMER_INV",
		Formula: "100 * (1 - (N1 - N0) / (T1 - T0))",
		Doc:     "Busy time in percent where the value counts idle ticks.",
	},
	{
		Type: PERF_100NSEC_TIMER_INV, Name: "PERF_100NSEC_TIMER_INV",
		Formula: "100 * (1 - (N1 - N0) / (S1 - S0))",
		Doc:     "Busy time in percent where the value counts idle time in 100 ns.",
	},
	{
		Type: PERF_COUNTER_MULTI_TIMER, Name: "PERF_COUNTER_MULTI_TIMER",
		Formula: "(((N1 - N0) / ((T1 - T0) / F)) / C1) * 100",
		Doc:     "Busy time of several things together, in percent of all.",
		Base:    countRule,
	},
	{
		Type: PERF_100NSEC_MULTI_TIMER, Name: "PERF_100NSEC_MULTI_TIMER",
		Formula: "(((N1 - N0) / (S1 - S0)) / C1) * 100",
		Doc:     "Busy time of several things together in 100 ns, in percent of all.",
		Base:    countRule,
	},
	{
		Type: PERF_COUNTER_MULTI_TIMER_INV, Name: "PERF_COUNTER_MULTI_TIMER_INV",
		Formula: "100 * (C1 - (N1 - N0) / (T1 - T0))",
		Doc:     "Busy time of several things where the value counts idle ticks; up to 100 for each.",
		Base:    countRule,
	},
	{
		Type: PERF_100NSEC_MULTI_TIMER_INV, Name: "PERF_100NSEC_MULTI_TIMER_INV", Aliases: []string{"PERF_100NSEC_MULTI_TIMER_II"},
		Formula: "100 * (C1 - (N1 - N0) / (S1 - S0))",
		Doc:     "Busy time of several things where the value counts idle 100 ns; up to 100 for each.",
		Base:    countRule,
	},
	{
		Type: PERF_AVERAGE_TIMER, Name: "PERF_AVERAGE_TIMER",
		Formula: "((N1 - N0) / F) / (B1 - B0)",
		Doc:     "Average time of an operation in seconds.",
		Base:    "the next definition, PERF_AVERAGE_BASE as a rule",
	},
	{
		Type: PERF_ELAPSED_TIME, Name: "PERF_ELAPSED_TIME",
		Formula: "(O1 - N1) / OF",
		Doc:     "Seconds since the start that the value tells.",
	},
	{
		Type: PERF_COUNTER_NODATA, Name: "PERF_COUNTER_NODATA",
		Doc: "A label, without a value.",
	},
	{
		Type: PERF_AVERAGE_BULK, Name: "PERF_AVERAGE_BULK",
		Formula: "(N1 - N0) / (B1 - B0)",
		Doc:     "Average size or number per operation.",
		Base:    "the next definition, PERF_AVERAGE_BASE as a rule",
	},
	{
		Type: PERF_SAMPLE_BASE, Name: "PERF_SAMPLE_BASE",
		Doc: "Base: the tries of the sample fraction before it.",
	},
	{
		Type: PERF_AVERAGE_BASE, Name: "PERF_AVERAGE_BASE",
		Doc: "Base: the operations of the average before it.",
	},
	{
		Type: PERF_RAW_BASE, Name: "PERF_RAW_BASE",
		Doc: "Base: the whole of the raw fraction before it.",
	},
	{
		Type: PERF_LARGE_RAW_BASE, Name: "PERF_LARGE_RAW_BASE", Aliases: []string{"PERF_PRECISION_TIMESTAMP"},
		Doc: "Base of 64 bits: the whole of the large raw fraction, or the timestamp of the PRECISION timer, before it. WMI's documentation prints 0x40030503.",
	},
	{
		Type: PERF_COUNTER_MULTI_BASE, Name: "PERF_COUNTER_MULTI_BASE",
		Doc: "The count of the MULTI timer before it.",
	},
	{
		Type: PERF_COUNTER_HISTOGRAM_TYPE, Name: "PERF_COUNTER_HISTOGRAM_TYPE",
		Doc: "Obsolete; nothing supports it.",
	},
}

const countRule = "a count: the next definition, PERF_COUNTER_MULTI_BASE, or the DWORD behind the value"

// All yields the named types in the order of their numbers. The Aliases are
// shared: leave them as they are.
func All() iter.Seq[Info] {
	return func(yield func(Info) bool) {
		for i := range table {
			if !yield(table[i]) {
				return
			}
		}
	}
}

// Lookup returns what is known of t. Both numbers in use for
// PERF_LARGE_RAW_BASE give its Info, whose Type is the header's.
func Lookup(t Type) (Info, bool) {
	if i := t.index(); i >= 0 {
		return table[i], true
	}
	return Info{}, false
}

// Name returns the name of t in winperf.h.
func (t Type) Name() (string, bool) {
	if i := t.index(); i >= 0 {
		return table[i].Name, true
	}
	return "", false
}

func (t Type) index() int {
	if t == largeRawBaseWMI {
		t = PERF_LARGE_RAW_BASE
	}
	lo, hi := 0, len(table)
	for lo < hi {
		if mid := (lo + hi) / 2; table[mid].Type < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(table) && table[lo].Type == t {
		return lo
	}
	return -1
}
