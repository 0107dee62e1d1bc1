package checkmk

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
)

// words are the agent's names for types, spelled as it spells them. Other types are
// type(number).
var words = []struct {
	word string
	is   countertypes.Type
}{
	{"counter", countertypes.PERF_COUNTER_COUNTER},
	{"timer", countertypes.PERF_COUNTER_TIMER},
	{"queuelen_type", countertypes.PERF_COUNTER_QUEUELEN_TYPE},
	{"bulk_count", countertypes.PERF_COUNTER_BULK_COUNT},
	{"text", countertypes.PERF_COUNTER_TEXT},
	{"rawcount", countertypes.PERF_COUNTER_RAWCOUNT},
	{"large_rawcount", countertypes.PERF_COUNTER_LARGE_RAWCOUNT},
	{"rawcount_hex", countertypes.PERF_COUNTER_RAWCOUNT_HEX},
	{"large_rawcount_HEX", countertypes.PERF_COUNTER_LARGE_RAWCOUNT_HEX},
	{"sample_fraction", countertypes.PERF_SAMPLE_FRACTION},
	{"sample_counter", countertypes.PERF_SAMPLE_COUNTER},
	{"nodata", countertypes.PERF_COUNTER_NODATA},
	{"timer_inv", countertypes.PERF_COUNTER_TIMER_INV},
	{"sample_base", countertypes.PERF_SAMPLE_BASE},
	{"average_timer", countertypes.PERF_AVERAGE_TIMER},
	{"average_base", countertypes.PERF_AVERAGE_BASE},
	{"average_bulk", countertypes.PERF_AVERAGE_BULK},
	{"100nsec_timer", countertypes.PERF_100NSEC_TIMER},
	{"100nsec_timer_inv", countertypes.PERF_100NSEC_TIMER_INV},
	{"multi_timer", countertypes.PERF_COUNTER_MULTI_TIMER},
	{"multi_timer_inV", countertypes.PERF_COUNTER_MULTI_TIMER_INV},
	{"multi_base", countertypes.PERF_COUNTER_MULTI_BASE},
	{"100nsec_multi_timer", countertypes.PERF_100NSEC_MULTI_TIMER},
	{"100nsec_multi_timer_inV", countertypes.PERF_100NSEC_MULTI_TIMER_INV},
	{"raw_fraction", countertypes.PERF_RAW_FRACTION},
	{"raw_base", countertypes.PERF_RAW_BASE},
	{"elapsed_time", countertypes.PERF_ELAPSED_TIME},
}

// parseWord returns the type of a word, without regard to case. The number of
// type(number) is hexadecimal in older agents and decimal in newer ones: the reading
// that is a known type counts. unsure is true where both readings are, or neither
// is: then it is the hexadecimal one.
func parseWord(word string) (t countertypes.Type, known, unsure bool) {
	for _, w := range words {
		if strings.EqualFold(w.word, word) {
			return w.is, true, false
		}
	}
	word = strings.ToLower(word)
	rest, begins := strings.CutPrefix(word, "type(")
	digits, ends := strings.CutSuffix(rest, ")")
	if !begins || !ends {
		return 0, false, false
	}
	hex, hexErr := strconv.ParseUint(digits, 16, 32)
	dec, decErr := strconv.ParseUint(digits, 10, 32)
	isHex := hexErr == nil && isType(hex)
	isDec := decErr == nil && isType(dec)
	switch {
	case hexErr != nil && decErr != nil:
		return 0, false, false
	case decErr != nil || isHex && !isDec:
		return countertypes.Type(hex), true, false
	case hexErr != nil || isDec && !isHex:
		return countertypes.Type(dec), true, false
	default:
		return countertypes.Type(hex), true, hex != dec
	}
}

func isType(n uint64) bool {
	_, ok := countertypes.Type(n).Name()
	return ok
}

// wordOf returns the agent's word for a type.
func wordOf(t countertypes.Type) string {
	for _, w := range words {
		if w.is == t {
			return w.word
		}
	}
	return fmt.Sprintf("type(%08x)", uint32(t))
}
