package capture

import (
	"encoding/binary"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

type logSet struct {
	setReader
	ok bool      // it was read in this record
	at []*Series // of each value, nil for those that the filter excludes
}

// readSet reads the block of a counter set.
func (c *logCooker) readSet(f *Frame, item *logItem, s *blg.Series) {
	if item.set == nil {
		item.set = &logSet{}
	}
	set := item.set
	set.ok = false
	if !c.r.o.Query.All() {
		return // queries ask for title indexes, which sets do not have
	}
	host, _ := setPath(s)
	block, changed, err := set.read(s, c.r.o, c.r.cook.Types, maxSetCounters)
	if err != nil {
		c.unreadable(f, item, s, err)
		return
	}
	set.ok, item.boot = true, c.bootOf(host)
	set.identify()
	if changed || c.r.cook.ByPID {
		c.learnSet(item, s)
	}
	if c.values && !set.failed {
		c.observeClock(f, item, block.PerfTime)
	}
}

func (c *logCooker) learnSet(item *logItem, s *blg.Series) {
	set := item.set
	host, object := setPath(s)
	names, seen := c.log.names.of(host), map[slotKey]int{}
	if item.group == nil {
		item.group = c.r.table.group(groupKey{host: host, object: names.shown(naming{object: object}, 0, 0).object, item: item.key}, 0)
	}
	g := item.group
	set.at = set.at[:0]
	for k := range set.results {
		r := &set.results[k]
		g.define(len(r.counters))
		var slots []int
		for j := range r.counters {
			if r.counters[j].shown {
				m := r.counters[j].Metric
				names.name(&m, naming{object, m.Counter}, 0, 0)
				slots = append(slots, g.slot(m, count(seen, m.slotKey())))
			}
		}
		seen := map[string]int{} // of series that follow their owners
		for i := range r.instances {
			if c.r.table.budget.Over() {
				return
			}
			in := &r.instances[i]
			c.key = append(append(c.key[:0], 's'), in.name...)
			n, who := in.index, r.identity(i)
			if c.r.cook.ByPID && who.known() {
				c.key = who.appendKey(c.key)
				n = count(seen, string(c.key))
			}
			c.key = binary.LittleEndian.AppendUint32(c.key, uint32(n))
			row, isNew := g.rowAt(i, c.key)
			if isNew {
				row.owner.describe(in.name, in.named, n)
				row.owner.follow(&who, c.r.cook.ByPID)
			}
			for _, at := range slots {
				set.at = append(set.at, c.r.table.at(g, row, at, g.slots[at]))
			}
		}
	}
}

func (c *logCooker) set(f *Frame, item *logItem) {
	set := item.set
	if !set.ok || !c.values {
		return
	}
	item.clock.commit(*item.boot)
	i := 0
	var in *setInstance
	var change int32
	for v := range set.all() {
		if i == len(set.at) {
			return // the budget is exceeded
		}
		series := set.at[i]
		i++
		if series == nil {
			continue
		}
		if v.setInstance != in {
			in, change = v.setInstance, c.last.change(series.Owner, &v.who)
		}
		cell := Cell{Series: series}
		c.last.cook(&cell, &v.sample, c.r.cook.Types, !set.failed, *item.boot, change)
		if set.failed {
			cell.PDH = set.status
		}
		tuple := tupleOf(&v.sample)
		tuple.PID = v.who.pid()
		f.add(cell, tuple, c.r.cook.Raw)
		f.addSamples(c.last.older, &v.sample, &c.r.cook)
		if c.r.cook.Texts && series.Type.Kind() == countertypes.KindText && v.raw != nil {
			f.addText(series, perfdata.Value{Kind: perfdata.Text, Raw: v.raw})
		}
	}
}
