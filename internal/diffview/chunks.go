package diffview

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/ipcblock"
)

func (t *table) Blocks(layout ipcblock.Layout, header []capture.FieldChange) {
	t.Dumps(header)
	t.Pair(layout)
}

func (t *table) Pair(layout ipcblock.Layout) { t.table = layout == ipcblock.SxS }

func (t *table) Dumps(header []capture.FieldChange) {
	for _, f := range header {
		t.titlesHead()
		t.fact(f.Field, fmt.Sprint(f.Older)+arrow+fmt.Sprint(f.Newer))
	}
}

func (t *table) Chunk(c *capture.ChunkDiff) {
	t.titlesHead()
	t.line("")
	what := "Block"
	if t.table {
		what = fmt.Sprintf("Chunk %d", c.Index)
	}
	side := c.Newer
	if side == nil {
		side = c.Older
	}
	facts := chunkFacts(side)
	if len(c.Values) > 0 {
		facts = append(facts, fmt.Sprintf("%d of %s changed", len(c.Values), count(c.Both, "value")))
	}
	t.line(t.sign(c.Change) + " " + t.style.Bold(what) + "  " + t.style.Dim(strings.Join(facts, ", ")))
	for _, f := range c.Fields {
		t.line("  " + strings.ReplaceAll(f.Field, "_", " ") + "  " + cell.Clean(fmt.Sprint(f.Older)) + arrow + cell.Clean(fmt.Sprint(f.Newer)))
	}
	t.chunkValues(c.Values)
}

// chunkFacts says in words which runtime a chunk is of.
func chunkFacts(c *ipcblock.Chunk) []string {
	facts := []string{c.State.String()}
	if c.State == ipcblock.Bad {
		return facts
	}
	if c.Arch != ipcblock.NoArch {
		facts = append(facts, c.Arch.String())
	}
	if c.RuntimeID != 0 {
		facts = append(facts, fmt.Sprintf("runtime %d", c.RuntimeID))
	}
	if pid := c.Uint64(ipcblock.ProcessID); pid != 0 {
		facts = append(facts, fmt.Sprintf("process %d", pid))
	}
	return facts
}

// chunkValues writes the values by the categories of perfmon. There are never
// more than a perf block has fields, and all are shown.
func (t *table) chunkValues(values []capture.FieldDiff) {
	var names, older, newer, by int
	for i := range values {
		v := &values[i]
		names = max(names, cell.Width(capture.FieldName(v.Field)))
		older, newer = max(older, len(fieldValue(v.Field, v.Older))), max(newer, len(fieldValue(v.Field, v.Newer)))
		by = max(by, len(fieldDeltaText(v)))
	}
	section := ""
	for i := range values {
		v := &values[i]
		if v.Field.Section() != section {
			section = v.Field.Section()
			t.line("  " + t.style.Bold(categoryOf(section)))
		}
		name := string(cell.PadRight([]byte(capture.FieldName(v.Field)), cell.Width(capture.FieldName(v.Field)), names))
		t.line(fmt.Sprintf("    %s  %*s%s%*s  %*s", name, older, fieldValue(v.Field, v.Older), arrow, newer, fieldValue(v.Field, v.Newer), by, fieldDeltaText(v)))
	}
}

// categoryOf returns the category of perfmon that shows a section.
func categoryOf(section string) string {
	for f := range ipcblock.Field(ipcblock.NumFields) {
		if f.Section() == section && f.Category() != "" {
			return f.Category()
		}
	}
	return section
}

func fieldValue(f ipcblock.Field, v uint64) string {
	if f.Signed() {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}

func fieldDeltaText(v *capture.FieldDiff) string {
	negative, by := v.Delta()
	return sign(negative) + strconv.FormatUint(by, 10)
}

func (o *object) chunkSide(k string, c *ipcblock.Chunk) {
	if c == nil {
		o.null(k)
		return
	}
	o.key(k)
	s := o.within()
	s.text("state", c.State.String())
	s.textOr("arch", c.Arch.String(), c.Arch != ipcblock.NoArch)
	s.int("runtime_id", int64(c.RuntimeID))
	s.any("pid", chunkPID(c))
	o.b = s.end()
}

// chunkPID is nil where the process is not known.
func chunkPID(c *ipcblock.Chunk) any {
	if pid := c.Uint64(ipcblock.ProcessID); c.State != ipcblock.Bad && pid != 0 {
		return pid
	}
	return nil
}

func (o *object) fieldDiff(v *capture.FieldDiff) {
	o.text("section", v.Field.Section())
	o.text("field", v.Field.Name())
	o.textOr("category", v.Field.Category(), v.Field.Category() != "")
	o.textOr("counter", v.Field.CounterName(), v.Field.CounterName() != "")
	o.key("older")
	o.b = append(o.b, fieldValue(v.Field, v.Older)...)
	o.key("newer")
	o.b = append(o.b, fieldValue(v.Field, v.Newer)...)
	negative, by := v.Delta()
	o.key("delta")
	if negative {
		o.b = append(o.b, '-')
	}
	o.b = strconv.AppendUint(o.b, by, 10)
}

func (d *document) Blocks(_ ipcblock.Layout, header []capture.FieldChange) {
	d.list(header, "chunks")
}

func (d *document) Dumps(header []capture.FieldChange) { d.list(header, "chunks") }

func (d *document) Pair(layout ipcblock.Layout) { d.layout = layout.String() }

func (d *document) Chunk(c *capture.ChunkDiff) {
	d.item(&d.items)
	o := newObject(d.buf[:0], &d.writer)
	o.text("change", string(c.Change))
	if d.layout != "" {
		o.text("layout", d.layout)
	}
	o.int("index", int64(c.Index))
	o.chunkSide("older", c.Older)
	o.chunkSide("newer", c.Newer)
	if c.Change == capture.Changed {
		o.fields("fields", c.Fields)
		o.key("values")
		o.b = append(o.b, '[')
		for i := range c.Values {
			if i > 0 {
				o.b = append(o.b, ',')
			}
			o.b = append(o.b, "\n  "...)
			v := o.within()
			v.fieldDiff(&c.Values[i])
			o.b = v.end()
		}
		o.b = append(o.b, ']')
	}
	d.put(o.end())
}

func (l *lines) Blocks(_ ipcblock.Layout, header []capture.FieldChange) { l.header(header) }

func (l *lines) Dumps(header []capture.FieldChange) { l.header(header) }

func (l *lines) Pair(layout ipcblock.Layout) { l.layout = layout.String() }

func (l *lines) Chunk(c *capture.ChunkDiff) {
	line := func(what string) *object {
		o := l.what(what, c.Change)
		if l.layout != "" {
			o.text("layout", l.layout)
		}
		o.int("chunk", int64(c.Index))
		return o
	}
	if c.Change != capture.Changed {
		o := line("chunk")
		o.chunkSide("older", c.Older)
		o.chunkSide("newer", c.Newer)
		l.put(o)
	}
	for _, f := range c.Fields {
		o := line("chunk-field")
		o.field(f)
		l.put(o)
	}
	for i := range c.Values {
		o := line("value")
		o.fieldDiff(&c.Values[i])
		l.put(o)
	}
}
