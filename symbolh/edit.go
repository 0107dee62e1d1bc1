package symbolh

import (
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Editor collects changes of a file. Its output is the file byte by byte but
// for the lines that were changed; the file itself stays as it is. It is for
// one goroutine at a time.
type Editor struct {
	f     *File
	lines map[int64]*uint32 // by the offset of the line: the new value, nil to remove it
	added []Symbol
}

// Edit returns an editor without changes.
func (f *File) Edit() *Editor { return &Editor{f: f, lines: map[int64]*uint32{}} }

// Set gives a name an offset. Of a define that is there it changes the value
// alone, whatever it was; a semicolon, blanks and comments stay. Of duplicates
// it is the first, which counts. A new define goes behind the last one.
//
// The error has code "syntax" and Off -1: name is no name in C.
func (e *Editor) Set(name string, offset uint32) error {
	if !plainName(name) {
		return misfit("the symbol %.40q; a name in C is expected", name)
	}
	if d, ok := e.f.Get(name); ok {
		e.lines[d.Off] = &offset
		return nil
	}
	for i := range e.added {
		if textlines.SameName(e.added[i].Name, name) {
			e.added[i].Offset = offset
			return nil
		}
	}
	e.added = append(e.added, Symbol{Name: name, Offset: offset})
	return nil
}

// Delete removes every define of a name and reports whether there was one.
func (e *Editor) Delete(name string) bool {
	found := false
	for d := range e.f.Defines() {
		if textlines.SameName(d.Name, name) {
			e.lines[d.Off] = nil
			found = true
		}
	}
	for i := range e.added {
		if textlines.SameName(e.added[i].Name, name) {
			e.added = append(e.added[:i:i], e.added[i+1:]...)
			return true
		}
	}
	return found
}

// AppendBinary appends the changed file to dst. The error is always nil; it is
// there for encoding.BinaryAppender.
func (e *Editor) AppendBinary(dst []byte) ([]byte, error) {
	enc := e.f.text.Encoding()
	dst = append(dst, enc.BOM()...)
	last, eol := 0, e.f.text.EOL()
	for l := range e.f.Lines() {
		if l.Kind == Definition {
			last = l.Number
		}
	}
	if last == 0 {
		dst = e.appendNew(dst, eol)
	}
	for l := range e.f.Lines() {
		raw, end := l.line.Raw, l.EOL()
		switch n, ok := e.lines[l.Off]; {
		case !ok:
			dst = append(dst, raw...)
		case n == nil:
			end = ""
		default:
			dst = e.appendChanged(dst, l, *n)
		}
		if l.Number == last && len(e.added) > 0 {
			if n, ok := e.lines[l.Off]; end == "" && (!ok || n != nil) {
				end = eol
			}
			dst, _ = enc.Encode(dst, end)
			dst = e.appendNew(dst, eol)
			continue
		}
		dst, _ = enc.Encode(dst, end)
	}
	return dst, nil
}

func (e *Editor) appendNew(dst []byte, eol string) []byte {
	for _, s := range e.added {
		dst, _ = e.f.text.Encoding().Encode(dst, define+" "+s.Name+" "+strconv.FormatUint(uint64(s.Offset), 10)+eol)
	}
	return dst
}

// appendChanged appends a define with another value.
func (e *Editor) appendChanged(dst []byte, l Line, n uint32) []byte {
	d, _ := l.Define()
	raw := l.line.Raw
	text := strconv.FormatUint(uint64(n), 10)
	if d.Semicolon {
		text += ";"
	}
	dst = append(dst, raw[:l.c]...)
	if l.c == l.b { // a guard: there is no blank behind the name
		text = " " + text
	}
	if d.Kind == None && l.d < len(raw) {
		text += " " // before the comment
	}
	dst, _ = l.enc.Encode(dst, text)
	return append(dst, raw[l.d:]...)
}

func misfit(format string, args ...any) error {
	return perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
}
