package export

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// rawSeries finds the series of raw values.
type rawSeries struct {
	owners  map[capture.Owner]*rawOwner
	metrics map[metricKey]*rawMetric
	places  byID[rawPlace] // by number
	placed  int32
	again   map[int32][]*capture.Series // of a place, those but the first
	spare   []capture.Series            // for the next ones
	count   int
	frame   int32 // counts frames
	cost    int64 // of a series
	room    int64 // of what there is of input, four times the bytes
	used    int64

	// The last ones: rows come object by object, instance by instance.
	owner  *rawOwner
	metric *rawMetric
}

// rawOwner is an instance, with the places of its series in the order of their
// appearance.
type rawOwner struct {
	capture.Owner
	of    []rawRef
	index map[int32]int // of a metric: the position in of; nil while there are few
	next  int           // where the next one is looked for first
}

type rawRef struct{ metric, place int32 }

type rawMetric struct {
	capture.Metric
	id int32
}

// metricKey tells metrics apart. Title indexes are no part of it, nor of what
// tells owners apart: they are others on another machine.
type metricKey struct {
	host, object, counter string
	typ                   countertypes.Type
}

// rawPlace is the series of one name. A snapshot may hold a counter more than
// once; each is a series of its own then.
type rawPlace struct {
	first *capture.Series
	frame int32 // the last one that it was met in
	used  int32 // how many of its series that frame has
}

const (
	rawAtOnce = 64 // series are made at a time
	fewRefs   = 64 // are found without a map

	// What is kept of a series and of an instance, in bytes, with what outputs
	// keep of them. There is room for it in 64 MiB and four times the input.
	rawCost      = 115
	rawCostSQL   = 75
	rawOwnerCost = 450
	rawRoom      = 64 << 20
	leastRow     = 8 // bytes of input, of what is no block
)

// of returns the series of a row.
func (r *rawSeries) of(row *capture.Row) (*capture.Series, error) {
	r.find(row)
	n := r.owner.place(r.metric.id)
	if n < 0 {
		first, err := r.make()
		if err != nil {
			return nil, err
		}
		n = r.placed
		r.placed++
		r.places.at(int(n)).first = first
		r.owner.add(rawRef{r.metric.id, n})
	}
	p := r.places.at(int(n))
	if p.frame != r.frame {
		p.frame, p.used = r.frame, 0
	}
	p.used++
	i := int(p.used) - 2
	if i < 0 {
		return p.first, nil
	}
	more := r.again[n]
	if i == len(more) {
		s, err := r.make()
		if err != nil {
			return nil, err
		}
		more = append(more, s)
		r.again[n] = more
	}
	return more[i], nil
}

// is reports whether the owner is one without a title index.
func (o *rawOwner) is(other capture.Owner) bool {
	other.ObjectIndex = o.ObjectIndex
	return o.Owner == other
}

// place returns the place of the series of a metric, -1 for none.
func (o *rawOwner) place(metric int32) int32 {
	if o.next >= len(o.of) || o.of[o.next].metric != metric {
		if o.index != nil {
			i, ok := o.index[metric]
			if !ok {
				return -1
			}
			o.next = i
		} else if o.next = slices.IndexFunc(o.of, func(ref rawRef) bool { return ref.metric == metric }); o.next < 0 {
			o.next = 0
			return -1
		}
	}
	o.next++
	return o.of[o.next-1].place
}

func (o *rawOwner) add(ref rawRef) {
	o.of = append(o.of, ref)
	o.next = len(o.of)
	switch {
	case o.index != nil:
		o.index[ref.metric] = len(o.of) - 1
	case len(o.of) > fewRefs:
		o.index = map[int32]int{}
		for i, ref := range o.of {
			o.index[ref.metric] = i
		}
	}
}

// find makes owner and metric those of a row.
func (r *rawSeries) find(row *capture.Row) {
	if r.owners == nil {
		r.owners, r.metrics, r.again = map[capture.Owner]*rawOwner{}, map[metricKey]*rawMetric{}, map[int32][]*capture.Series{}
	}
	owner := capture.Owner{
		Host: row.Host, Object: row.Object, Parent: row.Parent, HasParent: row.HasParent,
		Instance: row.Instance, HasInstance: row.HasInstance, InstanceIndex: row.InstanceIndex,
	}
	if r.owner == nil || !r.owner.is(owner) {
		known, ok := r.owners[owner]
		if !ok {
			r.used += rawOwnerCost
			known = &rawOwner{Owner: owner}
			known.ObjectIndex = row.ObjectIndex
			if r.owner != nil { // the next instance mostly has as many
				known.of = make([]rawRef, 0, min(len(r.owner.of), fewRefs))
			}
			r.owners[owner] = known
		}
		known.next = 0
		r.owner = known
	}
	key := metricKey{row.Host, row.Object, row.Counter, row.Type}
	m, ok := r.metrics[key]
	if !ok {
		m = &rawMetric{capture.Metric{
			Counter: row.Counter, CounterIndex: row.CounterIndex, Type: row.Type, HasType: true, TimeBase: row.TimeBase,
		}, int32(len(r.metrics))}
		r.metrics[key] = m
	}
	r.metric = m
}

// make returns a new series of owner and metric.
func (r *rawSeries) make() (*capture.Series, error) {
	if r.used += r.cost; r.used > rawRoom+r.room {
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
			"%d counters of instances are more than there is room for; choose some by their paths", r.count)
	}
	if len(r.spare) == 0 {
		r.spare = make([]capture.Series, rawAtOnce)
	}
	s := &r.spare[0]
	r.spare = r.spare[1:]
	*s = capture.Series{ID: r.count, Owner: &r.owner.Owner, Metric: &r.metric.Metric}
	r.count++
	return s, nil
}
