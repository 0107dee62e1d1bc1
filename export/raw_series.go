package export

import (
	"cmp"
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/room"
)

// rawSeries finds the series of raw values.
type rawSeries struct {
	owners  map[capture.Owner]*rawOwner
	metrics map[metricKey]*rawMetric
	count   int
	again   map[int32][]int32 // of the first series of a name: the others
	frame   int32             // counts frames
	room    room.Room

	// The last ones: rows come object by object, instance by instance.
	owner  *rawOwner
	metric *rawMetric
}

// rawOwner is an instance, with its series in the order of their appearance.
type rawOwner struct {
	capture.Owner
	of    []rawName
	mixed bool          // their metrics do not rise, as they do where instances have the counters of those before
	index map[int32]int // of a metric: the position in of; nil where they rise, and while there are few
	next  int           // where the next one is looked for first
}

// rawName is the series of one name. A snapshot may hold a counter more than
// once; each is a series of its own then.
type rawName struct {
	metric int32
	first  int32 // the ID of the first series
	frame  int32 // the last one that it was met in
	used   int32 // how many of its series that frame has
}

type rawMetric struct {
	capture.Metric
	id int32
}

// metricKey tells metrics apart. Title indexes are no part of it, nor of what
// tells owners apart: they are others on another machine.
type metricKey struct {
	host, object, counter string
	typ                   countertypes.Type
	scale                 int8
}

const (
	fewNames = 64 // are found without a map

	// What is kept of a series, an instance and a counter, in bytes, with what
	// outputs keep of them.
	rawCost       = 45
	rawIndexCost  = 45 // more, of a series in a map
	rawOwnerCost  = 480
	rawMetricCost = 1000
	leastRow      = 8 // bytes of input, of what is no block
)

// of returns the series of a row.
func (r *rawSeries) of(row *capture.Row) (capture.Series, error) {
	id, err := r.id(row)
	return capture.Series{ID: int(id), Owner: &r.owner.Owner, Metric: &r.metric.Metric}, err
}

// id returns the ID of the series of a row, and makes owner and metric its own.
func (r *rawSeries) id(row *capture.Row) (int32, error) {
	r.find(row)
	p := r.owner.name(r.metric.id)
	if p == nil {
		first, err := r.make()
		if err != nil {
			return 0, err
		}
		p = r.owner.add(rawName{metric: r.metric.id, first: first}, &r.room)
	}
	if p.frame != r.frame {
		p.frame, p.used = r.frame, 0
	}
	p.used++
	i := int(p.used) - 2
	if i < 0 {
		return p.first, nil
	}
	if i == len(r.again[p.first]) {
		s, err := r.make()
		if err != nil {
			return 0, err
		}
		r.again[p.first] = append(r.again[p.first], s)
	}
	return r.again[p.first][i], nil
}

// is reports whether the owner is one without a title index.
func (o *rawOwner) is(other capture.Owner) bool {
	other.ObjectIndex = o.ObjectIndex
	return o.Owner == other
}

// name returns the series of a metric, nil where there is none.
func (o *rawOwner) name(metric int32) *rawName {
	if o.next >= len(o.of) || o.of[o.next].metric != metric {
		i, ok := o.search(metric)
		if !ok {
			return nil
		}
		o.next = i
	}
	o.next++
	return &o.of[o.next-1]
}

// search returns the position of a metric.
func (o *rawOwner) search(metric int32) (int, bool) {
	switch {
	case !o.mixed:
		return slices.BinarySearchFunc(o.of, metric, func(n rawName, metric int32) int { return cmp.Compare(n.metric, metric) })
	case o.index != nil:
		i, ok := o.index[metric]
		return i, ok
	default:
		i := slices.IndexFunc(o.of, func(n rawName) bool { return n.metric == metric })
		return i, i >= 0
	}
}

func (o *rawOwner) add(n rawName, room *room.Room) *rawName {
	o.mixed = o.mixed || len(o.of) > 0 && n.metric < o.of[len(o.of)-1].metric
	o.of = append(o.of, n)
	o.next = len(o.of)
	switch {
	case o.index != nil:
		room.Take(rawIndexCost)
		o.index[n.metric] = len(o.of) - 1
	case o.mixed && len(o.of) > fewNames:
		room.Take(rawIndexCost * len(o.of))
		o.index = map[int32]int{}
		for i, n := range o.of {
			o.index[n.metric] = i
		}
	}
	return &o.of[len(o.of)-1]
}

// find makes owner and metric those of a row.
func (r *rawSeries) find(row *capture.Row) {
	if r.owners == nil {
		r.owners, r.metrics, r.again = map[capture.Owner]*rawOwner{}, map[metricKey]*rawMetric{}, map[int32][]int32{}
	}
	owner := capture.Owner{
		Host: row.Host, Object: row.Object, Parent: row.Parent, HasParent: row.HasParent,
		Instance: row.Instance, HasInstance: row.HasInstance, InstanceIndex: row.InstanceIndex,
	}
	if r.owner == nil || !r.owner.is(owner) {
		known, ok := r.owners[owner]
		if !ok {
			r.room.Take(rawOwnerCost)
			known = &rawOwner{Owner: owner}
			known.ObjectIndex = row.ObjectIndex
			if r.owner != nil { // the next instance mostly has as many
				known.of = make([]rawName, 0, len(r.owner.of))
			}
			r.owners[owner] = known
		}
		known.next = 0
		r.owner = known
	}
	key := metricKey{row.Host, row.Object, row.Counter, row.Type, row.DefaultScale}
	m, ok := r.metrics[key]
	if !ok {
		r.room.Take(rawMetricCost)
		m = &rawMetric{capture.Metric{
			Counter: row.Counter, CounterIndex: row.CounterIndex, Type: row.Type, HasType: true, DefaultScale: row.DefaultScale, TimeBase: row.TimeBase,
		}, int32(len(r.metrics))}
		r.metrics[key] = m
	}
	r.metric = m
}

// make returns the ID of a new series.
func (r *rawSeries) make() (int32, error) {
	if !r.room.Take(rawCost) {
		return 0, r.room.Err(r.count)
	}
	r.count++
	return int32(r.count - 1), nil
}
