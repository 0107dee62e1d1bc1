// Package chart draws counters over time as a picture that looks good on paper, in
// SVG or PNG: a panel for each unit and a legend below them, or the vital signs of
// a machine with a legend beside each panel; one time axis.
// docs/outputs.md shows one and explains the choices.
//
//	result, err := chart.Draw(w, recording.Frames(), chart.Options{})
//
// The picture contains only shapes and text: no script, no font, no link. Names
// of counters and instances are untrusted and always written as text
// (TestHostileNames). Memory and the size of the picture
// depend on the number of series and on the width, not on that of the samples
// (TestSizeIsBounded), and the same frames give the same bytes.
package chart

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/tally"
)

// MaxSeries is the max number of series of a chart: as many as there are colours
// and dashes that the eye can distinguish.
const MaxSeries = 12

// colours are those of Okabe and Ito, which the colour-blind can distinguish,
// with a darker purple and without yellow and black. The same follow with dashes.
var colours = [MaxSeries / 2]string{"#0072B2", "#D55E00", "#009E73", "#AA3377", "#E69F00", "#56B4E9"}

// Options says how a chart is drawn.
type Options struct {
	Title  string         // "" is one made from what the series have in common
	About  string         // the line below it; "" is of whom it is, and when
	Stats  []tally.Stats  // for the legend, by the IDs of the series; nil for those of the frames
	Zone   *time.Location // of times; nil for the recorder's
	Vitals bool           // draw the vital signs if there are any
	Top    int            // how many lines are drawn, of vital signs in each panel; 0 for the usual number, [MaxSeries] at most
	Drop   func(*capture.Series) bool
	Marks  []Mark // what is shaded
	PNG    bool   // draw pixels instead of SVG
}

// limit is how many series are drawn.
func (o *Options) limit() int {
	if o.Top > 0 {
		return min(o.Top, MaxSeries)
	}
	return MaxSeries
}

func (o *Options) drops(s *capture.Series) bool { return o.Drop != nil && o.Drop(s) }

// Result says what was drawn.
type Result struct {
	Frames int // in the recording
	Cells  int // in the frames
	Drawn  int // series
	Left   int // series with values that were not drawn: see [MaxSeries]
	Empty  int // series without any value
	NoTime int // frames without a time
	Marks  int // of those in the options, within the times of the chart
	Vitals bool
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
	tickSpace   = 95 // from one label of the time axis to the next
	dotted      = 40 // samples with a dot each, at most
)

// Draw writes the chart of the frames of a recording. It reads them twice. If
// there are more than [MaxSeries] series with values, those with the highest
// averages are drawn, from each unit in turn, and a note in the chart says so.
// A sample without a value is a gap in the line, and so is a time without
// samples that is much longer than usual. The error is that of w or of the
// frames.
func Draw(w io.Writer, frames capture.Frames, o Options) (Result, error) {
	s, err := look(frames, o.Zone)
	if err != nil {
		return Result{}, err
	}
	p := &picture{o: o, survey: s, traces: map[int]*trace{}, column: columnWidth}
	r := Result{Frames: s.frames, Cells: s.cells, NoTime: s.noTime}
	if o.Vitals {
		p.panels, p.hidden, r.Empty = s.vitals(&o)
		p.beside = len(p.panels) > 0
	}
	if !p.beside {
		p.panels, r.Left, r.Empty = s.choose(&o)
	}
	s.tally = tally.Tally[*capture.Series]{}
	for _, x := range p.panels {
		for _, of := range x.subjects {
			if o.Stats != nil {
				of.Stats = o.Stats[of.Series.ID]
			}
		}
	}
	p.left = r.Left
	p.layout()
	r.Drawn, r.Vitals, r.Marks = len(p.traces), p.beside, p.inside
	if err := p.trace(frames); err != nil {
		return r, err
	}
	if p.canvas = newSVG(w); o.PNG {
		p.canvas = newPixels(w)
	}
	p.write()
	return r, p.close()
}

// picture is a chart that is being drawn.
type picture struct {
	canvas

	o      Options
	survey *survey
	names  names
	panels []*panel
	left   int
	clock  clock
	traces map[int]*trace // by the IDs of the series
	column float64        // the width of numbers in legends
	beside bool           // the legends are beside the panels, which are vital signs
	hidden int            // panels that are left out
	marks  []marked
	inside int // marks within the times of the chart

	plotX, plotWidth float64
	bottom           float64 // of the last panel
}

// heights are those of panels, by how many there are.
var heights = []float64{360, 360, 230, 175, 145}

func (p *picture) layout() {
	s := p.survey
	p.clock = newClock(s.from, s.to, s.east)
	p.mark()
	height, gap := heights[min(len(p.panels), len(heights)-1)], float64(panelGap)
	y, widest := titleHeight+float64(len(p.marks))*markRow, 30.0
	if len(p.marks) > 0 {
		y += 8
	}
	for _, x := range p.panels {
		steps := int(height / 45)
		low, high := x.subjects[0].Min, x.subjects[0].Max
		for _, s := range x.subjects {
			low, high = min(low, s.Min), max(high, s.Max)
		}
		if p.beside {
			gap, steps = panelGap/2, 3
			height = max(signHeight, float64(len(x.subjects))*legendRow+4)
			y += headHeight
			if low = min(low, 0); x.whole {
				high = max(high, 100)
			}
		}
		x.y, x.height, x.scale = y, height, newScale(x.unit, low, high, steps)
		x.ticks = x.scale.ticks()
		for _, t := range x.ticks {
			widest = max(widest, width(t.text, textSize))
		}
		y += height + gap
	}
	p.bottom = y - gap
	if len(p.panels) == 0 {
		p.bottom = titleHeight + heights[0]
	}
	p.plotX = margin + widest + 8
	p.plotWidth = chartWidth - margin - 10 - p.plotX
	if p.beside {
		p.plotWidth, p.column = legendX-margin-p.plotX, legendWidth
	}
	for _, x := range p.panels {
		for _, s := range x.subjects {
			p.names.add(s.Series)
			s.trace = &trace{
				x: p.plotX, y: x.y, width: p.plotWidth, height: x.height, clock: p.clock, scale: x.scale,
				gap: 3 * p.survey.interval, dotted: s.Count <= dotted, factor: s.factor,
			}
			p.traces[s.Series.ID] = s.trace
		}
	}
	if p.o.Title != "" { // it need not say what the series have in common
		p.names.objects, p.names.counters = true, true
	}
}

// trace reads the values.
func (p *picture) trace(frames capture.Frames) error {
	seen := map[*trace]int{}
	byID := make([]*trace, 1+slices.Max(slices.AppendSeq([]int{0}, maps.Keys(p.traces))))
	for id, t := range p.traces {
		byID[id] = t
	}
	n := 0
	err := each(frames, func(f *capture.Frame) {
		n++
		if f.Time.IsZero() {
			return
		}
		for i := range f.Cells {
			c := &f.Cells[i]
			if c.Series.ID >= len(byID) || byID[c.Series.ID] == nil {
				continue
			}
			t := byID[c.Series.ID]
			seen[t], t.from = n, originOf(f)
			if v, ok := valueOf(c); ok {
				t.add(f.Time, v*t.factor)
			} else {
				t.broken = true
			}
		}
		for _, t := range p.traces {
			if seen[t] < n && t.from == originOf(f) {
				t.absent(f.Time)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, t := range p.traces {
		t.flush()
		t.lift()
	}
	return nil
}

// write draws all, from the back to the front.
func (p *picture) write() {
	rows, notes := len(p.traces), p.notes()
	height := p.bottom + axisHeight + margin
	if rows > 0 && !p.beside {
		height += float64(rows+1)*rowHeight + 8
	}
	height += float64(len(notes)) * rowHeight
	title := cmp.Or(p.o.Title, p.names.title())
	if p.beside {
		title = cmp.Or(p.o.Title, "Vital signs")
	}
	p.begin(chartWidth, height, title, p.subtitle())
	p.text(margin, 28, style{"font-size", strconv.Itoa(titleSize), "font-weight", "bold"}, fit(title, titleSize*1.1, chartWidth-2*margin))
	p.text(margin, 48, style{"fill", grey}, fit(p.subtitle(), textSize, chartWidth-2*margin))
	p.axes()
	p.shade()
	for _, x := range p.panels {
		for i := range x.subjects {
			if p.beside { // the first is the one that matters
				i = len(x.subjects) - 1 - i
			}
			p.series(x.subjects[i])
		}
	}
	p.heads()
	y := p.legend(p.bottom + axisHeight + rowHeight)
	for _, note := range notes {
		p.text(margin, y, style{"fill", grey, "font-style", "italic"}, note)
		y += rowHeight
	}
}

// subtitle says of whom, and when.
func (p *picture) subtitle() string {
	if p.o.About != "" {
		return p.o.About
	}
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
			layout = table.TimeLayout
		}
		from, to := s.from.UTC().Add(s.east).Format(layout), s.to.UTC().Add(s.east).Format(layout)
		if from[:10] == to[:10] {
			to = to[11:]
		}
		parts = append(parts, from+" to "+to+" "+p.zone())
	}
	return strings.Join(append(parts, table.Plural(s.frames, "snapshot")), " · ")
}

// zone names the time zone of the time axis.
func (p *picture) zone() string {
	switch s := p.survey; {
	case s.wall:
		return "local time of the recorder"
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
		notes = append(notes, fmt.Sprintf("%d of %d counters: those with the highest averages.", n, n+p.left))
	}
	if p.hidden > 0 {
		n := len(p.panels)
		notes = append(notes, fmt.Sprintf("%d of %d panels: those of the first machines.", n, n+p.hidden))
	}
	if n := len(p.marks); n < p.inside {
		notes = append(notes, fmt.Sprintf("%d of %d findings are shown.", n, p.inside))
	}
	if p.survey.mixed {
		notes = append(notes, "Not all times have the same offset from UTC. The time axis has that of the first.")
	}
	if p.survey.noTime > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d snapshots have no time and are left out.", p.survey.noTime, p.survey.frames))
	}
	return notes
}
