package wire

import "github.com/perfdump/perfdump"

// Canvas takes the parts of an encoded whole, each in its place, in any order
// and without contradiction.
type Canvas struct {
	out     []byte
	painted []uint64 // a bit a byte of out
}

// NewCanvas makes out zeros, to be painted on.
func NewCanvas(out []byte) *Canvas {
	clear(out)
	return &Canvas{out: out, painted: make([]uint64, (len(out)+63)/64)}
}

// Put paints b at off. Bytes that are painted already must be the same.
func (c *Canvas) Put(off int, b []byte, path perfdump.Path) error {
	if off < 0 || off > len(c.out)-len(b) {
		return perfdump.NewError(perfdump.CodeLength, int64(off), path, "0x%x bytes at 0x%x are not within the 0x%x of the whole", len(b), off, len(c.out))
	}
	for i, v := range b {
		at := off + i
		bit := uint64(1) << (at % 64)
		if c.painted[at/64]&bit != 0 && c.out[at] != v {
			return perfdump.NewError(perfdump.CodeLength, int64(at), path, "0x%02x here contradicts 0x%02x of another field", v, c.out[at])
		}
		c.painted[at/64] |= bit
		c.out[at] = v
	}
	return nil
}

// Hole returns the first byte that was not painted, or -1.
func (c *Canvas) Hole() int {
	for i := range c.out {
		if c.painted[i/64]&(1<<(i%64)) == 0 {
			return i
		}
	}
	return -1
}
