package capture

import (
	"strings"
	"sync/atomic"

	"github.com/perfdump/perfdump/pdhpath"
)

// Filter lets through the values that at least one of its paths is for, by their
// recorded names or by their English ones. A nil Filter lets everything through.
// It may be used concurrently.
type Filter struct {
	paths    []string
	byName   []bool        // of each path: its counter is more than a *
	used     []atomic.Bool // of each path: it was for something
	patterns []*pdhpath.Pattern
	of       []int // of each pattern: its path
	index    *pdhpath.Index
}

// NewFilter returns a filter for paths with wildcards, as pdhpath.Compile
// takes them; nil for none. The errors are those of Compile. It knows the names
// that are built in; [Names.Filter] knows more.
func NewFilter(paths ...string) (*Filter, error) { return NewNames().Filter(paths...) }

// Filter returns a filter for paths with wildcards, nil for none. The errors are
// those of [pdhpath.Compile].
func (n *Names) Filter(paths ...string) (*Filter, error) {
	if len(paths) == 0 {
		return nil, nil //nolint:nilnil // a nil Filter is one that lets everything through
	}
	f := &Filter{paths: paths, used: make([]atomic.Bool, len(paths))}
	for i, path := range paths {
		patterns, err := n.Patterns(path)
		if err != nil {
			return nil, err
		}
		for _, p := range patterns {
			f.patterns, f.of = append(f.patterns, p), append(f.of, i)
		}
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
	english, _ := s.translator().translate(s.recorded(), s.ObjectIndex, s.CounterIndex)
	return f.matchOwner(s.Owner, [2]naming{s.recorded(), english})
}

// matchOwner reports whether a path is for a counter of an instance, with the
// number of its owner or without.
func (f *Filter) matchOwner(o *Owner, names [2]naming) bool {
	path := ownerPath(o)
	ok, _ := f.match(path, names)
	if name := o.ShownInstance(); name != o.Instance {
		path.Instance = name
		named, _ := f.match(path, names)
		ok = ok || named
	}
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
	for i, path := range f.paths {
		if !f.used[i].Load() {
			unused = append(unused, path)
		}
	}
	return unused
}

// match reports whether a path of the filter is for a value of these names,
// recorded and English, and whether one is that names its counter. Paths that
// were for nothing yet are asked in any case.
func (f *Filter) match(path pdhpath.Path, names [2]naming) (ok, byName bool) {
	for k, name := range names {
		if k > 0 && name == names[0] {
			break
		}
		path.Object, path.Counter = name.object, name.counter
		f.index.Each(path, func(i int) {
			of := f.of[i]
			used := f.used[of].Load()
			if ok && (byName || !f.byName[of]) && used || !f.patterns[i].Match(path) {
				return
			}
			ok, byName = true, byName || f.byName[of]
			if !used {
				f.used[of].Store(true)
			}
		})
	}
	return ok, byName
}

// matchDefinition is match for a counter that has no instance now.
func (f *Filter) matchDefinition(host string, names [2]naming) (ok, byName bool) {
	for _, name := range names {
		f.index.EachName(name.object, name.counter, func(i int) {
			p := f.patterns[i]
			if p.MatchMachine(host) && p.MatchObject(name.object) && p.MatchCounter(name.counter) {
				ok, byName = true, byName || f.byName[f.of[i]]
				f.used[f.of[i]].Store(true)
			}
		})
	}
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

	names, of := make([][2]naming, len(counters)), o.snapshot.names
	for j := range counters {
		index := counters[j].CounterNameTitleIndex
		names[j] = of.bothOf(naming{of.quiet(o.Index), of.quiet(index)}, o.Index, index)
	}
	path := pdhpath.Path{Machine: o.snapshot.Host}
	found := false
	w := walker{o: o}
	for i, in := range view.Instances() {
		if o.bare {
			break
		}
		inst := w.at(in)
		path.Parent, path.Instance, path.Index, path.HasInstance = inst.Parent, inst.Name, inst.Repeat, !inst.None
		for j, name := range names {
			ok, byName := filter.match(path, name)
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
		s.counters[j], s.byName[j] = filter.matchDefinition(path.Machine, name)
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
