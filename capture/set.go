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

// setReader reads the version 2 counter set of an item of a log, record by
// record. What it knows of counters and instances is worked out again only where
// these change.
type setReader struct {
	decoder      perflib2.Decoder
	registration *perflib2.Registration
	results      []setResult
	counters     int // in all results
	known        bool
	layout       []byte // of results
	next         []byte // of this record
	failed       bool   // there is an error in the place of all values
	status       uint32 // of the error
	values       []perflib2.Value
	at           setValue
}

type setResult struct {
	perflib2.Result
	sampler   perflib2.Sampler
	counters  []setCounter
	instances []setInstance
	who       []identity // of each instance, none where no counter says who it is
}

type setCounter struct {
	Metric
	shown bool
	role  role
}

// setInstance is an instance of a set. The id says who it is: the name may
// pass from one to another.
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
	raw     []byte // nil where there is none
	sample  countertypes.Sample
}

// maxSetCounters bounds the counters of sets that are known at a time; those of
// Windows have some ten each.
const maxSetCounters = 1 << 17

// read takes the block of a series, of up to most counters. changed says that counters or instances are
// others than in the record before. Where the block holds an error in the place
// of values, they are as they were, and failed is set.
func (s *setReader) read(of *blg.Series, o Options, types *countertypes.Options, most int) (block *perflib2.Block, changed bool, err error) {
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
		if n += res.NumCounters(); n > most {
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
		some := false
		for j := range res.NumCounters() {
			c := newSetCounter(r.sampler.Counter(j), res.ID(j), b, types)
			some = some || c.shown
			r.counters = append(r.counters, c)
		}
		met := map[string]int{}
		for _, in := range res.Instances() {
			if !some {
				break // there may be many, of which nothing is shown
			}
			name := cutOwn(in.Name())
			r.instances = append(r.instances, setInstance{name: name, named: in.Named, index: count(met, name), id: in.ID})
		}
		s.results = append(s.results, r)
	}
	if s.failed && s.registration != nil && s.registration.Single() { // its counters are known without values
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

// identity returns who an instance is: its id says so, and counters.
func (r *setResult) identity(i int) identity {
	var who identity
	if i < len(r.who) {
		who = r.who[i]
	}
	who.set(isID, uint64(r.instances[i].id))
	return who
}

// newSetCounter returns what is known of a counter, which has its id for a name
// where it is not registered.
func newSetCounter(of *perflib2.Counter, id uint32, b *perflib2.Block, types *countertypes.Options) setCounter {
	if of == nil {
		name := "#?" // nothing says which one it is
		if id != perflib2.NoID {
			name = "#" + strconv.FormatUint(uint64(id), 10)
		}
		return setCounter{Metric: Metric{Counter: name}, shown: true}
	}
	m := Metric{Counter: cutOwn(of.Name()), Type: of.Type, HasType: true, DefaultScale: countertypes.ClampScale(of.DefaultScale)}
	_, m.TimeBase, _ = of.Type.Tuple(&countertypes.Clocks{PerfFreq: b.PerfFreq, ObjectFreq: b.PerfFreq}, types)
	return setCounter{Metric: m, shown: !of.Hidden() && !of.Type.IsBase(), role: roleOf(0, m.Counter, of.Type)}
}

// all yields the values of all counters that are shown, instance by instance.
// Where there is an error in their place they have the status invalid-data. A
// value is valid until the next one.
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

// CounterSets yields the names of the version 2 counter sets of logs that say what
// their counters are, and the names of those that are shown. A set may have had no
// instance, and then it has no series.
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
				if !yield(cutOwn(it.Path.Object), shownCounters(set)) {
					return
				}
			}
		}
	}
}

func shownCounters(set *perflib2.Registration) (names []string) {
	for _, c := range set.Counters() {
		if !c.Hidden() {
			names = append(names, cutOwn(c.Name()))
		}
	}
	return names
}

// setPath is the machine and the name of the set of a series: those of its item,
// else its place.
func setPath(s *blg.Series) (host, object string) {
	if s.Item == nil {
		return "", "#" + strconv.Itoa(s.Position())
	}
	return cutOwn(s.Item.Path.Machine), cutOwn(s.Item.Path.Object)
}
