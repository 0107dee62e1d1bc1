package capture

import (
	"encoding/binary"
	"fmt"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// logSet is what is remembered of an item that is a version 2 counter set.
type logSet struct {
	setReader
	ok bool      // it could be read in this record
	at []*Series // of each value, nil for those that the filter holds back
}

// readSet reads the block of a counter set. Where it cannot be read there is
// none, and a remark says so.
func (c *logCooker) readSet(f *Frame, item *logItem, s *blg.Series) {
	if item.set == nil {
		item.set = &logSet{}
	}
	set := item.set
	set.ok = false
	if !c.r.o.Query.All() {
		return // a query is for title indexes, which sets do not have
	}
	host, _ := setPath(s)
	block, changed, err := set.read(s, c.r.o, c.r.cook.Types, maxSetCounters)
	if err != nil {
		if c.values {
			c.r.tell(Remark{Code: RemarkBadBlock, Source: c.log.name, Record: f.Record, Text: fmt.Sprintf("record %d: %s cannot be read: %v", f.Record, item.path(), placeEmbedded(s, err))})
		}
		return
	}
	set.ok, item.boot = true, c.bootOf(host)
	set.identify()
	if changed || c.r.cook.ByPID {
		c.learnSet(item, s)
	}
	if c.values && !set.failed {
		c.look(f, &item.clock, item.boot, block.PerfTime)
	}
}

// learnSet finds the series of each value of a set.
func (c *logCooker) learnSet(item *logItem, s *blg.Series) {
	set, g := item.set, item.group
	host, object := setPath(s)
	names, met := c.names.of(host), map[slotKey]int{}
	if g == nil {
		g = c.r.table.group(groupKey{host: host, object: names.shown(naming{object: object}, 0, 0).object, item: item.key}, 0)
		item.group = g
	}
	set.at = set.at[:0]
	for k := range set.results {
		r := &set.results[k]
		g.define(len(r.counters))
		slots := make([]int, len(r.counters))
		for j := range r.counters {
			if slots[j] = -1; r.counters[j].shown {
				m := r.counters[j].Metric
				names.name(&m, naming{object, m.Counter}, 0, 0)
				slots[j] = g.slot(m, m.alike(met))
			}
		}
		g.again()
		met := map[string]int{} // of series that follow their owners
		for i := range r.instances {
			if c.r.table.room.Over() {
				return
			}
			in := &r.instances[i]
			c.key = append(append(c.key[:0], 's'), in.name...)
			n, who := in.index, r.identity(i)
			if c.r.cook.ByPID && who.known() {
				c.key = who.appendKey(c.key)
				n = met[string(c.key)]
				met[string(c.key)]++
			}
			c.key = binary.LittleEndian.AppendUint32(c.key, uint32(n))
			row, isNew := g.rowAt(i, c.key)
			if o := &row.owner; isNew {
				o.HasInstance, o.Instance, o.InstanceIndex = in.named, in.name, n
				if c.r.cook.ByPID {
					o.PID, o.Thread = who.pid(), who.thread()
				}
			}
			for _, at := range slots {
				if at >= 0 {
					set.at = append(set.at, c.r.table.at(g, row, at, g.slots[at]))
				}
			}
		}
	}
}

// set adds the cells of the counter set that readSet has read.
func (c *logCooker) set(f *Frame, item *logItem) {
	set := item.set
	if !set.ok || !c.values {
		return
	}
	item.clock.settle(*item.boot)
	i := 0
	var in *setInstance
	var change int32
	for v := range set.all() {
		if i == len(set.at) {
			return // there was no room for more
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
		if c.r.cook.Texts && series.Type.Kind() == countertypes.KindText && v.raw != nil {
			f.addText(series, perfdata.Value{Kind: perfdata.Text, Raw: v.raw})
		}
	}
}
