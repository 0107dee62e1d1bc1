package man

import (
	"fmt"
	"strings"
)

// escape writes text so that roff shows it as it is. A minus sign stays one
// that can be copied into a shell, and so do the signs that roff would make
// typographic.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '\\':
			b.WriteString(`\e`)
		case '-':
			b.WriteString(`\-`)
		case '\'':
			b.WriteString(`\(aq`)
		case '`':
			b.WriteString(`\(ga`)
		case '^':
			b.WriteString(`\(ha`)
		case '~':
			b.WriteString(`\(ti`)
		case '"':
			b.WriteString(`\(dq`)
		default:
			if r < 0x80 {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, `\[u%04X]`, r)
			}
		}
	}
	return b.String()
}

// escapeLine is escape for a whole line, which must not begin with what makes
// it a request.
func escapeLine(s string) string {
	s = escape(s)
	if strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}

// quoted writes an argument of a request.
func quoted(s string) string { return `"` + escape(s) + `"` }
