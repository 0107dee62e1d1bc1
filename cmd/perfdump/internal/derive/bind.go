package derive

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/english"
)

// maxDerived is how many series a binding may derive in addition to four for each
// recorded one.
const maxDerived = 65536

// Kept is how many bytes a binding, and the frames that it makes, take of each
// recorded series that no metric is computed from: see capture.CookOptions.
const Kept = 40

// Binding is a set bound to the series of a recording.
type Binding struct {
	columns []*capture.Series
	derived []derived
	hidden  []bool // recorded series by their IDs
	unbound []Unbound
}

// derived is a metric of one instance.
type derived struct {
	metric *Metric
	series *capture.Series
	anchor int   // the ID of the part that has its instance
	ids    []int // of the parts
	hidden bool
}

// Unbound is a metric that no instance of the recording has.
type Unbound struct {
	Metric *Metric
	Part   Part // the first counter that is nowhere, if Nowhere
	// Nowhere is false if all its counters are there, but no instance has
	// them all.
	Nowhere bool
	// Taken is true if instances have them all, but also a counter of that
	// name.
	Taken bool
}

// instance identifies an instance of one object of a host.
type instance struct {
	host, object, parent, name string
	repeat                     int
	has                        bool
	pid, thread                uint64
}

func (i *instance) of(object string) instance {
	other := *i
	other.object = object
	return other
}

// index finds series by instance and counter. Objects go by their English names
// where these are known, counters by the names that the metrics have for them.
type index struct {
	counters map[instance]map[string]*capture.Series
	holders  map[string][]instance // of each counter, in the order of the series
	objects  map[string]string     // the names that objects go by, of those recorded and those of parts
}

// newIndex returns the index of the counters that the metrics name, and of those
// with the names of metrics: there may be a million others.
func newIndex(set *Set, series []*capture.Series) *index {
	x := &index{counters: map[instance]map[string]*capture.Series{}, holders: map[string][]instance{}, objects: map[string]string{}}
	named := map[string][]string{} // of each name of a counter, recorded or English: as the metrics have it
	for m := range set.All() {
		name(named, m.Name, m.Name)
		for _, p := range m.Parts() {
			name(named, p.Counter, p.Counter)
			object := fold(p.Object)
			if _, met := x.objects[object]; !met {
				x.objects[object] = object
				if all := english.Objects(p.Object); len(all) == 1 {
					x.objects[object] = fold(all[0])
				}
			}
			if all := english.Counters(x.objects[object], p.Counter); len(all) == 1 {
				name(named, all[0], p.Counter)
			}
		}
	}
	met := map[metricOf]names{}
	for _, s := range series {
		of, ok := met[metricOf{s.Object, s.Metric}]
		if !ok {
			of = namesOf(s, named)
			if len(met) < maxMet {
				met[metricOf{s.Object, s.Metric}] = of
			}
		}
		if len(of.counters) == 0 {
			continue
		}
		x.objects[of.recorded] = of.object
		at := instance{fold(s.Host), of.object, fold(s.Parent), fold(s.Instance), s.InstanceIndex, s.HasInstance, s.PID, s.Thread}
		if x.counters[at] == nil {
			x.counters[at] = map[string]*capture.Series{}
		}
		for _, counter := range of.counters {
			if x.counters[at][counter] == nil { // a log may record a counter twice
				x.counters[at][counter] = s
				x.holders[counter] = append(x.holders[counter], at)
			}
		}
	}
	return x
}

// maxMet is how many metrics are remembered.
const maxMet = 1 << 13

// metricOf is a metric of an object.
type metricOf struct {
	object string
	*capture.Metric
}

// names are those of a metric and its object, folded.
type names struct {
	object, recorded string
	counters         []string // those of the metrics that it is for
}

// name adds a name that a counter of a metric goes by.
func name(named map[string][]string, name, counter string) {
	name, counter = fold(name), fold(counter)
	if !slices.Contains(named[name], counter) {
		named[name] = append(named[name], counter)
	}
}

func namesOf(s *capture.Series, named map[string][]string) names {
	object, counter := s.English()
	recorded, other := s.Recorded()
	of := names{object: fold(object), recorded: fold(recorded)}
	for _, name := range slices.Concat(named[fold(counter)], named[fold(other)]) {
		if !slices.Contains(of.counters, name) {
			of.counters = append(of.counters, name)
		}
	}
	return of
}

// find returns the series that a part is for a metric of an instance.
func (x *index) find(at *instance, p Part) *capture.Series {
	counter := fold(p.Counter)
	if p.Object != "" {
		other := at.of(x.objects[fold(p.Object)])
		if s := x.counters[other][counter]; s != nil {
			return s
		}
		return x.counters[instance{host: at.host, object: other.object}][counter]
	}
	if s := x.counters[*at][counter]; s != nil {
		return s
	}
	if twin, ok := Twin(at.object); ok {
		return x.counters[at.of(fold(twin))][counter]
	}
	return nil
}

// Bind finds the counters of the metrics among the series of a recording, as
// [capture.Recording.Columns] gives them, and makes the series that are
// derived from them. A metric belongs to the object and the instance of the first
// counter that it names; where that one is of an object without instances, to
// those of the next one. An instance that has a counter of the metric's name
// keeps that.
//
// The error has code limit: more than 65,536 series, and more than four times
// as many as were recorded.
func Bind(set *Set, series []*capture.Series) (*Binding, error) {
	b := &Binding{}
	ids := 0
	for _, s := range series {
		ids = max(ids, s.ID+1)
	}
	b.hidden = make([]bool, ids)
	x := newIndex(set, series)
	limit := max(maxDerived, 4*len(series))
	for m := range set.All() {
		was, shown, taken := len(b.derived), &capture.Metric{Counter: m.Name}, false
		for _, anchor := range m.Parts() {
			for _, at := range x.holders[fold(anchor.Counter)] {
				if anchor.Object != "" && at.object != x.objects[fold(anchor.Object)] {
					continue
				}
				if len(b.derived) == limit {
					return nil, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "more than %d derived series", limit)
				}
				ids := x.parts(&at, m)
				switch {
				case ids == nil:
				case x.counters[at][fold(m.Name)] != nil:
					taken = true
				default:
					of := x.counters[at][fold(anchor.Counter)]
					s := &capture.Series{ID: len(b.hidden) + len(b.derived), Owner: of.Owner, Metric: shown}
					b.derived = append(b.derived, derived{metric: m, series: s, anchor: of.ID, ids: ids})
				}
			}
			if len(b.derived) > was {
				break
			}
		}
		if len(b.derived) == was {
			u := x.unbound(m)
			u.Taken = taken
			b.unbound = append(b.unbound, u)
		}
	}
	b.columns = slices.Clone(series)
	for i := range b.derived {
		b.columns = append(b.columns, b.derived[i].series)
	}
	return b, nil
}

// parts returns the IDs of the series that the parts of a metric are for an
// instance, nil if it does not have them all.
func (x *index) parts(at *instance, m *Metric) (ids []int) {
	for _, p := range m.Parts() {
		s := x.find(at, p)
		if s == nil {
			return nil
		}
		ids = append(ids, s.ID)
	}
	return ids
}

// unbound says why a metric has no series.
func (x *index) unbound(m *Metric) Unbound {
	for _, p := range m.Parts() {
		found := slices.ContainsFunc(x.holders[fold(p.Counter)], func(at instance) bool {
			return p.Object == "" || at.object == x.objects[fold(p.Object)]
		})
		if !found {
			return Unbound{Metric: m, Part: p, Nowhere: true}
		}
	}
	return Unbound{Metric: m}
}

// Columns returns the recorded series, then the derived ones, except for what
// [Binding.Show] hides.
func (b *Binding) Columns() []*capture.Series { return b.columns }

// Unbound returns the metrics that no instance has.
func (b *Binding) Unbound() []Unbound { return b.unbound }

// Show hides the recorded series that a filter rejects, and the derived ones if
// it rejects them and all their parts. So a recording can be read with
// more than is requested: see [Set.Paths]. It must not be called while
// the frames are read.
func (b *Binding) Show(f *capture.Filter) {
	keep := b.columns[:0:0]
	shown := make([]bool, len(b.hidden))
	for _, s := range b.columns {
		if s.ID < len(shown) {
			if shown[s.ID] = f.Match(s); shown[s.ID] {
				keep = append(keep, s)
			}
			b.hidden[s.ID] = !shown[s.ID]
		}
	}
	for i := range b.derived {
		d := &b.derived[i]
		d.hidden = !f.Match(d.series) && !slices.ContainsFunc(d.ids, func(id int) bool { return shown[id] })
		if !d.hidden {
			keep = append(keep, d.series)
		}
	}
	b.columns = keep
}
