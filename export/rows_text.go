package export

import (
	"strings"
	"unicode/utf8"
)

// appendQuoted appends a text as UTF-8, in quotes where it needs them. PostgreSQL
// takes a bare \. for the end of the data.
func appendQuoted(dst []byte, s string) []byte {
	from := len(dst)
	dst, quote := appendCSVPart(append(dst, '"'), s)
	if quote || s == "" || s == `\.` || s[0] == ' ' || s[len(s)-1] == ' ' {
		return append(dst, '"')
	}
	return append(dst[:from], dst[from+1:]...)
}

// appendCSVPart appends a part of a text as UTF-8 with each quote twice, and reports
// whether the text needs quotes for what is in the part.
func appendCSVPart(dst []byte, s string) ([]byte, bool) {
	ascii, quote, double := true, false, false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			ascii = false
		case c == ',' || c == '\r' || c == '\n':
			quote = true
		case c == '"':
			quote, double = true, true
		}
	}
	if !ascii {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if double {
		s = strings.ReplaceAll(s, `"`, `""`)
	}
	return append(dst, s...), quote
}

// AppendJSONString appends s as a JSON string. Bytes that are no UTF-8 become
// U+FFFD; control characters are escaped.
func AppendJSONString(dst []byte, s string) []byte {
	dst, _ = appendJSONPart(append(dst, '"'), s)
	return append(dst, '"')
}

// appendJSONPart appends a part of a JSON string, which always needs quotes.
func appendJSONPart(dst []byte, s string) ([]byte, bool) {
	const hex = "0123456789abcdef"
	from := 0
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' && r != 0x7f && r != utf8.RuneError {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch r {
		case '"', '\\':
			dst = append(dst, '\\', byte(r))
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case utf8.RuneError:
			dst = append(dst, "\ufffd"...)
			if strings.HasPrefix(s[i:], "\ufffd") {
				from = i + len("\ufffd")
			}
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		}
	}
	return append(dst, s[from:]...), true
}
