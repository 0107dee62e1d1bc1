package diffview

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// instances goes through what has changed twice: to measure what is shown,
// then to write it.
func (t *table) instances(o *capture.ObjectDiff) {
	v := &values{t: t, o: o, indent: 2}
	if !o.Newer.Single {
		v.indent = 4
	}
	v.measure()
	gone, added, renamed := t.lister(maxListed), t.lister(maxListed), t.lister(maxListed)
	shown := t.lister(maxValues)
	rest := 0 // instances of which nothing is shown
	stage := capture.Gone
	for in := range o.Instances() {
		if in.Change != stage {
			t.endStage(stage, &gone, &added)
			stage = in.Change
		}
		switch in.Change {
		case capture.Gone, capture.New:
			l := &gone
			if in.Change == capture.New {
				l = &added
			}
			if l.show() {
				t.instance(in, "")
			}
			continue
		default:
		}
		head := shown.all || shown.n < shown.most
		if len(in.Values) == 0 {
			head = renamed.show()
		}
		if !head {
			rest++
		} else if note := t.instanceNote(in); !in.None || note != "" {
			t.instance(in, note)
		}
		for i := range in.Values {
			if shown.show() {
				v.write(&in.Values[i])
			}
		}
		if t.Err() != nil {
			return
		}
	}
	t.endStage(stage, &gone, &added)
	what := "values"
	if rest > 0 {
		what += ", " + count(rest, "more instance")
	}
	switch n := shown.rest(); {
	case n > 0:
		t.more("  ", n, what)
	default:
		t.more("  ", rest, "instances")
	}
}

// endStage tells of what was gone, or new, and not listed.
func (t *table) endStage(stage capture.Change, gone, added *lister) {
	switch stage {
	case capture.Gone:
		t.more("  ", gone.rest(), "gone")
	case capture.New:
		t.more("  ", added.rest(), "new")
	default:
	}
}

func (t *table) instance(in *capture.InstanceDiff, note string) {
	text := export.InstanceName(&in.Instance)
	if t.o.Truncate {
		text = cell.Cut(text, max(t.o.Width-4, 16))
	}
	if note != "" {
		note = "  " + t.style.Dim(note)
	}
	t.line("  " + t.sign(in.Change) + " " + text + note)
}

// instanceNote says what has become of the instance itself.
func (t *table) instanceNote(in *capture.InstanceDiff) string {
	var notes []string
	if in.Replaced {
		notes = append(notes, "another instance of the same name")
	}
	for _, f := range in.Fields {
		notes = append(notes, strings.ReplaceAll(f.Field, "_", " ")+" "+fieldText(f.Older)+arrow+fieldText(f.Newer))
	}
	return strings.Join(notes, ", ")
}

// values are the columns of the changed values of an object.
type values struct {
	t                          *table
	o                          *capture.ObjectDiff
	indent                     int
	name, older, newer, by, of int
}

// measure finds the widths of what will be shown.
func (v *values) measure() {
	v.grow()
	// The units give way first, then names.
	width := v.indent + v.name + 2 + v.older + len(arrow) + v.newer + 2 + v.by
	if v.of > 0 && width+2+v.of > v.t.o.Width {
		v.of = 0
	}
	if over := width - v.t.o.Width; over > 0 && v.t.o.Truncate {
		v.name = max(v.name-over, 16)
	}
}

func (v *values) grow() {
	shown := v.t.lister(maxValues)
	for in := range v.o.Instances() {
		for i := range in.Values {
			if !shown.show() {
				return
			}
			d := &in.Values[i]
			v.name = max(v.name, min(cell.Width(counterName(d.Counter)), maxName))
			if !numeric(d) {
				continue
			}
			v.older = max(v.older, len(valueText(d.Counter, d.Older)))
			v.newer = max(v.newer, len(valueText(d.Counter, d.Newer)))
			v.by = max(v.by, len(deltaText(d)))
			v.of = max(v.of, len(d.Counter.Type.RawUnit()))
		}
	}
}

func (v *values) write(d *capture.ValueDiff) {
	name := counterName(d.Counter)
	if v.t.o.Truncate {
		name = cell.Cut(name, v.name)
	}
	line := cell.PadRight(nil, 0, v.indent)
	line = cell.PadRight(append(line, name...), cell.Width(name), v.name)
	line = append(line, "  "...)
	if !numeric(d) {
		room := 0
		if v.t.o.Truncate {
			room = max(v.t.o.Width-v.indent-v.name-2, 20)
		}
		v.t.line(string(line) + freeText(d, room))
		return
	}
	older, newer, by := valueText(d.Counter, d.Older), valueText(d.Counter, d.Newer), deltaText(d)
	line = append(cell.PadRight(line, len(older), v.older), older...)
	line = append(line, arrow...)
	line = append(cell.PadRight(line, len(newer), v.newer), newer...)
	line = cell.PadRight(append(line, "  "...), len(by), v.by)
	line = append(line, by...)
	if v.of > 0 {
		line = v.t.style.AppendDim(append(line, "  "...), d.Counter.Type.RawUnit())
	}
	v.t.line(string(line))
}
