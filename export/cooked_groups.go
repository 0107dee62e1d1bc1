package export

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/unit"
	"github.com/perfdump/perfdump/pdhpath"
)

const (
	curveWidth = 16 // of the curves of lines
	maxLabel   = 60 // of paths; longer ones are cut in the middle
)

// groups writes a line for each series, below the names of its object and its
// instance, in the width of the page. Sorted lines have paths instead.
func (t *cookedTable) groups(all *summaries) error {
	g := grouped{t: t, all: all, list: all.ids(), hosts: map[string]bool{}, heads: []string{"min", "avg", "max", "p95", "last"}}
	for i := range g.list {
		g.hosts[strings.ToLower(g.series(i).Host)] = true
	}
	if len(g.list) == 0 {
		if all.frames > 0 {
			t.p.Line("no counters")
		}
		return t.p.Flush()
	}
	if host := g.series(0).Host; len(g.hosts) == 1 && host != "" {
		t.p.Line(t.p.Style.Bold(cell.Clean(host)))
	}
	t.span(all)
	if !all.quantiles {
		g.heads = usualHeads(all)
	}
	tab := &table.Table{Indent: 2, Columns: []table.Column{{Shrink: 17, Middle: true}}}
	for _, head := range g.heads {
		tab.Columns = append(tab.Columns, table.Column{Head: []string{head}, Align: table.Right, Drop: map[string]int{"min": 4, "p95": 2, "last": 3}[head]})
	}
	tab.Columns = append(tab.Columns, table.Column{Dim: true, Drop: 1})
	was := t.p.Cut
	t.p.Cut = true
	t.p.Table(tab, g.rows)
	t.p.Cut = was
	return t.p.Flush()
}

// grouped is the lines of a table, and what is above them.
type grouped struct {
	t     *cookedTable
	all   *summaries
	list  []int32 // the IDs of the series
	hosts map[string]bool
	heads []string
	row   table.Row
}

func (g *grouped) series(i int) *capture.Series { return *g.all.kept.series.At(int(g.list[i])) }

func (g *grouped) rows(yield func(*table.Row) bool) {
	object, owner := "", (*capture.Owner)(nil)
	for i, id := range g.list {
		s, x := g.series(i), g.all.of(int(id))
		if g.all.sort != "" {
			if !g.line(g.path(s), &x, yield) {
				return
			}
			continue
		}
		if of := g.object(s); of != object {
			object = of
			if !g.heading(of, table.Bold, yield) {
				return
			}
		}
		label := "  " + cell.Clean(s.Counter)
		if s.HasInstance {
			instance := "  " + cell.Clean(s.DisplayName())
			switch {
			case s.Owner == owner:
				label = "  " + label
			case i+1 < len(g.list) && g.series(i+1).Owner == s.Owner:
				label = "  " + label
				if !g.heading(instance, table.Plain, yield) {
					return
				}
			default: // its only counter
				label = instance + label
			}
		}
		owner = s.Owner
		if !g.line(label, &x, yield) {
			return
		}
	}
}

func (g *grouped) heading(text string, paint table.Paint, yield func(*table.Row) bool) bool {
	g.row.Reset().Text(text).Free()
	g.row.Paint(paint)
	return yield(&g.row)
}

func (g *grouped) line(label string, x *summary, yield func(*table.Row) bool) bool {
	s := x.Series
	g.row.Reset().Text(label)
	_, counter := s.English()
	u := unit.Of(counter, s.Type, s.HasType)
	for _, head := range g.heads {
		switch {
		case x.Count > 0:
			g.row.Text(u.Text(x.number(head)))
		case head == "value":
			g.row.Text(x.status.String())
		default:
			g.row.Text("-")
		}
	}
	curve := ""
	if x.curve != nil && g.all.frames >= 8 {
		curve = x.curve.Text(g.all.frames, curveWidth)
	}
	g.row.Text(curve)
	return yield(&g.row)
}

// object is the name of the object of a series, with that of its host where there are
// several.
func (g *grouped) object(s *capture.Series) string {
	if len(g.hosts) > 1 {
		return `\\` + cell.Clean(s.Host) + `\` + cell.Clean(s.Object)
	}
	return cell.Clean(s.Object)
}

func (g *grouped) path(s *capture.Series) string {
	p := pdhpath.Path{Object: s.Object, Parent: s.Parent, Instance: s.ShownInstance(), Index: s.InstanceIndex, HasInstance: s.HasInstance, Counter: s.Counter}
	if len(g.hosts) > 1 {
		p.Machine = s.Host
	}
	return cell.CutMiddle(cell.Clean(p.String()), maxLabel)
}
