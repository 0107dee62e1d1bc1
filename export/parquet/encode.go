package parquet

import (
	"encoding/binary"
	"math/bits"
)

// appendHybrid appends numbers of so many bits, runs of one number as such and all
// others packed by eights.
func appendHybrid(dst []byte, v []uint32, width int) []byte {
	for len(v) > 0 {
		run := runOf(v)
		if run >= 8 || run == len(v) {
			dst = binary.AppendUvarint(dst, uint64(run)<<1)
			for shift := 0; shift < width; shift += 8 {
				dst = append(dst, byte(v[0]>>shift))
			}
			v = v[run:]
			continue
		}
		n := 8
		for n < len(v) && (v[n] != v[min(n+1, len(v)-1)] || runOf(v[n:min(n+16, len(v))]) < 16) {
			n += 8
		}
		dst = binary.AppendUvarint(dst, uint64((n+7)/8)<<1|1)
		n = min(n, len(v))
		dst = appendPacked(dst, v[:n], width)
		v = v[n:]
	}
	return dst
}

// runOf returns how many numbers at the beginning are the same.
func runOf(v []uint32) int {
	for i := range v {
		if v[i] != v[0] {
			return i
		}
	}
	return len(v)
}

// appendPacked appends numbers by their bits, and zeros up to the next eight.
func appendPacked(dst []byte, v []uint32, width int) []byte {
	var acc uint64
	have := 0
	for _, x := range v {
		acc |= uint64(x) << have
		for have += width; have >= 32; have -= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
		}
	}
	have += width * (-len(v) & 7)
	for ; have > 0; have -= 8 {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	return dst
}

// widthOf returns how many bits n numbers from 0 on need. Not every reader takes
// numbers of none.
func widthOf(n int) int { return max(bits.Len(uint(max(n-1, 0))), 1) }

// appendSplit appends the first bytes of all numbers, then the second ones and so on:
// those of floating point numbers that are near to each other are packed better.
func appendSplit(dst []byte, v []uint64) []byte {
	start, n := len(dst), len(v)
	dst = append(dst, make([]byte, 8*n)...)
	for k := range 8 {
		to := dst[start+k*n:][:n]
		for i, x := range v {
			to[i] = byte(x >> (8 * k))
		}
	}
	return dst
}

// appendLevels appends which rows have a value, 1 for each that has, as a page has it.
func appendLevels(dst []byte, levels []uint32) []byte {
	at := len(dst)
	dst = appendHybrid(append(dst, 0, 0, 0, 0), levels, 1)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}
