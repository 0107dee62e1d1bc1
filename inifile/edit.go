package inifile

import (
	"slices"
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
	added []addition     // new keys in the order in which they came
}

type addition struct{ section, key, value string }

func (a addition) is(section, key string) bool {
	return textlines.SameName(a.section, section) && textlines.SameName(a.key, key)
}

// Edit returns an editor without changes.
func (f *File) Edit() *Editor { return &Editor{f: f, lines: map[int][]byte{}} }

// Set gives a key a value. In a line that exists it changes the value alone:
// spelling, the blanks around = and after the value and the line's end stay; of
// duplicates it changes the first, which counts. A new key goes after the last
// one of its section, a new section to the end of the file.
//
// The errors have code "syntax" and Off -1: a name or a value that would not be
// read back as it is, because of blanks around it, a line end in it or what it
// begins with, and one that the file's encoding cannot write.
func (e *Editor) Set(section, key, value string) error {
	enc := e.f.text.Encoding()
	if err := checkPair(enc, section, key, value); err != nil {
		return err
	}
	if l, ok := e.f.Get(section, key); ok {
		raw, _ := enc.Encode(slices.Clone(l.line.Raw[:l.c]), value)
		e.lines[l.Number] = append(raw, l.line.Raw[l.d:]...)
		return nil
	}
	if i := slices.IndexFunc(e.added, func(a addition) bool { return a.is(section, key) }); i >= 0 {
		e.added[i].value = value
		return nil
	}
	e.added = append(e.added, addition{section, key, value})
	return nil
}

// Delete removes every line of a key and reports whether there was one.
func (e *Editor) Delete(section, key string) bool {
	found := false
	for l := range e.f.Keys(section) {
		if textlines.SameName(l.Key(), key) {
			e.lines[l.Number] = nil
			found = true
		}
	}
	n := len(e.added)
	e.added = slices.DeleteFunc(e.added, func(a addition) bool { return a.is(section, key) })
	return found || len(e.added) < n
}

// AppendBinary appends the changed file to dst. The error is always nil; it is
// there for encoding.BinaryAppender.
func (e *Editor) AppendBinary(dst []byte) ([]byte, error) {
	lines := e.f.text.Edit()
	lines.ReplaceAll(e.lines)
	tail := e.tail()
	var fresh [][]addition // a section that the file does not have, each
	for _, a := range e.added {
		if id := e.f.ids[strings.ToLower(a.section)]; id > 0 {
			lines.Insert(e.f.sections[id].last, lines.Encode(a.key+"="+a.value)...)
			continue
		}
		i := slices.IndexFunc(fresh, func(of []addition) bool { return textlines.SameName(of[0].section, a.section) })
		if i < 0 {
			i = len(fresh)
			fresh = append(fresh, nil)
		}
		fresh[i] = append(fresh[i], a)
	}
	for _, of := range fresh {
		lines.Insert(tail, lines.Encode("", "["+of[0].section+"]")...)
		for _, a := range of {
			lines.Insert(tail, lines.Encode(a.key+"="+a.value)...)
		}
	}
	return lines.AppendBinary(dst)
}

// tail returns the line after which new sections go: the last one, or the one
// before a Ctrl-Z at the end.
func (e *Editor) tail() int {
	tail := e.f.NumLines()
	for l := range e.f.Lines() {
		switch {
		case l.Kind == Section, l.Kind == Key:
			tail = e.f.NumLines()
		case l.Kind == ctrlZ:
			tail = min(tail, l.Number-1)
		}
	}
	return tail
}

// checkPair checks that a line is read back as it was meant.
func checkPair(enc textlines.Encoding, section, key, value string) error {
	comment := func(prefix string) bool { return strings.HasPrefix(key, prefix) }
	switch {
	case section == "" || strings.ContainsAny(section, "\r\n\x00"):
		return misfit("the section %.40q; a name without line ends is expected", section)
	case key == "" || strings.ContainsAny(key, "=\r\n\x00\x1a") || strings.Trim(key, " \t") != key:
		return misfit("the key %.40q; a name without = and line ends and without blanks around it is expected", key)
	case slices.ContainsFunc([]string{";", "#", "//", "["}, comment):
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
