package capture

import (
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// recordSet is what is remembered of a counter set between records.
type recordSet struct {
	setReader
	item  *blg.Item
	shown []bool // of each value, where there is a filter
}

// set yields the rows of a counter set.
func (r *LogRecord) set(s *blg.Series, failed func(error), yield func(*Row) bool) bool {
	for s.Position() >= len(r.sets) {
		r.sets = append(r.sets, nil)
	}
	set := r.sets[s.Position()]
	if set == nil || set.item != s.Item {
		if set != nil {
			r.counters -= set.counters
		}
		set = &recordSet{item: s.Item}
		r.sets[s.Position()] = set
	}
	r.counters -= set.counters
	_, changed, err := set.read(s, r.log.o, nil, maxSetCounters-r.counters)
	r.counters += set.counters
	if err != nil {
		failed(placeEmbedded(s, err))
		return true
	}
	if r.log.o.PID {
		set.identify()
	}
	host, object := setPath(s)
	names := r.log.names.of(host)
	filter := r.log.o.Filter
	if changed && filter != nil {
		set.shown = set.shown[:0]
		for v := range set.all() {
			ok, _ := filter.match(pdhpath.Path{
				Machine: host, Instance: v.name, Index: v.index, HasInstance: v.named,
			}, names.bothOf(naming{object, v.counter.Counter}, 0, 0))
			set.shown = append(set.shown, ok)
		}
	}
	row := Row{Time: r.Time, Offset: r.Offset, Zone: r.Zone, Host: host, Record: r.Record, Source: r.Source}
	if set.failed {
		row.PDH = set.status
	}
	i := 0
	for v := range set.all() {
		i++
		if filter != nil && !set.shown[i-1] {
			continue
		}
		row.setValueOf(v)
		to := names.shown(naming{object, v.counter.Counter}, 0, 0)
		row.Object, row.Counter = to.object, to.counter
		if !yield(&row) {
			return false
		}
	}
	return true
}

// setValueOf fills in a value of a counter set.
func (r *Row) setValueOf(v *setValue) {
	c, sample := v.counter, &v.sample
	r.Instance, r.HasInstance, r.InstanceIndex, r.PID = v.name, v.named, v.index, v.who.pid()
	r.Counter, r.Type, r.NoType, r.DefaultScale, r.TimeBase = c.Counter, c.Type, !c.HasType, c.DefaultScale, sample.TimeBase
	r.First, r.Second, r.Multi = sample.First, sample.Second, sample.Multi
	r.NoFirst = sample.Status == countertypes.StatusInvalidData
	r.NoSecond = r.NoFirst || r.NoType || c.Type.NeedsBase() && sample.Status == countertypes.StatusNoBase
	r.NoMulti = r.NoFirst || r.NoType || c.Type.Multi() && sample.Status == countertypes.StatusNoBase
	r.Text, r.HasText = "", false
	if c.Type.Kind() == countertypes.KindText && v.raw != nil {
		text := perfdata.Value{Kind: perfdata.Text, Raw: v.raw}
		r.Text, r.HasText, r.NoFirst = cutParts(text.TextParts()), true, true
	}
}
