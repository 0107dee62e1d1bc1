package capture

import (
	"slices"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/budget"
	"github.com/perfdump/perfdump/pdhpath"
)

// seriesTable holds the series of a recording: rows, the series of one instance, by
// the name of the instance.
type seriesTable struct {
	filter *Filter
	names  *Names
	n      int // how many there are
	groups map[groupKey]*group
	ranks  []*group
	lones  map[Metric]*Metric
	spare  []Series // for the next ones
	budget budget.Budget
	cost   int // of a series
}

// What is kept of each series, row, counter and object, in bytes, with what
// outputs keep of them.
const (
	seriesCost     = 112
	textCost       = 64 // more, where texts are requested
	rowCost        = 436
	nameCost       = 6 // of each byte of the names of a row: they are in paths and labels too
	metricCost     = 150
	englishCost    = 120 // more, where it has a recorded name in addition to the English one
	definitionCost = 900 // of a counter of a block, of which a block may have nothing else
	groupCost      = 600 // of an object of a machine: it may have a time axis of its own
	itemGroupCost  = 300 // of an item of a log
	itemCost       = 240 // of an item of a log, whether it has values or not
	listedCost     = 400 // of an item of the longest list, with its series in a record
)

// groupKey identifies the groups of a table. item is the path of the item of
// a log that the series are of, "" where there are no items.
type groupKey struct{ host, object, item string }

// group is the series of one object of a host, or of one item of a log. Columns
// are in the order of groups, then rows, then slots.
type group struct {
	table  *seriesTable
	key    groupKey
	index  uint32
	rows   map[string]*row // nil while there are few
	order  []*row
	places []*row // those of the instances of the snapshot before, by position

	slots       []*Metric       // those that have names, see slot
	slotOf      map[slotKey]int // their places
	definitions int             // how many sets of definitions of counters there were
	counted     bool            // the name of the object is counted, if it is missing
	names       *Names          // of the indexes, nil for those of the table
	defined     int             // the most counters that one set of definitions had
}

// row is the series of one instance, by slots: nil for slots not seen yet and
// heldBack for what the filter holds back.
type row struct {
	owner       Owner
	group       *group
	key         string
	series      []*Series
	definitions int // the set of definitions that its series were made for
}

var heldBack = new(Series)

// count returns how many of a key came before, and counts this one.
func count[K comparable](met map[K]int, key K) int {
	n := met[key]
	met[key] = n + 1
	return n
}

func (t *seriesTable) group(key groupKey, index uint32) *group {
	g, ok := t.groups[key]
	if !ok {
		if t.groups == nil {
			t.groups = map[groupKey]*group{}
		}
		cost := groupCost
		if key.item != "" {
			cost = itemGroupCost
		}
		t.budget.Take(cost)
		g = &group{table: t, key: key, index: index}
		t.groups[key] = g
		t.ranks = append(t.ranks, g)
	}
	return g
}

// lone returns the metric of series that are at a slot of their rows without
// being one of their group's. It is the same one for all that are equal.
func (t *seriesTable) lone(m Metric, slot int) *Metric {
	m.slot = int32(slot)
	known, ok := t.lones[m]
	if !ok {
		if t.lones == nil {
			t.lones = map[Metric]*Metric{}
		}
		t.budget.Take(m.cost())
		known = &m
		t.lones[m] = known
	}
	return known
}

// slotKey identifies the counters of an object by their names: title
// indexes are others on another machine, or after an update of Windows.
type slotKey struct {
	name string
	typ  countertypes.Type
	n    int // of equal counters, which one
}

func (m *Metric) slotKey() slotKey { return slotKey{name: m.Counter, typ: m.Type, n: int(m.nth)} }

// slot returns the place of the nth of equal counters in the rows of the group,
// which is the same for all inputs.
func (g *group) slot(m Metric, n int) int {
	m.nth = int32(n)
	key := m.slotKey()
	if g.slotOf == nil && len(g.slots) > few {
		g.slotOf = make(map[slotKey]int, len(g.slots))
		for at, m := range g.slots {
			g.slotOf[m.slotKey()] = at
		}
	}
	at, ok := g.slotOf[key]
	if g.slotOf == nil {
		at = slices.IndexFunc(g.slots, func(m *Metric) bool { return m.slotKey() == key })
		ok = at >= 0
	}
	if !ok {
		at = len(g.slots)
		if g.slotOf != nil {
			g.slotOf[key] = at
		}
		g.table.budget.Take(m.cost())
		g.slots = append(g.slots, &m)
	}
	return at
}

func (m *Metric) cost() int {
	if m.recorded != (naming{}) {
		return metricCost + englishCost
	}
	return metricCost
}

func (g *group) define(n int) {
	if n > g.defined {
		g.table.budget.Take(definitionCost * (n - g.defined))
		g.defined = n
	}
}

// few is up to how many rows or slots of a group are found without a map: an item of
// a log often has one.
const few = 4

func (g *group) find(key []byte) *row {
	if g.rows != nil {
		return g.rows[string(key)]
	}
	for _, r := range g.order {
		if r.key == string(key) {
			return r
		}
	}
	return nil
}

// row returns the row of a key. A new one gets an Owner that has all but the
// instance, which is for the caller to fill in.
func (g *group) row(key []byte) (r *row, isNew bool) {
	if r = g.find(key); r != nil {
		return r, false
	}
	g.table.budget.Take(rowCost + nameCost*len(key))
	r = &row{
		group: g, key: string(key),
		owner: Owner{Host: g.key.host, Object: g.key.object, ObjectIndex: g.index, by: g.table.names.to},
	}
	g.order = append(g.order, r)
	switch {
	case g.rows != nil:
		g.rows[r.key] = r
	case len(g.order) > few:
		g.rows = map[string]*row{}
		for _, r := range g.order {
			g.rows[r.key] = r
		}
	}
	return r, true
}

// rowAt is row for the instance at a position of its object: most instances are
// where they were before, which is found without hashing a name.
func (g *group) rowAt(i int, key []byte) (r *row, isNew bool) {
	if i < len(g.places) && g.places[i] != nil && g.places[i].key == string(key) {
		return g.places[i], false
	}
	for i >= len(g.places) {
		g.places = append(g.places, nil)
	}
	g.places[i], isNew = g.row(key)
	return g.places[i], isNew
}

// stillAt returns the row that an instance of a full name had at its place the
// last time, nil where another was there. It holds if all instances before it
// are those of the last time, too: then so is its number.
func (g *group) stillAt(i int, full []byte) *row {
	if i >= len(g.places) || g.places[i] == nil {
		return nil
	}
	r := g.places[i]
	key := r.key
	if r.owner.InstanceIndex > 0 {
		key = key[:max(0, len(key)-repeatSize)]
	}
	if key != string(full) {
		return nil
	}
	return r
}

// at returns the series of a row at a slot, nil where the filter holds it back and
// where the budget is exceeded.
func (t *seriesTable) at(g *group, r *row, i int, m *Metric) *Series {
	if i >= len(r.series) {
		r.series = append(r.series, make([]*Series, max(i+1, len(g.slots))-len(r.series))...)
	}
	s := r.series[i]
	if s == nil {
		s = t.newSeries(r, m)
		r.series[i] = s
	}
	if s == heldBack {
		return nil
	}
	return s
}

// newSeries returns the next series, heldBack where the filter does not let it
// through, nil where the budget is exceeded.
func (t *seriesTable) newSeries(r *row, m *Metric) *Series {
	if t.filter != nil && !t.filter.matchOwner(&r.owner, t.names.both(&r.owner, m)) {
		return heldBack
	}
	if t.budget.Over() {
		return nil
	}
	if !r.group.counted {
		r.group.counted = true
		t.count(r.group, r.owner.ObjectIndex)
	}
	if !m.counted {
		m.counted = true
		t.count(r.group, m.CounterIndex)
		if m.recorded != (naming{}) {
			t.names.done.count(m.recorded, naming{r.owner.Object, m.Counter}, m.known)
		}
	}
	if !t.budget.Take(t.cost) {
		return nil
	}
	if len(t.spare) == 0 {
		t.spare = make([]Series, min(256, 1+t.n))
	}
	s := &t.spare[0]
	t.spare = t.spare[1:]
	*s = Series{ID: t.n, Owner: &r.owner, Metric: m}
	t.n++
	return s
}

// count counts an index that has no name, not even one in the group's log.
func (t *seriesTable) count(g *group, index uint32) {
	if index != 0 && (g.names == nil || !g.names.has(index)) {
		t.names.Name(index)
	}
}

func (t *seriesTable) columns() []*Series {
	all := make([]*Series, 0, t.n)
	for _, g := range t.ranks {
		for _, r := range g.order {
			for _, s := range r.series {
				if s != nil && s != heldBack {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

func (o *Owner) describe(instance string, has bool, index int) {
	o.Instance, o.HasInstance, o.InstanceIndex = instance, has, index
}

// follow makes the series those of a process where that is requested.
func (o *Owner) follow(who *identity, byPID bool) {
	if byPID {
		o.PID, o.Thread = who.pid(), who.thread()
	}
}

// ownerPath is the path of an instance, without the names that have a language.
func ownerPath(o *Owner) pdhpath.Path {
	return pdhpath.Path{Machine: o.Host, Parent: o.Parent, Instance: o.Instance, Index: o.InstanceIndex, HasInstance: o.HasInstance}
}
