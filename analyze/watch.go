package analyze

import (
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/expression"
	"github.com/perfdump/perfdump/pdhpath"
)

// watch is a rule that is checked on an instance.
type watch struct {
	rule    *Rule
	machine *machine
	anchor  *reading
	inputs  [][]*reading // candidates for each; the first that was recorded counts
	owner   []*reading   // which process the instance is
	parts   []expression.Operand

	frame   int
	samples int       // with a value
	last    time.Time // of them
	pid     float64
	tracks  [numSeverities]track
	watched bool // its evidence is collected
}

// watch begins to check a rule on the instance of its first counter.
func (m *machine) watch(rule *Rule, at place, anchor *reading) {
	if rule.counter != "" && at.has == rule.inputs[0].global || !rule.wants(anchor.series) {
		return
	}
	w := &watch{rule: rule, machine: m, anchor: anchor}
	for i, in := range rule.inputs {
		w.inputs = append(w.inputs, m.candidates(at, in, i == 0))
	}
	if hasTrend(rule) {
		for _, counter := range []string{"id process", "process id"} {
			own := at
			own.counter = counter
			w.owner = append(w.owner, m.reading(own))
		}
	}
	if rule.metric != nil {
		w.parts = make([]expression.Operand, len(rule.metric.Parts()))
	}
	if len(rule.show) > 0 && m.evidence[rule] < maxEvidence {
		m.evidence[rule]++
		w.watched = true
	}
	anchor.watches = append(anchor.watches, w)
	m.watches = append(m.watches, w)
}

func hasTrend(r *Rule) bool {
	for _, l := range r.levels {
		if l != nil && l.trend != nil {
			return true
		}
	}
	return false
}

// candidates returns the readings that an input may be: of the same instance, of
// an object without instances, or of its total.
func (m *machine) candidates(at place, in input, first bool) (all []*reading) {
	if in.object == "" {
		return nil // a fact
	}
	to := place{scope: at.scope, name: name{in.object, in.counter}, instance: at.instance, has: at.has}
	switch {
	case first:
		return []*reading{m.reading(to)}
	case in.instance != "":
		to.instance, to.has = in.instance, true
		return []*reading{m.reading(to)}
	case !in.global && at.has:
		all = append(all, m.reading(to))
	}
	to.instance, to.has = "", false
	all = append(all, m.reading(to))
	to.instance, to.has = "_total", true
	return append(all, m.reading(to))
}

// wants reports whether a rule is for an instance.
func (r *Rule) wants(s *capture.Series) bool {
	path := pathOf(s)
	if r.instance != nil && !r.instance.MatchInstance(path.Parent, path.Instance, path.Index) {
		return false
	}
	for _, p := range r.except {
		if p.MatchInstance(path.Parent, path.Instance, path.Index) {
			return false
		}
	}
	return true
}

func pathOf(s *capture.Series) pdhpath.Path {
	object, counter := s.English()
	return pdhpath.Path{Machine: s.Host, Object: object, Parent: s.Parent, Instance: s.Instance, Index: s.InstanceIndex, HasInstance: s.HasInstance, Counter: counter}
}

// input returns the value of an input now.
func (w *watch) input(i int) (float64, bool) {
	for _, r := range w.inputs[i] {
		if r.series != nil {
			return r.now()
		}
	}
	return 0, false
}

// value returns what the rule checks.
func (w *watch) value() (float64, bool) {
	if w.rule.metric == nil {
		return w.anchor.now()
	}
	for i := range w.parts {
		v, ok := w.part(i)
		w.parts[i] = expression.Operand{Value: v, Status: status(ok)}
	}
	v, st := w.rule.metric.Value(w.parts)
	return v, st == status(true)
}

func (w *watch) part(i int) (float64, bool) {
	if in := w.rule.inputs[i]; in.object == "" {
		return w.machine.fact(in.counter)
	}
	return w.input(i)
}

// evaluate checks the rule at a moment.
func (w *watch) evaluate(t time.Time) {
	v, ok := w.value()
	if !ok {
		return
	}
	when := true
	for i := range w.rule.when {
		c := &w.rule.when[i]
		x, ok := w.input(c.input)
		if !ok {
			return
		}
		when = when && c.holds(x)
	}
	var ratios [numSeverities]bool
	for s, l := range w.rule.levels {
		if l == nil {
			continue
		}
		if ratios[s], ok = w.ratios(l, v); !ok {
			return
		}
	}
	broken := w.broken(t)
	w.samples++
	w.last = t
	for s, l := range w.rule.levels {
		if l == nil {
			continue
		}
		k := &w.tracks[s]
		if l.trend != nil {
			k.trend.add(t, v, w.pid, when)
			continue
		}
		if broken {
			w.end(l, k)
		}
		if when && ratios[s] && l.reached(v) {
			w.hold(l, k, t, v)
		} else {
			w.end(l, k)
		}
	}
}

// broken reports whether the samples before this one say nothing about it: after a
// gap, and for another process.
func (w *watch) broken(t time.Time) bool {
	pid := w.pid
	for _, r := range w.owner {
		if v, ok := r.now(); ok {
			w.pid = v
		}
	}
	usual := w.machine.usual.median
	return w.samples > 0 && (usual > 0 && between(w.last, t) > 3*usual || w.pid != pid)
}

// ratios reports whether the ratios of a level hold, ok if they can be computed.
func (w *watch) ratios(l *level, v float64) (hold, ok bool) {
	hold = true
	for i := range l.conds {
		c := &l.conds[i]
		if c.kind != ofRatio {
			continue
		}
		x, ok := w.input(c.input)
		if !ok || x == 0 {
			return false, false
		}
		hold = hold && c.holds(v/x)
	}
	return hold, true
}

// reached reports whether a value is one of the level.
func (l *level) reached(v float64) bool {
	for i := range l.conds {
		if c := &l.conds[i]; c.kind == ofValue && !c.holds(v) {
			return false
		}
	}
	return true
}

// below reports whether small values are the bad ones.
func (l *level) below() bool { return l.conds[0].below() }

// hold adds a sample at which a level holds.
func (w *watch) hold(l *level, k *track, t time.Time, v float64) {
	r := &k.run
	if r.samples == 0 {
		*r = run{start: t, shown: r.shown[:0]}
	}
	r.end = t
	r.add(v, t, l.below())
	if w.watched {
		r.look(w.machine.shown[w.rule])
	}
}

// end ends the samples at which a level holds.
func (w *watch) end(l *level, k *track) {
	r := &k.run
	if r.samples == 0 {
		return
	}
	if r.samples >= l.samples && between(r.start, r.end) >= l.lasting {
		k.keep(r, l.below())
	}
	r.samples = 0
}
