package export

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
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
	if o.Rank != nil && len(o.Series) < o.Width { // else they do not fit, and are lines
		o.Series = slices.Clone(o.Series)
		slices.SortStableFunc(o.Series, func(a, b *capture.Series) int { return cmp.Compare(o.Rank(a), o.Rank(b)) })
	}
	t := &cookedTable{p: o.printer(w), o: o, hosts: map[string]bool{}, column: map[int]int{}, all: summaries{shown: true, rank: o.Rank}}
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
			t.o.Series = nil // there may be very many
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
		names = append(names, s.DisplayName())
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
	heads := []string{"count", "min", "avg", "max", "p50", "p95", "last"}
	if !all.quantiles {
		heads = usualHeads(all)
	}
	if !t.o.Plain {
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
					t.row.Text(x.status.String())
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

// usualHeads returns the numbers of a line without percentiles.
func usualHeads(all *summaries) []string {
	if all.frames <= 2 { // two snapshots have one value of what needs both
		return []string{"value"}
	}
	return []string{"min", "avg", "max", "last"}
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
