package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/paged"
)

// cookedTable writes cooked values for people. Series that fit the page beside
// each other are columns, with a line for each moment; of more there is a line
// each, with the least, average, greatest and last value.
type cookedTable struct {
	w        *bufio.Writer
	line     []byte
	o        TableOptions
	style    cell.Style
	series   []*capture.Series // nil where there are lines
	hosts    map[string]bool
	column   paged.Slice[int] // of each series, by its ID: 1 + its column
	heads    [][]string
	widths   []int
	cells    []*capture.Cell
	all      summaries
	statuses [256]int // cells without a value
	begun    bool
}

const (
	timeWidth   = len("2006-01-02 15:04:05.000 +00:00")
	minCooked   = 10 // how wide a column of values is at least
	maxCooked   = 32
	tableTime   = "2006-01-02 15:04:05.000"
	unknownTime = "unknown time"
)

// newCookedTable returns a writer of tables of the given series. Without any it
// writes lines.
func newCookedTable(w io.Writer, series []*capture.Series, o TableOptions) *cookedTable {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &cookedTable{w: newBuffer(w), o: o, style: cell.Style{On: o.Color}, hosts: map[string]bool{}}
	for i, s := range series {
		if i == 0 || s.Host != series[i-1].Host { // they come host by host
			t.hosts[strings.ToLower(s.Host)] = true
		}
	}
	width := gutter + timeWidth
	for _, s := range series {
		head, w := cookedHead(s, len(t.hosts) > 1)
		t.heads, t.widths = append(t.heads, head), append(t.widths, w)
		if width += gutter + w; width > o.Width {
			return t
		}
	}
	t.series = series
	t.cells = make([]*capture.Cell, len(series))
	for i, s := range series {
		*t.column.At(s.ID) = i + 1
	}
	return t
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
	if !t.begun {
		t.begun = true
		t.head(f)
	}
	clear(t.cells)
	for i := range f.Cells {
		c := &f.Cells[i]
		if n := *t.column.At(c.Series.ID); n > 0 {
			t.cells[n-1] = c
		}
	}
	line := append([]byte("  "), unknownTime...)
	if !f.Time.IsZero() {
		line = f.Offset.Append(line[:2], f.Time, t.o.Zone, tableTime)
	}
	line = cell.PadRight(line, len(line), gutter+timeWidth)
	for i, c := range t.cells {
		text := ""
		switch {
		case c == nil:
		default:
			v, ok := c.Number()
			if ok {
				text = tableNumber(v)
			} else {
				text = "-"
				t.statuses[c.Verdict()]++
			}
		}
		line = cell.PadRight(line, 0, gutter+t.widths[i]-len(text))
		if text == "-" {
			line = t.style.AppendDim(line, text)
		} else {
			line = append(line, text...)
		}
	}
	_, err := t.w.Write(append([]byte(strings.TrimRight(string(line), " ")), '\n'))
	return err
}

// head writes what stands above the columns.
func (t *cookedTable) head(f *capture.Frame) {
	title := fmt.Sprintf("%d hosts", len(t.hosts))
	if len(t.hosts) == 1 {
		title = cmp.Or(cell.Clean(t.series[0].Host), "unknown host")
	}
	var facts []string
	if !f.Time.IsZero() {
		facts = append(facts, "times "+f.Offset.ClockName(t.o.Zone, f.Zone))
	}
	if f.Source != "" && f.Source != "-" {
		facts = append(facts, cell.Clean(f.Source))
	}
	t.text(strings.TrimRight(t.style.Bold(title)+"  "+strings.Join(facts, ", "), " ") + "\n\n")
	height := 0
	for _, lines := range t.heads {
		height = max(height, len(lines))
	}
	for n := range height {
		line := cell.PadRight(nil, 0, gutter+timeWidth)
		for i, lines := range t.heads {
			text := ""
			if k := n - (height - len(lines)); k >= 0 {
				text = lines[k]
			}
			line = cell.PadRight(line, 0, gutter+t.widths[i]-cell.Width(text))
			line = append(line, t.style.Bold(text)...)
		}
		t.text(strings.TrimRight(string(line), " ") + "\n")
	}
}

// Close writes the lines, and what the dashes stand for.
func (t *cookedTable) Close() error {
	if len(t.series) == 0 {
		t.lines(&t.all)
		return t.w.Flush()
	}
	var why []string
	for s, n := range t.statuses {
		if n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, countertypes.Status(s)))
		}
	}
	if len(why) > 0 {
		t.text("\n  " + t.style.Dim("- no value: "+strings.Join(why, ", ")) + "\n")
	}
	return t.w.Flush()
}

// lines writes a line for each series: numbers first, since paths are of any
// length.
func (t *cookedTable) lines(all *summaries) {
	heads := []string{"min", "avg", "max", "last"}
	switch {
	case all.quantiles:
		heads = []string{"count", "min", "avg", "max", "p50", "p95", "last"}
	case all.frames <= 2: // two snapshots have one value of what needs both
		heads = []string{"value"}
	}
	// Rows are made twice, so that there need not be room for all of them.
	widths := make([]int, len(heads))
	for i, head := range heads {
		widths[i] = len(head)
	}
	var row tableRow
	none := true
	for x := range all.all() {
		none = false
		x.row(&row, len(heads), all.quantiles)
		for k := range heads {
			widths[k] = max(widths[k], len(row.cell(k)))
		}
	}
	if none {
		if all.frames > 0 {
			t.text("no counters\n")
		}
		return
	}
	t.span(all)
	row.reset()
	for _, head := range heads {
		row.text(head)
	}
	t.row(&row, nil, widths, t.style.Bold)
	used := gutter
	for _, w := range widths {
		used += gutter + w
	}
	var path []byte
	for x := range all.all() {
		path = x.Series.AppendPath(path[:0])
		if clean := cell.Clean(string(path)); t.o.Truncate || clean != string(path) {
			if t.o.Truncate {
				clean = cell.Cut(clean, max(t.o.Width-used, 20))
			}
			path = append(path[:0], clean...)
		}
		x.row(&row, len(heads), all.quantiles)
		t.row(&row, path, widths, nil)
	}
}

// tableRow is the texts of a line.
type tableRow struct {
	all  []byte
	ends []int // of each
}

func (r *tableRow) reset() { r.all, r.ends = r.all[:0], r.ends[:0] }

func (r *tableRow) cell(i int) []byte {
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.all[from:r.ends[i]]
}

func (r *tableRow) text(s string) {
	r.all = append(r.all, s...)
	r.ends = append(r.ends, len(r.all))
}

func (r *tableRow) numbers(all ...float64) {
	for _, v := range all {
		r.all = appendTableNumber(r.all, v)
		r.ends = append(r.ends, len(r.all))
	}
}

// row makes r the n columns of a line: one is the value or why there is none,
// four the least, average, greatest and last, and seven more than these.
func (x *summary) row(r *tableRow, n int, quantiles bool) {
	r.reset()
	switch {
	case x.Count > 0 && n == 1:
		r.numbers(x.Last)
	case x.Count > 0 && !quantiles:
		r.numbers(x.Min, x.Mean, x.Max, x.Last)
	case x.Count > 0:
		r.all = strconv.AppendInt(r.all, int64(x.Count), 10)
		r.ends = append(r.ends, len(r.all))
		r.numbers(x.Min, x.Mean, x.Max, x.quantile(0.5), x.quantile(0.95), x.Last)
	case n == 1:
		r.text(x.Why.String())
	default:
		if quantiles {
			r.text("0")
		}
		for len(r.ends) < n {
			r.text("-")
		}
	}
}

// span writes which time the lines are of.
func (t *cookedTable) span(all *summaries) {
	text := fmt.Sprintf("%d snapshots", all.frames)
	if all.frames == 1 {
		text = "1 snapshot"
	}
	if !all.from.IsZero() {
		text += ", " + all.began.Format(all.from, t.o.Zone, tableTime)
		if all.frames > 1 {
			text += " to " + all.ended.Format(all.to, t.o.Zone, tableTime)
		}
	}
	t.text(text + "\n\n")
}

func (t *cookedTable) row(row *tableRow, path []byte, widths []int, style func(string) string) {
	line := t.line[:0]
	for k, width := range widths {
		text := row.cell(k)
		line = cell.PadRight(line, 0, gutter+width-len(text))
		if style != nil {
			line = append(line, style(string(text))...)
		} else {
			line = append(line, text...)
		}
	}
	if len(path) > 0 {
		line = append(append(line, "  "...), path...)
	}
	t.line = append(line, '\n')
	_, _ = t.w.Write(t.line)
}

func (t *cookedTable) text(s string) { _, _ = t.w.WriteString(s) }

// tableNumber writes a value as perfmon does, with three decimals; whole
// numbers without them, and what that form is too long or too short for with
// six digits.
func tableNumber(v float64) string { return string(appendTableNumber(nil, v)) }

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
