package chart

import "slices"

// The colours of text, of what is less important, and of grids.
const (
	dark = "#222"
	grey = "#555"
	pale = "#e2e2e2"
)

// axes draws the grids of all panels, and the time axis below the last.
func (p *picture) axes() {
	right := p.plotX + p.plotWidth
	if len(p.panels) == 0 {
		p.text(chartWidth/2, p.bottom/2+titleHeight/2, style{"text-anchor", "middle", "fill", grey}, "There are no values to show.")
		return
	}
	times := p.clock.ticks(int(p.plotWidth / tickSpace))
	p.group(style{"stroke", pale, "stroke-width", "1"}, "")
	for _, at := range p.panels {
		for _, t := range times {
			x := p.plotX + t.at*p.plotWidth
			p.path(line(x, at.y, x, at.y+at.height), nil)
		}
		for _, t := range at.ticks {
			y := at.y + at.height*(1-at.scale.at(t.at))
			p.path(line(p.plotX, y, right, y), nil)
		}
	}
	p.end()
	p.group(style{"stroke", grey, "stroke-width", "1", "fill", "none"}, "")
	for _, at := range p.panels {
		p.path(line(p.plotX, at.y, p.plotX, at.y+at.height), nil)
		zero := min(max(at.scale.at(0), 0), 1)
		y := at.y + at.height*(1-zero)
		p.path(line(p.plotX, y, right, y), nil)
	}
	for _, t := range times {
		x := p.plotX + t.at*p.plotWidth
		p.path(line(x, p.bottom, x, p.bottom+5), nil)
	}
	p.end()
	p.group(style{"text-anchor", "end"}, "")
	for _, at := range p.panels {
		for _, t := range at.ticks {
			p.text(p.plotX-7, at.y+at.height*(1-at.scale.at(t.at))+4, nil, t.text)
		}
	}
	p.end()
	p.group(style{"text-anchor", "middle"}, "")
	zone := p.zone()
	for _, t := range times {
		x := p.plotX + t.at*p.plotWidth
		p.text(before(x, t.text, chartWidth-1), p.bottom+19, nil, t.text)
		if t.date != "" {
			p.text(before(x, t.date, right-width(zone, textSize)), p.bottom+34, style{"fill", grey}, t.date)
		}
	}
	p.end()
	p.text(right+10, p.bottom+34, style{"text-anchor", "end", "fill", grey}, zone)
}

// before returns the middle of a text at x that must end before end.
func before(x float64, text string, end float64) float64 {
	return min(x, end-width(text, textSize)/2)
}

// lineStyle is how the nth line is drawn.
func lineStyle(n int) style {
	s := style{"stroke", colours[n%len(colours)]}
	if n >= len(colours) {
		s = append(s, "stroke-dasharray", "6 3")
	}
	return s
}

// series draws the line of a series, and dots where a line would not be seen.
func (p *picture) series(s *subject) {
	thick := "1.7"
	if p.beside {
		thick = "1.3"
	}
	p.group(append(slices.Clone(s.style), "fill", "none", "stroke-width", thick, "stroke-linejoin", "round"), s.Series.Path())
	p.path(s.trace.path, nil)
	if len(s.trace.dots) > 0 {
		p.path(s.trace.dots, style{"stroke-width", "4.5", "stroke-linecap", "round", "stroke-dasharray", "none"})
	}
	p.end()
}

// The columns of numbers in the legend.
const columnWidth = 95

// numbers draws columns of numbers up to the right end.
func (p *picture) numbers(y float64, s style, columns []string) {
	p.group(append(style{"text-anchor", "end"}, s...), "")
	for i, text := range columns {
		p.text(chartWidth-margin-float64(len(columns)-1-i)*p.column, y, nil, text)
	}
	p.end()
}

// row draws a line of a legend.
func (p *picture) row(s *subject, x, y float64, name string, columns []string) {
	right := chartWidth - margin - float64(len(columns))*p.column
	p.path(path{{'M', x, y - 4}, {'h', swatch - 10, 0}}, append(slices.Clone(s.style), "stroke-width", "2.5"))
	p.group(nil, s.Series.Path())
	p.text(x+swatch, y, nil, fit(name, textSize, right+15-x-swatch))
	p.end()
	p.numbers(y, nil, columns)
}

// legend draws a row for each series, and returns where it ends.
func (p *picture) legend(y float64) float64 {
	if len(p.traces) == 0 || p.beside {
		return y
	}
	p.numbers(y, style{"fill", grey}, []string{"min", "avg", "max", "last"})
	y += rowHeight
	for _, x := range p.panels {
		for _, s := range x.subjects {
			u := x.unit
			p.row(s, margin, y, p.names.label(s.Series), []string{u.Format(s.Min), u.Format(s.Mean), u.Format(s.Max), u.Format(s.Last)})
			y += rowHeight
		}
	}
	return y
}
