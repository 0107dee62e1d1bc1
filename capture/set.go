package capture

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perflib2"
)

// setReader reads the version 2 counter set of an item of a log, record by record. It
// updates counters and instances only when they change.
type setReader struct {
	decoder      perflib2.Decoder
	registration *perflib2.Registration
	results      []setResult
	counters     int // number in all results
	known        bool
	layout       []byte // of results
	next         []byte // of this record
	failed       bool   // the block holds an error instead of values
	status       uint32 // of the error
	values       []perflib2.Value
	at           setValue
}

type setResult struct {
	perflib2.Result
	sampler   perflib2.Sampler
	counters  []setCounter
	instances []setInstance
	who       []identity // for each instance, empty if no counter identifies owners
}

type setCounter struct {
	Metric
	shown bool
	role  role
}

// setInstance is an instance of a set. The id identifies it: names may be reused.
type setInstance struct {
	name  string
	named bool
	index int // the n of #n
	id    uint32
}

type setValue struct {
	*setInstance
	counter *setCounter
	who     identity
	raw     []byte // nil if there is none
	sample  countertypes.Sample
}

// maxSetCounters limits the number of counters of all sets; those of Windows have some ten
// each.
const maxSetCounters = 1 << 17

// read reads the block of a series, which may have up to limit counters. changed reports
// that counters or instances differ from the previous record. If the block holds an error
// instead of values, they are unchanged and failed is set.
func (s *setReader) read(of *blg.Series, o Options, types *countertypes.Options, limit int) (block *perflib2.Block, changed bool, err error) {
	s.decoder.Options = o.Options
	b, err := s.decoder.Decode(of.BlockBytes())
	if err != nil {
		return nil, false, err
	}
	registration := of.Registration(b)
	s.next, s.failed, s.status = s.next[:0], true, 0
	n := 0
	for _, res := range b.Results() {
		if res.Type == perflib2.ErrorResult {
			s.status = res.Status
			continue
		}
		s.failed = false
		if n += res.NumCounters(); n > limit {
			return nil, false, perfdump.NewError(perfdump.CodeLimit, int64(res.Offset()), res.Path(), "the counter sets have more than %d counters", maxSetCounters)
		}
		s.next = appendLayout(s.next, res)
	}
	changed = !s.known || registration != s.registration || !s.failed && !bytes.Equal(s.next, s.layout)
	if changed {
		s.known, s.registration, s.layout = true, registration, append(s.layout[:0], s.next...)
		s.counters = n
		s.learn(b, types)
	}
	n = 0
	for _, res := range b.Results() {
		if !s.failed && res.Type != perflib2.ErrorResult {
			s.results[n].Result = res
			s.results[n].sampler.Reset(registration, res, types)
			n++
		}
	}
	return b, changed, nil
}

func appendLayout(dst []byte, res perflib2.Result) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(res.Type))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(res.NumCounters()))
	for j := range res.NumCounters() {
		dst = binary.LittleEndian.AppendUint32(dst, res.ID(j))
	}
	for _, in := range res.Instances() {
		dst = binary.LittleEndian.AppendUint32(dst, in.ID)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(in.RawName)))
		dst = append(dst, in.RawName...)
	}
	return dst
}

func (s *setReader) learn(b *perflib2.Block, types *countertypes.Options) {
	s.results = s.results[:0]
	for _, res := range b.Results() {
		if res.Type == perflib2.ErrorResult {
			continue
		}
		r := setResult{Result: res}
		r.sampler.Reset(s.registration, res, types)
		shown := false
		for j := range res.NumCounters() {
			c := newSetCounter(r.sampler.Counter(j), res.ID(j), b, types)
			shown = shown || c.shown
			r.counters = append(r.counters, c)
		}
		seen := map[string]int{}
		for _, in := range res.Instances() {
			if !shown {
				break // there may be many instances
			}
			name := cutClone(in.Name())
			r.instances = append(r.instances, setInstance{name: name, named: in.Named, index: count(seen, name), id: in.ID})
		}
		s.results = append(s.results, r)
	}
	if s.failed && s.registration != nil && s.registration.Single() { // its counters are known even without values
		r := setResult{instances: []setInstance{{}}}
		for _, c := range s.registration.Counters() {
			r.counters = append(r.counters, newSetCounter(c, c.ID, b, types))
		}
		s.results = append(s.results, r)
	}
}

func (s *setReader) identify() {
	for k := range s.results {
		r := &s.results[k]
		r.who = r.who[:0]
		if s.failed || !slices.ContainsFunc(r.counters, func(c setCounter) bool { return c.role == isProcess || c.role == isThread }) {
			continue
		}
		for i := range r.instances {
			var who identity
			s.values = r.Instance(i).AppendValues(s.values[:0])
			for j := range r.counters {
				if role := r.counters[j].role; role != noRole && s.values[j].Raw != nil {
					who.set(role, r.sampler.Sample(s.values, j).First)
				}
			}
			r.who = append(r.who, who)
		}
	}
}

// identity returns the owner of an instance, from its id and its counters.
func (r *setResult) identity(i int) identity {
	var who identity
	if i < len(r.who) {
		who = r.who[i]
	}
	who.set(isID, uint64(r.instances[i].id))
	return who
}

// newSetCounter returns a counter, whose name is its id if it is not registered.
func newSetCounter(of *perflib2.Counter, id uint32, b *perflib2.Block, types *countertypes.Options) setCounter {
	if of == nil {
		name := "#?" // unknown
		if id != perflib2.NoID {
			name = "#" + strconv.FormatUint(uint64(id), 10)
		}
		return setCounter{Metric: Metric{Counter: name}, shown: true}
	}
	m := Metric{Counter: cutClone(of.Name()), Type: of.Type, HasType: true, DefaultScale: countertypes.ClampScale(of.DefaultScale)}
	_, m.TimeBase, _ = of.Type.Tuple(&countertypes.Clocks{PerfFreq: b.PerfFreq, ObjectFreq: b.PerfFreq}, types)
	return setCounter{Metric: m, shown: !of.Hidden() && !of.Type.IsBase(), role: roleOf(0, m.Counter, of.Type)}
}

// all yields the values of all shown counters, instance by instance. If the block holds an
// error instead, they have the status invalid-data. A value is valid until the next one.
func (s *setReader) all() iter.Seq[*setValue] {
	return func(yield func(*setValue) bool) {
		for k := range s.results {
			r := &s.results[k]
			for i := range r.instances {
				if !s.failed {
					s.values = r.Instance(i).AppendValues(s.values[:0])
				}
				who := r.identity(i)
				for j := range r.counters {
					c := &r.counters[j]
					if !c.shown {
						continue
					}
					s.at = setValue{setInstance: &r.instances[i], counter: c, who: who}
					if s.failed {
						s.at.sample = countertypes.Sample{Type: c.Type, DefaultScale: c.DefaultScale, Status: countertypes.StatusInvalidData}
					} else {
						s.at.raw, s.at.sample = s.values[j].Raw, r.sampler.Sample(s.values, j)
					}
					if !yield(&s.at) {
						return
					}
				}
			}
		}
	}
}

// CounterSets yields the names of the registered version 2 counter sets of logs, and the
// names of their visible counters. A set that never had an instance has no series.
func (r *Recording) CounterSets() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, t := range r.tracks {
			l, ok := t.(*logTrack)
			if !ok {
				continue
			}
			for _, it := range l.file.Items() {
				set := l.file.Registration(&it)
				if it.Kind != blg.CounterSet || set == nil {
					continue
				}
				if !yield(cutClone(it.Path.Object), shownCounters(set)) {
					return
				}
			}
		}
	}
}

func shownCounters(set *perflib2.Registration) (names []string) {
	for _, c := range set.Counters() {
		if !c.Hidden() {
			names = append(names, cutClone(c.Name()))
		}
	}
	return names
}

// setPath returns the machine and the name of the set of a series: those of its item,
// otherwise its position.
func setPath(s *blg.Series) (host, object string) {
	if s.Item == nil {
		return "", "#" + strconv.Itoa(s.Position())
	}
	return cutClone(s.Item.Path.Machine), cutClone(s.Item.Path.Object)
}
