package export

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/unit"
	"github.com/perfdump/perfdump/pdhpath"
)

// cookedTable writes cooked values for people. Where all series fit the page, each
// is a column and each moment a line. Otherwise each series is a line with its
// minimum, average, maximum and last value.
type cookedTable struct {
	p        *table.Printer
	o        Options
	series   []*capture.Series // nil if there are lines
	hosts    map[string]bool
	column   map[int]int // of each series, by its ID
	tab      *table.Table
	row      table.Row
	cells    []*capture.Cell
	all      summaries
	statuses [256]int // cells without a value
}

// How wide columns of values are.
const minCooked, maxCooked = 10, 32

// newCookedTable returns a writer of tables of the given series. Without any it
// writes lines.
func newCookedTable(w io.Writer, o Options) (FrameWriter, error) {
	t := &cookedTable{p: o.printer(w), o: o, hosts: map[string]bool{}, column: map[int]int{}, all: summaries{shown: true}}
	for i, s := range o.Series {
		if i == 0 || s.Host != o.Series[i-1].Host { // they come host by host
			t.hosts[strings.ToLower(s.Host)] = true
		}
	}
	t.tab = &table.Table{Indent: 2, Columns: []table.Column{{Min: len(table.TimeLayout + " +00:00")}}}
	for i, s := range o.Series {
		head, width := cookedHead(s, len(t.hosts) > 1)
		t.tab.Columns = append(t.tab.Columns, table.Column{Head: head, Min: width, Align: table.Right})
		if t.tab.Width() > t.p.Width {
			return t, nil
		}
		t.column[s.ID] = i
	}
	t.series = o.Series
	t.cells = make([]*capture.Cell, len(o.Series))
	return t, nil
}

// cookedHead returns the lines above the column of a series, and its width. The
// host is named where there are several.
func cookedHead(s *capture.Series, hosts bool) ([]string, int) {
	names := []string{s.Object}
	if hosts && s.Host != "" {
		names = []string{`\\` + s.Host, s.Object}
	}
	if s.HasInstance {
		names = append(names, string(s.AppendInstance(nil)))
	}
	width := minCooked
	names = append(names, s.Counter)
	for i, name := range names {
		names[i] = strings.ReplaceAll(cell.Clean(name), "% ", "%\u00a0")
		for _, word := range strings.Split(names[i], " ") {
			width = max(width, min(cell.Width(word), maxCooked))
		}
	}
	var lines []string
	for _, name := range names {
		for _, line := range cell.Wrap(name, width) {
			lines = append(lines, cell.Cut(line, width))
		}
	}
	return lines, width
}

// WriteFrame writes a line, or adds to the lines that Close writes.
func (t *cookedTable) WriteFrame(f *capture.Frame) error {
	if len(t.series) == 0 {
		t.all.add(f)
		return nil
	}
	if t.all.frames++; t.all.frames == 1 {
		t.head(f)
	}
	clear(t.cells)
	for i := range f.Cells {
		if n, ok := t.column[f.Cells[i].Series.ID]; ok {
			t.cells[n] = &f.Cells[i]
		}
	}
	t.row.Reset().Append(func(b []byte) []byte {
		if f.Time.IsZero() {
			return append(b, "unknown time"...)
		}
		return f.Offset.Append(b, f.Time, t.o.Zone, table.TimeLayout)
	})
	for _, c := range t.cells {
		if c == nil {
			t.row.Text("")
		} else if v, ok := c.Shown(); ok {
			t.row.Append(func(b []byte) []byte { return appendTableNumber(b, v) })
		} else {
			t.row.Text("-").Paint(table.Dim)
			t.statuses[c.EffectiveStatus()]++
		}
	}
	t.p.Row(t.tab, &t.row)
	return t.p.Err()
}

// head writes what is above the columns.
func (t *cookedTable) head(f *capture.Frame) {
	title := fmt.Sprintf("%d hosts", len(t.hosts))
	if len(t.hosts) == 1 {
		title = cmp.Or(cell.Clean(t.series[0].Host), "unknown host")
	}
	clock, source := "", ""
	if !f.Time.IsZero() {
		clock = "times " + f.Offset.ClockName(t.o.Zone, f.Zone)
	}
	if f.Source != "-" {
		source = cell.Clean(f.Source)
	}
	t.p.Heading(title, table.Join(clock, source))
	t.p.Line("")
	t.p.Head(t.tab)
}

// Close writes the lines, or why cells have no value.
func (t *cookedTable) Close() error {
	if len(t.series) == 0 {
		return t.lines(&t.all)
	}
	var why []string
	for s, n := range t.statuses {
		if n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, countertypes.Status(s)))
		}
	}
	if len(why) > 0 {
		t.p.Line("")
		t.p.Note("- no value: " + strings.Join(why, ", "))
	}
	return t.p.Flush()
}

func tableSummary(w io.Writer, o Options) func(*summaries) error {
	t := &cookedTable{p: o.printer(w), o: o}
	return t.lines
}

// lines writes a line for each series: numbers first, since paths are of any
// length.
func (t *cookedTable) lines(all *summaries) error {
	heads := []string{"min", "avg", "max", "last"}
	switch {
	case all.quantiles != nil:
		heads = []string{"count", "min", "avg", "max", "p50", "p95", "last"}
	case all.frames <= 2: // two snapshots have one value of what needs both
		heads = []string{"value"}
	}
	if !t.o.Plain && heads[0] != "value" {
		return t.groups(all)
	}
	tab := &table.Table{Indent: 2}
	for _, head := range heads {
		tab.Columns = append(tab.Columns, table.Column{Head: []string{head}, Align: table.Right})
	}
	tab.Columns = append(tab.Columns, table.Column{})
	begun := false
	t.p.Table(tab, func(yield func(*table.Row) bool) {
		for x := range all.all() {
			if !begun {
				begun = true
				t.span(all)
			}
			t.row.Reset()
			for _, head := range heads {
				switch {
				case x.Count > 0 || head == "count":
					t.row.Append(func(b []byte) []byte { return appendTableNumber(b, x.number(head)) })
				case head == "value":
					t.row.Text(x.Series.status.String())
				default:
					t.row.Text("-")
				}
			}
			if !yield(t.row.Text(cell.Clean(x.Series.Path())).Free()) {
				return
			}
		}
	})
	if !begun && all.frames > 0 {
		t.p.Line("no counters")
	}
	return t.p.Flush()
}

// span writes the time that the lines cover.
func (t *cookedTable) span(all *summaries) {
	text := table.Plural(all.frames, "snapshot")
	if !all.from.IsZero() {
		text += ", " + all.began.Format(all.from, t.o.Zone, table.TimeLayout)
		if all.frames > 1 {
			text += " to " + all.ended.Format(all.to, t.o.Zone, table.TimeLayout)
		}
	}
	t.p.Line(text)
	t.p.Line("")
}

// appendTableNumber appends a value as perfmon shows it, with three decimals. Whole
// numbers have none, and very large and very small ones have six digits.
func appendTableNumber(dst []byte, v float64) []byte {
	size := math.Abs(v)
	switch {
	case size >= 1e15, size > 0 && size < 0.0005:
		return strconv.AppendFloat(dst, v, 'g', 6, 64)
	case v == math.Trunc(v):
		return strconv.AppendFloat(dst, v, 'f', 0, 64)
	default:
		return strconv.AppendFloat(dst, v, 'f', 3, 64)
	}
}

// curveWidth is how wide the curves are.
const curveWidth = 16

// groups writes a line for each series, below the name of its object, in the width
// of the page. Where that is narrow, numbers are left out before names are cut.
func (t *cookedTable) groups(all *summaries) error {
	list, hosts := []*summary{}, map[string]bool{}
	for x := range all.all() {
		list = append(list, x)
		hosts[strings.ToLower(x.Series.Host)] = true
	}
	if len(list) == 0 {
		if all.frames > 0 {
			t.p.Line("no counters")
		}
		return t.p.Flush()
	}
	if len(hosts) == 1 && list[0].Series.Host != "" {
		t.p.Line(t.p.Style.Bold(cell.Clean(list[0].Series.Host)))
	}
	t.span(all)
	heads := []string{"min", "avg", "max", "p95", "last"}
	if all.quantiles == nil {
		heads = []string{"min", "avg", "max", "last"}
	}
	tab := &table.Table{Indent: 2, Columns: []table.Column{{Shrink: 17, Middle: true}}}
	for _, head := range heads {
		tab.Columns = append(tab.Columns, table.Column{Head: []string{head}, Align: table.Right, Drop: map[string]int{"min": 4, "p95": 2, "last": 3}[head]})
	}
	tab.Columns = append(tab.Columns, table.Column{Dim: true, Drop: 1})
	was := t.p.Cut
	t.p.Cut = true
	t.p.Table(tab, func(yield func(*table.Row) bool) {
		group := ""
		for _, x := range list {
			s := x.Series.Series
			of := cell.Clean(s.Object)
			if len(hosts) > 1 {
				of = `\\` + cell.Clean(s.Host) + `\` + of
			}
			if of != group && all.sort == "" {
				group = of
				t.row.Reset().Text(of).Free()
				t.row.Paint(table.Bold)
				if !yield(&t.row) {
					return
				}
			}
			t.row.Reset().Text(label(s, all.sort != "", len(hosts) > 1))
			_, counter := s.English()
			u := unit.Of(counter, s.Type, s.HasType)
			for _, head := range heads {
				if x.Count == 0 {
					t.row.Text("-")
					continue
				}
				t.row.Text(u.Text(x.number(head)))
			}
			if x.curve != nil && all.frames >= 8 {
				t.row.Text(x.curve.Text(all.frames, curveWidth))
			} else {
				t.row.Text("")
			}
			if !yield(&t.row) {
				return
			}
		}
	})
	t.p.Cut = was
	return t.p.Flush()
}

// maxLabel is how wide names are at most; longer ones are cut in the middle.
const maxLabel = 60

// label is the name of a series in its group, or in no group.
func label(s *capture.Series, alone, hosts bool) string {
	text := cell.Clean(s.Counter)
	if s.HasInstance {
		text = cell.Clean(string(s.AppendInstance(nil))) + "  " + text
	}
	if alone {
		p := pdhpath.Path{Object: s.Object, Parent: s.Parent, Instance: s.ShownInstance(), Index: s.InstanceIndex, HasInstance: s.HasInstance, Counter: s.Counter}
		if hosts {
			p.Machine = s.Host
		}
		return cell.CutMiddle(cell.Clean(p.String()), maxLabel)
	}
	return "  " + cell.CutMiddle(text, maxLabel)
}
