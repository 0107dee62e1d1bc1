package perfdata

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
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
