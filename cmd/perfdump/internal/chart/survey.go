package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/beside"
	"github.com/perfdump/perfdump/internal/tally"
	"github.com/perfdump/perfdump/internal/unit"
)

// maxValue is the largest value that is drawn: axes extend above it.
const maxValue = 1e300

// valueOf returns what is drawn of a cell; what has no value is a gap.
func valueOf(c *capture.Cell) (float64, bool) {
	v, ok := c.Shown()
	return v, ok && math.Abs(v) <= maxValue
}

// subject is a series that is drawn.
type subject struct {
	*tally.Entry[*capture.Series]

	name   string  // in the legend beside its panel
	factor float64 // of its values
	style  style   // of its line
	trace  *trace
}

// survey collects what must be known before anything is drawn.
type survey struct {
	frames, cells int
	noTime        int // frames without a time
	from, to      time.Time
	wall          bool          // times of an unknown time zone
	east          time.Duration // the clock of the first frame, from UTC
	mixed         bool          // other frames have other clocks
	hosts         []string      // in order of appearance
	known         map[string]bool
	tally         tally.Tally[*capture.Series]
	last          map[origin]time.Time
	intervals     []time.Duration // between frames
	interval      time.Duration   // the usual one, 0 if unknown
}

// look reads the frames once.
func look(frames capture.Frames, zone *time.Location) (*survey, error) {
	s := &survey{known: map[string]bool{}, last: map[origin]time.Time{}}
	if err := each(frames, func(f *capture.Frame) { s.add(f, zone) }); err != nil {
		return nil, err
	}
	if n := len(s.intervals); n > 1 {
		slices.Sort(s.intervals)
		s.interval = s.intervals[n/2]
	}
	return s, nil
}

// each calls use with each frame, while the next ones are cooked.
func each(frames capture.Frames, use func(*capture.Frame)) error {
	used := beside.Take(use)
	defer used.End()
	for f, err := range frames {
		if err != nil {
			return err
		}
		used.Add(f)
	}
	return nil
}

func (s *survey) add(f *capture.Frame, zone *time.Location) {
	s.frames++
	s.cells += len(f.Cells)
	if f.Time.IsZero() {
		s.noTime++
		return
	}
	_, seconds := f.Offset.In(f.Time, zone).Zone()
	if east := time.Duration(seconds) * time.Second; s.from.IsZero() {
		s.east = east
	} else if east != s.east {
		s.mixed = true
	}
	if s.from.IsZero() || f.Time.Before(s.from) {
		s.from = f.Time
	}
	if f.Time.After(s.to) {
		s.to = f.Time
	}
	s.wall = s.wall || !f.Offset.Known
	before, ok := s.last[originOf(f)]
	if !ok {
		s.addHost(f.Host)
	}
	if ok && f.Time.After(before) {
		s.intervals = append(s.intervals, f.Time.Sub(before))
	}
	s.last[originOf(f)] = f.Time
	for i := range f.Cells {
		c := &f.Cells[i]
		s.addHost(c.Series.Host)
		v, ok := valueOf(c)
		s.tally.Add(c.Series.ID, c.Series, v, ok)
	}
}

// addHost adds a machine, unless it is there already.
func (s *survey) addHost(host string) {
	if n := len(s.hosts); host == "" || n > 0 && s.hosts[n-1] == host { // frames come host by host
		return
	}
	if key := strings.ToLower(host); !s.known[key] {
		s.known[key] = true
		s.hosts = append(s.hosts, host)
	}
}

// panel is what shares an axis of values.
type panel struct {
	title     string // "" for none
	whole     bool   // 100% is all there is
	unit      unit.Unit
	ranked    []*tally.Entry[*capture.Series] // the series with values
	subjects  []*subject
	y, height float64
	scale     scale
	ticks     []tick
}

// choose puts the series into panels by their units, in the order of their
// appearance. Where there are more than limit, those with the highest averages
// are taken, from each unit in turn. Of the others it returns how many have
// values, and how many have none.
func (s *survey) choose(o *Options) (panels []*panel, left, empty int) {
	byUnit := map[unit.Unit]*panel{}
	for e := range s.tally.All() {
		if o.drops(e.Series) {
			continue
		}
		if e.Count == 0 {
			empty++
			continue
		}
		u := unitOf(e.Series)
		p := byUnit[u]
		if p == nil {
			p = &panel{unit: u}
			byUnit[u] = p
			panels = append(panels, p)
		}
		p.ranked = append(p.ranked, e)
		left++
	}
	for _, p := range panels {
		slices.SortStableFunc(p.ranked, func(a, b *tally.Entry[*capture.Series]) int { return cmp.Compare(math.Abs(b.Mean), math.Abs(a.Mean)) })
	}
	drawn := min(left, o.limit())
	for n := 0; n < drawn; {
		for _, p := range panels {
			if len(p.ranked) > 0 && n < drawn {
				p.subjects = append(p.subjects, &subject{Entry: p.ranked[0], factor: 1})
				p.ranked = p.ranked[1:]
				n++
			}
		}
	}
	panels = slices.DeleteFunc(panels, func(p *panel) bool { return len(p.subjects) == 0 })
	n := 0
	for _, p := range panels {
		p.ranked = nil // there may be a million series, and the frames are read again
		slices.SortFunc(p.subjects, func(a, b *subject) int { return cmp.Compare(a.Series.ID, b.Series.ID) })
		for _, x := range p.subjects {
			x.style = lineStyle(n)
			n++
		}
	}
	return panels, left - drawn, empty
}

// unitOf returns the unit of a series; those of one unit share a panel.
func unitOf(s *capture.Series) unit.Unit { return unit.Of(s.Counter, s.Type, s.HasType) }
