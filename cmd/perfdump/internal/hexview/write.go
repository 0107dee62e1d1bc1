package hexview

import (
	"io"

	"github.com/perfdump/perfdump"
)

// The min widths for 16 bytes a row, and for whole paths in each row. In less, a
// path is without the part that the heading has.
const (
	wideRows = 120
	wideTree = 160
	minTree  = 24
)

// Write shows a document and returns how many bytes it folded. The error is that
// of w, of At, or a *PathError if the document has no such path. Errors of the
// document itself are in Document.Err.
func Write(w io.Writer, doc *Document, o Options) (folded int64, err error) {
	d := &dumper{doc: doc, o: o, w: w, src: newSource(doc), levels: doc.Levels, remarks: doc.Remarks, buf: make([]byte, 0, flushAt+4096)}
	if d.sel, err = parseSelection(o.Path, d.levels); err != nil {
		return 0, err
	}
	if d.src.size == 0 {
		return 0, nil
	}
	d.whole, d.ranged = d.sel.all(), !o.Range.all()
	d.folds = !o.All && !d.ranged
	d.layout()
	if d.elements = doc.Elements; d.folds && d.elements == nil {
		d.elements = doc.count()
	}
	for s := range doc.Spans {
		d.cur = s // s itself would be allocated for each span
		if !d.span(&d.cur) || d.src.err != nil {
			break
		}
	}
	d.endFold()
	d.flush()
	if d.err == nil {
		d.err = d.src.err
	}
	if d.err == nil && !d.found && !d.whole && !d.ranged {
		return 0, d.sel.missing(doc)
	}
	return d.folded, d.err
}

// flushAt is how much is written at once.
const flushAt = 64 << 10

// dumper iterates over the spans of a document.
type dumper struct {
	doc      *Document
	o        Options
	w        io.Writer
	err      error
	src      source
	levels   *perfdump.Levels
	remarks  []Remark // those still to come
	cur      perfdump.Span
	elements func(p perfdump.Path, level int) (n, keep int)

	sel    selection
	whole  bool // sel is everything
	ranged bool
	folds  bool
	found  bool // something was selected
	folded int64

	covered int64 // the end of the bytes shown

	cols      columns
	treeWidth int // columns for the tree, 0 for any number
	nested    bool
	styled    bool

	at     place // of the last span
	counts place // elements so far at each level of at
	limits place // how many of them are shown, 0 for all
	fold   fold
	headed place // the place of the last heading
	prefix []byte
	prefor place // the place of prefix
	some   bool  // something was written
	// outlined says that the line above is the outline of an element.
	outlined bool

	buf     []byte
	scratch []byte
}

func (d *dumper) layout() {
	per := 16
	if d.o.Width > 0 && d.o.Width < wideRows {
		per = 8
	}
	d.cols = newColumns(d.src.size, per)
	d.styled = d.o.Color
	if d.o.Width > 0 {
		d.treeWidth, d.styled = max(d.o.Width-d.cols.tree, minTree), true
		d.nested = d.o.Width < wideTree
	}
}

// fold is a run of elements that are not shown.
type fold struct {
	on       bool
	level    int
	parent   place // only the levels above level count
	from, to int64
	n        int
	remarks  int
	outline  []byte        // of the only element, if none is counted
	held     perfdump.Span // a gap between elements, shown if no more of them come
	holds    bool
}

// span writes the next span and returns false when no more are needed.
func (d *dumper) span(s *perfdump.Span) bool {
	if d.ranged && (s.Off+s.Size <= d.o.Range.From || s.Off >= d.o.Range.To) {
		return true
	}
	at := placeOf(&s.Path)
	if !d.whole && !d.sel.match(&at, &s.Path) {
		return true
	}
	d.found = true
	if d.fold.on && d.stillFolded(s, &at) {
		return true
	}
	if d.folds && at != d.at && d.folding(s, &at) {
		d.at = at
		return true
	}
	d.at = at
	d.show(s, &at)
	return d.err == nil
}

// folding counts the elements that begin at a span whose place is new. It
// reports whether the span is folded away, with those that will follow it.
func (d *dumper) folding(s *perfdump.Span, at *place) bool {
	level := 0
	for at[level] == d.at[level] {
		level++
	}
	for l := level; l < len(at); l++ {
		if l > level {
			d.counts[l] = 0
		}
		if at[l] == 0 {
			continue
		}
		if d.counts[l]++; d.counts[l] == 1 {
			d.limits[l] = d.limit(s, l)
		}
		if d.limits[l] > 0 && d.counts[l] > d.limits[l] && !d.unfolded(s, l) {
			d.fold = fold{on: true, level: l, parent: *at, from: s.Off, to: s.Off + s.Size, n: 1, remarks: d.skipRemarks(s), outline: d.outline(s, l)}
			return true
		}
	}
	return false
}

// limit returns how many elements of a level are shown, 0 for all. A lone
// element is not worth a fold.
func (d *dumper) limit(s *perfdump.Span, level int) uint32 {
	if !d.whole && d.sel.at[level] != 0 {
		return 0
	}
	if n, keep := d.elements(s.Path, level); keep > 0 && n > keep+1 {
		return uint32(keep)
	}
	return 0
}

// stillFolded adds a span to the current fold, or ends the fold.
func (d *dumper) stillFolded(s *perfdump.Span, at *place) bool {
	f := &d.fold
	same := true
	for l := range f.level {
		same = same && at[l] == f.parent[l]
	}
	switch {
	case same && at[f.level] != 0 && (f.outline == nil || at[f.level] == d.at[f.level]):
		f.holds = false
		if at[f.level] != d.at[f.level] {
			f.n++
		}
		f.to = max(f.to, s.Off+s.Size)
		f.remarks += d.skipRemarks(s)
		d.at = *at
		return true
	case same && !f.holds && *at == d.parentOf(at, f.level) && s.Path.FieldName() == "":
		f.held, f.holds = *s, true
		return true
	}
	d.endFold()
	return false
}

func (d *dumper) parentOf(at *place, level int) (p place) {
	copy(p[:level], at[:level])
	return p
}

// endFold says what was folded away.
func (d *dumper) endFold() {
	f := d.fold
	if !f.on {
		return
	}
	d.fold = fold{}
	d.folded += f.to - f.from
	if f.outline != nil {
		d.beginOutline()
		d.buf = append(d.buf, f.outline...)
	} else {
		d.indent()
		d.buf = appendMore(d.buf, f.n, d.levels[f.level])
	}
	d.buf = append(appendRange(append(d.buf, " ("...), f.from, f.to), ')')
	if f.remarks > 0 {
		d.buf = appendCount(append(d.buf, ", "...), f.remarks, "remark")
		if f.outline == nil {
			d.buf = append(d.buf, " in them"...)
		}
	}
	d.endLine()
	if f.holds {
		d.at = placeOf(&f.held.Path)
		d.show(&f.held, &d.at)
	}
}

func appendMore[T int | int64](dst []byte, n T, what string) []byte {
	return appendCount(append(dst, "… "...), n, "more "+what)
}

// indent begins a line below the hex column.
func (d *dumper) indent() {
	d.some = true
	if d.o.Color {
		d.buf = append(d.buf, sgrDim...)
	}
	for range d.cols.hex {
		d.buf = append(d.buf, ' ')
	}
}

func (d *dumper) endLine() {
	if d.o.Color {
		d.buf = append(d.buf, sgrReset...)
	}
	d.buf = append(d.buf, '\n')
	d.flushSome()
}

// skipRemarks skips the remarks up to the end of a span and counts those for it.
func (d *dumper) skipRemarks(s *perfdump.Span) (n int) {
	for len(d.remarks) > 0 && d.remarks[0].Off < s.Off+s.Size {
		if d.remarks[0].Off >= s.Off && s.Kind != perfdump.KindGap {
			n++
		}
		d.remarks = d.remarks[1:]
	}
	return n
}

// show writes a span and the headings above it.
func (d *dumper) show(s *perfdump.Span, at *place) {
	d.outlined = false
	// Below the third level there are no headings. Elements are compared one by
	// one, here and below: they were just stored like that, and loading several
	// at once would stall on store forwarding.
	h := &d.headed
	if at[2] != h[2] || at[1] != h[1] || at[0] != h[0] || at[2] == 0 && at[3] != h[3] {
		heading := *at
		if heading[2] != 0 {
			heading[3] = 0
		}
		d.headings(&heading)
	}
	d.rows(s, at)
	d.flushSome()
}

func (d *dumper) headings(at *place) {
	level := 0
	for level < len(at) && at[level] == d.headed[level] {
		level++
	}
	d.headed = *at
	path := d.levels.Root()
	for l, i := range at {
		if i == 0 {
			continue
		}
		path = path.At(l, int(i)-1)
		if l < level {
			continue
		}
		text := d.doc.Heading(d.scratch[:0], path)
		d.scratch = text
		if len(text) == 0 {
			continue
		}
		if d.some && l < 2 {
			d.buf = append(d.buf, '\n')
		}
		d.some = true
		if d.o.Color {
			d.buf = append(d.buf, sgrBold...)
		}
		d.buf = append(append(path.Append(d.buf), "  "...), text...)
		d.endLine()
	}
}

func (d *dumper) flushSome() {
	if len(d.buf) >= flushAt {
		d.flush()
	}
}

func (d *dumper) flush() {
	if d.err == nil && len(d.buf) > 0 {
		_, d.err = d.w.Write(d.buf)
	}
	d.buf = d.buf[:0]
}

// outline returns the line of an element that is folded by itself, or nil for
// one that is counted. The document must be at it.
func (d *dumper) outline(s *perfdump.Span, level int) []byte {
	if d.doc.Outline == nil {
		return nil
	}
	path := d.levels.Root()
	for l := range level + 1 {
		if i, ok := s.Path.Index(l); ok {
			path = path.At(l, i)
		}
	}
	line := append(path.Append(append(d.scratch[:0], "… "...)), "  "...)
	d.scratch = d.doc.Outline(line, path, level)
	if len(d.scratch) == len(line) {
		return nil
	}
	return d.scratch
}

func (d *dumper) unfolded(s *perfdump.Span, level int) bool {
	return d.doc.Unfolded != nil && d.doc.Unfolded(s.Path, level)
}

// beginOutline begins the line of an element that is folded by itself; those
// that follow each other have no blank line between them.
func (d *dumper) beginOutline() {
	if !d.outlined {
		d.buf = append(d.buf, '\n')
	}
	d.some, d.outlined = true, true
	if d.o.Color {
		d.buf = append(d.buf, sgrDim...)
	}
}
