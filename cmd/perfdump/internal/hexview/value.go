package hexview

import (
	"encoding/binary"
	"strconv"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// appendValue appends the value of bytes of a kind, which is the same for all
// formats.
func appendValue(dst []byte, s *perfdump.Span, b []byte, most int) []byte {
	switch s.Kind {
	case perfdump.KindUint:
		if v, ok := load(b); ok {
			return strconv.AppendUint(dst, v, 10)
		}
	case perfdump.KindInt:
		if v, ok := load(b); ok {
			shift := 64 - 8*len(b)
			return strconv.AppendInt(dst, int64(v)<<shift>>shift, 10)
		}
	case perfdump.KindHex:
		if v, ok := load(b); ok {
			return appendPadded(dst, v, 2*len(b))
		}
	case perfdump.KindUTF16:
		return appendUTF16(dst, b, most)
	case perfdump.KindANSI:
		return appendANSI(dst, b, s.CodePage, most)
	case perfdump.KindFiletime:
		if v, ok := load(b); ok {
			return appendFiletime(dst, v)
		}
	case perfdump.KindSystemtime:
		return appendSystemtime(dst, b)
	default:
	}
	return appendCount(dst, len(b), "byte")
}

// load reads an integer of up to 8 bytes.
func load(b []byte) (uint64, bool) {
	switch len(b) {
	case 1:
		return uint64(b[0]), true
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), true
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), true
	case 8:
		return binary.LittleEndian.Uint64(b), true
	default:
		return 0, false
	}
}

// appendPadded appends v in hex with leading zeros.
func appendPadded(dst []byte, v uint64, digits int) []byte {
	dst = append(dst, "0x"...)
	for digits--; digits >= 0; digits-- {
		dst = append(dst, hexDigits[v>>(4*digits)&15])
	}
	return dst
}

// lastYear is the last year that RFC 3339 can write.
const lastYear = 9999

// appendFiletime appends a time, or the number if it is no time.
func appendFiletime(dst []byte, ticks uint64) []byte {
	if t := perfdata.Filetime(int64(ticks)); int64(ticks) > 0 && t.Year() <= lastYear {
		return t.AppendFormat(dst, time.RFC3339Nano)
	}
	return strconv.AppendInt(dst, int64(ticks), 10)
}

// appendSystemtime appends a time, or its eight words if they are no time.
func appendSystemtime(dst, b []byte) []byte {
	var st perfdata.SystemTime
	if len(b) != 2*len(st) {
		return appendCount(dst, len(b), "byte")
	}
	for i := range st {
		st[i] = wire.U16(b, 2*i)
	}
	if t, ok := st.Time(); ok && t.Year() <= lastYear {
		return t.AppendFormat(dst, "2006-01-02T15:04:05.000Z07:00")
	}
	dst = append(dst, '[')
	for i, v := range st {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendUint(dst, uint64(v), 10)
	}
	return append(dst, "], no time"...)
}

// appendUTF16 appends text in quotes, without the NULs at its end. Surrogates
// without a partner are written as "\ud800".
func appendUTF16(dst, b []byte, most int) []byte {
	half := len(b)%2 != 0
	b = b[:len(b)&^1]
	for len(b) > 0 && b[len(b)-1] == 0 && b[len(b)-2] == 0 {
		b = b[:len(b)-2]
	}
	dst = append(dst, '"')
	for n := 0; len(b) > 0; n++ {
		if n >= most {
			return append(dst, `"…`...)
		}
		r, size := rune(wire.U16(b, 0)), 2
		if utf16.IsSurrogate(r) {
			pair := unicode.ReplacementChar
			if len(b) >= 4 {
				pair = utf16.DecodeRune(r, rune(wire.U16(b, 2)))
			}
			if pair == unicode.ReplacementChar {
				dst = append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
				b = b[2:]
				continue
			}
			r, size = pair, 4
		}
		dst = appendRune(dst, r)
		b = b[size:]
	}
	dst = append(dst, '"')
	if half {
		dst = append(dst, " and an odd byte"...)
	}
	return dst
}

// appendANSI appends text in quotes, without the NULs at its end. If the code
// page does not decode it, bytes above ASCII are written as "\x93".
func appendANSI(dst, b []byte, page uint32, most int) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	text, ok := decodeANSI(b, page, most)
	dst = append(dst, '"')
	n := 0
	for len(text) > 0 {
		if n >= most {
			return append(dst, `"…`...)
		}
		r, size := utf8.DecodeRune(text)
		if !ok {
			r, size = rune(text[0]), 1
		}
		if r >= utf8.RuneSelf && !ok {
			dst = append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
		} else {
			dst = appendRune(dst, r)
		}
		text = text[size:]
		n++
	}
	return append(dst, '"')
}

// longestChar is the most bytes that a code page takes for a character.
const longestChar = 8

// decodeANSI decodes enough of b for most characters, which may cut the last
// one. It returns b itself and false if the page does not
// decode it.
func decodeANSI(b []byte, page uint32, most int) ([]byte, bool) {
	p, known := wire.LookupCodePage(page)
	if !known {
		return b, false
	}
	if len(b)/longestChar <= most {
		if out, ok := p.Append(nil, b); ok {
			return out, true
		}
		return b, false
	}
	b = b[:(most+1)*longestChar]
	for cut := range longestChar {
		if out, ok := p.Append(nil, b[:len(b)-cut]); ok {
			return out, true
		}
	}
	return b, false
}

// appendRune appends a character of a quoted text.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case ' ' <= r && r < 0x7f:
		return append(dst, byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < 0xa0:
		return append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	case unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r < 0x10000:
		return append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	default:
		dst = append(dst, `\U00`...)
		for shift := 20; shift >= 0; shift -= 4 {
			dst = append(dst, hexDigits[r>>shift&15])
		}
		return dst
	}
}
