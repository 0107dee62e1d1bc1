package chart

import (
	"fmt"
	"time"
)

// Mark is a finding about the times that are drawn.
type Mark struct {
	Title    string
	Critical bool
	Times    []Interval
}

// Interval is a time from its start to its end.
type Interval struct{ Start, End time.Time }

// The measures of marks: a row each above the panels.
const (
	maxMarks  = 12
	markRow   = 19
	markWidth = 3.0   // of a short time, at least
	narrow    = 150.0 // too little room for a label
	wide      = 0.5   // a share of the time axis that is not shaded: it would be all
)

// marked is a mark on the time axis: shares of it, from and to.
type marked struct {
	label, colour string
	spans         [][2]float64
}

// mark places the marks that lie within the times of the chart.
func (p *picture) mark() {
	for _, m := range p.o.Marks {
		at := marked{label: m.Title, colour: "#e69f00"}
		if m.Critical {
			at.colour = "#d1242f"
		}
		var first, last time.Time
		n := 0
		for _, t := range m.Times {
			from, to := p.clock.at(t.Start), p.clock.at(t.End)
			if to < 0 || from > 1 || to < from {
				continue
			}
			if at.spans == nil {
				first = t.Start
			}
			last = t.End
			if n++; n > 1 {
				before := &at.spans[len(at.spans)-1]
				if from >= before[0] && (from-before[1])*chartWidth < 1 { // they look like one
					before[1] = max(before[1], min(to, 1))
					continue
				}
			}
			at.spans = append(at.spans, [2]float64{max(from, 0), min(to, 1)})
		}
		if at.spans == nil || p.survey.from.IsZero() {
			continue
		}
		p.inside++
		if len(p.marks) < maxMarks {
			at.label += ", " + p.span(first, last, n)
			p.marks = append(p.marks, at)
		}
	}
}

// span writes when a finding was: "10:02 to 10:19".
func (p *picture) span(from, to time.Time, n int) string {
	layout := "15:04"
	switch length := p.clock.to - p.clock.from; {
	case length > day:
		layout = "2006-01-02 15:04"
	case length < 1800:
		layout = time.TimeOnly
	}
	text := from.UTC().Add(p.survey.east).Format(layout) + " to " + to.UTC().Add(p.survey.east).Format(layout)
	if n > 1 {
		return fmt.Sprintf("%d times, %s", n, text)
	}
	return text
}

// shade draws the marks: a row each, and their times over all panels.
func (p *picture) shade() {
	if len(p.marks) == 0 || len(p.panels) == 0 {
		return
	}
	for i, m := range p.marks {
		y := titleHeight + float64(i)*markRow
		p.group(style{"fill", m.colour}, m.label)
		end := 0.0
		for _, s := range m.spans {
			x, length := p.plotX+s[0]*p.plotWidth, max((s[1]-s[0])*p.plotWidth, markWidth)
			p.rect(x, y, length, markRow-5, style{"fill-opacity", "0.35"})
			if s[1]-s[0] < wide {
				for _, at := range p.panels {
					p.rect(x, at.y, length, at.height, style{"fill-opacity", "0.12"})
				}
			}
			end = max(end, x+length)
		}
		p.end()
		start, long := p.plotX+m.spans[0][0]*p.plotWidth, width(m.label, textSize)
		left, beside := start-6-margin, chartWidth-margin-end-6
		switch {
		case max(left, beside) < narrow:
			p.text(start+6, y+11, nil, fit(m.label, textSize, end-start-12))
		case beside >= long || beside >= left:
			p.text(end+6, y+11, nil, fit(m.label, textSize, beside))
		default:
			p.text(start-6, y+11, style{"text-anchor", "end"}, fit(m.label, textSize, left))
		}
	}
}
