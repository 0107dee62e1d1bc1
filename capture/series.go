package capture

import (
	"slices"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/budget"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/pdhpath"
)

// seriesTable holds the series of a recording in rows: the series of one instance, by its
// name.
type seriesTable struct {
	filter  *Filter
	names   *Names
	n       int                 // number of series
	series  paged.Slice[Series] // by ID
	groups  map[groupKey]*group
	ranks   []*group
	metrics map[Metric]*Metric
	budget  budget.Budget
	cost    int // bytes per series
}

// The memory for each series, row, counter and object, in bytes, including that of outputs.
const (
	seriesCost     = 104
	textCost       = 64 // added if texts are requested
	rowCost        = 396
	nameCost       = 6 // per byte of the names of a row, which are also in paths and labels
	metricCost     = 150
	englishCost    = 120 // added if there is a recorded name in addition to the English one
	definitionCost = 980 // per counter of a block, which may have no instances
	groupCost      = 600 // per object of a machine, which may have its own time axis
	itemGroupCost  = 300 // per item of a log
	itemCost       = 240 // per item of a log, with or without values
	listedCost     = 400 // per item of the longest list, with its series in a record
)

// groupKey identifies a group of a table. item is the path of the item of a log, "" for
// other formats.
type groupKey struct{ host, object, item string }

// group holds the series of one object of a host, or of one item of a log. Columns are in
// the order of groups, then rows, then slots.
type group struct {
	table  *seriesTable
	key    groupKey
	index  uint32
	rows   map[string]*row // nil while the group is small
	order  []*row
	places []*row // the rows of the instances of the previous snapshot, by position

	slots       []*Metric       // of named counters, see slot
	slotOf      map[slotKey]int // positions in slots
	definitions int32           // number of sets of counter definitions
	counted     bool            // a missing name of the object has been counted
	names       *Names          // nil for those of the table
	defined     int             // the largest number of counters of a set of definitions
}

// row holds the series of one instance, by slot. Those of the first slots mostly have
// adjacent IDs.
type row struct {
	owner       Owner
	key         string
	first, run  int32   // the ID of the series of slot 0, and the number of adjacent ones
	later       []int32 // for each slot after these, 1 + the ID, unseen or filteredOut
	definitions int32   // the set of definitions that its series were made for
}

const (
	unseen      = 0
	filteredOut = -1 // by the filter
)

// count returns how often a key was counted before, and counts it.
func count[K comparable](seen map[K]int, key K) int {
	n := seen[key]
	seen[key] = n + 1
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

// metricAt returns the metric of series at a slot that is not one of the group's slots.
// Equal metrics are shared.
func (t *seriesTable) metricAt(m Metric, slot int) *Metric {
	m.slot = int32(slot)
	known, ok := t.metrics[m]
	if !ok {
		if t.metrics == nil {
			t.metrics = map[Metric]*Metric{}
		}
		t.budget.Take(m.cost())
		known = &m
		t.metrics[m] = known
	}
	return known
}

// slotKey identifies the counters of an object by name: title indexes differ between
// machines and after updates of Windows.
type slotKey struct {
	name string
	typ  countertypes.Type
	n    int // position among equal counters
}

func (m *Metric) slotKey() slotKey { return slotKey{name: m.Counter, typ: m.Type, n: int(m.nth)} }

// slot returns the position of the nth of equal counters in the rows of the group. It is
// the same for all inputs.
func (g *group) slot(m Metric, n int) int {
	m.nth = int32(n)
	key := m.slotKey()
	if g.slotOf == nil && len(g.slots) > smallGroup {
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

// smallGroup is the number of rows or slots of a group up to which they are searched without
// a map: an item of a log often has one.
const smallGroup = 4

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

// row returns the row of a key. The caller sets the instance of the Owner of a new row.
func (g *group) row(key []byte) (r *row, isNew bool) {
	if r = g.find(key); r != nil {
		return r, false
	}
	g.table.budget.Take(rowCost + nameCost*len(key))
	r = &row{
		key:   string(key),
		owner: Owner{Host: g.key.host, Object: g.key.object, ObjectIndex: g.index, by: g.table.names.to},
	}
	g.order = append(g.order, r)
	switch {
	case g.rows != nil:
		g.rows[r.key] = r
	case len(g.order) > smallGroup:
		g.rows = map[string]*row{}
		for _, r := range g.order {
			g.rows[r.key] = r
		}
	}
	return r, true
}

// rowAt is row for the instance at a position of its object. Most instances keep their
// position, so their names need no hashing.
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

// unchangedAt returns the row of the instance with this full name if it had the same
// position last time, otherwise nil. It is valid only if all instances before it are
// unchanged too: then so is its number.
func (g *group) unchangedAt(i int, full []byte) *row {
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

// at returns the series of a row at a slot. It returns nil if the filter excludes it or the
// budget is exceeded.
func (t *seriesTable) at(g *group, r *row, i int, m *Metric) *Series {
	if i < int(r.run) {
		return t.series.At(int(r.first) + i)
	}
	i -= int(r.run)
	if i >= len(r.later) || r.later[i] == unseen {
		n := t.newSeries(g, r, m)
		switch {
		case n == unseen:
			return nil
		case n != filteredOut && len(r.later) == 0 && i == 0 && (r.run == 0 || n-1 == r.first+r.run):
			r.first = n - 1 - r.run
			r.run++
			return t.series.At(int(n - 1))
		case i >= len(r.later):
			r.later = append(r.later, make([]int32, max(i+1, len(g.slots)-int(r.run))-len(r.later))...)
		}
		r.later[i] = n
	}
	if r.later[i] == filteredOut {
		return nil
	}
	return t.series.At(int(r.later[i] - 1))
}

// newSeries makes a series and returns 1 + its ID, filteredOut if the filter excludes it, or
// unseen if the budget is exceeded.
func (t *seriesTable) newSeries(g *group, r *row, m *Metric) int32 {
	if t.filter != nil && !t.filter.matchOwner(&r.owner, t.names.both(&r.owner, m)) {
		return filteredOut
	}
	if t.budget.Over() {
		return unseen
	}
	if !g.counted {
		g.counted = true
		t.count(g, r.owner.ObjectIndex)
	}
	if !m.counted {
		m.counted = true
		t.count(g, m.CounterIndex)
		if m.recorded != (naming{}) {
			t.names.done.count(m.recorded, naming{r.owner.Object, m.Counter}, m.known)
		}
	}
	if !t.budget.Take(t.cost) {
		return unseen
	}
	*t.series.At(t.n) = Series{ID: t.n, Owner: &r.owner, Metric: m}
	t.n++
	return int32(t.n)
}

// count counts an index without a name, unless the group's log has one.
func (t *seriesTable) count(g *group, index uint32) {
	if index != 0 && (g.names == nil || !g.names.has(index)) {
		t.names.Name(index)
	}
}

func (t *seriesTable) columns() []*Series {
	all := make([]*Series, 0, t.n)
	for _, g := range t.ranks {
		for _, r := range g.order {
			for i := range int(r.run) {
				all = append(all, t.series.At(int(r.first)+i))
			}
			for _, n := range r.later {
				if n > 0 {
					all = append(all, t.series.At(int(n-1)))
				}
			}
		}
	}
	return all
}

func (o *Owner) describe(instance string, has bool, index int) {
	o.Instance, o.HasInstance, o.InstanceIndex = instance, has, index
}

// follow makes the series follow a process if that is requested.
func (o *Owner) follow(who *identity, byPID bool) {
	if byPID {
		o.PID, o.Thread = who.pid(), who.thread()
	}
}

// ownerPath returns the path of an instance without the object and the counter, whose names
// depend on the language.
func ownerPath(o *Owner) pdhpath.Path {
	return pdhpath.Path{Machine: o.Host, Parent: o.Parent, Instance: o.Instance, Index: o.InstanceIndex, HasInstance: o.HasInstance}
}
