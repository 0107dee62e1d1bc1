package perfdata_test

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// join puts parts together.
func join(t *testing.T, parts iter.Seq[[]byte]) string {
	t.Helper()
	var b strings.Builder
	for part := range parts {
		assert.True(t, utf8.Valid(part), "half a character")
		b.Write(part)
	}
	return b.String()
}

// Names and texts in parts are the same as whole, however long they are and
// whatever bytes they have.
func TestPartsAreTheText(t *testing.T) {
	for _, page := range []uint32{0, 1252, 932, 54936, 65001, 4711} {
		for _, unit := range []string{"x\x00", "\x00\x4e", "\xb1", "\x80", "\x88\xea", "\x00\xd8", "\x3d\xd8\x00\xde"} {
			for _, n := range []int{8, 4096, 16<<10 - 2, 16 << 10, 16<<10 + 2, 40 << 10} {
				raw := append([]byte("x\x00"), slices.Repeat([]byte(unit), n/len(unit))...)
				if page != 0 {
					raw = append([]byte("x"), slices.Repeat([]byte(unit), n/len(unit))...)
				}
				raw = append(raw, 0, 0)
				o := perftest.Object{Title: 2, CodePage: page, Counters: []perftest.Counter{{Title: 4, Type: 0x10B00, Size: len(raw)}, {Title: 6, Type: 0xB00, Size: len(raw)}}}
				o.Instances = []perftest.Instance{{RawName: raw, Raw: map[int][]byte{0: raw, 1: raw}}}
				block, err := perfdata.Parse((&perftest.Block{Objects: []perftest.Object{o}}).Bytes(), perfdata.Options{})
				require.NoError(t, err)
				in := block.Object(0).Instance(0)
				want := string(in.AppendName(nil))
				same := join(t, in.NameParts()) == want && in.Name() == want && in.FullName() == want
				assert.True(t, same, "page %d, %d of %x: the name", page, n, unit)
				for j := range 2 {
					v := in.Value(j)
					assert.True(t, join(t, v.TextParts()) == v.Text(), "page %d, %d of %x: the text %d", page, n, unit, j)
					assert.NotEmpty(t, v.Text()[:1])
				}
			}
		}
	}
}

// A name that its page decodes is as it should be, however long it is.
func TestLongNamesInPages(t *testing.T) {
	for n := 16<<10 - 2; n <= 16<<10+2; n++ {
		o := perftest.Object{Title: 2, CodePage: 1252, Counters: []perftest.Counter{{Title: 4, Type: 0x10000, Size: 4}}}
		o.Instances = []perftest.Instance{{RawName: append(slices.Repeat([]byte("\xe9"), n-1), 0)}}
		block, err := perfdata.Parse((&perftest.Block{Objects: []perftest.Object{o}}).Bytes(), perfdata.Options{})
		require.NoError(t, err)
		require.Empty(t, block.Anomalies().Kept(), n)
	}
}
