package carve_test

import (
	"encoding/binary"
	"time"
	"unicode/utf16"

	"github.com/perfdump/perfdump/internal/carve"
)

// naive is the rule as it is written down, offset by offset, over bytes that
// are all there.
func naive(b []byte) (found []carve.Found) {
	for off := 0; off < len(b); {
		f, ok := naiveAt(b[off:])
		f.Offset = int64(off)
		switch {
		case !ok:
			off++
		case f.Partial:
			found = append(found, f)
			off++
		default:
			found = append(found, f)
			off += int(f.Length)
		}
	}
	return found
}

func naiveAt(b []byte) (f carve.Found, ok bool) {
	if len(b) < 88 || string(b[:8]) != "P\x00E\x00R\x00F\x00" {
		return f, false
	}
	word := func(off int) int64 { return int64(binary.LittleEndian.Uint32(b[off:])) }
	half := func(off int) int { return int(binary.LittleEndian.Uint16(b[off:])) }
	total, header, objects := word(20), word(24), word(28)
	in := func(x, low, high int) bool { return x >= low && x <= high }
	if word(8) != 1 || word(12) != 1 || header < 88 || header > 1024 || total < header || total > 64<<20 || objects > 4096 ||
		!in(half(36), 1990, 2200) || !in(half(38), 1, 12) || !in(half(40), 0, 6) || !in(half(42), 1, 31) ||
		half(44) >= 24 || half(46) >= 60 || half(48) >= 60 || word(80)+word(84) > header {
		return f, false
	}
	f.Objects = int(objects)
	f.Time = time.Date(half(36), time.Month(half(38)), half(42), half(44), half(46), half(48), half(50)*1e6, time.UTC)
	var name []uint16
	for i := word(84); i+1 < word(84)+word(80) && i+1 < int64(len(b)); i += 2 {
		if half(int(i)) == 0 {
			break
		}
		name = append(name, uint16(half(int(i))))
	}
	f.Host = string(utf16.Decode(name))

	at := header
	for i := range objects {
		rest := (objects - i) * 64 // no object is smaller
		if at+rest > total+header {
			return f, false
		}
		if at+4 > int64(len(b)) {
			f.Length, f.Partial = int64(len(b)), true
			return f, true
		}
		n := word(int(at))
		if n < 64 {
			return f, false
		}
		at += n
	}
	if at != total && at != total+header {
		return f, false
	}
	f.Length = at
	if at > int64(len(b)) {
		f.Length, f.Partial = int64(len(b)), true
	}
	return f, true
}
