package registry

import (
	"bytes"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

// RegEditor collects changes of a .reg file. Its output is the file byte by
// byte except for the changed lines. It is not safe for concurrent use. Paths are
// compared without case; ControlSet001 and CurrentControlSet are different keys.
type RegEditor struct {
	r    *Reg
	keys map[string]*keyEdit // by their paths in lower case
	list []*keyEdit          // in the order in which they came
}

type keyEdit struct {
	path   string
	open   bool // the key is to be there
	values map[string]*valueEdit
	list   []*valueEdit

	last int // the line where its last entry ends, 0 where the file does not have it
}

type valueEdit struct {
	gone  bool
	value Value

	is RegEntry // the one that counts; Line is 0 where there is none
}

// Edit returns an editor without changes.
func (r *Reg) Edit() *RegEditor { return &RegEditor{r: r, keys: map[string]*keyEdit{}} }

// Set gives a key a value, of which it takes Name, Type and Data. It changes the
// data of the last line with that name and keeps its spelling, blanks and the
// comment after data in one line; lines in which the old data continued are
// removed. A new value is inserted after the last one of its key, a new key at the
// end of the file.
//
// Data are written as regedit does in the file's version. The errors have code
// "syntax" and Off -1: a path without the full name of a root, a path or a name
// with a line end or a NUL, and text that the file cannot hold.
func (e *RegEditor) Set(path string, v Value) error {
	w := e.speller(func([]byte) {})
	w.key(path)
	w.value(&v, valueHead(v.Name), "")
	if w.err != nil {
		return w.err
	}
	k := e.key(path)
	k.open = true
	k.set(v.Name, valueEdit{value: Value{Name: v.Name, Type: v.Type, Data: bytes.Clone(v.Data)}})
	return nil
}

// Delete removes every line that gives the key a value of the name. Lines that
// delete the value stay.
func (e *RegEditor) Delete(path, name string) { e.key(path).set(name, valueEdit{gone: true}) }

func (e *RegEditor) key(path string) *keyEdit {
	lower := strings.ToLower(path)
	k := e.keys[lower]
	if k == nil {
		k = &keyEdit{path: path, values: map[string]*valueEdit{}}
		e.keys[lower] = k
		e.list = append(e.list, k)
	}
	return k
}

func (k *keyEdit) set(name string, v valueEdit) {
	lower := strings.ToLower(name)
	if was := k.values[lower]; was != nil {
		*was = v
		return
	}
	k.values[lower] = &v
	k.list = append(k.list, &v)
}

func (e *RegEditor) speller(put func(raw []byte)) *speller {
	return &speller{enc: e.r.text.Encoding(), version: e.r.version, ansi: e.r.ansi, put: put}
}

// AppendBinary appends the changed file to dst. The error is always nil; it is
// there for encoding.BinaryAppender. It costs a pass over the file, however many
// changes there are.
func (e *RegEditor) AppendBinary(dst []byte) ([]byte, error) {
	lines, enc := e.r.text.Edit(), e.r.text.Encoding()
	tail := e.find(lines)
	var raw [][]byte
	s := e.speller(func(line []byte) { raw = append(raw, line) })
	added := func(k *keyEdit) {
		for _, v := range k.list {
			if !v.gone && v.is.Line == 0 {
				s.value(&v.value, valueHead(v.value.Name), "")
			}
		}
	}
	for _, k := range e.list {
		for _, v := range k.list {
			if !v.gone && v.is.Line > 0 {
				raw = nil
				head, end := e.r.around(&v.is, v.value.Name)
				s.value(&v.value, head, end)
				lines.Replace(v.is.Line, v.is.Lines, raw...)
			}
		}
		if k.last > 0 {
			raw = nil
			added(k)
			lines.Insert(k.last, raw...)
		}
	}
	// As the file has it, a blank line is before a key or after its values.
	from, to := enc.Trim(e.r.text.Line(tail).Raw)
	raw = nil
	for _, k := range e.list {
		if !k.open || k.last > 0 {
			continue
		}
		if from < to {
			s.line("")
		}
		s.line("[" + k.path + "]")
		added(k)
		if from == to {
			s.line("")
		}
	}
	lines.Insert(tail, raw...)
	return lines.AppendBinary(dst)
}

// find finds the lines of the keys and values and removes deleted ones. It returns
// the line after which new keys are inserted: the last one, or the one before a
// Ctrl-Z at the end.
func (e *RegEditor) find(lines *textlines.Editor) (tail int) {
	below := map[string][]*keyEdit{} // by the path of each key above
	for lower, k := range e.keys {
		k.forget()
		below[lower] = append(below[lower], k)
		for i := range lower {
			if lower[i] == '\\' {
				below[lower[:i]] = append(below[lower[:i]], k)
			}
		}
	}
	var at *keyEdit
	last := e.r.header
	for entry := range e.r.Entries() {
		last = entry.Line + entry.Lines - 1
		if entry.Key {
			at = nil
			switch lower := strings.ToLower(entry.Path); {
			case entry.Void:
			case entry.Deleted:
				for _, k := range below[lower] {
					k.forget()
				}
			default:
				at = e.keys[lower]
			}
		}
		if at == nil {
			continue
		}
		at.last = last
		v := at.values[strings.ToLower(entry.Value.Name)]
		switch {
		case v == nil || entry.Key:
		case !v.gone:
			v.is = entry
		case !entry.Deleted:
			lines.Replace(entry.Line, entry.Lines)
		}
	}
	tail = -1
	for l := range e.r.text.From(last + 1) {
		switch text := strings.Trim(l.Text(), " \t"); {
		case text == "":
		case strings.Trim(text, "\x1a") != "":
			tail = -1 // that was not the end
		case tail < 0:
			tail = l.Number - 1
		}
	}
	if tail < 0 {
		tail = e.r.text.Len()
	}
	return tail
}

// forget drops what was found of a key: it is deleted.
func (k *keyEdit) forget() {
	k.last = 0
	for _, v := range k.list {
		v.is = RegEntry{}
	}
}

// around returns what is before the data of a value, and what is after them if
// they are in one line. If the line cannot be encoded again, it keeps the name only.
func (r *Reg) around(e *RegEntry, name string) (head, tail string) {
	l := r.text.Line(e.Line)
	if !l.Inverts() {
		return valueHead(name), ""
	}
	line := []byte(l.Text())
	p := &parser{r: r}
	rest := bytes.TrimLeft(line, " \t")
	if rest[0] == '"' {
		_, rest, _ = p.quoted(&l, rest[1:])
	} else {
		rest = rest[1:]
	}
	data := bytes.TrimLeft(bytes.TrimLeft(rest, " \t")[1:], " \t") // after the =
	head = string(line[:len(line)-len(data)])
	switch {
	case e.Lines > 1:
		return head, ""
	case data[0] == '"':
		_, rest, _ = p.quoted(&l, data[1:])
	default:
		end := bytes.IndexAny(data, ";\x1a")
		if end < 0 {
			end = len(data)
		}
		rest = data[len(bytes.TrimRight(data[:end], " \t")):]
	}
	return head, string(rest)
}
