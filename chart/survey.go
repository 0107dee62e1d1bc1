package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
)

// maxValue is the greatest value that is drawn: axes need some room above it.
const maxValue = 1e300

// valueOf returns what is drawn of a cell; what has no value is a gap.
func valueOf(c *capture.Cell) (float64, bool) {
	v, ok := c.Number()
	return v, ok && math.Abs(v) <= maxValue
}

// subject is a series and what is told of it.
type subject struct {
	series *capture.Series
	unit   unit
	stats  capture.Stats
}

// survey is what is found out before anything is drawn.
type survey struct {
	frames, cells int
	noTime        int // frames that do not say when
	from, to      time.Time
	wall          bool     // times of an unknown time zone
	hosts         []string // in the order of their appearance
	known         map[string]bool
	host          string // the last one
	subjects      []*subject
	interval      time.Duration // that is usual between frames, 0 unknown
}

// look reads the frames once.
func look(frames capture.Frames) (*survey, error) {
	s := &survey{known: map[string]bool{}}
	var byID []*subject
	var spare []subject // for the next ones: there may be a million
	last := map[origin]time.Time{}
	var intervals []time.Duration
	for f, err := range frames {
		if err != nil {
			return nil, err
		}
		s.frames++
		s.cells += len(f.Cells)
		if f.Time.IsZero() {
			s.noTime++
			continue
		}
		if s.from.IsZero() || f.Time.Before(s.from) {
			s.from = f.Time
		}
		if f.Time.After(s.to) {
			s.to = f.Time
		}
		s.wall = s.wall || !f.Offset.Known
		before, ok := last[whence(f)]
		if !ok {
			s.addHost(f.Host)
		}
		if ok && f.Time.After(before) {
			intervals = append(intervals, f.Time.Sub(before))
		}
		last[whence(f)] = f.Time
		for i := range f.Cells {
			c := &f.Cells[i]
			id := c.Series.ID
			if n := id + 1 - len(byID); n > 0 {
				byID = append(byID, make([]*subject, n)...)
			}
			x := byID[id]
			if x == nil {
				if len(spare) == 0 {
					spare = make([]subject, min(64, 1+len(byID)))
				}
				x, spare = &spare[0], spare[1:]
				x.series, x.unit = c.Series, unitOf(c.Series)
				byID[id] = x
				s.addHost(c.Series.Host)
			}
			if _, ok := valueOf(c); ok {
				x.stats.Add(c)
			}
		}
	}
	s.subjects = slices.DeleteFunc(byID, func(x *subject) bool { return x == nil })
	if len(intervals) > 1 {
		slices.Sort(intervals)
		s.interval = intervals[len(intervals)/2]
	}
	return s, nil
}

// addHost adds a machine, unless it is there already.
func (s *survey) addHost(host string) {
	if host == "" || host == s.host { // they come host by host
		return
	}
	s.host = host
	if key := strings.ToLower(host); !s.known[key] {
		s.known[key] = true
		s.hosts = append(s.hosts, host)
	}
}

// panel is what shares an axis of values.
type panel struct {
	unit     unit
	subjects []*subject
}

// choose puts the series into panels by their units, in the order of their
// appearance. Where there are more than limit, those with the greatest averages
// are taken, from each unit in turn.
func (s *survey) choose(limit int) (panels []*panel, left int) {
	byUnit := map[unit]*panel{}
	for _, x := range s.subjects {
		if x.stats.Count == 0 {
			continue
		}
		p := byUnit[x.unit]
		if p == nil {
			p = &panel{unit: x.unit}
			byUnit[x.unit] = p
			panels = append(panels, p)
		}
		p.subjects = append(p.subjects, x)
		left++
	}
	if left <= limit {
		return panels, 0
	}
	ranked := make([][]*subject, len(panels))
	for i, p := range panels {
		ranked[i] = p.subjects
		slices.SortStableFunc(ranked[i], func(a, b *subject) int { return cmp.Compare(math.Abs(b.stats.Mean), math.Abs(a.stats.Mean)) })
		p.subjects = nil
	}
	for n := 0; n < limit; {
		for i, p := range panels {
			if k := len(p.subjects); k < len(ranked[i]) && n < limit {
				p.subjects = append(p.subjects, ranked[i][k])
				n++
			}
		}
	}
	for _, p := range panels {
		slices.SortFunc(p.subjects, func(a, b *subject) int { return cmp.Compare(a.series.ID, b.series.ID) })
	}
	return slices.DeleteFunc(panels, func(p *panel) bool { return len(p.subjects) == 0 }), left - limit
}
