package perfdata_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// specimens are blocks of all shapes, small enough to be damaged everywhere.
func specimens() map[string]*perftest.Image {
	odd := plain()
	odd.NameGap, odd.HeaderGap, odd.Tail = 4, 8, 24
	odd.Objects[0].HeaderExtra, odd.Objects[0].DefinitionGap, odd.Objects[0].BlockExtra = 12, 20, 9
	odd.Objects[1].Packed = true
	odd.Objects[1].Instances[0].NameGap, odd.Objects[1].Instances[0].NameStale = 3, 5
	odd.Objects[2].Counters = []perftest.Counter{
		{Title: 1, Type: 0x00000B00, Size: 7, Extra: 3},
		{Title: 3, Type: 0x00010B00, Size: 6},
		{Title: 5, Type: 0x22410500, Offset: 16},
		{Title: 5, Type: 0x42030500, Offset: 24},
		{Title: 7, Type: 0x00000300, Size: 3, Offset: 9},
		{Title: 9, Type: 0x40000200},
		{Title: 11, Type: 0x00010000, Size: 8, Offset: 12},
		{Title: 13, Type: 0x10410500, Offset: 12, Size: 4},
	}
	odd.Objects[2].Instances[0].Raw = map[int][]byte{0: []byte("a\x00b\x00c\x00d"), 1: []byte("ANSI\x00x")}
	odd.Objects[3].CodePage = 932
	odd.Objects[3].Instances[0].RawName = []byte{0x8e, 0xa9, 0x93, 0xae, 0}
	odd.Objects = append(odd.Objects,
		perftest.Object{Title: 700, NumInstances: -2, Counters: odd.Objects[0].Counters},
		perftest.Object{Title: 702, NumInstances: -3},
		perftest.Object{Title: 704, NumInstances: 0, Counters: odd.Objects[0].Counters[:1]},
	)
	many := perftest.Object{Title: 238, Counters: []perftest.Counter{
		{Title: 2, Type: 0x10410500},
		{Title: 4, Type: 0x10410500},
		{Title: 6, Type: 0x20510500},
		{Title: 8, Type: 0x10410400},
		{Title: 10, Type: 0x00010000},
		{Title: 12, Type: 0x20020400},
		{Title: 12, Type: 0x40030403},
		{Title: 14, Type: 0x10410500},
	}}
	for i := range uint64(9) { // enough for the ways of reading that pay for many
		many.Instances = append(many.Instances, perftest.Instance{Name: "a", BlockExtra: int(i % 3 * 8), Values: []uint64{1<<40 + i, 2<<40 + i, 3 + i, 4 + i, 5 + i, 6 + i, 7 + i, 8<<40 + i}})
	}
	return map[string]*perftest.Image{"many": (&perftest.Block{Objects: []perftest.Object{many}}).Build(), "plain": plain().Build(), "odd": odd.Build(), "header": (&perftest.Block{Name: "HOST"}).Build()}
}

// 13.06: cut at every length there is an error or there are whole objects, and
// never a byte from past the end, whatever stands there.
func TestSpecTruncation(t *testing.T) {
	files := map[string][]byte{}
	for name, m := range specimens() {
		mustParse(t, m.Bytes)
		files[name] = m.Bytes
	}
	files["samba"] = samba("SAMBA", "smbd", "nmbd")
	files["displaced"] = displaced(plain().Bytes())
	files["two blocks"] = append(plain().Bytes(), samba("TWO", "a")...)
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			whole, err := parseIn(file, perfdump.Salvage)
			require.NoError(t, err)
			end := whole.HeaderLength
			for _, o := range whole.Objects() {
				end = uint32(o.Offset()) + o.TotalByteLength
			}
			for n := range file {
				if thin(n) && thin(n+1) { // whole parts end at multiples of 8: these, and 1 less
					continue
				}
				cut := file[:n:n]
				blk, err := checkAny(t, cut)
				if n < int(end) || name == "displaced" {
					require.Error(t, err, "%d bytes", n)
					require.True(t, n < 88 || name != "plain" || errors.Is(err, perfdump.ErrTruncated), "%d bytes: %v", n, err)
				} else if n < whole.Size() { // only a gap is cut
					require.NoError(t, err, "%d bytes", n)
					require.Contains(t, codes(blk), perfdump.Code("total-long"))
				}
				for _, mode := range modes {
					want := outcome(cut, mode)
					require.Equal(t, want, outcome(file[:n], mode), "%d bytes, %s: what stands behind them shows", n, mode)
					require.Equal(t, want, outcome(spare(cut, bytes.Repeat([]byte{0xEE}, 4096)), mode), "%d bytes, %s: what stands behind them shows", n, mode)
				}
				if blk, err := parseIn(cut, perfdump.Salvage); err == nil {
					sameBeginning(t, whole, blk, n)
				}
			}
		})
	}
}
