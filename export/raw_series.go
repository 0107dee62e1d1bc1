package export

import (
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// rawSeries finds the series of raw values.
type rawSeries struct {
	owners  map[capture.Owner]*rawOwner
	metrics map[metricKey]*rawMetric
	at      map[rawKey]*rawPlace
	again   map[rawKey][]*capture.Series // those but the first of a name
	places  []rawPlace                   // for the next ones
	series  []capture.Series
	count   int
	frame   int32 // counts frames

	// The last ones: rows come object by object, instance by instance.
	owner  *rawOwner
	metric *rawMetric
}

type rawOwner struct {
	capture.Owner
	key capture.Owner
	id  int32
}

// metricKey tells metrics apart. Title indexes are no part of it, nor of what
// tells owners apart: they are others on another machine.
type metricKey struct {
	host, object, counter string
	typ                   countertypes.Type
}

type rawMetric struct {
	capture.Metric
	id int32
}

// rawKey tells the series of one name.
type rawKey struct{ owner, metric int32 }

// rawPlace is the series of one name. A snapshot may hold a counter more than
// once; each is a series of its own then.
type rawPlace struct {
	first *capture.Series
	frame int32 // the last one that it was met in
	used  int32 // how many of its series that frame has
}

// rawAtOnce is how many series are made at a time.
const rawAtOnce = 64

// of returns the series of a row.
func (r *rawSeries) of(row *capture.Row) *capture.Series {
	r.find(row)
	key := rawKey{r.owner.id, r.metric.id}
	p := r.at[key]
	if p == nil {
		if len(r.places) == 0 {
			r.places = make([]rawPlace, rawAtOnce)
		}
		p, r.places = &r.places[0], r.places[1:]
		r.at[key] = p
		p.first = r.make()
	}
	if p.frame != r.frame {
		p.frame, p.used = r.frame, 0
	}
	p.used++
	n := int(p.used) - 2
	if n < 0 {
		return p.first
	}
	more := r.again[key]
	if n == len(more) {
		more = append(more, r.make())
		r.again[key] = more
	}
	return more[n]
}

// find makes owner and metric those of a row.
func (r *rawSeries) find(row *capture.Row) {
	if r.at == nil {
		r.owners, r.metrics = map[capture.Owner]*rawOwner{}, map[metricKey]*rawMetric{}
		r.at, r.again = map[rawKey]*rawPlace{}, map[rawKey][]*capture.Series{}
	}
	owner := capture.Owner{
		Host: row.Host, Object: row.Object, Parent: row.Parent, HasParent: row.HasParent,
		Instance: row.Instance, HasInstance: row.HasInstance, InstanceIndex: row.InstanceIndex,
	}
	if r.owner == nil || r.owner.key != owner {
		known, ok := r.owners[owner]
		if !ok {
			known = &rawOwner{owner, owner, int32(len(r.owners))}
			known.ObjectIndex = row.ObjectIndex
			r.owners[owner] = known
		}
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
func (r *rawSeries) make() *capture.Series {
	if len(r.series) == 0 {
		r.series = make([]capture.Series, rawAtOnce)
	}
	s := &r.series[0]
	r.series = r.series[1:]
	*s = capture.Series{ID: r.count, Owner: &r.owner.Owner, Metric: &r.metric.Metric}
	r.count++
	return s
}
