package capture

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

// Filter selects the values that match at least one of its paths, by their recorded or
// their English names. A nil Filter selects everything. It is safe for concurrent use.
type Filter struct {
	paths    []string
	byName   []bool        // for each path, whether its counter is more than a *
	used     []atomic.Bool // for each path, whether it matched something
	patterns []*pdhpath.Pattern
	of       []int // for each pattern, its path
	index    *pdhpath.Index
}

// NewFilter returns a filter for paths with wildcards, as accepted by [pdhpath.Compile], or
// nil for no paths. The errors are those of Compile. It only knows the built-in names;
// [Names.Filter] knows more.
func NewFilter(paths ...string) (*Filter, error) { return NewNames().Filter(paths...) }

// Filter returns a filter for paths with wildcards, or nil for no paths. The errors are
// those of [pdhpath.Compile].
func (n *Names) Filter(paths ...string) (*Filter, error) {
	if len(paths) == 0 {
		return nil, nil //nolint:nilnil // a nil Filter selects everything
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

// Match reports whether the filter selects a series.
func (f *Filter) Match(s *Series) bool { return f == nil || f.matchOwner(s.Owner, s.both()) }

// Rank returns which of the filter's paths is the first that selects a series, and their
// number if none does.
func (f *Filter) Rank(s *Series) int {
	if f == nil {
		return 0
	}
	first, path := len(f.paths), ownerPath(s.Owner)
	for _, instance := range []string{s.Instance, s.ShownInstance()} {
		for _, name := range s.both() {
			path.Object, path.Instance, path.Counter = name.object, instance, name.counter
			f.index.Each(path, func(i int) {
				if f.of[i] < first && f.patterns[i].Match(path) {
					first = f.of[i]
				}
			})
		}
	}
	return first
}

// matchOwner reports whether a path matches a counter of an instance, with or without the
// number of its owner.
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

// Unused returns the paths that have matched nothing so far, spelled as given to
// [NewFilter]. A nil Filter has none.
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

// match reports whether a path of the filter matches a value with these recorded and
// English names, and whether one that names its counter does. Paths that have matched
// nothing yet are always tried.
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

func (f *Filter) matchRow(r *Row) bool {
	return f.matchPath(r, pdhpath.Path{Machine: r.Host, Parent: r.Parent, Instance: r.Instance, Index: r.InstanceIndex, HasInstance: r.HasInstance})
}

func (f *Filter) matchPath(r *Row, path pdhpath.Path) bool {
	if f == nil {
		return true
	}
	of := naming{r.Object, r.Counter}
	ok, _ := f.match(path, [2]naming{of, of})
	return ok
}

// matchNames reports whether a path matches a counter of an object, ignoring the instance.
func (f *Filter) matchNames(object, counter string) bool {
	return f == nil || slices.ContainsFunc(f.patterns, func(p *pdhpath.Pattern) bool {
		return p.MatchObject(object) && p.MatchCounter(counter)
	})
}

// mayMatch reports whether a path may match a counter with these recorded and English
// names, whatever the instance. Names with brackets can be taken for others with instances.
func (f *Filter) mayMatch(names [2]naming) (may bool) {
	for _, name := range names {
		if strings.ContainsAny(name.object+name.counter, `()\`) {
			return true
		}
		f.index.EachName(name.object, name.counter, func(i int) {
			may = may || f.patterns[i].MatchObject(name.object) && f.patterns[i].MatchCounter(name.counter)
		})
	}
	return may
}

// mayMatchObject is a quick mayMatch for any counter of the object: of many paths it says
// that one may.
func (f *Filter) mayMatchObject(names [2]naming) bool {
	const many = 64
	return len(f.patterns) > many || slices.ContainsFunc(f.patterns, func(p *pdhpath.Pattern) bool {
		return slices.ContainsFunc(names[:], func(name naming) bool {
			return p.MatchObject(name.object) || strings.ContainsAny(name.object, `()\`)
		})
	})
}

// matchDefinition is match for a counter that has no instance.
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

// selection is what a filter selects of one object, computed once for all values.
type selection struct {
	all       bool // no filter
	counters  []bool
	byName    []bool // for each counter
	instances []bool
	values    []bool // for each instance and counter
}

// start computes the selection of o, whose view is set. It returns false if nothing is
// selected.
func (s *selection) start(o *Object) bool {
	filter, view := o.snapshot.o.Filter, o.view
	*s = selection{all: filter == nil}
	if s.all {
		return true
	}
	counters := view.Counters()
	s.counters, s.byName = make([]bool, len(counters)), make([]bool, len(counters))
	s.instances, s.values = make([]bool, view.Len()), make([]bool, len(counters)*view.Len())

	names, of := make([][2]naming, len(counters)), o.snapshot.o.Names
	for j := range counters {
		index := counters[j].CounterNameTitleIndex
		names[j] = of.bothOf(of.recorded(o.Index, index), o.Index, index)
	}
	path := pdhpath.Path{Machine: o.snapshot.Host}
	found := false
	if view.Len() == 0 || o.bare {
		for j, name := range names {
			s.counters[j], s.byName[j] = filter.matchDefinition(path.Machine, name)
			found = found || s.counters[j]
		}
		return found
	}
	w := walker{o: o}
	for i, in := range view.Instances() {
		inst := w.at(in)
		path.Parent, path.Instance, path.Index, path.HasInstance = inst.Parent, inst.Name, inst.Repeat, !inst.None
		for j, name := range names {
			ok, byName := filter.match(path, name)
			if !ok {
				continue
			}
			s.values[i*len(names)+j], s.counters[j], s.instances[i], found = true, true, true, true
			s.byName[j] = s.byName[j] || byName
		}
	}
	return found
}

func (s *selection) counter(j int) bool  { return s.all || s.counters[j] }
func (s *selection) named(j int) bool    { return !s.all && s.byName[j] }
func (s *selection) instance(i int) bool { return s.all || s.instances[i] }
func (s *selection) value(i, j int) bool { return s.all || s.values[i*len(s.counters)+j] }

// Fields returns which fields of IPC control blocks have counters that the filter selects,
// for any instance. A nil func means all. ok is false if no counter is selected.
func (f *Filter) Fields() (show func(ipcblock.Field) bool, ok bool) {
	if f == nil {
		return nil, true
	}
	var shown [ipcblock.NumFields]bool
	all := ipcblock.Counters()
	for i := range all {
		if f.matchNames(all[i].Category, all[i].Name) {
			ok = true
			for _, field := range all[i].Fields() {
				shown[field] = true
			}
		}
	}
	return func(field ipcblock.Field) bool { return shown[field] }, ok
}
