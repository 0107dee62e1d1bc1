package hexdump_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/pdhpath"
)

// TestBLG shows a log of records that come in two parts each.
func TestBLG(t *testing.T) {
	w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x400})
	w.Items(1, blg.NewItem{
		Path: pdhpath.Path{Machine: "ONE", Object: "Processor", Instance: "*", HasInstance: true, Counter: "% Processor Time"},
		Type: countertypes.PERF_100NSEC_TIMER_INV,
	})
	const noon = 132366960000000000
	for i := range int64(4) {
		var values []blg.NewValue
		for k := range 30 {
			values = append(values, blg.NewValue{Name: strings.Repeat("x", k), First: uint64(k)})
		}
		w.Sample(noon+i, blg.NewSeries{Kind: blg.Instances, Values: values})
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	d := hexdump.Open("blg", b, hexdump.Input{})
	everyByteOnce(t, dump(t, d, hexdump.Options{All: true}), b, 0, int64(len(b)))
	all := dump(t, d, hexdump.Options{All: true})
	assert.Contains(t, all, "EventType = 0x22  sample")
	assert.Contains(t, all, "2020-06-15T12:00:00Z  local time")
	assert.Equal(t, strings.Count(all, ".EventType"), strings.Count(all, "local time"))
	assert.Contains(t, all, "PERF_100NSEC_TIMER_INV")
	assert.Contains(t, all, `series[0].instance[29].Name = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"`)
	folded := dump(t, d, hexdump.Options{})
	assert.Regexp(t, `… \d+ more instances`, folded)
	assert.Contains(t, folded, "more buffers")
}
