package perfdata_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestLongTexts: a name or a text that no UNICODE_STRING can hold is refused;
// salvage mode leaves out its instance alone.
func TestLongTexts(t *testing.T) {
	text := func(n int) []byte {
		b := slices.Repeat([]byte("x\x00"), n/2)
		copy(b[len(b)-2:], "\x00\x00")
		return b
	}
	parse := func(o perftest.Object, mode perfdump.Mode) (*perfdata.Block, error) {
		child := perftest.Object{Title: 8, Counters: []perftest.Counter{{Title: 10, Type: 0x10000, Size: 4}}}
		child.Instances = []perftest.Instance{{Name: "child", ParentTitle: 2, Parent: 2}}
		return perfdata.Parse((&perftest.Block{Objects: []perftest.Object{o, child}}).Bytes(), perfdump.Options{Mode: mode})
	}
	for _, c := range []struct {
		name         string
		names, texts int // bytes
		path         string
	}{
		{"neither", 65534, 65534, ""},
		{"a name", 65536, 8, "object[0].instance[1].NameLength"},
		{"a text", 8, 65536, "object[0].instance[0].counter[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := perftest.Object{Title: 2, Counters: []perftest.Counter{{Title: 4, Type: 0x10B00, Size: c.texts}}}
			for _, raw := range [][]byte{text(4), text(c.names), text(6)} {
				o.Instances = append(o.Instances, perftest.Instance{RawName: raw, Raw: map[int][]byte{0: text(c.texts)}})
			}
			for _, mode := range []perfdump.Mode{perfdump.Strict, perfdump.Tolerant} {
				blk, err := parse(o, mode)
				if c.path == "" {
					require.NoError(t, err)
					parent, ok := blk.Object(1).Instance(0).Parent()
					require.True(t, ok)
					require.Equal(t, "xx", parent.Name())
					continue
				}
				require.ErrorIs(t, err, perfdump.ErrLimit)
				require.ErrorContains(t, err, c.path)
				in, err := parse(o, perfdump.Salvage)
				require.NoError(t, err)
				at := in.Bytes()[in.Fault(0).Off:]
				if c.texts > 65535 {
					require.Equal(t, text(c.texts), at[:c.texts], "the place of the text")
				} else {
					require.EqualValues(t, c.names, binary.LittleEndian.Uint32(at), "the place of its length")
				}
			}
			blk, err := parse(o, perfdump.Salvage)
			require.NoError(t, err)
			checkSpans(t, blk)
			if c.path == "" {
				require.Zero(t, blk.NumFaults())
				return
			}
			var names []string
			for _, in := range blk.Object(0).Instances() {
				names = append(names, in.Name())
			}
			if c.names > 65535 {
				require.Equal(t, []string{"x", "xx"}, names)
				require.Equal(t, 1, blk.NumFaults())
			} else {
				require.Empty(t, names, "all have the text")
				require.Equal(t, 3, blk.NumFaults())
			}
			require.Equal(t, "child", blk.Object(1).Instance(0).FullName(), "positions do not hold any more")
		})
	}
}

// TestLongSystemName: the same for the computer's name.
func TestLongSystemName(t *testing.T) {
	block := func(n int) []byte {
		return (&perftest.Block{Name: strings.Repeat("x", n/2-1), Objects: []perftest.Object{number(2, perftest.Instance{Name: "a"})}}).Bytes()
	}
	mustBeClean(t, block(65534))
	_, err := checkAny(t, block(65536))
	require.ErrorIs(t, err, perfdump.ErrLimit)
	blk, err := parseIn(block(65536), perfdump.Salvage)
	require.NoError(t, err)
	require.Empty(t, blk.ComputerName())
	require.Equal(t, 1, blk.Object(0).Len())
}
