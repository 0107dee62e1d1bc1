package chart

// axes draws the grids of all panels, and the time axis below the last.
func (p *picture) axes() {
	right := p.plotX + p.plotWidth
	if len(p.panels) == 0 {
		p.text(chartWidth/2, p.bottom/2+titleHeight/2, ` text-anchor="middle" fill="#555"`, "There are no values to show.")
		return
	}
	times := p.clock.ticks(int(p.plotWidth / tickSpace))
	p.printf("<g stroke=\"#e2e2e2\" stroke-width=\"1\">\n")
	for _, at := range p.panels {
		for _, t := range times {
			x := p.plotX + t.at*p.plotWidth
			p.line(x, at.y, x, at.y+at.height)
		}
		for _, t := range at.ticks {
			y := at.y + at.height*(1-at.scale.at(t.at))
			p.line(p.plotX, y, right, y)
		}
	}
	p.printf("</g>\n<g stroke=\"#555\" stroke-width=\"1\" fill=\"none\">\n")
	for _, at := range p.panels {
		p.line(p.plotX, at.y, p.plotX, at.y+at.height)
		zero := min(max(at.scale.at(0), 0), 1)
		y := at.y + at.height*(1-zero)
		p.line(p.plotX, y, right, y)
	}
	for _, t := range times {
		x := p.plotX + t.at*p.plotWidth
		p.line(x, p.bottom, x, p.bottom+5)
	}
	p.printf("</g>\n<g text-anchor=\"end\">\n")
	for _, at := range p.panels {
		for _, t := range at.ticks {
			p.text(p.plotX-7, at.y+at.height*(1-at.scale.at(t.at))+4, "", t.text)
		}
	}
	p.printf("</g>\n<g text-anchor=\"middle\">\n")
	zone := p.zone()
	for _, t := range times {
		x := p.plotX + t.at*p.plotWidth
		p.text(before(x, t.text, chartWidth-1), p.bottom+19, "", t.text)
		if t.date != "" {
			p.text(before(x, t.date, right-width(zone, textSize)), p.bottom+34, ` fill="#555"`, t.date)
		}
	}
	p.printf("</g>\n")
	p.text(right+10, p.bottom+34, ` text-anchor="end" fill="#555"`, zone)
}

// before returns the middle of a text at x that must end before end.
func before(x float64, text string, end float64) float64 {
	return min(x, end-width(text, textSize)/2)
}

// series draws the line of a series, and dots where a line would not be seen.
func (p *picture) series(s *subject) {
	p.printf("<g %s fill=\"none\" stroke-width=\"1.7\" stroke-linejoin=\"round\">\n<title>%s</title>\n", s.style, escape(s.Series.Path()))
	p.printf("<path d=\"%s\"/>\n", s.trace.path)
	if len(s.trace.dots) > 0 {
		p.printf("<path d=\"%s\" stroke-width=\"4.5\" stroke-linecap=\"round\" stroke-dasharray=\"none\"/>\n", s.trace.dots)
	}
	p.printf("</g>\n")
}

// The columns of numbers in the legend.
const (
	columns     = 4
	columnWidth = 95
)

// legend draws a row for each series, and returns where it ends.
func (p *picture) legend(y float64) float64 {
	if len(p.traces) == 0 {
		return y
	}
	right := p.plotX + p.plotWidth + 10
	label := right - columns*columnWidth
	p.printf("<g text-anchor=\"end\" fill=\"#555\">\n")
	for i, name := range [columns]string{"min", "avg", "max", "last"} {
		p.text(label+float64(i+1)*columnWidth, y, "", name)
	}
	p.printf("</g>\n")
	y += rowHeight
	for _, x := range p.panels {
		for _, s := range x.subjects {
			p.printf("<path d=\"M%d %sh%d\" %s stroke-width=\"2.5\"/>\n", margin, coordinate(nil, y-4), swatch-10, s.style)
			name := p.names.label(s.Series)
			p.printf("<g>\n<title>%s</title>\n", escape(s.Series.Path()))
			p.text(margin+swatch, y, "", fit(name, textSize, label+15-margin-swatch))
			p.printf("</g>\n<g text-anchor=\"end\">\n")
			for k, v := range [columns]float64{s.Min, s.Mean, s.Max, s.Last} {
				p.text(label+float64(k+1)*columnWidth, y, "", x.unit.Format(v))
			}
			p.printf("</g>\n")
			y += rowHeight
		}
	}
	return y
}
