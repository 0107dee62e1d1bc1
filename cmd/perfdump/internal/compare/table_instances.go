package compare

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/ipcblock"
)

// instances iterates twice: to measure what is shown, then to write it.
func (t *sheet) instances(o *Object) {
	values := valueTable(o.Newer.Single)
	var row table.Row
	measured := t.lister(maxValues)
	for in := range o.Instances() {
		for i := range in.Values {
			if measured.show() {
				values.Measure(in.Values[i].row(&row))
			}
		}
	}
	t.Head(values)
	listed, renamed, shown := t.lister(maxListed), t.lister(maxListed), t.lister(maxValues)
	hidden := 0 // instances that are not shown
	stage := Gone
	for in := range o.Instances() {
		if in.Change != stage {
			t.more("  ", listed.rest(), string(stage))
			listed, stage = t.lister(maxListed), in.Change
		}
		if in.Change != Changed {
			if listed.show() {
				t.instance(in, nil)
			}
			continue
		}
		head := shown.all || shown.n < shown.most
		if len(in.Values) == 0 {
			head = renamed.show()
		}
		if !head {
			hidden++
		} else if notes := in.notes(); !in.None || len(notes) > 0 {
			t.instance(in, notes)
		}
		for i := range in.Values {
			if shown.show() {
				t.Row(values, in.Values[i].row(&row))
			}
		}
		if t.Err() != nil {
			return
		}
	}
	t.more("  ", listed.rest(), string(stage))
	switch {
	case shown.rest() == 0:
		t.more("  ", hidden, "instances")
	case hidden > 0:
		t.more("  ", shown.rest(), "values, "+table.Plural(hidden, "more instance"))
	default:
		t.more("  ", shown.rest(), "values")
	}
}

func (t *sheet) instance(in *Instance, notes []string) {
	text := export.InstanceName(in.Instance)
	if t.Cut {
		text = cell.Cut(text, max(t.Width-4, 16))
	}
	if len(notes) > 0 {
		text += "  " + t.Style.Dim(strings.Join(notes, ", "))
	}
	t.Line("  " + t.sign(in.Change) + " " + text)
}

// notes describes the change of the instance itself.
func (in *Instance) notes() []string {
	if in.Replaced {
		return append([]string{"another instance of the same name"}, changesOf(in.Fields)...)
	}
	return changesOf(in.Fields)
}

// valueTable returns the columns of changed values: the name, both values, the
// difference, the unit.
func valueTable(single bool) *table.Table {
	indent := 4
	if single {
		indent = 2
	}
	return &table.Table{Indent: indent, Columns: []table.Column{
		{Max: maxColumns, Shrink: 16}, {Align: table.Right}, {Align: table.Right}, {Align: table.Right}, {Dim: true, Drop: 1},
	}}
}

func (v *Value) row(r *table.Row) *table.Row {
	r.Reset().Text(v.name())
	if !v.numeric() {
		return r.Text(v.freeText()).Free()
	}
	return r.Texts(v.text(v.Older)+" ->", v.text(v.Newer), v.deltaText(), v.CounterType.RawUnit())
}

func (t *sheet) Chunk(c *Chunk) {
	t.title()
	t.Line("")
	what := "Block"
	if c.Layout == ipcblock.SxS {
		what = fmt.Sprintf("Chunk %d", c.Index)
	}
	side := c.Newer
	if side == nil {
		side = c.Older
	}
	facts := hexview.ChunkFacts(side)
	if len(c.Values) > 0 {
		facts = append(facts, fmt.Sprintf("%d of %s changed", len(c.Values), table.Plural(c.Both, "value")))
	}
	t.thing(c.Change, what, facts...)
	for i := range c.Fields {
		f := &c.Fields[i]
		t.Line("  " + f.label() + "  " + f.plain())
	}
	t.numbers(c.Values)
}

// numbers writes the values by the categories of perfmon. There are never more
// than a perf block has fields, and all are shown.
func (t *sheet) numbers(all []Number) {
	values := valueTable(false)
	var row table.Row
	cells := func(n *Number) *table.Row {
		return row.Reset().Texts(fieldName(n.Field), fmt.Sprint(n.Older, " ->"), fmt.Sprint(n.Newer), delta(n.Older, n.Newer).signed())
	}
	for i := range all {
		values.Measure(cells(&all[i]))
	}
	t.Head(values)
	section := ""
	for i := range all {
		if s := all[i].Section(); s != section {
			section = s
			t.Line("  " + t.Style.Bold(categoryOf(section)))
		}
		t.Row(values, cells(&all[i]))
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

// fieldName returns what a field of the perf block is called: the first counter
// of perfmon that shows it. A base has the name of its counter with "(base)"
// after it. A field without a counter has its section and name.
func fieldName(f ipcblock.Field) string {
	if counters := f.Counters(); len(counters) > 0 && !counters[0].IsBase() {
		return counters[0].Name
	}
	all := ipcblock.Counters()
	for i := range all {
		if fields := all[i].Fields(); !all[i].Derived() && len(fields) > 1 && fields[1] == f {
			return all[i].Name + " (base)"
		}
	}
	return f.String()
}
