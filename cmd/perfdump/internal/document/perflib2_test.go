package document_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/perflib2"
)

func dumpSets(t *testing.T, b []byte) []byte {
	t.Helper()
	blk, err := perflib2.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, document.WritePerfLib2(&out, "sets.bin", b, blk, document.Options{}))
	return out.Bytes()
}

// Damaged bytes come back, too: sizes, counts and types that are odd, and what
// follows the block.
func TestDamagedSetsComeBack(t *testing.T) {
	whole := read(t, "../../../../testdata/perflib2/sets.bin")
	n := 0
	for off := range whole {
		for _, v := range []byte{0, 1, 7, 8, 0xff} {
			b := append(bytes.Clone(whole), "behind"...)
			b[off] = v
			if _, err := perflib2.Parse(b, perfdump.Options{}); err != nil {
				continue
			}
			n++
			require.True(t, bytes.Equal(b, encode(t, dumpSets(t, b))), "0x%02x at %d", v, off)
		}
	}
	require.Greater(t, n, 1000)
	require.Equal(t, whole, encode(t, edit(t, dumpSets(t, whole), func(object) {})))
}

// A document without wire and gaps is laid out as the tree of the package is.
func TestSetsByHand(t *testing.T) {
	b := encode(t, []byte(`{"format":"perflib2","system_time":"2020-03-18T19:05:41.123Z","counters":[
		{"type":"counter-set","ids":[3,1],"instances":[{"name":"ab","id":9,"values":[5,{"hex":"06000000"}]},{"name":"","values":[1,2]}]},
		{"type":"error","status":232},
		{"type":"single-counter","instances":[{"values":[18446744073709551615]}]}]}`))
	blk, err := perflib2.Parse(b, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	at, ok := blk.Time()
	require.True(t, ok)
	require.Equal(t, "2020-03-18 19:05:41.123 +0000 UTC", at.String())
	want, err := blk.Tree().AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, want, b)
}

func TestSetsThatDoNotFit(t *testing.T) {
	doc := dumpSets(t, read(t, "../../../../testdata/perflib2/sets.bin"))
	for _, c := range []struct {
		path string
		v    any
		code perfdump.Code
		text string
	}{
		{"counters.0.type", "x", "syntax", "no type of result"},
		{"counters.0.type", nil, "syntax", "no type"},
		{"counters.0.ids", []int{1}, "count", "1 ids"},
		{"counters.0.instances", []int{}, "count", "0 instances"},
		{"counters.0.instances.0.id", 1, "length", "a name or an id"},
		{"counters.0.instances.0.values.0", int64(1 << 32), "length", "4 bytes"},
		{"counters.0.instances.0.values.0", "x", "length", "a number or"},
		{"counters.2.ids", []int{1}, "count", "more values"},
		{"counters.2.instances.0.values.1", object{"hex": "00"}, "length", "data_sizes says 10"},
		{"counters.2.instances.0.wire.sizes.0", 8, "length", "0x8, but there are 0x10 bytes"},
		{"counters.2.wire.size", 16, "length", "counters[2].wire.size"},
		{"counters.4.instances.0.wire.data_sizes", []int{8}, "count", "sizes in wire"},
		{"counters.4.instances.0.name", "longer than it was", "length", "wire.size"},
		{"counters.4.instances.0.wire.size", int64(1 << 31), "limit", "more than the document holds"},
		{"wire.total_size", 100, "length", "counters take"},
		{"gaps.0", object{"offset": 76, "zero": 3}, "length", "no field and no gap"},
		{"gaps.0", object{"offset": 72, "zero": 8}, "length", "a gap of zeros"},
	} {
		err := refuse(t, edit(t, doc, func(m object) { set(t, m, c.path, c.v) }))
		require.Equal(t, c.code, err.Code, "%s: %v", c.path, err)
		require.Contains(t, err.Error(), c.text, c.path)
	}
}
