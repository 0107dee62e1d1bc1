package capture

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// seriesTable holds the series of a recording. What is looked up again and
// again are rows: the series of one instance, which are found by its name.
type seriesTable struct {
	filter *Filter
	names  *Names
	list   []*Series
	groups map[groupKey]*group
	ranks  []*group
	room   []Series // for the next ones: they come by the thousand
}

// roomAt is how many series, or rows, are made at a time.
const roomAt = 64

// groupKey tells the groups of a table apart. item is the path of the item of
// a log that the series stand for, "" where there are no items.
type groupKey struct{ host, object, item string }

// group is the series of one object of a host, or of one item of a log. Columns
// stand in the order of groups, then rows, then slots.
type group struct {
	key    groupKey
	index  uint32
	rows   map[string]*row
	order  []*row
	room   []row  // for the next ones
	places []*row // see rowAt

	slots       []slot // those that have names, see slotOf
	slotOf      map[slotKey]int
	definitions int // how many sets of definitions of counters there were
}

// row is the series of one instance, by slots; nil for slots not met yet and
// heldBack for what the filter holds back.
type row struct {
	key                    string
	parent, instance       string
	hasParent, hasInstance bool
	repeat                 int
	series                 []*Series
	definitions            int // the set of definitions that its series were made for
}

// slot describes the counter at one place of the rows of a group.
type slot struct {
	name     string
	index    uint32
	typ      countertypes.Type
	hasType  bool
	scale    int8
	timeBase int64

	named bool // it is one of its group's slots
	n     int  // then: of counters alike, which one
}

// home is where a series stands in its table. What it refers to does not change
// any more. There is one for each series, so it has of its slot what the series
// does not say itself.
type home struct {
	group *group
	row   *row
	at    int32
	n     int32 // of the slot
	named bool
}

// slot returns the slot that the series was made for.
func (s *Series) slot() slot {
	return slot{
		name: s.Counter, index: s.CounterIndex, typ: s.Type, hasType: s.HasType, scale: s.DefaultScale, timeBase: s.TimeBase,
		named: s.home.named, n: int(s.home.n),
	}
}

// adopt returns the series of t that is the one of another table.
func (t *seriesTable) adopt(s *Series) *Series {
	h := &s.home
	g := t.group(h.group.key, h.group.index)
	r := g.row([]byte(h.row.key), func(r *row) {
		r.parent, r.hasParent = h.row.parent, h.row.hasParent
		r.instance, r.hasInstance, r.repeat = h.row.instance, h.row.hasInstance, h.row.repeat
	})
	at, slot := int(h.at), s.slot()
	if slot.named {
		at = g.slot(slot, slot.n)
	}
	return t.at(g, r, at, &slot)
}

func (t *seriesTable) group(key groupKey, index uint32) *group {
	g, ok := t.groups[key]
	if !ok {
		if t.groups == nil {
			t.groups = map[groupKey]*group{}
		}
		g = &group{key: key, index: index, rows: map[string]*row{}}
		t.groups[key] = g
		t.ranks = append(t.ranks, g)
	}
	return g
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
func (g *group) slot(s slot, n int) int {
	key := slotKey{s.name, s.typ, n}
	at, ok := g.slotOf[key]
	if !ok {
		if g.slotOf == nil {
			g.slotOf = map[slotKey]int{}
		}
		at = len(g.slots)
		g.slotOf[key] = at
		s.named, s.n = true, n
		g.slots = append(g.slots, s)
	}
	return at
}

// row returns the row of a full name, which describe fills in the first time.
func (g *group) row(name []byte, describe func(*row)) *row {
	r, ok := g.rows[string(name)]
	if !ok {
		if len(g.room) == 0 {
			g.room = make([]row, min(roomAt, 1+len(g.order)))
		}
		r, g.room = &g.room[0], g.room[1:]
		r.key = string(name)
		describe(r)
		g.rows[r.key] = r
		g.order = append(g.order, r)
	}
	return r
}

// rowAt is row for the instance at a place of its object. Instances mostly stand
// where they stood before, which is found out without hashing a name.
func (g *group) rowAt(i int, name []byte, describe func(*row)) *row {
	if i < len(g.places) && g.places[i] != nil && g.places[i].key == string(name) {
		return g.places[i]
	}
	r := g.row(name, describe)
	for i >= len(g.places) {
		g.places = append(g.places, nil)
	}
	g.places[i] = r
	return r
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
	if r.repeat > 0 {
		key = key[:max(0, len(key)-repeatSize)]
	}
	if key != string(full) {
		return nil
	}
	return r
}

// at returns the series of a row at a slot, nil where the filter holds it back.
func (t *seriesTable) at(g *group, r *row, i int, s *slot) *Series {
	if i >= len(r.series) {
		n := max(i+1, len(g.slots)) - len(r.series)
		r.series = append(r.series, make([]*Series, n)...)
	}
	if r.series[i] == nil {
		r.series[i] = t.make(g, r, i, s)
	}
	if r.series[i] == heldBack {
		return nil
	}
	return r.series[i]
}

// heldBack stands for the series that the filter holds back.
var heldBack = new(Series)

func (t *seriesTable) make(g *group, r *row, at int, s *slot) *Series {
	path := pdhpath.Path{
		Machine: g.key.host, Object: g.key.object, Parent: r.parent, Instance: r.instance, Index: r.repeat,
		HasInstance: r.hasInstance, Counter: s.name,
	}
	if t.filter != nil {
		if ok, _ := t.filter.match(path); !ok {
			return heldBack
		}
	}
	for _, index := range [...]uint32{g.index, s.index} {
		if index != 0 {
			t.names.Name(index) // counts it if it has none
		}
	}
	if len(t.room) == 0 {
		t.room = make([]Series, min(roomAt, 1+len(t.list)))
	}
	series := &t.room[0]
	t.room = t.room[1:]
	*series = Series{
		ID: len(t.list), Host: g.key.host, Object: g.key.object,
		Parent: r.parent, HasParent: r.hasParent, Instance: r.instance, HasInstance: r.hasInstance, InstanceIndex: r.repeat,
		Counter: s.name, Type: s.typ, HasType: s.hasType, DefaultScale: s.scale, TimeBase: s.timeBase,
		ObjectIndex: g.index, CounterIndex: s.index, home: home{g, r, int32(at), int32(s.n), s.named},
	}
	series.Path = series.FullPath()
	t.list = append(t.list, series)
	return series
}

// columns returns all series in the order of columns: item by item, instance
// by instance in their order of appearance, counter by counter.
func (t *seriesTable) columns() []*Series {
	all := make([]*Series, 0, len(t.list))
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
