package perfdata

import "github.com/perfdump/perfdump/countertypes"

// Sampler iterates over all values of a block and returns each as a pair of samples, the
// older one from an earlier block of the same machine, ready to be cooked. It is used like
// a bufio.Scanner:
//
//	var s perfdata.Sampler
//	s.Reset(older, newer, nil)
//	for s.Next() {
//		value, status := countertypes.Cook(s.Older(), s.Newer(), nil)
//	}
//
// Objects are matched by title index, counters by title index and type, instances by
// UniqueID unless that is -1, otherwise by full name, ignoring case; of several equal ones,
// the first matches the first, the second the second. A reused Sampler allocates nothing.
type Sampler struct {
	// Pair, if not nil, can change which instances are paired. It is called for each object
	// that is in both blocks, with the position in older of each instance of newer, -1 for
	// none; these are found by names alone, whatever the UniqueIDs. It may change them, and
	// returns which instances have another owner than the older ones, nil for none: their
	// values have the status StatusInstanceChanged.
	Pair func(older, newer *Object, pairs []int32) (changed []bool)

	// Only, if not nil, says which objects are iterated over.
	Only func(newer *Object) bool

	newer   *Block
	older   *Block
	options *countertypes.Options

	objects  []int32 // for each newer object, the older one or -1
	object   int     // position of the current one
	at       Instance
	counter  int
	instance int
	block    []byte
	oldBlock []byte // nil if the instance is new

	plans        []plan
	oldPlans     []plan // by the newer counters' positions
	instances    []int32
	changed      []bool // see Pair
	sameCounters bool   // each counter is at the older one's position
	match        matcher
}

// plan describes how to fill the sample of one counter. The sample is filled again for each
// instance.
type plan struct {
	sample   countertypes.Sample
	counter  *Counter
	base     *Counter
	status   countertypes.Status // the same for all instances
	off      int32
	minBlock int  // the smallest counter block
	width    int8 // 4 or 8 if every block has the value, otherwise 0
	second   bool // the base's value goes into Second
	multi    bool
	missing  bool // the older counter does not exist
}

// Reset prepares s to iterate over newer. older may be nil. The clock switches of o are
// applied; o may be nil.
func (s *Sampler) Reset(older, newer *Block, o *countertypes.Options) {
	s.older, s.newer, s.options = older, newer, o
	s.objects = s.match.objects(s.objects[:0], older, newer)
	s.object, s.instance, s.counter = -1, 0, 0
	s.plans = s.plans[:0]
	s.at = Instance{}
}

// Next advances to the next value, in the order of objects, instances and counters. It
// returns false at the end.
func (s *Sampler) Next() bool {
	s.counter++
	for s.counter >= len(s.plans) {
		if !s.nextInstance() {
			return false
		}
	}
	p := &s.plans[s.counter]
	p.fill(s.block)
	if s.oldBlock != nil {
		if p := &s.oldPlans[s.counter]; !p.missing {
			p.fill(s.oldBlock)
			s.markOwnerChange(p, s.instance)
		}
	}
	return true
}

func (s *Sampler) nextInstance() bool {
	s.counter = 0
	s.instance++
	for s.object < 0 || s.instance >= s.newer.objects[s.object].Len() {
		if s.object+1 >= len(s.newer.objects) {
			s.plans, s.object = s.plans[:0], len(s.newer.objects)-1
			return false
		}
		s.object++
		s.instance = 0
		if o := &s.newer.objects[s.object]; s.Only != nil && !s.Only(o) {
			s.instance = o.Len()
			continue
		}
		s.startObject()
	}
	o := &s.newer.objects[s.object]
	s.at = o.Instance(s.instance)
	s.block, s.oldBlock = s.at.BlockBytes(), nil
	if i := s.instances[s.instance]; i >= 0 {
		s.oldBlock = s.older.objects[s.objects[s.object]].Instance(int(i)).BlockBytes()
	}
	return true
}

func (s *Sampler) startObject() {
	o := &s.newer.objects[s.object]
	s.plans = s.plans[:0]
	for j := range o.Counters() {
		s.plans = append(s.plans, newPlan(o, o.Counter(j), s.options))
	}
	var old *Object
	if i := s.objects[s.object]; i >= 0 {
		old = &s.older.objects[i]
	}
	s.match.names = s.Pair != nil
	s.instances, s.changed = s.match.instances(s.instances[:0], old, o), nil
	if s.Pair != nil && old != nil && o.Len() > 0 {
		s.changed = s.Pair(old, o, s.instances)
	}
	s.oldPlans = s.oldPlans[:0]
	if old == nil {
		return
	}
	s.sameCounters = len(old.Counters()) == len(s.plans)
	for k, j := range s.match.counters(old, o) {
		s.sameCounters = s.sameCounters && int(j) == k
		if j < 0 {
			s.oldPlans = append(s.oldPlans, plan{missing: true})
			continue
		}
		s.oldPlans = append(s.oldPlans, newPlan(old, old.Counter(int(j)), s.options))
	}
}

// markOwnerChange marks the older sample of an instance whose owner has changed.
func (s *Sampler) markOwnerChange(p *plan, instance int) {
	if s.changed != nil && s.changed[instance] {
		p.sample.Status = p.sample.Status.OfAnother()
	}
}

func newPlan(o *Object, c *Counter, options *countertypes.Options) plan {
	b := o.block
	clocks := countertypes.Clocks{
		PerfTime: uint64(b.PerfTime), PerfFreq: b.PerfFreq, Time100ns: uint64(b.PerfTime100nSec),
		ObjectTime: uint64(o.PerfTime), ObjectFreq: o.PerfFreq,
	}
	p := plan{counter: c, off: int32(min(c.CounterOffset, maxLength)), minBlock: o.minBlock}
	p.sample = countertypes.Sample{Type: c.CounterType, Size: c.CounterSize, DefaultScale: countertypes.ClampScale(c.DefaultScale)}
	p.sample.Second, p.sample.TimeBase, p.second = c.CounterType.Tuple(&clocks, options)
	p.multi = c.traits&(isMulti|isBase) == isMulti
	if c.base >= 0 {
		p.base = o.Counter(int(c.base))
	}
	if p.second && p.base == nil {
		p.status, p.second = countertypes.StatusNoBase, false
	}
	if n := c.extent(o.minBlock); c.isInteger() && uint32(n) == c.CounterSize {
		p.width = int8(n)
	}
	return p
}

// fill reads the value, and the base or count, from a counter block.
func (p *plan) fill(block []byte) {
	s := &p.sample
	s.Status = p.status
	switch {
	case p.width == 8:
		s.First = le64(block, p.off)
	case p.width == 4:
		s.First = uint64(le32(block, p.off))
	default:
		v, ok := p.counter.uint64(block)
		s.First = v
		if !ok {
			s.Status = countertypes.StatusInvalidData
		}
	}
	if p.second {
		v, ok := p.base.uint64(block)
		s.Second = v
		if !ok && s.Status == countertypes.StatusOK {
			s.Status = countertypes.StatusNoBase
		}
	}
	if p.multi {
		p.fillMulti(block)
	}
}

func (p *plan) fillMulti(block []byte) {
	s := &p.sample
	var ok bool
	if p.base != nil {
		var n uint64
		n, ok = p.base.uint64(block)
		s.Multi = uint32(n)
	} else {
		s.Multi, ok = p.counter.countBehind(block)
	}
	if !ok && s.Status == countertypes.StatusOK {
		s.Status = countertypes.StatusNoBase
	}
}

// Object returns the object of the current value, in the newer block.
func (s *Sampler) Object() *Object { return s.at.object }

// Instance returns the instance of the current value, in the newer block.
func (s *Sampler) Instance() Instance { return s.at }

// Counter returns the position of the current value's counter.
func (s *Sampler) Counter() int { return s.counter }

// Newer returns the sample of the current value. It is valid until the next
// call of Next.
func (s *Sampler) Newer() *countertypes.Sample { return &s.plans[s.counter].sample }

// Older returns the sample of the same counter in the older block, or nil. It is valid
// until the next call of Next.
func (s *Sampler) Older() *countertypes.Sample {
	if s.oldBlock == nil || s.oldPlans[s.counter].missing {
		return nil
	}
	return &s.oldPlans[s.counter].sample
}
