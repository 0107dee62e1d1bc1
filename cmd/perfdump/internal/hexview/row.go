package hexview

import (
	"encoding/binary"
	"math/bits"
)

const hexDigits = "0123456789abcdef"

// pairs holds for each byte its two digits and two blanks, as a little-endian
// word; glyphs has its character in the ASCII column.
var pairs, glyphs = func() (pairs [256]uint32, glyphs [256]byte) {
	for i := range pairs {
		pairs[i] = uint32(hexDigits[i>>4]) | uint32(hexDigits[i&15])<<8 | ' '<<16 | ' '<<24
		glyphs[i] = '.'
		if ' ' <= i && i < 0x7f {
			glyphs[i] = byte(i)
		}
	}
	return pairs, glyphs
}()

// columns is the layout of a row: address, hex, ASCII.
type columns struct {
	bytes  int    // in a row
	digits int    // of the address
	hex    int    // where the columns begin
	ascii  int    // the first glyph
	tree   int    // where the path begins
	blank  []byte // a row without bytes, up to tree
}

func newColumns(size int64, perRow int) columns {
	c := columns{bytes: perRow, digits: max(4, (bits.Len64(uint64(size))+3)/4)}
	c.hex = 2 + c.digits + 1
	c.ascii = c.hex + 3*perRow + 1
	c.tree = c.ascii + perRow + 2
	c.blank = make([]byte, c.tree)
	for i := range c.blank {
		c.blank[i] = ' '
	}
	copy(c.blank, "0x")
	c.blank[c.ascii-1], c.blank[c.ascii+perRow] = '|', '|'
	return c
}

// append appends the columns of a row of at most c.bytes bytes, and a blank.
func (c *columns) append(dst []byte, off int64, b []byte) []byte {
	n := len(dst)
	dst = append(dst, c.blank...)
	row := dst[n:]
	for i := 1 + c.digits; i >= 2; i-- {
		row[i] = hexDigits[off&15]
		off >>= 4
	}
	switch h, a := row[c.hex:], row[c.ascii:]; len(b) {
	case 4: // the width of most fields
		_, _, _ = h[12], a[3], b[3]
		binary.LittleEndian.PutUint32(h, pairs[b[0]])
		binary.LittleEndian.PutUint32(h[3:], pairs[b[1]])
		binary.LittleEndian.PutUint32(h[6:], pairs[b[2]])
		binary.LittleEndian.PutUint32(h[9:], pairs[b[3]])
		a[0], a[1], a[2], a[3] = glyphs[b[0]], glyphs[b[1]], glyphs[b[2]], glyphs[b[3]]
	default:
		a = a[:len(b)]
		for i, v := range b {
			binary.LittleEndian.PutUint32(h[3*i:], pairs[v])
			a[i] = glyphs[v]
		}
	}
	row[c.ascii-1] = '|' // the last of a full row wrote over it
	return dst
}
