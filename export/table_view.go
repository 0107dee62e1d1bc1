package export

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// view is an object as a table is laid out for it.
type view struct {
	t         *Table
	o         *capture.Object
	at        []int // the counters that are shown
	names     []string
	instances []capture.Instance // the first ones
	total     int                // instances that are shown
	nameWidth int
	widths    []extent // of each counter of at: of its widest value
	heads     [][]string
	headWidth []int
	units     []string
	extents   []extent // of the columns that are being written
}

const (
	// maxTurned is up to how many instances may stand as columns.
	maxTurned = 12
	// maxHead is how many lines the name of a counter takes above its column.
	maxHead = 4
	// groupHead is the same where counters stand in several groups anyway.
	groupHead = 3
	// maxName is how wide columns of names and texts get. Longer ones shift
	// the rest of their line.
	maxName = 64
	// maxColumn is how wide a column gets for the name above it.
	maxColumn = 256
	// maxRepeated is where names are cut before further groups of counters.
	maxRepeated = 1024
	gutter      = 2
)

// view measures all values of an object, which is a pass over them; nothing
// is kept but the first instances.
func (t *Table) view(o *capture.Object) *view {
	v := &view{t: t, o: o}
	_, v.at = t.columns(o)
	v.widths = make([]extent, len(v.at))
	for in := range o.Instances() {
		if v.total < maxTurned {
			v.instances = append(v.instances, *in)
		}
		v.total++
		name := InstanceName(in)
		v.nameWidth = max(v.nameWidth, cell.Width(name))
		for k, i := range v.at {
			if val, ok := in.Value(i); ok {
				v.widths[k].grow(t.measure(&o.Counters[i], val))
			}
		}
	}
	if t.o.Truncate {
		v.nameWidth = min(v.nameWidth, max(t.o.Width*2/5, 16))
	}
	v.nameWidth = min(v.nameWidth, maxName)
	for _, i := range v.at {
		v.units = append(v.units, o.Counters[i].Type.RawUnit())
	}
	v.extents = v.widths
	return v
}

// extent is how wide the values of a column are: what stands before the sign
// of a base or count, and what from there on. Numbers are aligned at it.
type extent struct{ main, tail int }

func (e extent) width() int { return e.main + e.tail }

// grow makes room for a value. A long text shifts the rest of its line.
func (e *extent) grow(by extent) {
	e.main, e.tail = max(e.main, min(by.main, maxName)), max(e.tail, by.tail)
}

// measure writes a value to the scratch buffer and returns how wide it is.
func (t *Table) measure(c *capture.Counter, v capture.Value) extent {
	var main int
	t.scratch, main = appendValue(t.scratch[:0], c, v)
	if v.Kind == capture.Number {
		return extent{main, len(t.scratch) - main}
	}
	return extent{cell.Width(string(t.scratch)), 0}
}

// measureHeads wraps the names of the counters above their columns, in at
// most height lines.
func (v *view) measureHeads(height int) {
	v.heads = make([][]string, len(v.at))
	v.headWidth = make([]int, len(v.at))
	for k, i := range v.at {
		// A % stays with the word that it belongs to.
		name := strings.ReplaceAll(cell.Clean(v.o.Counters[i].Name), "% ", "%\u00a0")
		width := max(v.widths[k].width(), cell.Width(v.units[k]), 1)
		for _, word := range strings.Split(name, " ") {
			width = max(width, cell.Width(word))
		}
		width = max(width, cell.Width(name)/height)
		lines := cell.Wrap(name, width)
		for len(lines) > height {
			width += 1 + width/32
			lines = cell.Wrap(name, width)
		}
		width = min(width, max(v.widths[k].width(), maxColumn))
		if v.t.o.Truncate {
			width = min(width, max(v.t.o.Width/2, 20))
		}
		v.heads[k], v.headWidth[k] = lines, width
	}
}

// fits reports whether all counters fit the page beside each other, under
// heads of at most height lines.
func (v *view) fits(height int) bool {
	v.measureHeads(height)
	width := gutter + v.nameWidth
	for _, w := range v.headWidth {
		width += gutter + w
	}
	return width <= v.t.o.Width
}

// groups writes as many counters as fit beside each other, then the next ones.
func (v *view) groups(t *Table) {
	v.measureHeads(groupHead)
	all := *v
	for from := 0; from < len(all.at); {
		to, width := from, gutter+v.nameWidth
		for to < len(all.at) && (to == from || width+gutter+all.headWidth[to] <= t.o.Width) {
			width += gutter + all.headWidth[to]
			to++
		}
		v.heads, v.headWidth, v.units, v.extents = all.heads[from:to], all.headWidth[from:to], all.units[from:to], all.widths[from:to]
		if from > 0 {
			t.text("\n")
		}
		v.across(t, all.at[from:to], from > 0)
		from = to
		if t.err() != nil {
			return
		}
	}
}

// across writes the instances as lines and counters as columns. Before the
// second and later groups of counters names are cut at a length that PDH has
// no name above, since one may be as long as the file.
func (v *view) across(t *Table, at []int, again bool) {
	height := 0
	for _, lines := range v.heads {
		height = max(height, len(lines))
	}
	nameWidth := v.nameWidth
	for n := range height {
		t.line = cell.PadRight(t.line[:0], 0, gutter+nameWidth)
		for k, lines := range v.heads {
			text := ""
			if at := n - (height - len(lines)); at >= 0 {
				text = lines[at]
			}
			v.appendAligned(t, text, k, isTextual(&v.o.Counters[at[k]]), t.style.Bold)
		}
		t.endLine()
	}
	if strings.Join(v.units, "") != "" {
		t.line = cell.PadRight(t.line[:0], 0, gutter+nameWidth)
		for k, unit := range v.units {
			v.appendAligned(t, unit, k, isTextual(&v.o.Counters[at[k]]), t.style.Dim)
		}
		t.endLine()
	}
	for in := range v.o.Instances() {
		name := InstanceName(in)
		switch {
		case t.o.Truncate:
			name = cell.Cut(name, nameWidth)
		case again:
			name = cell.Cut(name, maxRepeated)
		}
		t.line = append(append(t.line[:0], "  "...), name...)
		t.line = cell.PadRight(t.line, cell.Width(name), nameWidth)
		for k, i := range at {
			v.appendCell(t, in, i, v.extents[k], v.headWidth[k])
		}
		t.endLine()
		if t.err() != nil {
			return
		}
	}
}

// appendAligned appends a cell of a head.
func (v *view) appendAligned(t *Table, text string, k int, left bool, style func(string) string) {
	width := v.headWidth[k]
	if t.o.Truncate {
		text = cell.Cut(text, width)
	}
	w := cell.Width(text)
	t.line = append(t.line, "  "...)
	if left {
		t.line = append(t.line, style(text)...)
		t.line = cell.PadRight(t.line, w, width)
		return
	}
	t.line = cell.PadRight(t.line, w, width)
	t.line = append(t.line, style(text)...)
}

// appendCell appends the value of a counter to a column of the given width,
// whose values have the extent e.
func (v *view) appendCell(t *Table, in *capture.Instance, i int, e extent, width int) {
	t.line = append(t.line, "  "...)
	val, ok := in.Value(i)
	if !ok {
		t.line = cell.PadRight(t.line, 0, width)
		return
	}
	c := &v.o.Counters[i]
	is := t.measure(c, val)
	main := len(t.scratch)
	switch {
	case val.Kind == capture.Number:
		main = is.main
	case t.o.Truncate && is.main > width:
		t.scratch = append(t.scratch[:0], cell.Cut(string(t.scratch), width)...)
		main, is.main = len(t.scratch), width
	}
	used := is.width()
	if !isTextual(c) {
		// The tail of a column of numbers stands behind all of them.
		before := max(0, width-e.width()+e.main-is.main)
		if val.Kind != capture.Number {
			before = max(0, width-is.main)
		}
		t.line = cell.PadRight(t.line, 0, before)
		used += before
	}
	if val.Kind == capture.Absent {
		t.line = t.style.AppendDim(t.line, string(t.scratch))
	} else {
		t.line = append(t.line, t.scratch[:main]...)
		t.line = t.style.AppendDim(t.line, string(t.scratch[main:]))
	}
	t.line = cell.PadRight(t.line, used, width)
}

// list writes the counters as lines, the few instances as columns.
func (v *view) list(t *Table) { newList(v).write(t) }

func (v *view) downWidth(types bool) int { return newList(v).width(types) }
