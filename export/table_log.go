package export

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/pdhpath"
)

// WriteRecord writes what a binary log says of a moment: its time, the values
// of single counters and of all instances of counters by their paths, and whole
// objects as those of snapshots are. Of a record of which the filter leaves
// nothing there is nothing. What keeps an object from being read is told to
// failed. It reports whether a value was shown.
func (t *Table) WriteRecord(r *capture.LogRecord, failed func(error)) (shown bool, err error) {
	begin := func() {
		if !shown {
			shown = true
			t.heading(r.Host, t.when(r.Time, r.Offset), fmt.Sprintf("record %d", r.Record), r.Source)
		}
	}
	t.paths(r.Host, r.Series(failed), begin)
	for s, err := range r.Objects() {
		if err != nil {
			failed(err)
			continue
		}
		for o := range s.Objects() {
			begin()
			t.object(o)
			if s.Host != r.Host {
				t.note("of " + cell.Clean(s.Host))
			}
		}
		if t.err() != nil {
			return shown, t.err()
		}
	}
	return shown, t.err()
}

// WriteSection writes a section of a Checkmk agent, by the paths of its
// values. It reports whether a value was shown.
func (t *Table) WriteSection(s *capture.AgentSection) (shown bool, err error) {
	t.paths(s.Host, s.Rows(), func() {
		shown = true
		t.heading(s.Host, t.when(s.Time, capture.Offset{Known: true}), "section "+cell.Clean(s.Name), s.Source)
	})
	return shown, t.err()
}

// WriteSets writes a block of version 2 counter sets, by the paths of its
// values. It reports whether a value was shown.
func (t *Table) WriteSets(s *capture.SetBlock) (shown bool, err error) {
	t.paths("", s.Rows(), func() {
		shown = true
		t.heading("", t.when(s.Time, capture.Offset{Known: true}), plural(s.Len(), "result"), s.Source)
		t.note("the block has no names and no types of counters: #0 is the first set, \\#0\\#5 its counter with the id 5")
	})
	return shown, t.err()
}

// heading writes what holds for all values of a moment.
func (t *Table) heading(host, when, what, source string) {
	if t.begun {
		t.text("\n")
	}
	t.begun = true
	if host == "" {
		host = "unknown host"
	}
	facts := []string{when, what}
	if source != "" && source != "-" {
		facts = append(facts, cell.Clean(source))
	}
	t.text(t.style.Bold(cell.Clean(host)) + "  " + strings.Join(facts, ", ") + "\n")
}

// paths writes rows by their paths, without the machine where that is host. A
// path that does not fit beside its values has a line of its own. begin is
// called before the first of them.
func (t *Table) paths(host string, rows iter.Seq[*capture.Row], begin func()) {
	width, first, second := len("counter"), len("first"), len("second")
	n := 0
	for r := range rows {
		n++
		width = max(width, cell.Width(rowPath(host, r)))
		first, second = max(first, len(firstOf(r))), max(second, len(secondOf(r)))
	}
	if n == 0 {
		return
	}
	begin()
	width = min(width, max(t.o.Width-2*gutter-first-gutter-second, 16))
	t.text("\n" + t.style.Dim(fmt.Sprintf("  %-*s  %*s  %*s", width, "counter", first, "first", second, "second")) + "\n")
	for r := range rows {
		path := rowPath(host, r)
		t.line = append(append(t.line[:0], "  "...), path...)
		w := cell.Width(path)
		if w > width {
			t.endLine()
			t.line, w = append(t.line[:0], "  "...), 0
		}
		t.line = cell.PadRight(t.line, w, width)
		t.line = fmt.Appendf(t.line, "  %*s  %*s", first, firstOf(r), second, secondOf(r))
		t.endLine()
		if t.err() != nil {
			return
		}
	}
}

// rowPath is the path of a row as a table has it.
func rowPath(host string, r *capture.Row) string {
	p := pdhpath.Path{
		Machine: r.Host, Object: r.Object, Parent: r.Parent, Instance: r.Instance,
		Index: r.InstanceIndex, HasInstance: r.HasInstance, Counter: r.Counter,
	}
	if r.Host == host {
		p.Machine = ""
	}
	return cell.Clean(p.String())
}

func firstOf(r *capture.Row) string {
	if r.NoFirst {
		return "-"
	}
	return strconv.FormatUint(r.First, 10)
}

func secondOf(r *capture.Row) string {
	if r.NoSecond {
		return "-"
	}
	return strconv.FormatUint(r.Second, 10)
}
