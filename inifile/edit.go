package inifile

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Editor collects changes of a file. Its output is the file byte by byte but
// for the lines that were changed; the file itself stays as it is. It is for
// one goroutine at a time.
type Editor struct {
	f     *File
	lines map[int64]change // by the offset of the line
	added []addition       // new keys, by section, in the order of their coming
}

// change is what becomes of a line.
type change struct {
	gone bool
	raw  []byte // the line without its end
}

// addition is the new keys of a section.
type addition struct {
	section string
	keys    []pair
}

type pair struct{ key, value string }

// Edit returns an editor without changes.
func (f *File) Edit() *Editor { return &Editor{f: f, lines: map[int64]change{}} }

// Set gives a key a value. Of a key that is there it changes the value alone:
// spelling, the blanks around = and behind the value and the line's end stay;
// of duplicates it is the first, which counts. A new key goes behind the last
// one of its section, a new section to the end of the file.
//
// The errors have code "syntax" and Off -1: a name or a value that would not be
// read back as it is, for blanks around it or a line end in it or for what the
// name begins with, and one that the file's encoding cannot write.
func (e *Editor) Set(section, key, value string) error {
	enc := e.f.text.Encoding()
	if err := checkPair(enc, section, key, value); err != nil {
		return err
	}
	if l, ok := e.f.Get(section, key); ok {
		raw := slices.Clone(l.line.Raw[:l.c])
		raw, _ = enc.Encode(raw, value)
		e.lines[l.Off] = change{raw: append(raw, l.line.Raw[l.d:]...)}
		return nil
	}
	i := slices.IndexFunc(e.added, func(a addition) bool { return textlines.SameName(a.section, section) })
	if i < 0 {
		i = len(e.added)
		e.added = append(e.added, addition{section: section})
	}
	a := &e.added[i]
	if k := slices.IndexFunc(a.keys, func(p pair) bool { return textlines.SameName(p.key, key) }); k >= 0 {
		a.keys[k].value = value
		return nil
	}
	a.keys = append(a.keys, pair{key, value})
	return nil
}

// Delete removes every line of a key, so that it is no more found, and reports
// whether there was one.
func (e *Editor) Delete(section, key string) bool {
	found := false
	for l := range e.f.Keys(section) {
		if textlines.SameName(l.Key(), key) && !e.lines[l.Off].gone {
			e.lines[l.Off] = change{gone: true}
			found = true
		}
	}
	for i := range e.added {
		if a := &e.added[i]; textlines.SameName(a.section, section) {
			n := len(a.keys)
			a.keys = slices.DeleteFunc(a.keys, func(p pair) bool { return textlines.SameName(p.key, key) })
			found = found || len(a.keys) < n
		}
	}
	return found
}

// AppendBinary appends the changed file to dst. The error is always nil; it is
// there for encoding.BinaryAppender.
func (e *Editor) AppendBinary(dst []byte) ([]byte, error) {
	f := e.f
	w := writer{dst: append(dst, f.text.Encoding().BOM()...), enc: f.text.Encoding(), eol: f.text.EOL(), ended: true}
	anchors, tail := e.anchors()
	for l := range f.Lines() {
		if l.Number == tail {
			e.appendSections(&w)
		}
		switch c, ok := e.lines[l.Off]; {
		case !ok:
			w.raw(l.line.Raw, l.EOL())
		case !c.gone:
			w.raw(c.raw, l.EOL())
		}
		if i, ok := anchors[l.Number]; ok {
			w.pairs(e.added[i].keys)
		}
	}
	if tail > f.NumLines() {
		e.appendSections(&w)
	}
	return w.dst, nil
}

// anchors returns, for each section that is there and gets keys, the line they
// go behind, and the line that new sections go before: a Ctrl-Z at the end, or
// what follows the last line.
func (e *Editor) anchors() (anchors map[int]int, tail int) {
	tail = e.f.NumLines() + 1
	if len(e.added) == 0 {
		return nil, tail
	}
	last := make([]int, len(e.added))
	in := -1
	done := map[int]bool{}
	for l := range e.f.Lines() {
		switch l.Kind {
		case Section:
			if in >= 0 {
				done[in] = true // the first section of the name is the one
			}
			in = slices.IndexFunc(e.added, func(a addition) bool { return textlines.SameName(a.section, l.Section) })
			if in >= 0 && done[in] {
				in = -1
			}
			if in >= 0 {
				last[in] = l.Number
			}
			tail = e.f.NumLines() + 1
		case Key:
			if in >= 0 {
				last[in] = l.Number
			}
			tail = e.f.NumLines() + 1
		case CtrlZ:
			tail = min(tail, l.Number)
		case Blank, Comment, Other:
		}
	}
	anchors = map[int]int{}
	for i, n := range last {
		if n > 0 {
			anchors[n] = i
		}
	}
	return anchors, tail
}

// appendSections writes the sections that the file does not have.
func (e *Editor) appendSections(w *writer) {
	for _, a := range e.added {
		if len(a.keys) > 0 && !e.f.HasSection(a.section) {
			w.line("")
			w.line("[" + a.section + "]")
			w.pairs(a.keys)
		}
	}
}

// writer appends lines.
type writer struct {
	dst   []byte
	enc   textlines.Encoding
	eol   string
	ended bool // the last line has an end
}

func (w *writer) raw(b []byte, eol string) {
	if !w.ended {
		w.dst, _ = w.enc.Encode(w.dst, w.eol)
	}
	w.dst = append(w.dst, b...)
	w.dst, _ = w.enc.Encode(w.dst, eol)
	w.ended = eol != ""
}

// line writes text that is known to be writable.
func (w *writer) line(text string) {
	b, _ := w.enc.Encode(nil, text)
	w.raw(b, w.eol)
}

func (w *writer) pairs(keys []pair) {
	for _, p := range keys {
		w.line(p.key + "=" + p.value)
	}
}

// checkPair holds that a line is read back as it was meant.
func checkPair(enc textlines.Encoding, section, key, value string) error {
	switch {
	case section == "" || strings.ContainsAny(section, "\r\n\x00"):
		return misfit("the section %.40q; a name without line ends is expected", section)
	case key == "" || strings.ContainsAny(key, "=\r\n\x00\x1a") || strings.Trim(key, " \t") != key:
		return misfit("the key %.40q; a name without = and line ends and without blanks around it is expected", key)
	case strings.HasPrefix(key, ";") || strings.HasPrefix(key, "#") || strings.HasPrefix(key, "//") || strings.HasPrefix(key, "["):
		return misfit("the key %.40q begins as a comment or a section does", key)
	case strings.ContainsAny(value, "\r\n\x00\x1a"):
		return misfit("the value of %.40q holds a line end, a NUL or Ctrl-Z", key)
	case strings.Trim(value, " \t") != value:
		return misfit("the value of %.40q has blanks around it, which would be lost", key)
	}
	for _, s := range []string{section, key, value} {
		if _, ok := enc.Encode(nil, s); !ok {
			return misfit("%.40q cannot be written in %s", s, enc.Name())
		}
	}
	return nil
}

func misfit(format string, args ...any) error {
	return perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
}
