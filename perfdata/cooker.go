package perfdata

import (
	"slices"

	"github.com/perfdump/perfdump/countertypes"
)

// Cooker cooks all values of a block, instance by instance, much faster than a
// [Sampler] and countertypes.Cook and with the same results:
//
//	var c perfdata.Cooker
//	c.Reset(older, newer, nil)
//	for c.Next() {
//		values, statuses := c.Values(), c.Statuses() // one a counter
//	}
//
// It processes a few instances at a time, one counter after the other, so that what depends
// on the counter alone is computed once. A reused Cooker allocates nothing.
type Cooker struct {
	Pair func(older, newer *Object, pairs []int32) (changed []bool) // see [Sampler]
	Only func(newer *Object) bool                                   // see [Sampler]

	s        Sampler
	plans    []countertypes.Plan
	planned  []bool
	reads    bool // some plan needs values
	n        int  // counters of the object
	row      int  // of the current instance among those cooked
	rows     int
	first    int // the instance at row 0
	values   []float64
	statuses []countertypes.Status
	newer    []uint64 // the raw values of the rows, and those of the older block
	older    []uint64
	has      []bool  // for each row, whether it has an older one
	places   []place // of the older rows
}

// rowValues is about how many values are cooked at a time.
const rowValues = 2048

// Reset prepares c to iterate over newer. older may be nil, and so may o.
func (c *Cooker) Reset(older, newer *Block, o *countertypes.Options) {
	c.s.Pair, c.s.Only = c.Pair, c.Only
	c.s.Reset(older, newer, o)
	c.n, c.row, c.rows, c.first = 0, 0, 0, 0
}

// Next advances to the next instance, in the order of the newer block. It returns false at
// the end.
func (c *Cooker) Next() bool {
	c.row++
	if c.row < c.rows {
		return true
	}
	c.first += c.rows
	for c.s.object < 0 || c.first >= c.s.newer.objects[c.s.object].Len() {
		if c.s.object+1 >= len(c.s.newer.objects) {
			c.row, c.rows = 0, 0
			return false
		}
		c.s.object++
		if o := &c.s.newer.objects[c.s.object]; c.Only != nil && !c.Only(o) {
			c.first = o.Len()
			continue
		}
		c.ask(0)
		c.s.startObject()
		c.startObject()
	}
	c.cookRows()
	c.row = 0
	return true
}

// Instance returns the current instance, in the newer block.
func (c *Cooker) Instance() Instance {
	return c.s.newer.objects[c.s.object].Instance(c.first + c.row)
}

// Values returns the cooked values of the current instance, one for each counter, 0 if the
// status is not StatusOK. They are valid until the next call of Next.
func (c *Cooker) Values() []float64 { return c.values[c.row*c.n : (c.row+1)*c.n] }

// Statuses returns the status of each counter of the current instance. They are valid until
// the next call of Next.
func (c *Cooker) Statuses() []countertypes.Status { return c.statuses[c.row*c.n : (c.row+1)*c.n] }

// Rest returns the exact value of counter j of the current instance minus its float64, see
// [countertypes.Rest].
func (c *Cooker) Rest(j int) int16 {
	older, newer := c.samples(&c.s.newer.objects[c.s.object], c.row, j)
	return countertypes.Rest(older, newer, c.values[c.row*c.n+j])
}

// startObject plans the counters whose values only differ in bits.
func (c *Cooker) startObject() {
	s := &c.s
	o := &s.newer.objects[s.object]
	c.n, c.first, c.rows = len(s.plans), 0, 0
	c.plans, c.planned, c.reads = c.plans[:0], c.planned[:0], false
	for j := range s.plans {
		var p countertypes.Plan
		var ok bool
		switch is := &s.plans[j]; {
		case !o.bulk || !plain(s.options):
		case len(s.oldPlans) == 0:
			p, ok = countertypes.NewPlan(nil, &is.sample)
			ok = ok && (!p.NeedsValues() && !is.sample.Type.NeedsTwo() || is.everywhere())
		case !s.oldPlans[j].missing:
			was := &s.oldPlans[j]
			p, ok = countertypes.NewPlan(&was.sample, &is.sample)
			ok = ok && (!p.NeedsValues() || is.everywhere() && was.everywhere())
			// The rows have as the older base what is paired with the newer one.
			ok = ok && (!p.NeedsBase() || was.base == s.oldPlans[j+1].counter)
		}
		c.plans, c.planned = append(c.plans, p), append(c.planned, ok)
		c.reads = c.reads || ok && p.NeedsValues()
	}
}

// plain reports whether the results are those of the default options.
func plain(o *countertypes.Options) bool { return o == nil || *o == countertypes.Options{} }

// everywhere reports whether each counter block has the value, and its base if one is
// needed.
func (p *plan) everywhere() bool {
	if p.width == 0 || p.multi || p.status != countertypes.StatusOK {
		return false
	}
	return !p.second || p.base.isInteger() && p.base.extent(p.minBlock) == int(p.base.CounterSize)
}

// cookRows cooks the next few instances of the object.
func (c *Cooker) cookRows() {
	s := &c.s
	o := &s.newer.objects[s.object]
	c.rows = min(o.Len()-c.first, c.rowsOf(c.n))
	c.ask(c.first + c.rows)
	size := c.rows * c.n
	c.values, c.statuses = slices.Grow(c.values[:0], size)[:size], slices.Grow(c.statuses[:0], size)[:size]
	if c.reads {
		c.loadRows(o)
	}
	for j := range c.planned {
		if c.planned[j] {
			c.cookColumn(j)
		} else {
			c.cookCells(o, j)
		}
	}
	for i := range c.rows {
		if c.reads && len(c.has) > i && !c.has[i] && size > 0 {
			c.cookRow(o, i)
		}
	}
}

// rowsOf returns how many instances of n counters are cooked at a time.
func (c *Cooker) rowsOf(n int) int { return max(1, rowValues/max(1, n)) }

// ask prefetches the instances from position i on that will be cooked next, and those at
// the same position in the older block.
func (c *Cooker) ask(i int) {
	s := &c.s
	o := &s.newer.objects[s.object]
	to := i + c.rowsOf(len(o.Counters()))
	o.ask(i, to)
	if k := s.objects[s.object]; k >= 0 {
		s.older.objects[k].ask(i, to)
	}
}

// loadRows reads the raw values of the rows, in both blocks in the order of
// the newer block's counters.
func (c *Cooker) loadRows(o *Object) {
	s := &c.s
	size := c.rows * c.n
	c.newer, c.older = slices.Grow(c.newer[:0], size)[:size], slices.Grow(c.older[:0], size)[:size]
	o.gather(c.newer, o.places()[c.first:c.first+c.rows])
	c.has, c.places = c.has[:0], c.places[:0]
	if len(s.oldPlans) == 0 {
		return
	}
	old := &s.older.objects[s.objects[s.object]]
	same := old.bulk && s.sameCounters
	for i := range c.rows {
		k := s.instances[c.first+i]
		c.has = append(c.has, k >= 0 && (s.changed == nil || !s.changed[c.first+i]))
		switch {
		case same:
			c.places = append(c.places, old.places()[max(k, 0)])
		case k >= 0:
			block := old.Instance(int(k)).BlockBytes()
			row := c.older[i*c.n:][:c.n]
			for j := range row {
				if p := &s.oldPlans[j]; !p.missing {
					row[j], _ = p.counter.uint64(block)
				}
			}
		}
	}
	if same {
		old.gather(c.older, c.places)
	}
}

// cookColumn cooks a planned counter in all rows; those without an older row are corrected
// afterwards.
func (c *Cooker) cookColumn(j int) {
	var older, newer, oldBase, newBase []uint64
	if c.plans[j].NeedsValues() {
		older, newer = c.older[j:], c.newer[j:]
	}
	if c.plans[j].NeedsBase() {
		// The base follows its numerator in the rows of both blocks.
		oldBase, newBase = c.older[j+1:], c.newer[j+1:]
	}
	c.plans[j].Cook(c.values[j:], c.statuses[j:], older, newer, oldBase, newBase, c.rows, c.n)
}

// cookCells cooks a counter that could not be planned.
func (c *Cooker) cookCells(o *Object, j int) {
	for i := range c.rows {
		c.cookCell(o, i, j)
	}
}

// cookRow cooks an instance that has no counterpart in the older block, or one with another
// owner.
func (c *Cooker) cookRow(o *Object, i int) {
	for j := range c.n {
		c.cookCell(o, i, j)
	}
}

func (c *Cooker) cookCell(o *Object, i, j int) {
	older, newer := c.samples(o, i, j)
	at := i*c.n + j
	c.values[at], c.statuses[at] = countertypes.Cook(older, newer, c.s.options)
}

// samples returns the samples of a counter in a row, which are valid until the
// next ones of that counter.
func (c *Cooker) samples(o *Object, i, j int) (older, newer *countertypes.Sample) {
	s := &c.s
	s.plans[j].fill(o.Instance(c.first + i).BlockBytes())
	if k := s.instances[c.first+i]; k >= 0 && !s.oldPlans[j].missing {
		s.oldPlans[j].fill(s.older.objects[s.objects[s.object]].Instance(int(k)).BlockBytes())
		s.markOwnerChange(&s.oldPlans[j], c.first+i)
		older = &s.oldPlans[j].sample
	}
	return older, &s.plans[j].sample
}
