package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// TableOptions say how a table looks.
type TableOptions struct {
	Width    int  // columns of the page, 0 for 80
	Truncate bool // cut what is longer than the page; only a terminal wants that
	Color    bool
	All      bool // show bases and labels without data too

	Zone *time.Location // of times; nil for the recorder's
}

// Table writes snapshots for people: the counters of an object as columns and
// its instances as lines where that fits the page, the other way round where
// that does, else in groups of columns. An object with one set of values is a
// list.
type Table struct {
	w       *bufio.Writer
	o       TableOptions
	style   cell.Style
	line    []byte
	scratch []byte
	begun   bool
}

// NewTable returns a writer of tables.
func NewTable(w io.Writer, o TableOptions) *Table {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Table{w: newBuffer(w), o: o, style: cell.Style{On: o.Color}}
}

// Flush writes what is left.
func (t *Table) Flush() error { return t.w.Flush() }

// Write writes a snapshot. One of which the filter leaves nothing is left out.
func (t *Table) Write(s *capture.Snapshot) error {
	begun := false
	for o := range s.Objects() {
		if !begun {
			begun = true
			t.snapshot(s)
		}
		t.object(o)
		if t.err() != nil {
			return t.err()
		}
	}
	if !begun && s.Len() == 0 {
		t.snapshot(s)
	}
	return t.err()
}

// err returns the error of the writer below, which stays.
func (t *Table) err() error {
	_, err := t.w.Write(nil)
	return err
}

// snapshot writes what holds for all objects.
func (t *Table) snapshot(s *capture.Snapshot) {
	if t.begun {
		t.text("\n")
	}
	t.begun = true
	host := s.Host
	if host == "" {
		host = "unknown host"
	}
	facts := []string{t.when(s.Time, s.Offset), plural(s.Len(), "object")}
	if s.Record > 0 {
		facts = append(facts, fmt.Sprintf("block %d", s.Record))
	}
	if n := s.Anomalies(); n > 0 {
		facts = append(facts, plural(n, "anomaly")+` (see "perfdump check")`)
	}
	if s.Source != "" && s.Source != "-" {
		facts = append(facts, cell.Clean(s.Source))
	}
	t.text(t.style.Bold(cell.Clean(host)) + "  " + strings.Join(facts, ", ") + "\n")
}

// when writes a time, and how far its clock is from UTC.
func (t *Table) when(at time.Time, o capture.Offset) string {
	if at.IsZero() {
		return "at an unknown time"
	}
	return o.Format(at, t.o.Zone, tableTime)
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		return fmt.Sprintf("%d %sies", n, what[:len(what)-1])
	default:
		return fmt.Sprintf("%d %ss", n, what)
	}
}

// columns are the counters that the table of an object shows.
type columns []*capture.Counter

func (t *Table) columns(o *capture.Object) (cs columns, at []int) {
	for i := range o.Counters {
		c := &o.Counters[i]
		if !c.Type.Hidden() || c.Named || t.o.All {
			cs, at = append(cs, c), append(at, i)
		}
	}
	return cs, at
}

func (t *Table) object(o *capture.Object) {
	v := t.view(o)
	t.title(o, v.total)
	switch {
	case len(v.at) == 0 && o.Single:
		t.note("no counters")
	case len(v.names) == 0 && v.total == 0:
		t.note(t.emptyText(o))
		v.list(t)
	case v.total == 1:
		v.list(t)
	case v.fits(2), v.total > maxTurned && v.fits(maxHead):
		v.across(t, v.at, false)
	case v.total <= maxTurned && v.downWidth(false) <= t.o.Width:
		v.list(t)
	case v.fits(maxHead):
		v.across(t, v.at, false)
	default:
		v.groups(t)
	}
}

func (t *Table) emptyText(o *capture.Object) string {
	switch {
	case o.Metadata:
		return "definitions only: no values were asked for"
	case o.Total > 0:
		return "no instance matches"
	default:
		return "no instances now"
	}
}

// title writes the line above an object, and its help text.
func (t *Table) title(o *capture.Object, shown int) {
	var facts []string
	if name := fmt.Sprint(o.Index); name == o.Name {
		facts = append(facts, "(no name)")
	} else {
		facts = append(facts, "index "+name)
	}
	switch {
	case o.Single, o.Metadata:
	case shown < o.Total:
		facts = append(facts, fmt.Sprintf("%d of %s", shown, plural(o.Total, "instance")))
	default:
		facts = append(facts, plural(o.Total, "instance"))
	}
	t.text("\n" + t.style.Bold(cell.Clean(o.Name)) + "  " + t.style.Dim(strings.Join(facts, ", ")) + "\n")
	if o.Help != "" {
		for _, line := range cell.Wrap(cell.Clean(o.Help), max(t.o.Width-2, 40)) {
			t.note(line)
		}
	}
}

func (t *Table) note(s string) { t.text("  " + t.style.Dim(s) + "\n") }

// text writes s; an error stays with the writer.
func (t *Table) text(s string) { _, _ = t.w.WriteString(s) }

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

// endLine writes the line without the blanks at its end.
func (t *Table) endLine() {
	end := len(t.line)
	for end > 0 && t.line[end-1] == ' ' {
		end--
	}
	_, _ = t.w.Write(t.line[:end])
	_ = t.w.WriteByte('\n')
}

// typeName returns the name of a type as lists have it.
func typeName(t countertypes.Type) string { return strings.TrimPrefix(t.String(), "PERF_") }
