package export

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// list is a table whose lines are counters: name, the value in each instance,
// unit, type.
type list struct {
	v        *view
	name     int
	extents  []extent // of the values of each instance
	columns  []int    // the width of each, its name included
	heads    []string
	unit     int
	typeName int
}

func newList(v *view) *list {
	l := &list{v: v, extents: make([]extent, len(v.instances)), columns: make([]int, len(v.instances)), heads: make([]string, len(v.instances))}
	for _, i := range v.at {
		c := &v.o.Counters[i]
		l.name = max(l.name, cell.Width(cell.Clean(c.Name)))
		l.typeName = max(l.typeName, len(typeName(c.Type)))
		l.unit = max(l.unit, len(c.Type.RawUnit()))
		for n := range v.instances {
			val, ok := v.instances[n].Value(i)
			if !ok || l.alone() && freeForm(val.Kind) {
				continue
			}
			l.extents[n].grow(v.t.measure(c, val))
		}
	}
	for n := range v.instances {
		l.heads[n] = InstanceName(&v.instances[n])
		l.columns[n] = max(l.extents[n].width(), min(cell.Width(l.heads[n]), maxName))
	}
	l.name = min(l.name, maxName)
	if v.t.o.Truncate {
		l.name = min(l.name, max(v.t.o.Width/2, 24))
	}
	return l
}

// alone reports whether there is one column of values. Texts in it run over
// the units, which they do not have.
func (l *list) alone() bool { return len(l.v.instances) <= 1 }

func freeForm(kind capture.ValueKind) bool { return kind == capture.Text || kind == capture.Bytes }

// width returns how wide the list is, with types or without.
func (l *list) width(types bool) int {
	width := gutter + l.name
	for _, w := range l.columns {
		width += gutter + w
	}
	if l.unit > 0 {
		width += gutter + l.unit
	}
	if types {
		width += gutter + l.typeName
	}
	return width
}

func (l *list) write(t *Table) {
	types := l.alone() || l.width(true) <= t.o.Width
	l.head(t)
	for _, i := range l.v.at {
		l.counter(t, &l.v.o.Counters[i], i, types)
		if t.err() != nil {
			return
		}
	}
}

// head writes the names of the instances.
func (l *list) head(t *Table) {
	if l.v.o.Single || len(l.heads) == 0 {
		return
	}
	t.line = cell.PadRight(t.line[:0], 0, gutter+l.name)
	for n, head := range l.heads {
		if t.o.Truncate {
			head = cell.Cut(head, max(l.columns[n], 1))
		}
		t.line = append(t.line, "  "...)
		t.line = cell.PadRight(t.line, cell.Width(head), l.columns[n])
		t.line = append(t.line, t.style.Bold(head)...)
	}
	t.endLine()
}

func (l *list) counter(t *Table, c *capture.Counter, i int, types bool) {
	name := cell.Clean(c.Name)
	if t.o.Truncate {
		name = cell.Cut(name, l.name)
	}
	used := gutter + max(l.name, cell.Width(name))
	t.line = append(append(t.line[:0], "  "...), name...)
	t.line = cell.PadRight(t.line, cell.Width(name), l.name)
	over := 0 // by how much a text runs over its column
	for n := range l.v.instances {
		used += gutter + l.columns[n]
		val, ok := l.v.instances[n].Value(i)
		if ok && l.alone() && freeForm(val.Kind) {
			over = l.freeValue(t, c, val, n)
			continue
		}
		l.v.appendCell(t, &l.v.instances[n], i, l.extents[n], l.columns[n])
	}
	tail := ""
	if l.unit > 0 {
		unit := c.Type.RawUnit()
		tail = "  " + unit
		for n := len(unit); n < l.unit; n++ {
			tail += " "
		}
	}
	if over > 0 {
		tail = tail[min(over, len(tail)):]
	}
	if types {
		tail += "  " + typeName(c.Type)
	}
	if t.o.Truncate {
		tail = cell.Cut(tail, t.o.Width-used-max(over-l.unit-gutter, 0))
	}
	t.line = t.style.AppendDim(t.line, strings.TrimRight(tail, " "))
	t.endLine()
}

// freeValue writes a value from the left of its column on and returns by how
// much it runs over it.
func (l *list) freeValue(t *Table, c *capture.Counter, val capture.Value, n int) int {
	t.scratch, _ = appendValue(t.scratch[:0], c, val)
	text := string(t.scratch)
	if t.o.Truncate {
		text = cell.Cut(text, max(t.o.Width-gutter-l.name-gutter, 8))
	}
	w := cell.Width(text)
	t.line = append(append(t.line, "  "...), text...)
	t.line = cell.PadRight(t.line, w, l.columns[n])
	return max(w-l.columns[n], 0)
}
