package chart

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/vitals"
	"github.com/perfdump/perfdump/internal/tally"
)

// The measures of vital signs: panels are lower, and the legend is beside them.
const (
	legendX     = 642
	legendRow   = 17
	legendWidth = 66 // of a number
	headHeight  = 24
	signHeight  = 92
	maxPanels   = 24 // those of three machines
)

// vitals puts the series into the panels of vital signs, machine by machine. It
// returns how many panels there are more than are drawn, and how many series have
// no value.
func (s *survey) vitals(o *Options) (panels []*panel, left, empty int) {
	var order []string
	machines := map[string][]*tally.Entry[*capture.Series]{}
	for e := range s.tally.All() {
		if !vitals.Wanted(e.Series) || o.drops(e.Series) {
			continue
		}
		if e.Count == 0 {
			empty++
		}
		host := strings.ToLower(e.Series.Host)
		if machines[host] == nil {
			order = append(order, host)
		}
		machines[host] = append(machines[host], e)
	}
	most := vitals.MaxLines
	if o.Top > 0 {
		most = o.limit()
	}
	for _, host := range order {
		all := machines[host]
		for _, v := range vitals.Panels(func(yield func(*capture.Series, tally.Stats) bool) {
			for _, e := range all {
				if !yield(e.Series, e.Stats) {
					return
				}
			}
		}, most) {
			p := &panel{title: v.Title, unit: v.Unit, whole: v.Whole}
			if name := all[0].Series.Host; len(order) > 1 && name != "" {
				p.title = name + ": " + p.title
			}
			for i := range v.Lines {
				l := &v.Lines[i]
				p.subjects = append(p.subjects, &subject{Entry: &tally.Entry[*capture.Series]{Stats: l.Scaled(), Series: l.Series}, name: l.Name, factor: l.Scale})
			}
			panels = append(panels, p)
		}
	}
	if n := len(panels); n > maxPanels {
		panels, left = panels[:maxPanels], n-maxPanels
	}
	paint(panels)
	return panels, left, empty
}

// paint gives each line of a panel a colour of its own, and what has one name in
// several panels the same colour if that is free.
func paint(panels []*panel) {
	known := map[string]int{}
	for _, p := range panels {
		var used [MaxSeries]bool
		take := func(s *subject, i int) {
			used[i], known[s.name], s.style = true, i, lineStyle(i)
		}
		for _, s := range p.subjects {
			if i, ok := known[s.name]; ok && !used[i] {
				take(s, i)
			}
		}
		for _, s := range p.subjects {
			if s.style == nil {
				take(s, slices.Index(used[:], false))
			}
		}
	}
}

// heads draws the titles of panels, and the legends beside them.
func (p *picture) heads() {
	for _, x := range p.panels {
		if x.title == "" {
			continue
		}
		p.text(margin, x.y-10, style{"font-weight", "bold"}, fit(x.title, textSize*1.1, legendX-margin))
		p.numbers(x.y-10, style{"fill", grey}, []string{"min", "avg", "max"})
		y := x.y + legendRow - 4
		for _, s := range x.subjects {
			p.row(s, legendX, y, s.name, []string{x.unit.Short(s.Min), x.unit.Short(s.Mean), x.unit.Short(s.Max)})
			y += legendRow
		}
	}
}
