package parquet

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// values is a chunk that has been read.
type values struct {
	index   []uint32 // of each row in texts or words, or null
	texts   []string
	words   []uint64
	present []uint32 // of each row, 1 if it has a value
}

// dictionary reads n values of a page.
func (v *values) dictionary(kind *kind, b []byte, n int) bool {
	for range n {
		size := uint64(kind.size)
		if kind.text {
			if len(b) < 4 {
				return false
			}
			size = uint64(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		if size > uint64(len(b)) || kind.text && !utf8.Valid(b[:size]) {
			return false
		}
		if kind.text {
			v.texts = append(v.texts, string(b[:size]))
		} else {
			v.words = append(v.words, word(b[:size]))
		}
		b = b[size:]
	}
	return len(b) == 0
}

// rows reads the rows of a page: indexes of n values of a dictionary, or values.
func (v *values) rows(kind *kind, b []byte, optional bool, rows, n int) (ok bool) {
	some := rows
	if optional {
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return false
		}
		levels := b[4:][:binary.LittleEndian.Uint32(b)]
		if v.present, ok = hybrid(v.present[:0], levels, rows, 1); !ok {
			return false
		}
		b, some = b[4+len(levels):], 0
		for _, level := range v.present {
			some += int(level)
		}
	}
	switch {
	case kind.dict:
		if len(b) == 0 || int(b[0]) != widthOf(n) {
			return false
		}
		v.index, ok = hybrid(v.index, b[1:], some, widthOf(n))
		if !ok || some > 0 && slices.Max(v.index) >= uint32(n) {
			return false
		}
	case len(b) != 8*some:
		return false
	case kind == &kinds[times]:
		for i := range some {
			v.index, v.words = append(v.index, uint32(i)), append(v.words, word(b[8*i:]))
		}
	default:
		for i := range some { // as appendSplit has them
			x := uint64(0)
			for k := range 8 {
				x |= uint64(b[k*some+i]) << (8 * k)
			}
			v.index, v.words = append(v.index, uint32(i)), append(v.words, x)
		}
	}
	v.index = slices.Grow(v.index, rows-some)[:rows]
	for row := rows - 1; some <= row; row-- {
		if v.present[row] == 0 {
			v.index[row] = null
		} else {
			some--
			v.index[row] = v.index[some]
		}
	}
	return true
}

// hybrid appends the n numbers that appendHybrid has written to b.
func hybrid(dst []uint32, b []byte, n, width int) ([]uint32, bool) {
	for n > 0 {
		head, size := binary.Uvarint(b)
		b = b[max(size, 0):]
		count, run := head>>1, head&1 == 0
		if size <= 0 || count == 0 || run && count > uint64(n) || !run && count > uint64(n+7)/8 {
			return dst, false
		}
		if size = int(count) * width; run {
			size = (width + 7) / 8
		}
		if size > len(b) {
			return dst, false
		}
		some := min(8*int(count), n)
		if run {
			some = int(count)
			dst = unpack(dst, b, 1, 8*size)
			x := dst[len(dst)-1]
			if x>>width != 0 {
				return dst, false
			}
			for range some - 1 {
				dst = append(dst, x)
			}
		} else {
			dst = unpack(dst, b, some, width)
		}
		b, n = b[size:], n-some
	}
	return dst, len(b) == 0
}

// unpack appends the n numbers that appendPacked has written to b.
func unpack(dst []uint32, b []byte, n, width int) []uint32 {
	acc, have := uint64(0), 0
	for range n {
		for ; have < width; have += 8 {
			acc |= uint64(b[0]) << have
			b = b[1:]
		}
		dst = append(dst, uint32(acc)&(1<<width-1))
		acc, have = acc>>width, have-width
	}
	return dst
}
