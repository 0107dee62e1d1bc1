package perfdata

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// slowPlain is plainName unit by unit.
func slowPlain(b []byte) bool {
	if len(b)%2 != 0 {
		return false
	}
	for i := 0; i < len(b); i += 2 {
		unit, last := uint16(b[i])|uint16(b[i+1])<<8, i == len(b)-2
		if last != (unit == 0) || unit >= 0x80 {
			return false
		}
	}
	return true
}

// TestPlainNameTwin holds plainName against its slow twin, for names of all
// lengths with up to two odd bytes, far from the end of the bytes and near.
func TestPlainNameTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 140; n++ {
		for range 400 {
			b := make([]byte, 8+n+r.IntN(80))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			name := b[8 : 8+n]
			for i := range name {
				if name[i] = 0; i%2 == 0 && i < n-2 {
					name[i] = byte(1 + r.IntN(0x7f))
				}
			}
			for range r.IntN(3) {
				name[r.IntN(n)] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
			}
			require.Equal(t, slowPlain(name), plainName(b, 8, n), "% x", name)
		}
	}
}

// TestFold holds appendFold against the upper case of strings, with each ASCII
// character at each place of names of all lengths, and behind other text.
func TestFold(t *testing.T) {
	const name = "w3wp_Ärger zß@[`{ application pool"
	for n := range len(name) {
		for c := range rune(0x80) {
			for _, s := range []string{name[:n] + string(c), string(c) + name[n:], strings.Repeat(string(c), n)} {
				if utf8.ValidString(s) {
					require.Equal(t, strings.ToUpper(s), string(appendFold(nil, []byte(s))), "%q", s)
				}
			}
		}
	}
}

// A parent is found behind an object that salvaging has lost, which has a
// position but no place among those kept.
func TestParentBehindALostObject(t *testing.T) {
	process := perftest.Object{Title: 230, Instances: []perftest.Instance{{Name: "a"}, {Name: "b"}}}
	thread := perftest.Object{Title: 232, Instances: []perftest.Instance{{Name: "0", ParentTitle: 230, Parent: 1}}}
	m := (&perftest.Block{Objects: []perftest.Object{{Title: 2}, process, thread}}).Build().Set("object[0].HeaderLength", 1)
	blk, err := Parse(m.Bytes, perfdump.Options{Mode: perfdump.Salvage})
	require.NoError(t, err)
	require.Equal(t, 2, blk.NumObjects())
	require.Equal(t, "b/0", blk.Object(1).Instance(0).FullName())
	require.Equal(t, "b/0", blk.Clone().Object(1).Instance(0).FullName())
}
