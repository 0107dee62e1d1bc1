package capture

import (
	"strings"
	"sync/atomic"

	"github.com/perfdump/perfdump/pdhpath"
)

// Filter lets through the values that at least one of its paths is for. A nil
// Filter lets everything through. It may be used concurrently.
type Filter struct {
	patterns []*pdhpath.Pattern
	byName   []bool        // of each pattern: its counter is more than a *
	used     []atomic.Bool // of each pattern: it was for something
	index    *pdhpath.Index
}

// NewFilter returns a filter for paths with wildcards, as pdhpath.Compile
// takes them; nil for none. The errors are those of Compile.
func NewFilter(paths ...string) (*Filter, error) {
	if len(paths) == 0 {
		return nil, nil //nolint:nilnil // a nil Filter is one that lets everything through
	}
	f := &Filter{used: make([]atomic.Bool, len(paths))}
	for _, path := range paths {
		p, err := pdhpath.Compile(path)
		if err != nil {
			return nil, err
		}
		f.patterns = append(f.patterns, p)
		f.byName = append(f.byName, strings.Trim(path, "*") != "" && !strings.HasSuffix(path, `\*`))
	}
	f.index = pdhpath.NewIndex(f.patterns)
	return f, nil
}

// Match reports whether the filter lets a series through.
func (f *Filter) Match(s *Series) bool {
	if f == nil {
		return true
	}
	ok, _ := f.match(pdhpath.Path{
		Machine: s.Host, Object: s.Object, Parent: s.Parent, Instance: s.Instance, Index: s.InstanceIndex,
		HasInstance: s.HasInstance, Counter: s.Counter,
	})
	return ok
}

// Unused returns the paths that were for nothing of what the filter has been
// asked about, each in the spelling of [NewFilter]'s argument; those of a nil
// Filter are none.
func (f *Filter) Unused() []string {
	if f == nil {
		return nil
	}
	var unused []string
	for i, p := range f.patterns {
		if !f.used[i].Load() {
			unused = append(unused, p.String())
		}
	}
	return unused
}

// match reports whether a path is for a value, and whether one is that names
// its counter. Paths that were for nothing yet are asked in any case.
func (f *Filter) match(path pdhpath.Path) (ok, byName bool) {
	f.index.Each(path, func(i int) {
		used := f.used[i].Load()
		if ok && (byName || !f.byName[i]) && used || !f.patterns[i].Match(path) {
			return
		}
		ok, byName = true, byName || f.byName[i]
		if !used {
			f.used[i].Store(true)
		}
	})
	return ok, byName
}

// matchDefinition is match for a counter that has no instance now.
func (f *Filter) matchDefinition(path pdhpath.Path) (ok, byName bool) {
	f.index.EachName(path.Object, path.Counter, func(i int) {
		p := f.patterns[i]
		if p.MatchMachine(path.Machine) && p.MatchObject(path.Object) && p.MatchCounter(path.Counter) {
			ok, byName = true, byName || f.byName[i]
			f.used[i].Store(true)
		}
	})
	return ok, byName
}

// selection is what a filter lets through of one object. It is decided once
// for all values, which takes a bit for each.
type selection struct {
	all       bool // there is no filter
	counters  []bool
	byName    []bool // of each counter
	instances []bool
	values    []uint64
}

// start finds out what is let through of o, whose view is set. It is false
// where that is nothing.
func (s *selection) start(o *Object) bool {
	filter, view := o.snapshot.filter, o.view
	*s = selection{all: filter == nil, counters: s.counters[:0], byName: s.byName[:0], instances: s.instances[:0], values: s.values[:0]}
	if s.all {
		return true
	}
	counters := view.Counters()
	s.counters = append(s.counters, make([]bool, len(counters))...)
	s.byName = append(s.byName, make([]bool, len(counters))...)
	s.instances = append(s.instances, make([]bool, view.Len())...)
	s.values = append(s.values, make([]uint64, (len(counters)*view.Len()+63)/64)...)

	names := make([]string, len(counters))
	for j := range counters {
		names[j] = o.snapshot.names.quiet(counters[j].CounterNameTitleIndex)
	}
	path := pdhpath.Path{Machine: o.snapshot.Host, Object: o.Name}
	found := false
	w := walker{o: o}
	for i, in := range view.Instances() {
		if o.bare {
			break
		}
		inst := w.at(in)
		path.Parent, path.Instance, path.Index, path.HasInstance = inst.Parent, inst.Name, inst.Repeat, !inst.None
		for j, name := range names {
			path.Counter = name
			ok, byName := filter.match(path)
			if !ok {
				continue
			}
			n := i*len(names) + j
			s.values[n/64] |= 1 << (n % 64)
			s.counters[j], s.instances[i], found = true, true, true
			s.byName[j] = s.byName[j] || byName
		}
	}
	if view.Len() > 0 && !o.bare {
		return found
	}
	for j, name := range names {
		path.Counter = name
		s.counters[j], s.byName[j] = filter.matchDefinition(path)
		found = found || s.counters[j]
	}
	return found
}

func (s *selection) counter(j int) bool  { return s.all || s.counters[j] }
func (s *selection) named(j int) bool    { return !s.all && s.byName[j] }
func (s *selection) instance(i int) bool { return s.all || s.instances[i] }

func (s *selection) value(i, j int) bool {
	if s.all {
		return true
	}
	n := i*len(s.counters) + j
	return s.values[n/64]>>(n%64)&1 != 0
}
