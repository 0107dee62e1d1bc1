package document

import (
	"bytes"

	"github.com/perfdump/perfdump/internal/textlines"
)

// lines writes the lines of a text format, which hold every byte of it but
// the byte order mark, and that stands in the name of the encoding.
func (p *printer) lines(t *textlines.Text) {
	enc := t.Encoding()
	p.str(`"encoding":`, enc.Name())
	p.raw(`,"lines":[`)
	var buf []byte
	for l := range t.All() {
		if !p.ok() {
			return
		}
		if l.Number > 1 {
			p.raw(",")
		}
		p.int("\n {\"line\":", int64(l.Number))
		p.raw(`,"raw":`)
		text := l.Decode(&buf)
		// A NUL would end the text where a document is read.
		if l.Inverts() && bytes.IndexByte(text, 0) < 0 {
			writeString(p, text)
		} else {
			p.raw(`{"hex":`)
			p.hex(l.Raw)
			p.raw(`,"text":`)
			writeString(p, text)
			p.raw("}")
		}
		p.str(`,"eol":`, l.EOL())
		p.raw("}")
	}
	p.raw("]")
}
