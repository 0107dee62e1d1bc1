package chart

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/tally"
)

// MaxSeries is how many series a chart has at most: as many as there are
// colours and dashes that the eye tells apart.
const MaxSeries = 12

// colours are those of Okabe and Ito, which people who see colours in other
// ways tell apart as well, with a darker purple and without yellow and black.
// Behind them come the same with dashes.
var colours = [MaxSeries / 2]string{"#0072B2", "#D55E00", "#009E73", "#AA3377", "#E69F00", "#56B4E9"}

// Options say how a chart is drawn.
type Options struct {
	Title string         // "" is one made of what the series have in common
	Zone  *time.Location // of times; nil for the recorder's
}

// Result says what was drawn.
type Result struct {
	Frames int // that there are
	Cells  int // of them
	Drawn  int // series
	Left   int // series with values that were not drawn: see [MaxSeries]
	Empty  int // series without any value
	NoTime int // frames that do not say when they were
}

// The measures of a chart in pixels.
const (
	chartWidth  = 1000
	margin      = 20
	titleSize   = 17
	textSize    = 12
	titleHeight = 64
	panelGap    = 24
	axisHeight  = 40
	rowHeight   = 19
	swatch      = 34
	tickRoom    = 95 // from one label of the time axis to the next
	marked      = 40 // samples with a dot each, at most
)

// Draw writes the chart of the frames of a recording. It reads them twice. Where
// there are more than [MaxSeries] series with values, those with the greatest
// averages are drawn, from each unit in turn, and a note in the chart says so.
// A sample without a value is a gap in the line, and so is a time without
// samples that is much longer than usual. The error is that of w or of the
// frames.
func Draw(w io.Writer, frames capture.Frames, o Options) (Result, error) {
	s, err := look(frames, o.Zone)
	if err != nil {
		return Result{}, err
	}
	p := &picture{o: o, survey: s, w: bufio.NewWriter(w)}
	r := Result{Frames: s.frames, Cells: s.cells, NoTime: s.noTime}
	p.panels, r.Left, r.Empty = s.choose(MaxSeries)
	p.left = r.Left
	s.tally = tally.Tally{} // there may be a million series, and the frames are read again
	var drawn []*subject
	for _, x := range p.panels {
		r.Drawn += len(x.subjects)
		drawn = append(drawn, x.subjects...)
	}
	p.names = common(drawn)
	if o.Title != "" { // it need not say what the series have in common
		p.names.objects, p.names.counters = true, true
	}
	p.layout()
	if err := p.trace(frames); err != nil {
		return r, err
	}
	p.write()
	return r, p.w.Flush()
}

// picture is a chart that is being drawn.
type picture struct {
	o      Options
	survey *survey
	names  names
	panels []*panel
	left   int
	clock  clock

	plotX, plotWidth float64
	places           []place // of the panels
	bottom           float64 // of the last one
	traces           map[int]*trace
	w                *bufio.Writer
}

// place is where a panel is, and its axis.
type place struct {
	y, height float64
	scale     scale
	ticks     []tick
}

// heights are those of panels, by how many there are.
var heights = []float64{360, 360, 230, 175, 145}

func (p *picture) layout() {
	p.clock = newClock(p.survey.from, p.survey.to, p.survey.east)
	height := heights[min(len(p.panels), len(heights)-1)]
	y, widest := float64(titleHeight), 0.0
	for _, x := range p.panels {
		low, high := x.subjects[0].stats.Min, x.subjects[0].stats.Max
		for _, s := range x.subjects {
			low, high = min(low, s.stats.Min), max(high, s.stats.Max)
		}
		at := place{y: y, height: height, scale: newScale(x.unit, low, high, int(height/45))}
		at.ticks = at.scale.ticks()
		for _, t := range at.ticks {
			widest = max(widest, width(t.text, textSize))
		}
		p.places = append(p.places, at)
		y += height + panelGap
	}
	if len(p.panels) == 0 {
		p.bottom = titleHeight + heights[0]
	} else {
		p.bottom = y - panelGap
	}
	p.plotX = margin + max(widest, 30) + 8
	p.plotWidth = chartWidth - margin - 10 - p.plotX
}

// trace reads the values.
func (p *picture) trace(frames capture.Frames) error {
	p.traces = map[int]*trace{}
	for i, x := range p.panels {
		at := &p.places[i]
		for _, s := range x.subjects {
			p.traces[s.series.ID] = &trace{
				x: p.plotX, y: at.y, width: p.plotWidth, height: at.height, clock: p.clock, scale: at.scale,
				gap: 3 * p.survey.interval, marks: s.stats.Count <= marked,
			}
		}
	}
	seen := map[*trace]int{}
	n := 0
	for f, err := range frames {
		if err != nil {
			return err
		}
		n++
		if f.Time.IsZero() {
			continue
		}
		for i := range f.Cells {
			c := &f.Cells[i]
			t := p.traces[c.Series.ID]
			if t == nil {
				continue
			}
			seen[t], t.from = n, whence(f)
			if v, ok := valueOf(c); ok {
				t.add(f.Time, v)
			} else {
				t.gone()
			}
		}
		for _, t := range p.traces {
			if seen[t] < n && t.from == whence(f) {
				t.absent(f.Time)
			}
		}
	}
	for _, t := range p.traces {
		t.close()
	}
	return nil
}

func (p *picture) printf(format string, args ...any) { _, _ = fmt.Fprintf(p.w, format, args...) }

// text writes text at a place; more are attributes.
func (p *picture) text(x, y float64, more, s string) {
	p.printf("<text x=\"%s\" y=\"%s\"%s>%s</text>\n", coordinate(nil, x), coordinate(nil, y), more, escape(s))
}

func (p *picture) line(x1, y1, x2, y2 float64) {
	p.printf("<path d=\"M%s %sL%s %s\"/>\n", coordinate(nil, x1), coordinate(nil, y1), coordinate(nil, x2), coordinate(nil, y2))
}

// write writes all, from the back to the front.
func (p *picture) write() {
	rows, notes := len(p.traces), p.notes()
	height := p.bottom + axisHeight + margin
	if rows > 0 {
		height += float64(rows+1)*rowHeight + 8
	}
	height += float64(len(notes)) * rowHeight
	title := p.o.Title
	if title == "" {
		title = p.names.title()
	}
	p.printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%s\" viewBox=\"0 0 %d %s\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"%d\" fill=\"#222\">\n",
		chartWidth, coordinate(nil, height), chartWidth, coordinate(nil, height), textSize)
	p.printf("<title>%s</title>\n<desc>%s</desc>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", escape(title), escape(p.subtitle()))
	p.text(margin, 28, fmt.Sprintf(` font-size="%d" font-weight="bold"`, titleSize), fit(title, titleSize*1.1, chartWidth-2*margin))
	p.text(margin, 48, ` fill="#555"`, fit(p.subtitle(), textSize, chartWidth-2*margin))
	p.axes()
	for i, x := range p.panels {
		for _, s := range x.subjects {
			p.series(s, p.style(i, s))
		}
	}
	y := p.legend(p.bottom + axisHeight + rowHeight)
	for _, note := range notes {
		p.text(margin, y, ` fill="#555" font-style="italic"`, note)
		y += rowHeight
	}
	p.printf("</svg>\n")
}

// subtitle says of whom, and when.
func (p *picture) subtitle() string {
	s := p.survey
	var parts []string
	switch hosts := s.hosts; len(hosts) {
	case 0:
	case 1, 2, 3:
		parts = append(parts, strings.Join(hosts, ", "))
	default:
		parts = append(parts, fmt.Sprintf("%s and %d more", hosts[0], len(hosts)-1))
	}
	if !s.from.IsZero() {
		layout := time.DateTime
		if s.to.Sub(s.from) < 10*time.Second {
			layout = "2006-01-02 15:04:05.000"
		}
		from, to := s.from.UTC().Add(s.east).Format(layout), s.to.UTC().Add(s.east).Format(layout)
		if from[:10] == to[:10] {
			to = to[11:]
		}
		parts = append(parts, from+" to "+to+" "+p.zone())
	}
	what := "snapshots"
	if s.frames == 1 {
		what = "snapshot"
	}
	return strings.Join(append(parts, fmt.Sprintf("%d %s", s.frames, what)), " · ")
}

// zone names the clock of the time axis.
func (p *picture) zone() string {
	switch s := p.survey; {
	case s.wall:
		return "by the recorder's clock"
	case s.east == 0:
		return "UTC"
	default:
		return "UTC" + capture.Offset{East: s.east, Known: true}.String()
	}
}

// notes say what the chart does not show.
func (p *picture) notes() []string {
	var notes []string
	if p.left > 0 {
		n := len(p.traces)
		notes = append(notes, fmt.Sprintf("%d of %d counters: those with the greatest averages.", n, n+p.left))
	}
	if p.survey.mixed {
		notes = append(notes, "Not all times have the same offset from UTC. The time axis has that of the first.")
	}
	if p.survey.noTime > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d snapshots have no time and are left out.", p.survey.noTime, p.survey.frames))
	}
	return notes
}
