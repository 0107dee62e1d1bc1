package document_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// summary says what a document has: object: counters x instances.
func summary(t *testing.T, doc []byte) (all []string) {
	t.Helper()
	m := parse(t, doc)
	require.Equal(t, true, m["partial"])
	for _, o := range at(t, m, "blocks.0.objects").([]any) {
		o := o.(object)
		text := fmt.Sprint(o["index"], ":")
		for _, c := range o["counters"].([]any) {
			text += fmt.Sprint(" ", c.(object)["index"])
		}
		for _, in := range o["instances"].([]any) {
			in := in.(object)
			text += fmt.Sprint(" ", in["display"], in["values"])
			require.Len(t, in["values"], len(o["counters"].([]any)))
			if in["multi"] != nil {
				require.Len(t, in["multi"], len(o["counters"].([]any)))
			}
		}
		all = append(all, text)
	}
	return all
}

func TestFilters(t *testing.T) {
	b := capture(t)
	for _, c := range []struct {
		query string
		paths []string
		want  []string
	}{
		{"", []string{`\Processor(0)\*`}, []string{"238: 6 5002 0[18446744073709551615 a b]"}},
		{"", []string{`\Processor(*)\% processor time`}, []string{"238: 6 0[18446744073709551615] 0#1[2]"}},
		{"", []string{`\Processor(0#1)\5002`, `\5000\*`}, []string{"238: 5002 0#1[é\"\\]", "5000: 10 12 <nil> [7 map[hex:0102ff]]"}},
		{"", []string{`\Process(*)\*`}, []string{"230: 784"}},
		{"", []string{`\\other\*(*)\*`}, nil},
		{"", []string{`\5000\File Write*`}, []string{"5000: 12 <nil> [map[hex:0102ff]]"}},
		{"5000", nil, []string{"5000: 10 12 <nil> [7 map[hex:0102ff]]"}},
		{"MetadataGlobal", nil, []string{"238: 6 5002", "5000: 10 12", "230: 784"}},
		{"238 230", []string{`\*(0)\% Processor Time`}, []string{"238: 6 0[18446744073709551615]"}},
	} {
		var o document.Options
		for _, path := range c.paths {
			p, err := pdhpath.Compile(path)
			require.NoError(t, err)
			o.Counters = append(o.Counters, p)
		}
		if c.query != "" {
			q, err := perfdata.ParseQuery(c.query)
			require.NoError(t, err)
			o.Query = &q
		}
		require.Equal(t, c.want, summary(t, dump(t, b, o)), "%s %v", c.query, c.paths)
		refuse(t, dump(t, b, o))
	}
}

// TestManyPatterns expects a pattern to choose the same alone and among many, which
// are looked up in an index.
func TestManyPatterns(t *testing.T) {
	data := perftest.Busy(1, perftest.Small)
	var others []*pdhpath.Pattern
	for i := range 30 {
		p, err := pdhpath.Compile(fmt.Sprintf(`\Process(none %d)\%% Processor Time`, i))
		require.NoError(t, err)
		others = append(others, p)
	}
	none := dump(t, data, document.Options{Counters: others})
	for _, path := range []string{`\Process(_Total)\% Processor Time`, `\Process(*1)\ID*`, `\System\*`, `\*(*)\% Processor Time`, `\\SRV-BUSY-01\Memory\Available Bytes`, `\\other\*(*)\*`} {
		p, err := pdhpath.Compile(path)
		require.NoError(t, err)
		alone := dump(t, data, document.Options{Counters: []*pdhpath.Pattern{p}})
		require.Equal(t, path == `\\other\*(*)\*`, bytes.Equal(alone, none), path)
		require.Equal(t, alone, dump(t, data, document.Options{Counters: append(others[:30:30], p)}), path)
	}
}
