package capture

import (
	"slices"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/room"
	"github.com/perfdump/perfdump/pdhpath"
)

// seriesTable holds the series of a recording. What is looked up again and
// again are rows: the series of one instance, which are found by its name.
type seriesTable struct {
	filter *Filter
	names  *Names
	n      int // how many there are
	groups map[groupKey]*group
	ranks  []*group
	lones  map[Metric]*Metric
	spare  []Series // for the next ones: they come by the thousand
	rows   []row    // for the next ones, of any group
	met    int      // rows
	room   room.Room
	cost   int // of a series
}

// What is kept of each series, row, counter and object, in bytes, with what
// outputs keep of them.
const (
	seriesCost  = 104
	filterCost  = 8   // more, where there is a filter: it has a pointer
	textCost    = 64  // more, where texts are asked for: the place of one in a frame
	rowCost     = 436 // and its key
	metricCost  = 150
	englishCost = 120 // more, where it has a recorded name beside the English one
	// definitionCost is what decoding, pairing and cooking keep of a counter of a
	// block: a block may be counters alone.
	definitionCost = 900
	groupCost      = 600 // of an object of a machine: it may have a time axis of its own
	itemGroupCost  = 300 // of an item of a log
	itemCost       = 240 // of an item of a log, whether it has values or not
	listedCost     = 400 // of an item of the longest list, with its series in a record
	nameCost       = 6   // of each byte of the names of a row: they stand in paths and labels too
)

// atOnce is how many series, or rows, are made at a time.
const atOnce = 64

// groupKey tells the groups of a table apart. item is the path of the item of
// a log that the series stand for, "" where there are no items.
type groupKey struct{ host, object, item string }

// group is the series of one object of a host, or of one item of a log. Columns
// stand in the order of groups, then rows, then slots.
type group struct {
	table  *seriesTable
	key    groupKey
	index  uint32
	rows   map[string]*row // nil while none is looked for, or there are few
	order  []*row
	places []*row // see rowAt
	passed int    // how many of order stood at their places, one behind the other

	slots       []*Metric       // those that have names, see slotOf
	slotOf      map[slotKey]int // nil while there are few
	definitions int             // how many sets of definitions of counters there were
	told        bool            // that the object has no name, if it has none
	names       *Names          // of the indexes, nil for those of the table
	defined     int             // the most counters that one of them had
}

// row is the series of one instance, by slots. Without a filter nearly all slots
// that there are when it gets its first series get one, so these stand side by
// side: the Owner of those not met yet is nil. Of the slots behind them, and with a
// filter of all, there are pointers: nil for slots not met yet and heldBack for what
// the filter holds back.
type row struct {
	owner       Owner
	group       *group
	key         string
	series      []Series
	later       []*Series
	definitions int // the set of definitions that its series were made for
}

// place is where the series of a metric stand in the rows of a group.
type place struct {
	slot int32
	n    int32 // of counters alike, which one
	told bool  // that it has no name, if it has none
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
		t.room.Take(cost)
		g = &group{table: t, key: key, index: index}
		t.groups[key] = g
		t.ranks = append(t.ranks, g)
	}
	return g
}

// lone returns the metric of series that stand at a slot of their rows without
// being one of their group's. It is the same one for all that are alike.
func (t *seriesTable) lone(m Metric, slot int) *Metric {
	m.place = place{slot: int32(slot)}
	known, ok := t.lones[m]
	if !ok {
		if t.lones == nil {
			t.lones = map[Metric]*Metric{}
		}
		t.room.Take(m.cost())
		known = &m
		t.lones[m] = known
	}
	return known
}

// slotKey tells the counters of an object apart. It goes by their names: title
// indexes are others on another machine, or after an update of Windows.
type slotKey struct {
	name string
	typ  countertypes.Type
	n    int // of counters alike, which one
}

// slot returns the place of a counter in the rows of the group, which is the
// same for all inputs.
func (g *group) slot(m Metric, n int) int {
	key := slotKey{m.Counter, m.Type, n}
	at := g.findSlot(key)
	if at < 0 {
		at = len(g.slots)
		if g.slotOf != nil {
			g.slotOf[key] = at
		}
		g.table.room.Take(m.cost())
		m.place = place{slot: int32(at), n: int32(n)}
		g.slots = append(g.slots, &m)
	}
	return at
}

// findSlot returns the place of a counter, -1 where it has none.
func (g *group) findSlot(key slotKey) int {
	if len(g.slots) <= few {
		return slices.IndexFunc(g.slots, func(m *Metric) bool { return m.slotKey() == key })
	}
	if g.slotOf == nil {
		g.slotOf = make(map[slotKey]int, len(g.slots))
		for at, m := range g.slots {
			g.slotOf[m.slotKey()] = at
		}
	}
	if at, ok := g.slotOf[key]; ok {
		return at
	}
	return -1
}

// cost is what is kept of a metric, in bytes.
func (m *Metric) cost() int {
	if m.recorded != (naming{}) {
		return metricCost + englishCost
	}
	return metricCost
}

// alike returns how many of the names and types that were met are those of m, and
// meets it.
func (m *Metric) alike(met map[slotKey]int) int {
	key := slotKey{name: m.Counter, typ: m.Type}
	met[key]++
	return met[key] - 1
}

func (m *Metric) slotKey() slotKey { return slotKey{m.Counter, m.Type, int(m.place.n)} }

// define takes room for the definitions of n counters.
func (g *group) define(n int) {
	if n > g.defined {
		g.table.room.Take(definitionCost * (n - g.defined))
		g.defined = n
	}
}

// few is up to how many rows, or slots, of a group are found without a map.
const few = 4

// find returns the row of a key, nil where there is none.
func (g *group) find(key []byte) *row {
	if len(g.order) <= few {
		for _, r := range g.order {
			if r.key == string(key) {
				return r
			}
		}
		return nil
	}
	if g.rows == nil {
		g.rows = make(map[string]*row, len(g.order))
		for _, r := range g.order {
			g.rows[r.key] = r
		}
	}
	return g.rows[string(key)]
}

// row returns the row of a key. A new one gets an Owner that has all but the
// instance, which is for the caller to fill in.
func (g *group) row(key []byte) (r *row, isNew bool) {
	if r = g.find(key); r != nil {
		return r, false
	}
	return g.newRow(key), true
}

// newRow returns a row of a key that none has.
func (g *group) newRow(key []byte) *row {
	g.table.room.Take(rowCost + nameCost*len(key))
	r := g.table.nextRow()
	r.group, r.key = g, string(key)
	r.owner = Owner{Host: g.key.host, Object: g.key.object, ObjectIndex: g.index, by: g.table.names.to}
	g.order = append(g.order, r)
	if g.rows != nil {
		g.rows[r.key] = r
	}
	return r
}

// nextRow returns an empty row.
func (t *seriesTable) nextRow() *row {
	if len(t.rows) == 0 {
		t.rows = make([]row, min(atOnce, 1+t.met))
	}
	r := &t.rows[0]
	t.rows = t.rows[1:]
	t.met++
	return r
}

// again begins anew with the instances of the group's object.
func (g *group) again() { g.passed = 0 }

// rowAt is row for the instance at a place of its object. Since [group.again] no two
// have the same key. Instances mostly stand where they stood before, or are met for the
// first time behind all others, which is found out without hashing a name.
func (g *group) rowAt(i int, key []byte) (r *row, isNew bool) {
	inTurn := i == g.passed
	if i < len(g.places) && g.places[i] != nil && g.places[i].key == string(key) {
		r = g.places[i]
		if inTurn && i < len(g.order) && g.order[i] == r {
			g.passed++
		}
		return r, false
	}
	if inTurn && i == len(g.order) {
		r, isNew = g.newRow(key), true
		g.passed++
	} else {
		r, isNew = g.row(key)
	}
	for i >= len(g.places) {
		g.places = append(g.places, nil)
	}
	g.places[i] = r
	return r, isNew
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

// at returns the series of a row at a slot, nil where the filter holds it back.
func (t *seriesTable) at(g *group, r *row, i int, m *Metric) *Series {
	if r.series == nil && r.later == nil && t.filter == nil {
		r.series = t.carve(max(i+1, len(g.slots)))
	}
	if i < len(r.series) {
		s := &r.series[i]
		if s.Owner == nil && !t.make(s, r, m) {
			return nil
		}
		return s
	}
	i -= len(r.series)
	if i >= len(r.later) {
		n := max(i+1, len(g.slots)-len(r.series)) - len(r.later)
		r.later = append(r.later, make([]*Series, n)...)
	}
	if r.later[i] == nil {
		r.later[i] = t.single(r, m) // nil where there is no room
	}
	if r.later[i] == heldBack {
		return nil
	}
	return r.later[i]
}

// heldBack stands for the series that the filter holds back.
var heldBack = new(Series)

// single makes a series by itself, where the filter lets it through.
func (t *seriesTable) single(r *row, m *Metric) *Series {
	if t.filter != nil && !t.filter.matchOwner(&r.owner, t.names.both(&r.owner, m)) {
		return heldBack
	}
	if t.room.Over() {
		return nil
	}
	s := &t.carve(1)[0]
	if !t.make(s, r, m) {
		return nil
	}
	return s
}

// ownerPath is the path of an instance, without the names that have a language.
func ownerPath(o *Owner) pdhpath.Path {
	return pdhpath.Path{Machine: o.Host, Parent: o.Parent, Instance: o.Instance, Index: o.InstanceIndex, HasInstance: o.HasInstance}
}

// make makes s the next series. It is false where there is no room.
func (t *seriesTable) make(s *Series, r *row, m *Metric) bool {
	if !r.group.told {
		r.group.told = true
		t.count(r.group, r.owner.ObjectIndex)
	}
	if !m.place.told {
		m.place.told = true
		t.count(r.group, m.CounterIndex)
		if m.recorded != (naming{}) {
			t.names.done.count(m.recorded, naming{r.owner.Object, m.Counter}, m.known)
		}
	}
	if !t.room.Take(t.cost) {
		return false
	}
	*s = Series{ID: t.n, Owner: &r.owner, Metric: m}
	t.n++
	return true
}

// count counts an index that has no name, not even one in the group's log.
func (t *seriesTable) count(g *group, index uint32) {
	if index != 0 && (g.names == nil || !g.names.has(index)) {
		t.names.Name(index)
	}
}

// carve returns n series to be made.
func (t *seriesTable) carve(n int) []Series {
	if n >= atOnce/4 {
		return make([]Series, n)
	}
	if len(t.spare) < n {
		t.spare = make([]Series, max(n, min(atOnce, 1+t.n)))
	}
	all := t.spare[:n:n]
	t.spare = t.spare[n:]
	return all
}

// columns returns all series in the order of columns: item by item, instance
// by instance in their order of appearance, counter by counter.
func (t *seriesTable) columns() []*Series {
	all := make([]*Series, 0, t.n)
	for _, g := range t.ranks {
		for _, r := range g.order {
			for i := range r.series {
				if s := &r.series[i]; s.Owner != nil {
					all = append(all, s)
				}
			}
			for _, s := range r.later {
				if s != nil && s != heldBack {
					all = append(all, s)
				}
			}
		}
	}
	return all
}
