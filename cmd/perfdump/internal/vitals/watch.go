package vitals

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/spark"
	"github.com/perfdump/perfdump/internal/tally"
)

// Watch keeps what the panels need of a recording while it is read: stats and a
// curve for each series that may be a line.
type Watch struct {
	seen    []*seen // by the IDs of the series
	moments map[source]*int
}

// source is what one logger writes on one machine.
type source struct{ host, log string }

// seen is what is kept of a series.
type seen struct {
	series *capture.Series
	source
	moments *int // of the recording, so far
	stats   tally.Stats
	curve   spark.Curve
}

// unwanted marks a series that is no line of a panel.
var unwanted = &seen{}

// Add adds what a recording says at one moment.
func (w *Watch) Add(f *capture.Frame) {
	if w.moments == nil {
		w.moments = map[source]*int{}
	}
	*w.count(f.Host, f.Log)++
	for i := range f.Cells {
		c := &f.Cells[i]
		id := c.Series.ID
		for id >= len(w.seen) {
			w.seen = append(w.seen, nil)
		}
		s := w.seen[id]
		if s == nil {
			if s = unwanted; Wanted(c.Series) {
				s = &seen{series: c.Series, source: source{strings.ToLower(c.Series.Host), f.Log}, moments: w.count(f.Host, f.Log)}
			}
			w.seen[id] = s
		}
		if s != unwanted {
			v, ok := c.Shown()
			if s.stats.Add(v, ok); ok {
				s.curve.Add(*s.moments-1, v)
			}
		}
	}
}

// Panels returns the panels of what a logger wrote on a machine.
func (w *Watch) Panels(host, log string) []Panel {
	return Panels(func(yield func(*capture.Series, tally.Stats) bool) {
		for _, s := range w.seen {
			if s != nil && s != unwanted && s.source == (source{strings.ToLower(host), log}) && !yield(s.series, s.stats) {
				return
			}
		}
	}, MaxLines)
}

// Curve returns the curve of a series of a panel in a width.
func (w *Watch) Curve(s *capture.Series, width int) string {
	return w.seen[s.ID].curve.Text(*w.seen[s.ID].moments, width)
}

// count returns the number of moments of a recording.
func (w *Watch) count(host, log string) *int {
	key := source{strings.ToLower(host), log}
	if w.moments[key] == nil {
		w.moments[key] = new(int)
	}
	return w.moments[key]
}
