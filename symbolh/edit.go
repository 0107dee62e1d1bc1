package symbolh

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Editor collects changes of a file. Its output is the file byte by byte except
// for the lines that were changed; the file itself stays as it is. It is not
// safe for concurrent use.
type Editor struct {
	f     *File
	lines map[int][]byte // by number: what replaces the line, nil deletes it
	added []Symbol
}

// Edit returns an editor without changes.
func (f *File) Edit() *Editor { return &Editor{f: f, lines: map[int][]byte{}} }

// Set gives a name an offset. In a define that exists it changes the value
// alone; a semicolon, blanks and comments stay. Of duplicates
// it changes the first, which counts. A new define goes after the last one.
//
// The error has code "syntax" and Off -1: name is not a name in C.
func (e *Editor) Set(name string, offset uint32) error {
	if !validName(name) {
		return misfit("the symbol %.40q; a name in C is expected", name)
	}
	if n := e.f.first[strings.ToLower(name)]; n > 0 {
		l, _ := classify(e.f.text.Line(n), e.f.text.Encoding(), false)
		e.lines[n] = l.with(offset)
		return nil
	}
	if i := slices.IndexFunc(e.added, named(name)); i >= 0 {
		e.added[i].Offset = offset
		return nil
	}
	e.added = append(e.added, Symbol{Name: name, Offset: offset})
	return nil
}

// named reports of a symbol whether it has a name.
func named(name string) func(Symbol) bool {
	return func(s Symbol) bool { return textlines.SameName(s.Name, name) }
}

// with returns the bytes of a define with another value.
func (l line) with(offset uint32) []byte {
	d, _ := l.define()
	raw := l.Raw
	text := strconv.FormatUint(uint64(offset), 10)
	if d.Semicolon {
		text += ";"
	}
	if l.c == l.b { // a guard: no blank follows the name
		text = " " + text
	}
	if d.Kind == None && l.d < len(raw) {
		text += " " // before the comment
	}
	out, _ := l.enc.Encode(slices.Clone(raw[:l.c]), text)
	return append(out, raw[l.d:]...)
}

// Delete removes every define of a name and reports whether there was one.
func (e *Editor) Delete(name string) bool {
	found := false
	for d := range e.f.Defines() {
		if textlines.SameName(d.Name, name) {
			e.lines[d.Line] = nil
			found = true
		}
	}
	n := len(e.added)
	e.added = slices.DeleteFunc(e.added, named(name))
	return found || len(e.added) < n
}

// AppendBinary appends the changed file to dst. The error is always nil; it is
// there for encoding.BinaryAppender.
func (e *Editor) AppendBinary(dst []byte) ([]byte, error) {
	lines := e.f.text.Edit()
	lines.ReplaceAll(e.lines)
	last := 0
	for d := range e.f.Defines() {
		last = d.Line
	}
	for _, s := range e.added {
		lines.Insert(last, lines.Encode(s.define())...)
	}
	return lines.AppendBinary(dst)
}

func misfit(format string, args ...any) error {
	return perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
}
