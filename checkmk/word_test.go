package checkmk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
)

// TestWords reads the agent's words in any case, and writes them as the agent
// spells them.
func TestWords(t *testing.T) {
	for word, want := range map[string]countertypes.Type{
		"counter": 0x10410400, "timer": 0x20410500, "queuelen_type": 0x00450400, "bulk_count": 0x10410500, "text": 0x00000B00,
		"rawcount": 0x00010000, "large_rawcount": 0x00010100, "rawcount_hex": 0, "large_rawcount_HEX": 0x100,
		"sample_fraction": 0x20C20400, "sample_counter": 0x00410400, "nodata": 0x40000200, "timer_inv": 0x21410500,
		"sample_base": 0x40030401, "average_timer": 0x30020400, "average_base": 0x40030402, "average_bulk": 0x40020500,
		"100nsec_timer": 0x20510500, "100nsec_timer_inv": 0x21510500, "multi_timer": 0x22410500, "multi_timer_inV": 0x23410500,
		"multi_base": 0x42030500, "100nsec_multi_timer": 0x22510500, "100nsec_multi_timer_inV": 0x23510500,
		"raw_fraction": 0x20020400, "raw_base": 0x40030403, "elapsed_time": 0x30240500,
	} {
		for _, spelled := range []string{word, strings.ToUpper(word), strings.ToLower(word)} {
			all, odd, err := read(t, "<<<winperf_x>>>\n1 10 5\n4 7 "+spelled+"\n", checkmk.Options{})
			require.NoError(t, err)
			assert.Empty(t, odd, spelled)
			assert.True(t, all[0].Counters[0].HasType)
			assert.Equal(t, want, all[0].Counters[0].Type, spelled)
			assert.Equal(t, "<<<winperf_x>>>\n1 10 5\n4 7 "+word+"\n", string(checkmk.Append(nil, &all[0])))
		}
	}
}

// TestTypeNumbers: older agents write hexadecimal numbers, newer ones decimal.
func TestTypeNumbers(t *testing.T) {
	for number, want := range map[string]struct {
		is     countertypes.Type
		unsure bool
	}{
		"20570500":   {0x20570500, false},                   // a type in hexadecimal only
		"542573824":  {0x20570500, false},                   // in decimal only, and too long for hexadecimal
		"65792":      {0x00010100, false},                   // 0x65792 is no type, 65792 is PERF_COUNTER_LARGE_RAWCOUNT
		"20470500":   {0x20470500, false},                   // PERF_PRECISION_SYSTEM_TIMER
		"2147483648": {0x80000000, false},                   // PERF_COUNTER_HISTOGRAM_TYPE
		"12ab":       {0x12ab, false},                       // a letter says hexadecimal
		"4ABC":       {0x4abc, false},                       //
		"0":          {0, false},                            // the same in both
		"256":        {0x100, false},                        // PERF_COUNTER_LARGE_RAWCOUNT_HEX
		"100":        {0x100, false},                        // the same, 100 is no type
		"12345":      {0x12345, true},                       // neither
		"4294967295": {countertypes.Type(1<<32 - 1), false}, // not hexadecimal
	} {
		text := fmt.Sprintf("<<<winperf_x>>>\n1 10 5\n4 7 type(%s)\n6 7 type(%s)\n", number, number)
		all, odd, err := read(t, text, checkmk.Options{})
		require.NoError(t, err)
		assert.Equal(t, want.is, all[0].Counters[1].Type, number)
		if want.unsure {
			assert.Equal(t, []string{"section[0].counter[0]: the number of the type may be hexadecimal or decimal: read as hexadecimal, here and below (offset 0x17)"}, odd, number)
		} else {
			assert.Empty(t, odd, number)
		}
	}
	all, _, err := read(t, "<<<winperf_x>>>\n1 10 5\n4 7 type(1234567890123)\n4 7 TYPE(256)\n4 7 type(b00)\n4 7 type(aa)\n", checkmk.Options{})
	require.NoError(t, err)
	assert.False(t, all[0].Counters[0].HasType)
	assert.Equal(t, "<<<winperf_x>>>\n1 10 5\n-6 7 type(1234567890123)\n-6 7 large_rawcount_HEX\n-6 7 text\n-6 7 type(000000aa)\n",
		strings.ReplaceAll(string(checkmk.Append(nil, &all[0])), "\n4 ", "\n-6 "))
}

// TestHosts: the host is that of the piggyback marker, else of the agent.
func TestHosts(t *testing.T) {
	const section = "<<<winperf_x>>>\n1 10 5\n"
	text := section +
		"<<<check_mk>>>\nVersion: 2.3.0\nAgentOS: windows\nHostname: web01\r\n" + section +
		"<<<<vm7>>>>\n" + section + "<<<check_mk>>>\nHostname: inner\n" + section + "<<<<>>>>\n" + section +
		"<<<other>>>\nHostname: no\n" + section +
		"<<<check_mk:sep(58)>>>\nHOSTNAME:  web02 \n" + section +
		"<<<check_mk>>>\nVersion: 1\n" + section
	all, odd, err := read(t, text, checkmk.Options{})
	require.NoError(t, err)
	assert.Empty(t, odd)
	var hosts []string
	for i := range all {
		hosts = append(hosts, all[i].Host)
	}
	assert.Equal(t, []string{"", "web01", "vm7", "vm7", "web01", "web01", "web02", ""}, hosts)
}
