package registry

import (
	"bytes"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

// RegEditor collects changes of a .reg file. Its output is the file byte by
// byte but for the lines that were changed; the file itself stays as it is. It
// is for one goroutine at a time.
//
// The paths of keys are taken as they are, in any case: that ControlSet001 and
// CurrentControlSet may be one key is the caller's to know.
type RegEditor struct {
	r    *Reg
	keys map[string]*keyEdit // by their paths in lower case
	list []*keyEdit          // in the order of their coming
}

// keyEdit is what becomes of a key.
type keyEdit struct {
	path   string
	open   bool // the key is to be there
	values map[string]*valueEdit
	list   []*valueEdit

	last int // the line where its last entry begins, 0 where the file does not have it
}

// valueEdit is what becomes of a value.
type valueEdit struct {
	gone  bool
	value Value

	line int // that counts, 0 where there is none
}

// Edit returns an editor without changes.
func (r *Reg) Edit() *RegEditor { return &RegEditor{r: r, keys: map[string]*keyEdit{}} }

// Set gives a key a value; of v it takes Name, Type and Data. Of a value that
// is there it changes the data alone: spelling, the blanks around = and a
// comment behind data in one line stay, lines in which the old data went on go.
// Of several lines of the name it is the last, which counts. A new value goes
// behind the last one of its key, a new key to the end of the file.
//
// Data are written as regedit does, in the file's version: text in hex is in a
// code page in the old one. The errors have code "syntax" and Off -1: a path
// that does not begin with the full name of a root, a path or a name with a
// line end or a NUL, and text that the file cannot hold.
func (e *RegEditor) Set(path string, v Value) error {
	w := e.writer(nil)
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

// AddKey opens a key at the end of the file, unless the file has it. The errors
// are those of [RegEditor.Set].
func (e *RegEditor) AddKey(path string) error {
	w := e.writer(nil)
	if w.key(path); w.err != nil {
		return w.err
	}
	e.key(path).open = true
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

func (e *RegEditor) writer(dst []byte) *regWriter {
	return &regWriter{dst: dst, enc: e.r.text.Encoding(), eol: e.r.text.EOL(), version: e.r.version, ansi: e.r.ansi}
}

// AppendBinary appends the changed file to dst. The error is always nil; it is
// there for encoding.BinaryAppender. It costs two passes, however many changes
// there are.
func (e *RegEditor) AppendBinary(dst []byte) ([]byte, error) {
	w := editWriter{regWriter: *e.writer(dst), file: e.r.text.Bytes()}
	tail := e.place()
	var at *keyEdit
	for entry := range e.r.Entries() {
		if entry.Key {
			at = e.edited(&entry)
		}
		if at == nil {
			continue
		}
		end := e.r.text.Line(entry.Line + entry.Lines - 1)
		if v := at.values[strings.ToLower(entry.Value.Name)]; v != nil && !entry.Key {
			switch {
			case v.gone && !entry.Deleted:
				w.copy(int(entry.Off))
				w.at = end.Off + end.Size()
			case !v.gone && v.line == entry.Line:
				w.copy(int(entry.Off))
				head, last := e.r.around(&entry, v.value.Name)
				w.replace(&v.value, head, last, end)
			}
		}
		if at.last == entry.Line {
			w.copy(end.Off + end.Size())
			w.added(at)
		}
	}
	w.copy(tail)
	// As the file has it, a blank line stands before a key or behind its values.
	behind := tail > 0 && e.blank(e.r.text.LineAt(int64(tail)-1))
	for _, k := range e.list {
		if !k.open || k.last > 0 {
			continue
		}
		if !behind {
			w.add("")
		}
		w.add("[" + k.path + "]")
		w.added(k)
		if behind {
			w.add("")
		}
	}
	w.copy(len(w.file))
	return w.dst, nil
}

// edited returns the changes of the key that an entry opens.
func (e *RegEditor) edited(entry *RegEntry) *keyEdit {
	if entry.Deleted || entry.Void {
		return nil
	}
	return e.keys[strings.ToLower(entry.Path)]
}

// place finds the lines that the changes go to. It returns where new keys go:
// before a Ctrl-Z at the end, or to the end.
func (e *RegEditor) place() (tail int) {
	deleted := map[string]int{} // the lines that delete the keys and those above
	for lower, k := range e.keys {
		k.last = 0
		for _, v := range k.values {
			v.line = 0
		}
		for i := range lower {
			if lower[i] == '\\' {
				deleted[lower[:i]] = 0
			}
		}
		deleted[lower] = 0
	}
	var at *keyEdit
	last := e.r.first
	for entry := range e.r.Entries() {
		last = entry.Line + entry.Lines - 1
		if entry.Key {
			at = e.edited(&entry)
			if lower := strings.ToLower(entry.Path); entry.Deleted && !entry.Void {
				if _, ok := deleted[lower]; ok {
					deleted[lower] = entry.Line
				}
			}
		}
		if at == nil {
			continue
		}
		at.last = entry.Line
		if v := at.values[strings.ToLower(entry.Value.Name)]; v != nil && !entry.Key {
			v.line = entry.Line
		}
	}
	for lower, k := range e.keys {
		gone := deleted[lower]
		for i := range lower {
			if lower[i] == '\\' {
				gone = max(gone, deleted[lower[:i]])
			}
		}
		if k.last < gone {
			k.last = 0
		}
		for _, v := range k.values {
			if v.line < gone {
				v.line = 0
			}
		}
	}
	tail = -1
	for l := range e.r.text.From(last + 1) {
		switch text := strings.Trim(l.Text(), " \t"); {
		case text == "":
		case strings.Trim(text, "\x1a") != "":
			tail = -1 // that was not the end
		case tail < 0:
			tail = l.Off
		}
	}
	if tail < 0 {
		return len(e.r.text.Bytes())
	}
	return tail
}

func (e *RegEditor) blank(line int) bool {
	start, end := e.r.text.Encoding().Trim(e.r.text.Line(line).Raw)
	return start == end
}

// around returns what stands before the data of a value, and what stands behind
// them if they are in one line. Of a line that has more than its text tells,
// nothing is left but the name.
func (r *Reg) around(e *RegEntry, name string) (head, tail string) {
	l := r.text.Line(e.Line)
	if !l.Inverts() {
		return valueHead(name), ""
	}
	line := []byte(l.Text())
	p := r.parser()
	rest := bytes.TrimLeft(line, " \t")
	if rest[0] == '"' {
		_, rest, _ = p.quoted(&l, rest[1:])
	} else {
		rest = rest[1:]
	}
	data := bytes.TrimLeft(bytes.TrimLeft(rest, " \t")[1:], " \t") // behind the =
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

// editWriter copies a file and writes lines between.
type editWriter struct {
	regWriter
	file []byte
	at   int  // of the file: what is before has been copied
	torn bool // what was copied last is half a unit of UTF-16, at the end of the file
}

// copy copies the file up to the start of a line, or to its end.
func (w *editWriter) copy(to int) {
	size := to - len(w.enc.BOM())
	w.torn = w.at < to && size%w.enc.Unit() != 0
	w.dst = append(w.dst, w.file[w.at:to]...)
	w.at = to
}

// add writes a new line. The one before it may have no end.
func (w *editWriter) add(text string) {
	w.end()
	w.line(text)
}

// end gives the last line an end. Half a unit before it goes, since what
// follows would be torn too.
func (w *editWriter) end() {
	if w.torn {
		w.dst, w.torn = w.dst[:len(w.dst)-1], false
	}
	eol, _ := w.enc.Encode(nil, "\n")
	if bytes.HasSuffix(w.dst, eol) {
		return
	}
	was := w.eol
	if cr, _ := w.enc.Encode(nil, "\r"); bytes.HasSuffix(w.dst, cr) {
		w.eol = "\r\n" // or the CR, which is of the line, would end it
	}
	w.line("")
	w.eol = was
}

// added writes the values that the file does not have.
func (w *editWriter) added(k *keyEdit) {
	for _, v := range k.list {
		if !v.gone && v.line == 0 {
			w.end()
			w.value(&v.value, valueHead(v.value.Name), "")
		}
	}
}

// replace writes a value in the place of lines, of which end is the last. Its
// own last line ends as that did.
func (w *editWriter) replace(v *Value, head, tail string, end textlines.Line) {
	was := w.eol
	if eol := end.EOL(); eol != "" {
		w.eol = eol
	}
	w.value(v, head, tail)
	if end.EOL() == "" {
		eol, _ := w.enc.Encode(nil, w.eol)
		w.dst = slices.Delete(w.dst, len(w.dst)-len(eol), len(w.dst))
	}
	w.eol = was
	w.at = end.Off + end.Size()
}
