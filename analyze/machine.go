package analyze

import (
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// machine is a recording of one machine.
type machine struct {
	*Analysis

	host, log  string
	start, end time.Time
	offset     capture.Offset
	zone       string
	samples    int
	usual      interval
	gaps       []Gap
	gap        bool // in front of this moment

	readings map[place]*reading
	watches  []*watch
	touched  []*watch // at this moment
	shown    map[*Rule][]*reading
	evidence map[*Rule]int // how many watches collect some

	processors map[string]map[string]bool // by object: instances
	numa       []*reading
	owners     []*owner
	alive      map[process]*life
	restarts   []Restart
	restarted  int

	missing map[countertypes.Status]int
	frame   int
}

func newMachine(a *Analysis, f *capture.Frame, host string) *machine {
	return &machine{
		Analysis: a, host: host, log: f.Log, start: f.Time, offset: f.Offset, zone: f.Zone,
		readings: map[place]*reading{}, shown: map[*Rule][]*reading{}, evidence: map[*Rule]int{},
		processors: map[string]map[string]bool{}, alive: map[process]*life{}, missing: map[countertypes.Status]int{},
	}
}

// begin begins a moment. Several frames of one time are one moment: agents write
// a frame for each section.
func (m *machine) begin(f *capture.Frame) {
	m.gap = false
	if m.samples > 0 && f.Time.Equal(m.end) {
		return
	}
	if d := between(m.end, f.Time); m.samples > 0 && d > 0 {
		if usual := m.usual.median; usual > 0 && d > 3*usual {
			m.gap = true
			m.addGap(Gap{m.end, f.Time})
		} else {
			m.usual.add(d)
		}
	}
	m.samples++
	m.end = f.Time
	if m.start.IsZero() {
		m.start = f.Time
	}
	if m.samples == 2 { // counters of the first moment need another
		clear(m.missing)
	}
}

// maxListed is how many gaps, restarts and names a summary lists.
const maxListed = 100

func (m *machine) addGap(g Gap) {
	if len(m.gaps) < maxListed {
		m.gaps = append(m.gaps, g)
	}
}

// reading returns the reading of a place. It may be met later.
func (m *machine) reading(at place) *reading {
	r := m.readings[at]
	if r == nil {
		r = &reading{machine: m}
		m.readings[at] = r
	}
	return r
}

// processor counts the processors.
func (m *machine) processor(object string, s *capture.Series) {
	name := fold(s.Instance)
	if strings.HasSuffix(name, "_total") {
		return
	}
	if m.processors[object] == nil {
		m.processors[object] = map[string]bool{}
	}
	m.processors[object][name] = true
}

// fact returns a fact of the machine.
func (m *machine) fact(name string) (float64, bool) {
	if v, ok := m.facts[name]; ok {
		return v, true
	}
	sum := 0.0
	switch name {
	case "cpus":
		for _, all := range m.processors {
			sum = max(sum, float64(len(all)))
		}
	case "ram":
		for _, r := range m.numa {
			sum += r.value * (1 << 20) // it never changes
		}
	}
	return sum, sum > 0
}

// show remembers a counter as evidence. Totals say nothing about who it was.
func (m *machine) show(rule *Rule, r *reading) {
	s := r.series
	path := pathOf(s)
	if name := fold(s.Instance); name == "_total" || name == "idle" || strings.HasSuffix(name, ",_total") {
		return
	}
	for _, p := range rule.show {
		if p.Match(path) {
			m.shown[rule] = append(m.shown[rule], r)
			return
		}
	}
}

// evaluate ends a moment.
func (m *machine) evaluate(f *capture.Frame) {
	for _, w := range m.touched {
		if w.frame != m.frame {
			w.frame = m.frame
			w.evaluate(f.Time)
		}
	}
	m.touched = m.touched[:0]
	m.checkOwners(f.Time)
}

// interval finds the usual time between two moments: the median of the last ones.
type interval struct {
	last   [15]time.Duration
	n      int
	median time.Duration // 0 while fewer than 3 are known
}

func (i *interval) add(d time.Duration) {
	i.last[i.n%len(i.last)] = d
	i.n++
	if n := min(i.n, len(i.last)); n >= 3 {
		sorted := i.last
		slices.Sort(sorted[:n])
		i.median = sorted[n/2]
	}
}
