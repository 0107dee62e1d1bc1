package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/pdhpath"
)

func (o Options) printer(w io.Writer) *table.Printer {
	return table.NewPrinter(w, table.Options{Width: o.Width, Cut: o.Cut, Color: o.Color})
}

// Table writes snapshots for people: the counters of an object as columns and
// its instances as lines where that fits the page, the other way round where
// that does, else in groups of columns. An object with one set of values is a
// list.
type Table struct {
	p     *table.Printer
	out   *bufio.Writer       // what workers write to
	crew  *crew[table.Script] // nil without workers
	o     Options
	cells table.Row
	begun bool
	host  string     // of the snapshot
	known []rawNames // of the rows of the last snapshot of that host, with their paths, by position
}

func newTable(w io.Writer, o Options) (Writer, error) {
	t := &Table{p: o.printer(w), o: o}
	if o.Workers > 1 {
		t.out = newBuffer(w)
		t.crew = newCrew(t.out, o.Workers, func() func(*table.Script, []byte) ([]byte, error) {
			page := o.printer(nil)
			return func(s *table.Script, dst []byte) ([]byte, error) { return page.Append(dst, s), nil }
		})
		t.p.Hand(func(s table.Script) (table.Script, error) {
			task := t.crew.get()
			s, task.of = task.of, s
			return s, t.crew.send(task)
		})
	}
	return t, nil
}

// Text returns a writer of text between the tables, for what is no snapshot. A
// blank line separates it from what is before it.
func (t *Table) Text() io.Writer { return &textPart{t: t} }

type textPart struct {
	t     *Table
	begun bool
}

func (p *textPart) Write(b []byte) (int, error) {
	if !p.begun && p.t.begun {
		p.t.p.Line("")
	}
	p.begun, p.t.begun = true, true
	p.t.p.Keep() // no rows
	p.t.p.Raw(string(b))
	return len(b), p.t.p.Err()
}

// Flush writes what is buffered.
func (t *Table) Flush() error {
	if t.crew == nil {
		return t.p.Flush()
	}
	return cmp.Or(t.p.Flush(), t.crew.wait(), t.out.Flush())
}

// Close is [Table.Flush], and ends the workers.
func (t *Table) Close() error {
	err := t.Flush()
	t.Discard()
	return err
}

// Discard ends the workers of a table that is not closed.
func (t *Table) Discard() {
	if t.crew != nil {
		_ = t.crew.end()
	}
}

// Write writes a snapshot: its whole objects, and all other values by their paths. One
// of which the filter leaves nothing is left out.
func (t *Table) Write(s *capture.Snapshot) error {
	begun := false
	begin := func() {
		if !begun {
			begun = true
			t.snapshot(s)
		}
	}
	t.paths(s.Host, s.OtherRows(), begin)
	for b := range s.Blocks() {
		for o := range b.Objects() {
			begin()
			t.object(o)
			if b.Host != s.Host {
				t.p.Note("of " + cell.Clean(b.Host))
			}
			if t.p.Err() != nil {
				return t.p.Err()
			}
		}
	}
	if b := s.Block(); b != nil && b.NumObjects() == 0 {
		begin()
	}
	return t.p.Err()
}

// snapshot writes what holds for all values of a snapshot.
func (t *Table) snapshot(s *capture.Snapshot) {
	facts := []string{t.when(s.Time, s.Offset)}
	switch b := s.Block(); {
	case b != nil:
		facts = append(facts, table.Plural(b.NumObjects(), "object"))
		if s.Record > 0 {
			facts = append(facts, fmt.Sprintf("block %d", s.Record))
		}
		if n := b.Anomalies().Len(); n > 0 {
			facts = append(facts, table.Plural(n, "anomaly")+` (see "perfdump check")`)
		}
	case s.Section != nil:
		facts = append(facts, "section "+cell.Clean(s.Section.Name))
	case s.Sets != nil:
		facts = append(facts, table.Plural(s.Sets.Len(), "result"))
	default:
		facts = append(facts, fmt.Sprintf("record %d", s.Record))
	}
	t.heading(s.Host, s.Source, facts...)
	if s.Sets != nil {
		t.p.Note("the block has no names and no types of counters: #0 is the first set, \\#0\\#5 its counter with the id 5")
	}
}

// heading writes what holds for all values of a moment.
func (t *Table) heading(host, source string, facts ...string) {
	if t.begun {
		t.p.Line("")
	}
	t.begun = true
	if source != "" && source != "-" {
		facts = append(facts, cell.Clean(source))
	}
	t.p.Heading(cmp.Or(cell.Clean(host), "unknown host"), facts...)
}

// when writes a time, and how far its clock is from UTC.
func (t *Table) when(at time.Time, o capture.Offset) string {
	if at.IsZero() {
		return "at an unknown time"
	}
	return o.Format(at, t.o.Zone, table.TimeLayout)
}

// WriteRows writes rows of a moment by their paths.
func (t *Table) WriteRows(rows iter.Seq[*capture.Row]) error {
	for r := range rows {
		host := r.Host
		t.paths(host, rows, func() { t.heading(host, r.Source, t.when(r.Time, r.Offset)) })
		break
	}
	return t.p.Err()
}

// paths writes rows by their paths, without the machine where that is host. A
// path that does not fit next to its values has a line of its own. begin is
// called before the first of them.
func (t *Table) paths(host string, rows iter.Seq[*capture.Row], begin func()) {
	tab := &table.Table{Indent: 2, Columns: []table.Column{
		{Head: []string{"counter"}, Break: true}, {Head: []string{"first"}, Align: table.Right}, {Head: []string{"second"}, Align: table.Right},
	}}
	begun := false
	t.p.Table(tab, func(yield func(*table.Row) bool) {
		n := 0
		for r := range rows {
			if !begun {
				begun = true
				begin()
				t.p.Line("")
			}
			path := t.path(n, r, host)
			n++
			t.cells.Reset().Measured(path.text, path.width)
			number(&t.cells, r.First, !r.NoFirst)
			if !yield(number(&t.cells, r.Second, !r.NoSecond)) {
				return
			}
		}
	})
}

func number(to *table.Row, n uint64, ok bool) *table.Row {
	if !ok {
		return to.Text("-")
	}
	return to.Uint(n)
}

// path returns the path of the nth row of a snapshot as text, without the machine where
// that is host.
func (t *Table) path(n int, r *capture.Row, host string) *rawNames {
	if t.host != host {
		t.host, t.known = host, t.known[:0]
	}
	n = min(n, maxRawNames, len(t.known))
	if n == len(t.known) {
		t.known = append(t.known, rawNames{})
	}
	known := &t.known[n]
	if known.text == nil || !known.same(r) {
		p := pdhpath.Path{Machine: r.Host, Object: r.Object, Parent: r.Parent, Instance: r.Instance, Index: r.InstanceIndex, HasInstance: r.HasInstance, Counter: r.Counter}
		if r.Host == host {
			p.Machine = ""
		}
		*known = namesOf(r)
		known.text = []byte(cell.Clean(p.String()))
		known.width = table.Width(known.text)
	}
	return known
}

const (
	// maxTurned is up to how many instances may be columns.
	maxTurned = 12
	// maxHead is how many lines the name of a counter takes above its column,
	// and groupHead the same where the counters are in several groups anyway.
	maxHead, groupHead = 4, 3
	// maxName is how wide columns of names and texts get. Longer ones shift
	// the rest of their line.
	maxName = 64
	// maxColumn is how wide a column gets for the name above it.
	maxColumn = 256
	// maxRepeated is where names are cut before further groups of counters.
	maxRepeated = 1024
)

// view is an object and the tables that can show it.
type view struct {
	*Table

	o         *capture.Object
	at        []int              // the counters that are shown
	instances []capture.Instance // the first ones
	total     int                // of the instances that are shown
	long      bool               // one has a name of more than maxRepeated bytes
	across    *table.Table       // a column for each counter
	names     []string           // of the counters
}

// object writes an object. Where their rows are too many to be kept it iterates its
// instances again.
func (t *Table) object(o *capture.Object) {
	v := &view{Table: t, o: o, across: &table.Table{Indent: 2, Columns: []table.Column{{Max: t.most(maxName, 2, 5)}}}}
	for i := range o.Counters {
		c := &o.Counters[i]
		if c.Type.Hidden() && !c.Named && !t.o.All {
			continue
		}
		v.at = append(v.at, i)
		column := table.Column{Unit: c.Type.RawUnit(), Max: t.most(maxName, 1, 2), Align: table.Right}
		if c.Type.Kind() == countertypes.KindText {
			column.Align = table.Left
		}
		v.across.Columns = append(v.across.Columns, column)
		v.names = append(v.names, cell.Clean(c.Name))
	}
	t.p.Keep()
	for in := range o.Instances() {
		if v.total < maxTurned {
			v.instances = append(v.instances, *in)
		}
		v.total++
		name := InstanceName(in)
		v.long = v.long || len(name) > maxRepeated
		t.p.Measure(v.across, v.instance(in, v.at, name))
	}
	t.title(o, v.total)
	switch {
	case len(v.at) == 0 && o.Single:
		t.p.Note("no counters")
	case v.total == 0:
		why := "no instances now"
		if o.Metadata {
			why = "definitions only: no values were requested"
		} else if o.Total > 0 {
			why = "no instance matches"
		}
		t.p.Note(why)
		v.list(true)
	case v.total == 1:
		v.list(true)
	case v.fits(2), v.total > maxTurned && v.fits(maxHead):
		v.write(v.across, 0)
	case v.total <= maxTurned && v.list(false):
	case v.fits(maxHead):
		v.write(v.across, 0)
	default:
		v.heads(groupHead)
		from := 0
		for _, part := range v.across.Split(t.p.Width) {
			if from > 0 {
				t.p.Line("")
			}
			v.write(part, from)
			from += len(part.Columns) - 1
		}
	}
}

// most returns how wide a column may be: a part of a page that is cut.
func (t *Table) most(most, num, den int) int {
	if t.p.Cut {
		return min(most, max(t.p.Width*num/den, 20))
	}
	return most
}

// instance makes the row of an instance.
func (v *view) instance(in *capture.Instance, at []int, name string) *table.Row {
	v.cells.Reset().Text(name)
	for _, i := range at {
		v.value(in, i)
	}
	return &v.cells
}

// value adds the cell of a value to the row.
func (v *view) value(in *capture.Instance, i int) {
	val, ok := in.Value(i)
	if !ok {
		v.cells.Text("")
		return
	}
	if c := &v.o.Counters[i]; isDecimal(c, val) {
		v.cells.Uint(val.Uint)
	} else {
		v.cells.Append(func(b []byte) []byte { return appendValue(b, c, val) })
	}
	switch {
	case val.Kind == capture.Absent:
		v.cells.Paint(table.Dim)
	case val.HasMulti || val.HasBase:
		v.cells.Tail(func(b []byte) []byte { return appendAfter(b, val) })
	}
}

// heads writes the names of the counters above their columns, in at most height
// lines.
func (v *view) heads(height int) {
	for k, name := range v.names {
		v.across.Columns[k+1].WrapHead(name, height, v.most(maxColumn, 1, 2))
	}
}

// fits reports whether all counters fit the page next to each other.
func (v *view) fits(height int) bool {
	v.heads(height)
	return v.across.Width() <= v.p.Width
}

// write writes a line for each instance, with the counters from a position on that tab
// has columns for. In the second and later groups of counters names are cut at a length
// that PDH has no name above, since one may be as long as the file.
func (v *view) write(tab *table.Table, from int) {
	v.p.Head(tab)
	n := len(tab.Columns) - 1
	if v.p.HasKept() && !v.long {
		v.p.Kept(tab, 1+from, n)
		return
	}
	for in := range v.o.Instances() {
		name := InstanceName(in)
		if from > 0 {
			name = cell.Cut(name, maxRepeated)
		}
		v.p.Row(tab, v.instance(in, v.at[from:from+n], name))
		if v.p.Err() != nil {
			return
		}
	}
}

// list writes a line for each counter: its name, the value in each of the few
// instances, unit, type. Unless it must, it writes nothing that is wider than the
// page. It reports whether it has.
func (v *view) list(must bool) bool {
	tab := &table.Table{Indent: 2, Columns: []table.Column{{Max: v.most(maxName, 1, 2)}}}
	for i := range v.instances {
		column := table.Column{Align: table.Right, Max: maxName}
		if !v.o.Single {
			column.Head = []string{InstanceName(&v.instances[i])}
		}
		tab.Columns = append(tab.Columns, column)
	}
	tab.Columns = append(tab.Columns, table.Column{Dim: true}, table.Column{Dim: true})
	kind := &tab.Columns[len(tab.Columns)-1]
	for _, i := range v.at {
		tab.Measure(v.counter(i))
	}
	if !must && tab.Width() > v.p.Width {
		kind.Drop = 1
		tab.Columns = tab.Columns[:len(tab.Columns)-1]
		if tab.Width() > v.p.Width {
			return false
		}
	}
	v.p.Head(tab)
	for _, i := range v.at {
		v.p.Row(tab, v.counter(i))
	}
	return true
}

// counter makes the row of a counter. A text that is alone may run over the unit,
// which it does not have.
func (v *view) counter(i int) *table.Row {
	c := &v.o.Counters[i]
	v.cells.Reset().Text(cell.Clean(c.Name))
	for n := range v.instances {
		v.value(&v.instances[n], i)
		if val, ok := v.instances[n].Value(i); ok && len(v.instances) == 1 && (val.Kind == capture.Text || val.Kind == capture.Bytes) {
			v.cells.Free()
		}
	}
	return v.cells.Texts(c.Type.RawUnit(), strings.TrimPrefix(c.Type.String(), "PERF_"))
}

// title writes the line above an object, and its help text.
func (t *Table) title(o *capture.Object, shown int) {
	index, of := fmt.Sprint("index ", o.Index), ""
	if fmt.Sprint(o.Index) == o.Name {
		index = "(no name)"
	}
	switch {
	case o.Single, o.Metadata:
	case shown < o.Total:
		of = fmt.Sprintf("%d of %s", shown, table.Plural(o.Total, "instance"))
	default:
		of = table.Plural(o.Total, "instance")
	}
	t.p.Line("")
	t.p.Heading(cell.Clean(o.Name), t.p.Style.Dim(table.Join(index, of)))
	for _, line := range cell.Wrap(cell.Clean(o.Help), max(t.p.Width-2, 40)) {
		t.p.Note(line)
	}
}

// InstanceName returns what an instance is called in tables: with its parent and
// #n, and words for one without a name; "" for an object without instances.
func InstanceName(in *capture.Instance) string {
	name := cell.Clean(in.Name)
	switch {
	case in.None:
		return ""
	case in.Name == "" && in.UniqueID != -1:
		return fmt.Sprintf("<id %d>", in.UniqueID)
	case in.Name == "":
		name = "<unnamed>"
	}
	if in.HasParent {
		name = cell.Clean(in.Parent) + "/" + name
	}
	if in.Repeat > 0 {
		name += fmt.Sprintf("#%d", in.Repeat)
	}
	return name
}
