package comparelogs

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/comparison"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/unit"
)

// compared is what is written.
type compared struct {
	o            *Options
	older, newer *comparison.Side
	changes      []*comparison.Change
	notable      []*comparison.Change // the first of them
	shown        []*comparison.Group  // in charts
	left         int                  // notable ones without a chart
	align        *comparison.Alignment
}

// about says of which machines and which time a side is.
func (c *compared) about(s *comparison.Side) string {
	hosts := cell.Clean(strings.Join(s.Hosts[:min(len(s.Hosts), 3)], ", "))
	if n := len(s.Hosts) - 3; n > 0 {
		hosts += fmt.Sprintf(" and %d more", n)
	}
	span := ""
	if !s.From.IsZero() {
		zone := c.o.Period.Zone.Location
		from, to := s.Offset.In(s.From, zone).Format(time.DateTime), s.Offset.Format(s.To, zone, time.DateTime)
		if from[:10] == to[:10] {
			to = to[11:]
		}
		span = from + " to " + to
	}
	return table.Join(hosts, span, table.GroupedPlural(s.Frames, "sample"))
}

// sum says how many counters moved.
func (c *compared) sum() string {
	both, few := 0, 0
	for _, x := range c.changes {
		if x.Both() {
			both++
			if min(x.Older.Count, x.Newer.Count) < comparison.MinSamples {
				few++
			}
		}
	}
	text := fmt.Sprintf("%d of %s are notable", len(c.notable), table.GroupedPlural(both, "counter"))
	if few > 0 {
		text += fmt.Sprintf("; %s fewer than %d samples", cmdutil.Has(few, "counter", "counters"), comparison.MinSamples)
	}
	return text
}

func unitOf(c *comparison.Change) unit.Unit {
	l := c.Line()
	return unit.Of(l.Counter, l.Series.Type, l.Series.HasType)
}

// values are the cells of a counter: both numbers, and what became of them.
type values struct{ Average, Change, P95, Max, Spreads string }

func valuesOf(c *comparison.Change) values {
	u := unitOf(c)
	if c.Older.Count == 0 || c.Newer.Count == 0 {
		return values{Average: "no value on one side"}
	}
	arrow := func(m comparison.Move) string { return u.Short(m.Old) + " → " + u.Short(m.New) }
	spreads := strconv.FormatFloat(c.Spreads, 'f', 1, 64)
	switch {
	case c.Spreads >= comparison.MaxSpreads:
		spreads = table.Grouped(comparison.MaxSpreads)
	case c.Spreads >= 10:
		spreads = strconv.FormatFloat(c.Spreads, 'f', 0, 64)
	}
	return values{arrow(c.Average()), percent(c.Average().Share()), arrow(c.P95()), arrow(c.Max()), spreads}
}

// percent writes a share with its sign.
func percent(share float64) string {
	switch {
	case math.IsInf(share, 0), math.IsNaN(share):
		return "from 0"
	case share >= 9.5:
		return "×" + table.Grouped(int64(math.Round(1+min(share, 1e15))))
	case math.Abs(share) >= 0.1:
		return fmt.Sprintf("%+.0f%%", 100*share)
	case math.Abs(share) < 0.0005:
		return "0%"
	default:
		return fmt.Sprintf("%+.1f%%", 100*share)
	}
}

func (c *compared) table(out io.Writer) error {
	p := table.NewPrinter(out, table.Options{Width: c.o.IO.Width(), Cut: c.o.IO.StdoutTTY(), Color: c.o.IO.Color()})
	p.Line(p.Style.Bold("A") + "  " + cell.Clean(cmdutil.FileName(c.o.Older)))
	p.Line("   " + p.Style.Dim(c.about(c.older)))
	p.Line(p.Style.Bold("B") + "  " + cell.Clean(cmdutil.FileName(c.o.Newer)))
	p.Line("   " + p.Style.Dim(c.about(c.newer)))
	p.Line("")
	p.Line(c.sum() + ".")
	all := c.notable
	if c.o.All {
		all = c.changes
		for n, x := range all {
			if !x.Both() {
				all = all[:n]
				break
			}
		}
	}
	groups := comparison.Fold(all)
	if shown := groups[:c.o.most(len(groups))]; len(shown) > 0 {
		p.Line("")
		counters(p, shown)
		if n := len(groups) - len(shown); n > 0 {
			p.Note(fmt.Sprintf("and %s; --top 0 shows all", table.GroupedPlural(n, "more counter")))
		}
	}
	for _, part := range []struct {
		title string
		all   []group
	}{{"Only in A", c.groups(false)}, {"Only in B", c.groups(true)}} {
		if len(part.all) == 0 {
			continue
		}
		p.Line("")
		p.Line(p.Style.Bold(part.title))
		for _, g := range part.all[:min(len(part.all), maxGroups)] {
			p.Line("  " + cell.Clean(g.Name) + "  " + p.Style.Dim(table.GroupedPlural(g.Counters, "counter")))
		}
		if n := len(part.all) - maxGroups; n > 0 {
			p.Note(fmt.Sprintf("and %d more; -o jsonl has all", n))
		}
	}
	return p.Flush()
}

// counters writes each counter with its path on a line of its own.
func counters(p *table.Printer, all []*comparison.Group) {
	tab := &table.Table{Indent: 2, Columns: []table.Column{
		{Head: []string{"average"}, Align: table.Right},
		{Head: []string{"change"}, Align: table.Right},
		{Head: []string{"p95"}, Align: table.Right},
		{Head: []string{"max"}, Align: table.Right},
		{Head: []string{"spreads"}, Align: table.Right, Drop: 1},
	}}
	var row table.Row
	p.Table(tab, func(yield func(*table.Row) bool) {
		for _, c := range all {
			v := valuesOf(c.Change)
			path := row.Reset().Text(cell.Clean(c.Path)).Free()
			if c.Notable {
				path.Paint(table.Bold)
			}
			if !yield(path) || !yield(row.Reset().Texts(v.Average, v.Change, v.P95, v.Max, v.Spreads)) {
				return
			}
			if len(c.Also) > 0 && !yield(row.Reset().Text("  also "+also(c)).Free().Paint(table.Dim)) {
				return
			}
		}
	})
}

// also names the counters that say the same as another, without the counter.
func also(g *comparison.Group) string {
	const most = 3
	var names []string
	for _, c := range g.Also[:min(len(g.Also), most)] {
		names = append(names, cell.Clean(strings.TrimSuffix(c.Path, `\`+c.Line().Counter)))
	}
	text := strings.Join(names, ", ")
	if n := len(g.Also) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
