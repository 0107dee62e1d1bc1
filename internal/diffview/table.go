package diffview

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/perfdata"
)

// How much of an object is shown without --all.
const (
	maxValues  = 10
	maxListed  = 10  // instances that are gone, new ones, counters
	maxObjects = 200 // that are gone or new
	maxEntries = 100 // of a table of names
	maxName    = 40  // columns of a counter's name; longer ones shift their line
)

// TableOptions say how a table looks.
type TableOptions struct {
	Older, Newer string // what the inputs are called
	Width        int    // columns of the page
	Truncate     bool   // cut what is longer than the page; only a terminal wants that
	Color        bool
	All          bool // show all that differs, of each object
	Partial      bool // only what is selected is compared, of which headers are no part
}

// table writes for people.
type table struct {
	writer
	o            TableOptions
	style        cell.Style
	older, newer *detect.Input
	s            *capture.SnapshotDiff
	headed       bool // the header of s stands
	begun        bool
	table        bool   // of IPC control blocks: there are several chunks
	listed       lister // objects that are gone or new; entries
	last         string // what was written last, for blank lines
}

// NewTable returns a printer for people: of each object as much as fits a
// screen, the rest counted.
func NewTable(w io.Writer, o TableOptions) Printer {
	return &table{writer: newWriter(w), o: o, style: cell.Style{On: o.Color}}
}

func (t *table) Begin(older, newer *detect.Input) { t.older, t.newer = older, newer }

func (t *table) line(s string) {
	t.text(strings.TrimRight(s, " ") + "\n")
}

// lister counts lines of a kind and says which are shown.
type lister struct {
	n, most int
	all     bool
}

func (t *table) lister(most int) lister { return lister{most: most, all: t.o.All} }

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

// more tells of what is not shown.
func (t *table) more(indent string, n int, what string) {
	if n > 0 {
		t.line(indent + t.style.Dim(fmt.Sprintf("… %d more %s (--all shows them)", n, what)))
	}
}

func (t *table) Block(s *capture.SnapshotDiff) {
	t.s, t.headed, t.listed, t.last = s, false, t.lister(maxObjects), ""
	if s.Change != capture.Changed || len(s.Header) > 0 && !t.o.Partial {
		t.head()
	}
}

// head writes what the headers tell, once there is something to tell.
func (t *table) head() {
	if t.headed {
		return
	}
	t.headed = true
	if t.begun {
		t.line("")
	} else {
		t.line(t.style.Bold(cell.Clean(t.o.Older) + arrow + cell.Clean(t.o.Newer)))
	}
	t.begun = true
	s := t.s
	switch s.Change {
	case capture.Gone:
		t.line(fmt.Sprintf("%s block %d, %s", t.sign(s.Change), s.Record, snapshotText(s.Older)))
		return
	case capture.New:
		t.line(fmt.Sprintf("%s block %d, %s", t.sign(s.Change), s.Record, snapshotText(s.Newer)))
		return
	default:
	}
	if s.Record > 0 {
		t.fact("block", fmt.Sprint(s.Record))
	}
	host := hostText(s.Newer.Host)
	if s.Older.Host != s.Newer.Host {
		host = hostText(s.Older.Host) + arrow + host
	}
	t.fact("machine", host)
	t.fact("time", t.times())
	for _, f := range s.Header {
		t.headerField(f)
	}
}

func hostText(host string) string {
	if host == "" {
		return "unknown"
	}
	return cell.Clean(host)
}

func snapshotText(s *capture.Snapshot) string {
	when := "at an unknown time"
	if !s.Time.IsZero() {
		when = s.Time.Format(clock + " UTC")
	}
	return fmt.Sprintf("%s, %s, %s", hostText(s.Host), when, count(s.Len(), "object"))
}

func (t *table) fact(name, value string) {
	t.line("  " + t.style.Dim(fmt.Sprintf("%-9s", name)) + "  " + value)
}

// times writes both times and what is between them.
func (t *table) times() string {
	a, b := t.s.Older.Time, t.s.Newer.Time
	by, ok := t.s.Interval()
	switch {
	case a.IsZero() && b.IsZero():
		return "unknown"
	case a.IsZero():
		return "unknown" + arrow + b.Format(clock+" UTC")
	case b.IsZero():
		return a.Format(clock+" UTC") + arrow + "unknown"
	case a.Equal(b):
		return a.Format(clock + " UTC")
	}
	layout := clock
	if a.Format(time.DateOnly) == b.Format(time.DateOnly) {
		layout = "15:04:05.000"
	}
	text := a.Format(clock) + arrow + b.Format(layout+" UTC") + ", "
	far := "more than 292 years"
	if ok {
		far = by.Abs().String()
	}
	if b.Before(a) {
		return text + far + " earlier"
	}
	return text + far + " later"
}

func (t *table) headerField(f capture.FieldChange) {
	switch f.Field {
	case "system_name":
		if t.s.Older.Host == t.s.Newer.Host {
			break
		}
		return
	case "system_time":
		if _, ok := f.Older.(time.Time); ok {
			return
		}
	case "perf_time_100ns":
		if sameTime(f.Older, t.s.Older) && sameTime(f.Newer, t.s.Newer) {
			return
		}
	case "default_object":
		t.fact("default", fmt.Sprintf("object %v%s%v", f.Older, arrow, f.Newer))
		return
	}
	label := strings.ReplaceAll(f.Field, "_", " ")
	if f.Field == "perf_time_100ns" {
		label = "100 ns"
	}
	t.fact(label, fieldText(f.Older)+arrow+fieldText(f.Newer)+clockDelta(f))
}

// sameTime reports whether a FILETIME says what the snapshot's time says.
func sameTime(ticks any, s *capture.Snapshot) bool {
	n, ok := ticks.(int64)
	return ok && perfdata.Filetime(n).Truncate(time.Millisecond).Equal(s.Time.Truncate(time.Millisecond))
}

func clockDelta(f capture.FieldChange) string {
	by, ok := fieldDelta(f)
	if !ok || !strings.HasPrefix(f.Field, "perf_") {
		return ""
	}
	return fmt.Sprintf("  %+d", by)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (t *table) sign(c capture.Change) string {
	switch c {
	case capture.Gone:
		return t.style.Red("-")
	case capture.New:
		return t.style.Green("+")
	default:
		return t.style.Amber("~")
	}
}

func (t *table) Object(o *capture.ObjectDiff) {
	t.head()
	if o.Change != capture.Changed {
		if !t.listed.show() {
			return
		}
		if t.last != "object" {
			t.line("")
		}
		t.last = "object"
		side := o.Newer
		if o.Change == capture.Gone {
			side = o.Older
		}
		facts := []string{indexText(o)}
		if !side.Single && !side.Metadata {
			facts = append(facts, count(side.Total, "instance"))
		}
		facts = append(facts, count(len(side.Counters), "counter"))
		t.line(t.sign(o.Change) + " " + t.style.Bold(cell.Clean(o.Name)) + "  " + t.style.Dim(strings.Join(facts, ", ")))
		return
	}
	t.moreObjects()
	t.line("")
	t.last = "changed"
	t.line(t.style.Bold(cell.Clean(o.Name)) + "  " + t.style.Dim(t.facts(o)))
	for _, f := range o.Fields {
		if f.Field == "perf_time" && o.InstancesChanged > 0 && !t.o.All {
			continue // its clock runs on, which is no news beside its values
		}
		t.line("  " + strings.ReplaceAll(f.Field, "_", " ") + "  " + fieldText(f.Older) + arrow + fieldText(f.Newer) + clockDelta(f))
	}
	t.counters(o)
	t.instances(o)
}

// moreObjects tells of objects that are gone or new and not listed.
func (t *table) moreObjects() {
	t.more("", t.listed.rest(), "objects gone or new")
	t.listed.n = 0
}

func indexText(o *capture.ObjectDiff) string {
	if unnamed(o.Index, o.Name) {
		return "(no name)"
	}
	return fmt.Sprintf("index %d", o.Index)
}

// facts sums an object up.
func (t *table) facts(o *capture.ObjectDiff) string {
	facts := []string{indexText(o)}
	if n := o.InstancesGone; n > 0 {
		facts = append(facts, count(n, "instance")+" gone")
	}
	if n := o.InstancesNew; n > 0 {
		what := fmt.Sprint(n)
		if o.InstancesGone == 0 {
			what = count(n, "instance")
		}
		facts = append(facts, what+" new")
	}
	if n := o.ValuesChanged; n > 0 {
		facts = append(facts, fmt.Sprintf("%d of %s changed", n, count(o.ValuesBoth, "value")))
	}
	return strings.Join(facts, ", ")
}

func (t *table) counters(o *capture.ObjectDiff) {
	l := t.lister(maxListed)
	for i := range o.Counters {
		if !l.show() {
			continue
		}
		c := &o.Counters[i]
		var facts []string
		if c.Change == capture.Changed {
			for _, f := range c.Fields {
				facts = append(facts, strings.ReplaceAll(f.Field, "_", " ")+" "+fieldText(f.Older)+arrow+fieldText(f.Newer))
			}
		} else {
			facts = append(facts, typeName(c.Type), fmt.Sprintf("size %d", c.Size))
		}
		t.line("  " + t.sign(c.Change) + " counter " + counterName(c) + "  " + t.style.Dim(strings.Join(facts, ", ")))
	}
	t.more("  ", l.rest(), "counters")
}

func (t *table) EndBlock() { t.moreObjects() }

func (t *table) End(n *Total) {
	both := cell.Clean(t.o.Older) + " and " + cell.Clean(t.o.Newer)
	what := fmt.Sprintf("%d bytes of %s", t.newer.Size(), t.newer.Format)
	switch {
	case n.Bytes != nil:
		t.line(both + ": " + bytesNote(n.Bytes, len(t.older.Data), len(t.newer.Data)))
	case n.Failed && !n.Any():
		t.line(both + ": no difference in what can be read")
	case !n.Any() && n.Partial:
		t.line(both + ": no difference in what is selected")
	case !n.Any() && t.older.Format == detect.Minidump:
		t.line(both + ": no difference in their IPC control blocks")
	case !n.Any() && n.InPart:
		t.line(both + ": no difference in what registers counters")
	case !n.Any():
		t.line(both + " are the same: " + what)
	case t.older.Format == detect.Titles:
		t.more("  ", t.listed.rest(), "entries")
		t.line("")
		t.line(fmt.Sprintf("%s before, %d now: %d gone, %d new, %d changed", entries(n.Older), n.Newer, n.EntriesGone, n.EntriesNew, n.EntriesChanged))
	default:
		if t.listed.rest() > 0 && n.EntriesGone+n.EntriesNew+n.EntriesChanged > 0 {
			t.more("  ", t.listed.rest(), "entries")
		}
		if text := n.text(); text != "" {
			t.line("")
			t.line(text)
		}
	}
}

// bytesNote says how files of the same content differ.
func bytesNote(d *capture.ByteDiff, older, newer int) string {
	where := fmt.Sprintf("%s, first at 0x%x", count(int(d.Count), "byte"), d.First)
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
