package textlines

import "bytes"

// Editor collects changes of whole lines. Its output is the file byte by byte
// except for those lines; the Text stays as it is. Lines are given as bytes in the
// encoding of the file, without their ends. It is not safe for concurrent use.
type Editor struct {
	// Open keeps a file whose last line has no end as it is: the new last line
	// has none either. Otherwise new lines always end.
	Open bool

	t     *Text
	lines map[int]*change // by number; 0 is before the first line
	err   error
}

// change is what happens at a line.
type change struct {
	replaced bool
	with     [][]byte
	eol      string   // of the last line that is replaced
	after    [][]byte // what is inserted after the line
}

// Edit returns an editor without changes.
func (t *Text) Edit() *Editor { return &Editor{t: t, lines: map[int]*change{}} }

func (e *Editor) at(n int) *change {
	c := e.lines[n]
	if c == nil {
		c = &change{}
		e.lines[n] = c
	}
	return c
}

// Encode returns lines as Replace and Insert take them. AppendBinary returns the
// error of the first that the encoding of the file cannot write.
func (e *Editor) Encode(lines ...string) [][]byte {
	all := make([][]byte, len(lines))
	for i, line := range lines {
		var err error
		if all[i], err = e.t.enc.AppendLine(nil, line, ""); e.err == nil {
			e.err = err
		}
	}
	return all
}

// Replace replaces count lines from number n on; without new lines it deletes
// them. The new lines end as the last one that they replace.
func (e *Editor) Replace(n, count int, with ...[]byte) {
	for i := range count {
		c := e.at(n + i)
		c.replaced, c.with = true, nil
	}
	c := e.at(n)
	c.with, c.eol = with, e.t.Line(n+count-1).EOL()
}

// ReplaceAll replaces lines by their numbers, each by one line or, where that is
// nil, by none.
func (e *Editor) ReplaceAll(lines map[int][]byte) {
	for n, raw := range lines {
		if raw == nil {
			e.Replace(n, 1)
		} else {
			e.Replace(n, 1, raw)
		}
	}
}

// Insert puts lines after line n, after those that it put there before; 0 is
// the start of the file.
func (e *Editor) Insert(n int, lines ...[]byte) {
	c := e.at(n)
	c.after = append(c.after, lines...)
}

// AppendBinary appends the changed file to dst. The only error is one of
// [Editor.Encode]; dst is then returned as it was.
func (e *Editor) AppendBinary(dst []byte) ([]byte, error) {
	if e.err != nil {
		return dst, e.err
	}
	w := writer{dst: append(dst, e.t.enc.BOM()...), enc: e.t.enc, eol: e.t.EOL()}
	w.insert(e.lines[0], w.eol)
	for l := range e.t.All() {
		c := e.lines[l.Number]
		if c == nil || !c.replaced {
			w.line(l.Raw, l.EOL())
		} else {
			w.lines(c.with, c.eol)
		}
		last := w.eol
		if e.Open && l.EOL() == "" {
			last = ""
		}
		w.insert(c, last)
	}
	return w.dst, nil
}

// writer appends lines.
type writer struct {
	dst  []byte
	enc  Encoding
	eol  string
	open bool // the last line has no end
	last int  // and this is its size
}

func (w *writer) line(raw []byte, eol string) {
	if w.open {
		w.close()
	}
	w.dst = append(w.dst, raw...)
	w.dst, _ = w.enc.Encode(w.dst, eol)
	w.open, w.last = eol == "", len(raw)
}

// lines writes lines that replace others. The last of those ended in eol.
func (w *writer) lines(all [][]byte, eol string) {
	between := eol
	if eol == "" {
		between = w.eol
	}
	for i, raw := range all {
		if i == len(all)-1 {
			between = eol
		}
		w.line(raw, between)
	}
}

func (w *writer) insert(c *change, last string) {
	if c == nil {
		return
	}
	for i, raw := range c.after {
		eol := w.eol
		if i == len(c.after)-1 {
			eol = last
		}
		w.line(raw, eol)
	}
}

// close gives the last line an end. Half a unit of UTF-16 is
// dropped, since all that follows would be off by a byte. A CR at the end of the
// line must not become part of the line's end.
func (w *writer) close() {
	if torn := w.last % w.enc.Unit(); torn > 0 {
		if w.dst = w.dst[:len(w.dst)-torn]; w.last == torn {
			return // nothing is left of the line
		}
	}
	eol := w.eol
	if cr, _ := w.enc.Encode(nil, "\r"); bytes.HasSuffix(w.dst, cr) {
		eol = "\r\n"
	}
	w.dst, _ = w.enc.Encode(w.dst, eol)
}
