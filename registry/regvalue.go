package registry

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
)

// valueEntry reads a value: "name"=data or @=data.
func (p *parser) valueEntry(l *textlines.Line, text []byte) (RegEntry, bool) {
	e := RegEntry{Path: p.key.Path, Void: p.key.Void, Line: l.Number, Lines: 1, Off: int64(l.Off)}
	e.Value.Line, e.Value.Off = l.Number, int64(l.Off)
	rest := text[1:]
	if text[0] == '"' {
		name, after, closed := p.quoted(l, rest)
		if !closed {
			p.note(codeValueData, l, "the name of a value has no closing quote; the value is skipped")
			return e, false
		}
		e.Value.Name, rest = p.string(name), after
	}
	rest = trim(rest)
	if len(rest) == 0 || rest[0] != '=' {
		p.note(codeValueData, l, "no = after the name of the value; the value is skipped")
		return e, false
	}
	rest = trim(rest[1:])
	ok := false
	switch {
	case len(rest) > 0 && rest[0] == '-':
		e.Deleted, ok = true, onlyComment(rest[1:])
	case len(rest) > 0 && rest[0] == '"':
		return p.text(e, l, rest[1:])
	case bytes.HasPrefix(rest, []byte("dword:")):
		ok = p.dword(&e.Value, rest[len("dword:"):])
	case bytes.HasPrefix(rest, []byte("hex")):
		return p.hex(e, l, rest[len("hex"):])
	}
	if !ok {
		p.note(codeValueData, l, "the data are not text, dword, hex or -; the value is skipped")
	}
	return e, ok
}

// special returns the position of the first quote or backslash, -1 for none.
func special(b []byte) int {
	for i, c := range b {
		if c == '"' || c == '\\' {
			return i
		}
	}
	return -1
}

// quoted reads up to the closing quote of a text. The result is only valid until the next
// call, and may alias b.
func (p *parser) quoted(l *textlines.Line, b []byte) (text, rest []byte, closed bool) {
	i := special(b)
	if i >= 0 && b[i] == '"' {
		return b[:i], b[i+1:], true
	}
	text = p.data[:0]
	for ; i >= 0; i = special(b) {
		text = append(text, b[:i]...)
		if b[i] == '"' {
			p.data = text
			return text, b[i+1:], true
		}
		switch {
		case i+1 == len(b):
			text = append(text, '\\')
			b = b[i+1:]
			continue
		case b[i+1] != '\\' && b[i+1] != '"':
			p.note(codeEscape, l, `a \ before a character other than \ and "; both are kept`)
			text = append(text, '\\')
			b = b[i+1:]
			continue
		}
		text = append(text, b[i+1])
		b = b[i+2:]
	}
	text = append(text, b...)
	p.data = text
	return text, nil, false
}

// text reads a REG_SZ. One with line ends in it is raw between its quotes.
func (p *parser) text(e RegEntry, l *textlines.Line, b []byte) (RegEntry, bool) {
	e.Value.Type = SZ
	part, rest, closed := p.quoted(l, b)
	if closed {
		if !onlyComment(rest) {
			p.note(codeValueData, l, "text after the closing quote; the value is skipped")
			return e, false
		}
		e.Value.Data = append(p.utf16(nil, part), 0, 0)
		return e, true
	}
	data := p.utf16(nil, part)
	eol := l.EOL()
	for {
		m, ok := p.line()
		if !ok {
			break
		}
		// A line that begins an entry cannot be within a text: it may not be
		// closed at all, and each line is to be looked at but once.
		line := m.Decode(&p.buf)
		if head := trim(line); len(head) > 0 && (head[0] == '[' || head[0] == '@' || head[0] == '"' && !onlyComment(head[1:])) {
			p.next--
			break
		}
		data = p.utf16(data, []byte(eol))
		part, rest, closed = p.quoted(&m, line)
		data, eol = p.utf16(data, part), m.EOL()
		e.Lines++
		if closed {
			if !onlyComment(rest) {
				break
			}
			p.note(codeTextLines, l, "the text contains line ends")
			e.Value.Data = append(data, 0, 0)
			return e, true
		}
	}
	p.note(codeValueData, l, "the text has no closing quote; the value is skipped")
	return e, false
}

func (p *parser) dword(v *Value, b []byte) bool {
	digits, n := 0, uint32(0)
	for digits < len(b) && hexDigits[b[digits]] > 0 {
		n = n<<4 | uint32(hexDigits[b[digits]]-1)
		digits++
	}
	if digits == 0 || digits > 8 || !onlyComment(b[digits:]) {
		return false
	}
	if v.Type = DWORD; p.anomalies == nil {
		v.Data = binary.LittleEndian.AppendUint32(nil, n)
	}
	return true
}

// hexDigits has the values of hexadecimal digits and 1, 0 for other bytes.
var hexDigits = [256]byte{
	'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10,
	'a': 11, 'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16,
	'A': 11, 'B': 12, 'C': 13, 'D': 14, 'E': 15, 'F': 16,
}

// hex reads a list of bytes after the word hex: (7):61,00 or :61,00.
func (p *parser) hex(e RegEntry, l *textlines.Line, b []byte) (RegEntry, bool) {
	e.Value.Type = Binary
	if len(b) > 0 && b[0] == '(' {
		end := bytes.IndexByte(b, ')')
		n, err := strconv.ParseUint(string(b[1:max(1, min(end, 10))]), 16, 32)
		if end < 0 || err != nil {
			p.note(codeValueData, l, "the type of hex is not valid; the value is skipped")
			return e, false
		}
		e.Value.Type, b = Type(n), b[end+1:]
	}
	if len(b) == 0 || b[0] != ':' {
		p.note(codeValueData, l, "no : after hex; the value is skipped")
		return e, false
	}
	data, b := p.data[:0], b[1:]
	for {
		var more, ok bool
		data, more, ok = hexLine(data, b)
		p.data = data
		if !ok {
			p.note(codeValueData, l, "the bytes are not hexadecimal digits with commas between them; the value is skipped")
			return e, false
		}
		if !more {
			break
		}
		if b, ok = p.continued(&e); !ok {
			p.note(codeValueData, l, "the bytes continue in a line that is missing; the value is skipped")
			return e, false
		}
	}
	e.Value.Data = p.decoded(l, e.Value.Type, data)
	return e, true
}

// continued returns the next line with bytes, past blank lines and comments.
func (p *parser) continued(e *RegEntry) ([]byte, bool) {
	for {
		m, ok := p.line()
		if !ok {
			return nil, false
		}
		text := trim(m.Decode(&p.buf))
		if len(text) > 0 && (text[0] == '[' || text[0] == '"' || text[0] == '@') {
			p.next-- // the bytes break off
			return nil, false
		}
		e.Lines++
		if len(text) > 0 && text[0] != ';' {
			return text, true
		}
	}
}

// hexLine reads the bytes of a line. more is set if they continue in the next, as a
// \ after a comma or the colon says.
func hexLine(data, b []byte) (all []byte, more, ok bool) {
	comma := true // a byte may be here
	for b = trim(b); len(b) > 0 && b[0] != ';'; b = trim(b) {
		for comma && len(b) > 2 && b[2] == ',' && hexDigits[b[0]] > 0 && hexDigits[b[1]] > 0 {
			data, b = append(data, (hexDigits[b[0]]-1)<<4|(hexDigits[b[1]]-1)), b[3:]
		}
		switch {
		case len(b) == 0 || isBlank(b[0]) || b[0] == ';':
			continue
		case b[0] == '\\':
			return data, true, comma && onlyComment(b[1:])
		case !comma || hexDigits[b[0]] == 0:
			return data, false, false
		}
		n, v := 1, hexDigits[b[0]]-1
		if len(b) > 1 && hexDigits[b[1]] > 0 {
			n, v = 2, v<<4|(hexDigits[b[1]]-1)
		}
		data, b = append(data, v), trim(b[n:])
		if comma = len(b) > 0 && b[0] == ','; comma {
			b = b[1:]
		}
	}
	return data, false, true
}

// decoded returns a copy of data as in the registry: REGEDIT4 has text in hex in a code
// page.
func (p *parser) decoded(l *textlines.Line, t Type, data []byte) []byte {
	if p.r.version != Regedit4 || !t.text() {
		if p.anomalies != nil {
			return nil
		}
		return bytes.Clone(data)
	}
	text, ok := p.r.ansi.Append(nil, data)
	if !ok {
		p.note(codeEncoding, l, "the bytes of the text are not valid in the code page")
	}
	return wire.EncodeUTF16(nil, string(text))
}
