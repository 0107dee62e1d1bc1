package compare

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/perfdata"
)

// How much of an object is shown without --all.
const (
	maxValues  = 10
	maxListed  = 10  // instances that are gone, new ones, counters
	maxObjects = 200 // that are gone or new
	maxShown   = 100 // entries
	maxColumns = 40  // of a counter's name; longer ones shift their line
)

// TableOptions say how a table looks.
type TableOptions struct {
	table.Options

	Older, Newer string // what the inputs are called
	All          bool   // show all that differs, of each object
}

// sheet writes for people.
type sheet struct {
	*table.Printer

	o            TableOptions
	older, newer *detect.Input
	total        *Total
	block        *Block
	headed       bool // the header of block is written
	begun        bool
	listed       lister // objects that are gone or new; entries
	last         string // what was written last, for blank lines
}

// NewTable returns a printer for people: each object is cut to fit a screen, with
// the number of lines left out.
func NewTable(w io.Writer, o TableOptions) Printer {
	return &sheet{Printer: table.NewPrinter(w, o.Options), o: o}
}

func (t *sheet) Begin(older, newer *detect.Input, header []Field, total *Total) {
	t.older, t.newer, t.total, t.listed = older, newer, total, t.lister(maxShown)
	for i := range header {
		f := &header[i]
		sides := f.sides()
		if total.List == "chunks" {
			sides = f.plain()
		}
		t.title()
		t.fact(f.label(), sides)
	}
}

// title names the inputs, above the first difference. It is false if called
// before.
func (t *sheet) title() bool {
	if t.begun {
		return false
	}
	t.begun = true
	t.Line(t.Style.Bold(cell.Clean(t.o.Older) + arrow + cell.Clean(t.o.Newer)))
	return true
}

func (t *sheet) fact(name, value string) { t.Fact(9, name, value) }

// lister counts lines of a kind and says which are shown.
type lister struct {
	n, most int
	all     bool
}

func (t *sheet) lister(most int) lister { return lister{most: most, all: t.o.All} }

func (l *lister) show() bool {
	l.n++
	return l.all || l.n <= l.most
}

func (l *lister) rest() int {
	if l.all {
		return 0
	}
	return max(0, l.n-l.most)
}

// more counts what is not shown.
func (t *sheet) more(indent string, n int, what string) {
	if n > 0 {
		t.Line(indent + t.Style.Dim(fmt.Sprintf("… %d more %s (--all shows them)", n, what)))
	}
}

// thing is the line of something that was added, removed or changed.
func (t *sheet) thing(c Change, name string, facts ...string) {
	t.Line(t.sign(c) + " " + t.Style.Bold(name) + "  " + t.Style.Dim(strings.Join(facts, ", ")))
}

func (t *sheet) sign(c Change) string {
	switch c {
	case Gone:
		return t.Style.Red("-")
	case New:
		return t.Style.Green("+")
	default:
		return t.Style.Amber("~")
	}
}

func (t *sheet) Block(b *Block) {
	t.block, t.headed, t.listed, t.last = b, false, t.lister(maxObjects), ""
	if b.Change != Changed || len(b.Header) > 0 && !t.total.Partial {
		t.head()
	}
}

// head writes the headers of the blocks, above their first difference.
func (t *sheet) head() {
	if t.headed {
		return
	}
	t.headed = true
	if !t.title() {
		t.Line("")
	}
	b := t.block
	if b.Change != Changed {
		side := b.Newer
		if b.Change == Gone {
			side = b.Older
		}
		t.Line(fmt.Sprintf("%s block %d, %s, %s, %s", t.sign(b.Change), b.Record, hostText(side.Host), timeText(side.Time, "at an unknown time"), table.Plural(side.Block().NumObjects(), "object")))
		return
	}
	if b.Record > 0 {
		t.fact("block", fmt.Sprint(b.Record))
	}
	host := hostText(b.Newer.Host)
	if b.Older.Host != b.Newer.Host {
		host = hostText(b.Older.Host) + arrow + host
	}
	t.fact("machine", host)
	t.fact("time", b.times())
	for i := range b.Header {
		t.headerField(&b.Header[i])
	}
}

func hostText(host string) string {
	if host == "" {
		return "unknown"
	}
	return cell.Clean(host)
}

func timeText(t time.Time, unknown string) string {
	if t.IsZero() {
		return unknown
	}
	return t.Format(clock + " UTC")
}

// times writes both times and what is between them.
func (b *Block) times() string {
	was, is := b.Older.Time, b.Newer.Time
	switch {
	case was.Equal(is):
		return timeText(is, "unknown")
	case was.IsZero() || is.IsZero():
		return timeText(was, "unknown") + arrow + timeText(is, "unknown")
	}
	layout := clock
	if was.Format(time.DateOnly) == is.Format(time.DateOnly) {
		layout = "15:04:05.000"
	}
	far := "more than 292 years"
	if by, ok := b.Interval(); ok {
		far = by.Abs().String()
	}
	direction := " later"
	if is.Before(was) {
		direction = " earlier"
	}
	return was.Format(clock) + arrow + is.Format(layout+" UTC") + ", " + far + direction
}

func (t *sheet) headerField(f *Field) {
	label := f.label()
	switch f.Name {
	case "system_name":
		if t.block.Older.Host != t.block.Newer.Host {
			return
		}
	case "system_time":
		if _, ok := f.Older.(time.Time); ok {
			return
		}
	case "perf_time_100ns":
		if sameTime(f.Older, t.block.Older) && sameTime(f.Newer, t.block.Newer) {
			return
		}
		label = "100 ns"
	case "default_object":
		t.fact("default", fmt.Sprintf("object %v%s%v", f.Older, arrow, f.Newer))
		return
	}
	t.fact(label, f.sides()+f.clockDelta())
}

// sameTime reports whether a FILETIME says what the snapshot's time says.
func sameTime(ticks any, s *capture.Snapshot) bool {
	n, ok := ticks.(int64)
	return ok && perfdata.Filetime(n).Truncate(time.Millisecond).Equal(s.Time.Truncate(time.Millisecond))
}

func (t *sheet) Object(o *Object) {
	t.head()
	if o.Change != Changed {
		t.oneObject(o)
		return
	}
	t.moreObjects()
	t.Line("")
	t.last = "changed"
	t.Heading(cell.Clean(o.Name), t.Style.Dim(strings.Join(o.facts(), ", ")))
	for i := range o.Fields {
		// The clock of an object always changes when its values do.
		if f := &o.Fields[i]; f.Name != "perf_time" || o.InstanceCount.Changed == 0 || t.o.All {
			t.Line("  " + f.label() + "  " + f.sides() + f.clockDelta())
		}
	}
	t.counters(o)
	t.instances(o)
}

// oneObject writes an object that is gone or new.
func (t *sheet) oneObject(o *Object) {
	if !t.listed.show() {
		return
	}
	if t.last != "object" {
		t.Line("")
	}
	t.last = "object"
	side := o.Newer
	if o.Change == Gone {
		side = o.Older
	}
	facts := []string{o.indexText()}
	if !side.Single && !side.Metadata {
		facts = append(facts, table.Plural(side.Total, "instance"))
	}
	t.thing(o.Change, cell.Clean(o.Name), append(facts, table.Plural(len(side.Counters), "counter"))...)
}

// moreObjects counts the objects that are gone or new and not listed.
func (t *sheet) moreObjects() {
	t.more("", t.listed.rest(), "objects gone or new")
	t.listed.n = 0
}

func (o *Object) indexText() string {
	if unnamed(o.Index, o.Name) {
		return "(no name)"
	}
	return fmt.Sprintf("index %d", o.Index)
}

// facts sums an object up.
func (o *Object) facts() []string {
	facts := []string{o.indexText()}
	if n := o.InstanceCount.Gone; n > 0 {
		facts = append(facts, table.Plural(n, "instance")+" gone")
	}
	if n := o.InstanceCount.New; n > 0 {
		what := fmt.Sprint(n)
		if o.InstanceCount.Gone == 0 {
			what = table.Plural(n, "instance")
		}
		facts = append(facts, what+" new")
	}
	if n := o.ValuesChanged; n > 0 {
		facts = append(facts, fmt.Sprintf("%d of %s changed", n, table.Plural(o.ValuesBoth, "value")))
	}
	return facts
}

func (t *sheet) counters(o *Object) {
	l := t.lister(maxListed)
	for _, c := range o.Counters {
		if !l.show() {
			continue
		}
		facts := []string{typeName(c.CounterType), fmt.Sprintf("size %d", c.CounterSize)}
		if c.Change == Changed {
			facts = changesOf(c.Fields)
		}
		t.Line("  " + t.sign(c.Change) + " counter " + c.name() + "  " + t.Style.Dim(strings.Join(facts, ", ")))
	}
	t.more("  ", l.rest(), "counters")
}

// changesOf describes the changes of fields.
func changesOf(fields []Field) (notes []string) {
	for i := range fields {
		notes = append(notes, fields[i].label()+" "+fields[i].sides())
	}
	return notes
}

func (t *sheet) EndBlock() { t.moreObjects() }

func (t *sheet) Entry(e *Entry) {
	t.title()
	if !t.listed.show() {
		return
	}
	key, older, newer := cell.Clean(e.Key), shorten(e.Older), shorten(e.Newer)
	if t.total.Numbered {
		key, older, newer = fmt.Sprintf("%6s", e.Key), cell.Clean(e.Older), cell.Clean(e.Newer)
	}
	text := "  " + older
	switch {
	case e.Change == Changed && t.total.Numbered:
		text = `  "` + older + `"` + arrow + `"` + newer + `"`
	case e.Change == Changed:
		text += arrow + newer
	case e.Older+e.Newer == "":
		text = ""
	case e.Change == New:
		text = "  " + newer
	}
	text = key + text
	if t.Cut {
		text = cell.Cut(text, max(t.Width-4, 16))
	}
	t.Line("  " + t.sign(e.Change) + " " + text)
}

// shorten makes a text of the registry fit: the names of all counters are one.
func shorten(s string) string {
	if s == "" {
		return `""`
	}
	return cell.Cut(cell.Clean(s[:min(len(s), 2000)]), 400)
}

func (t *sheet) End() {
	both := cell.Clean(t.o.Older) + " and " + cell.Clean(t.o.Newer)
	n := t.total
	switch {
	case n.Bytes != nil:
		t.Line(both + ": " + n.Bytes.text(len(t.older.Data), len(t.newer.Data)))
	case n.Any():
		t.more("  ", t.listed.rest(), "entries")
		text := n.text()
		if n.Numbered {
			text = fmt.Sprintf("%s before, %d now: %d gone, %d new, %d changed", table.Plural(n.Older, "entry"), n.Newer, n.Items.Gone, n.Items.New, n.Items.Changed)
		}
		if text != "" {
			t.Line("\n" + text)
		}
	case n.Failed:
		t.Line(both + ": no difference in what can be read")
	case n.Partial:
		t.Line(both + ": no difference in what is selected")
	case n.Part != "":
		t.Line(both + ": no difference in " + n.Part)
	default:
		t.Line(both + fmt.Sprintf(" are the same: %d bytes of %s", t.newer.Size(), t.newer.Format))
	}
}

// text says how files with the same content differ.
func (d *ByteDiff) text(older, newer int) string {
	where := fmt.Sprintf("%s, first at 0x%x", table.Plural(int(d.Count), "byte"), d.First)
	if !d.Fields {
		return "differ only in bytes that no field holds: " + where
	}
	if d.Path != "" {
		where += " (" + d.Path + ")"
	}
	if older != newer {
		where += fmt.Sprintf("; %d and %d bytes long", older, newer)
	}
	return "the same content, written differently: " + where
}
