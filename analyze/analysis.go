package analyze

import (
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// Kept is how many bytes an analysis keeps of each series: see
// [capture.CookOptions].
const Kept = 200

// facts are what rules may know about a machine without a counter.
var facts = []string{"cpus", "ram"}

// Facts returns the names of the facts that a rule may compute with: the number
// of processors, and the bytes of memory.
func Facts() []string { return slices.Clone(facts) }

// Analysis checks recordings by rules. It is for one goroutine at a time.
type Analysis struct {
	rules *Rules
	facts map[string]float64
	// What the rules read, by object and counter, folded.
	anchors map[name][]*Rule
	named   map[name]bool
	show    []*Rule // those with evidence

	metrics  map[metric]*use // of the recorded names
	slots    []slot          // by the IDs of the series
	machines map[source]*machine
	order    []*machine
	last     *machine // of the last cell
	frame    int
}

// name is that of a counter, folded.
type name struct{ object, counter string }

// metric is a counter of an object as it was recorded.
type metric struct {
	object string
	*capture.Metric
}

// use is what a counter is for.
type use struct {
	name
	scope   string // of several products of one kind on a machine: an instance of SQL Server
	anchors []*Rule
	show    []*Rule
	read    bool // some rule or fact needs it
}

// source identifies a recording: what one logger writes on one machine.
type source struct{ host, log string }

// slot is what is kept of a series.
type slot struct {
	series  *capture.Series
	reading *reading // nil for one that nothing reads
	has     bool     // it has had a value
}

// New returns an analysis by rules. Facts are what is known of the machines, by
// the names of [Facts].
func New(rules *Rules, known map[string]float64) *Analysis {
	a := &Analysis{
		rules: rules, facts: known, anchors: map[name][]*Rule{}, named: map[name]bool{},
		metrics: map[metric]*use{}, machines: map[source]*machine{},
	}
	for _, r := range rules.all {
		for i, in := range r.inputs {
			at := name{in.object, in.counter}
			if i == 0 {
				a.anchors[at] = append(a.anchors[at], r)
			}
			a.named[at] = true
		}
		if len(r.show) > 0 {
			a.show = append(a.show, r)
		}
	}
	return a
}

// Add adds what a recording says at one moment. Nothing of the frame is kept but
// pointers to its series.
func (a *Analysis) Add(f *capture.Frame) {
	a.frame++
	a.last = nil
	for i := range f.Cells {
		c := &f.Cells[i]
		id := c.Series.ID
		for id >= len(a.slots) {
			a.slots = append(a.slots, slot{})
		}
		s := &a.slots[id]
		m := a.last
		if m == nil || m.host != c.Series.Host || m.log != f.Log {
			m = a.machine(f, c.Series.Host)
		}
		if s.series == nil {
			*s = slot{series: c.Series, reading: a.bind(m, c.Series)}
		}
		v, ok := c.Number()
		s.has = s.has || ok
		if !ok {
			m.missing[c.EffectiveStatus()]++
		}
		if r := s.reading; r != nil && r.machine == m {
			r.frame, r.value, r.ok = a.frame, v, ok
			m.touched = append(m.touched, r.watches...)
		}
	}
	for _, m := range a.order {
		if m.frame == a.frame {
			m.evaluate(f)
		}
	}
}

// machine returns the recording that a cell of a frame is of, and begins the
// moment there.
func (a *Analysis) machine(f *capture.Frame, host string) *machine {
	key := source{fold(host), f.Log}
	m := a.machines[key]
	if m == nil {
		m = newMachine(a, f, host)
		a.machines[key] = m
		a.order = append(a.order, m)
	}
	if m.frame != a.frame {
		m.begin(f)
	}
	m.frame, m.host, a.last = a.frame, host, m
	return m
}

// maxMetrics is how many recorded names are remembered.
const maxMetrics = 1 << 13

// use says what a counter is for.
func (a *Analysis) use(s *capture.Series) *use {
	key := metric{s.Object, s.Metric}
	u := a.metrics[key]
	if u != nil {
		return u
	}
	object, counter := s.English()
	u = &use{name: name{fold(object), fold(counter)}}
	if scope, rest, ok := strings.Cut(u.object, ":"); ok && strings.HasPrefix(scope, "mssql$") {
		u.scope, u.object = scope, "sqlserver:"+rest
	}
	u.anchors = a.anchors[u.name]
	for _, r := range a.show {
		if slices.ContainsFunc(r.show, func(p *pdhpath.Pattern) bool { return p.MatchObject(object) && p.MatchCounter(counter) }) {
			u.show = append(u.show, r)
		}
	}
	u.read = a.named[u.name] || len(u.show) > 0 || ownerCounter(u.name) || u.name == numa
	if len(a.metrics) < maxMetrics {
		a.metrics[key] = u
	}
	return u
}

// bind returns the reading of a series, nil if nothing reads it.
func (a *Analysis) bind(m *machine, s *capture.Series) *reading {
	u := a.use(s)
	if u.object == "processor" || u.object == "processor information" {
		m.processor(u.object, s)
	}
	if !u.read {
		return nil
	}
	at := place{scope: u.scope, name: u.name, instance: fold(s.DisplayName()), has: s.HasInstance}
	r := m.reading(at)
	if r.series != nil { // a log may record a counter twice
		return nil
	}
	r.series = s
	for _, rule := range u.anchors {
		m.watch(rule, at, r)
	}
	for _, rule := range u.show {
		m.show(rule, r)
	}
	switch {
	case u.name == numa && at.instance != "_total":
		m.numa = append(m.numa, r)
	case u.name == name{"process", "id process"} && at.instance != "_total" && at.instance != "idle":
		m.owners = append(m.owners, &owner{reading: r})
	}
	return r
}

var numa = name{"numa node memory", "total mbytes"}

// ownerCounter reports whether a counter says which process an instance is.
func ownerCounter(n name) bool { return n.counter == "id process" || n.counter == "process id" }

// reading is what a counter of an instance shows now.
type reading struct {
	machine *machine
	series  *capture.Series // nil while it was not met
	watches []*watch        // of which it is the first input
	value   float64
	ok      bool
	frame   int // when it was set
}

// now returns the value at this moment.
func (r *reading) now() (float64, bool) {
	if r.frame != r.machine.frame {
		return 0, false
	}
	return r.value, r.ok
}

// place is where a counter is found in a recording.
type place struct {
	scope string
	name
	instance string // folded
	has      bool
}

// status returns why a reading has no value.
func status(ok bool) countertypes.Status {
	if ok {
		return countertypes.StatusOK
	}
	return countertypes.StatusInvalidData
}

// between returns the time from one moment to another, 0 if it is not known.
func between(from, to time.Time) time.Duration {
	d, _ := capture.Between(from, to)
	return d
}
