package analyze

import (
	"slices"
	"time"
)

const (
	// maxIntervals is how many intervals of an instance are kept; the last one
	// then covers all that follow.
	maxIntervals = 1000
	// maxEvidence is for how many instances of a rule evidence is collected.
	maxEvidence = 16
	// topEvidence is how much of it is given.
	topEvidence = 3
)

// Interval is a time in which a rule held, from the first sample to the last.
type Interval struct {
	Start   time.Time `json:"start"`
	End     time.Time `json:"end"`
	Samples int       `json:"samples"`
}

// held sums up the samples at which a level held.
type held struct {
	samples int
	mean    float64
	worst   float64
	worstAt time.Time
	shown   []mean // what the evidence was on average
}

func (h *held) add(v float64, t time.Time, below bool) {
	h.samples++
	h.mean += v/float64(h.samples) - h.mean/float64(h.samples)
	if h.samples == 1 || below && v < h.worst || !below && v > h.worst {
		h.worst, h.worstAt = v, t
	}
}

// run is a time in which a level holds without a break.
type run struct {
	held

	start, end time.Time
	shown      []mean
}

// mean is an average.
type mean struct {
	n    int
	mean float64
}

func (m *mean) add(v float64, n int) {
	m.n += n
	m.mean += (v - m.mean) * float64(n) / float64(m.n)
}

// look adds what the evidence shows now.
func (r *run) look(shown []*reading) {
	r.shown = slices.Grow(r.shown, len(shown)-len(r.shown))
	for len(r.shown) < len(shown) {
		r.shown = append(r.shown, mean{})
	}
	for i, x := range shown {
		if v, ok := x.now(); ok {
			r.shown[i].add(v, 1)
		}
	}
}

// track is what a level has found on an instance.
type track struct {
	run
	trend trends

	intervals []Interval
	all       held // in the intervals
}

// keep adds a run to the intervals.
func (k *track) keep(r *run, below bool) {
	if len(k.intervals) < maxIntervals {
		k.intervals = append(k.intervals, Interval{r.start, r.end, r.samples})
	} else {
		last := &k.intervals[maxIntervals-1]
		last.End, last.Samples = r.end, last.Samples+r.samples
	}
	a := &k.all
	if a.samples == 0 || below && r.worst < a.worst || !below && r.worst > a.worst {
		a.worst, a.worstAt = r.worst, r.worstAt
	}
	a.samples += r.samples
	a.mean += (r.mean - a.mean) * float64(r.samples) / float64(a.samples)
	for len(a.shown) < len(r.shown) {
		a.shown = append(a.shown, mean{})
	}
	for i, s := range r.shown {
		if s.n > 0 {
			a.shown[i].add(s.mean, s.n)
		}
	}
}

// trends finds the longest run of samples of one owner, and the line through it.
type trends struct {
	now, longest line
	pid          float64
}

func (t *trends) add(at time.Time, v, pid float64, when bool) {
	if pid != t.pid || !when {
		t.end()
	}
	t.pid = pid
	if when {
		t.now.add(at, v)
	}
}

func (t *trends) end() {
	if t.now.duration() > t.longest.duration() {
		t.longest = t.now
	}
	t.now = line{}
}

// line is a straight line by least squares, computed as the samples come.
type line struct {
	n          int
	start, end time.Time
	first      float64
	last       float64
	max        float64
	maxAt      time.Time
	// Means, and sums of products of the differences from them; times are in
	// seconds since start.
	x, y       float64
	xx, xy, yy float64
}

func (l *line) add(t time.Time, v float64) {
	if l.n == 0 {
		l.start, l.first, l.max, l.maxAt = t, v, v, t
	}
	if v >= l.max {
		l.max, l.maxAt = v, t
	}
	l.n++
	l.end, l.last = t, v
	s := between(l.start, t).Seconds()
	dx, dy := s-l.x, v-l.y
	l.x += dx / float64(l.n)
	l.y += dy / float64(l.n)
	l.xx += dx * (s - l.x)
	l.xy += dx * (v - l.y)
	l.yy += dy * (v - l.y)
}

func (l *line) duration() time.Duration { return between(l.start, l.end) }

// slope returns how much the values grow a second, and how much of their variance
// that explains.
func (l *line) slope() (slope, explained float64) {
	if l.n < 3 || l.xx <= 0 || l.yy <= 0 {
		return 0, 0
	}
	return l.xy / l.xx, l.xy * l.xy / (l.xx * l.yy)
}
