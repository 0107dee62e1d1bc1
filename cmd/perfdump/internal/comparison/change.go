package comparison

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// The notable rule: by more than so many spreads, and by more than this share of the
// older value, over so many samples on both sides.
const (
	MinSpreads = 3
	MinShare   = 0.10
	MinSamples = 10
)

// MaxSpreads is how many spreads a counter moves at most. One that was constant moves
// by as many.
const MaxSpreads = 1000

// Change is what a counter did on both sides. One that is only on one side has no line
// on the other.
type Change struct {
	Path         string // in English if that is known; without the machine where both sides are of one
	Older, Newer *Line
	Spread       float64 // of the older side
	Spreads      float64 // by how many of these it moved: the larger of average and p95
	Notable      bool
}

// Move is a number on both sides.
type Move struct {
	Old, New float64
	chance   bool // the difference is what another choice of samples could give
}

// Share returns the difference as a share of the older value, infinite if that is 0.
func (m Move) Share() float64 {
	if m.Old == m.New {
		return 0
	}
	return (m.New - m.Old) / math.Abs(m.Old)
}

// spreads returns the difference in spreads, without its sign.
func (m Move) spreads(spread float64) float64 {
	d := math.Abs(m.New - m.Old)
	if d == 0 {
		return 0
	}
	if n := d / spread; n < MaxSpreads {
		return n
	}
	return MaxSpreads
}

// notable reports whether a number moved enough.
func (m Move) notable(spread float64) bool {
	d := math.Abs(m.New - m.Old)
	return d > MinSpreads*spread && d > MinShare*math.Abs(m.Old) && !m.chance
}

// certain is how many standard errors are more than chance.
const certain = 2

// Average returns the averages. A few high values move an average, but not the spread:
// a difference within its standard error is chance.
func (c *Change) Average() Move {
	a, b := c.Older, c.Newer
	limit := certain * math.Sqrt(a.variance()/float64(a.Count)+b.variance()/float64(b.Count))
	return Move{a.Mean, b.Mean, math.Abs(b.Mean-a.Mean) <= limit && limit > 0}
}

// P95 returns the values that 95 percent of the values do not exceed. Where a counter
// has few different values, one sample more or less may move it to the next: it must
// leave what the ranks near it have.
func (c *Change) P95() Move {
	a, b := c.Older, c.Newer
	near := certain * math.Sqrt(p95*(1-p95)*(1/float64(a.Count)+1/float64(b.Count)))
	m := Move{Old: a.quantile(p95), New: b.quantile(p95)}
	m.chance = m.New >= a.quantile(p95-near) && m.New <= a.quantile(min(p95+near, 1)) ||
		m.Old >= b.quantile(p95-near) && m.Old <= b.quantile(min(p95+near, 1))
	return m
}

// Max returns the highest values.
func (c *Change) Max() Move { return Move{Old: c.Older.Max, New: c.Newer.Max} }

// Both reports whether the counter is on both sides.
func (c *Change) Both() bool { return c.Older != nil && c.Newer != nil }

// Line returns that of the older side, or that of the newer if there is none.
func (c *Change) Line() *Line { return cmp.Or(c.Older, c.Newer) }

// Compare returns the counters of both sides: those that are on both by how far they
// moved, notable ones first, then those of one side. Where each side is of one machine,
// its name does not count.
func Compare(older, newer *Side) []*Change {
	one := len(older.Hosts) <= 1 && len(newer.Hosts) <= 1
	byKey := func(k key) key {
		if one {
			k.host = ""
		}
		return k
	}
	var all []*Change
	found := map[key]*Change{}
	for _, l := range older.lines {
		c := &Change{Path: l.path(one), Older: l}
		all = append(all, c)
		found[byKey(l.key)] = c
	}
	for _, l := range newer.lines {
		c := found[byKey(l.key)]
		if c == nil {
			all = append(all, &Change{Path: l.path(one), Newer: l})
			continue
		}
		c.Newer = l
		c.judge()
	}
	slices.SortStableFunc(all, func(a, b *Change) int {
		if order := cmp.Compare(a.rank(), b.rank()); order != 0 {
			return order
		}
		if order := cmp.Compare(b.Spreads, a.Spreads); order != 0 || !a.Both() {
			return order
		}
		return cmp.Compare(math.Abs(b.Average().Share()), math.Abs(a.Average().Share()))
	})
	return all
}

// rank is the part of the list that a counter is in.
func (c *Change) rank() int {
	switch {
	case c.Notable:
		return 0
	case c.Both():
		return 1
	case c.Older != nil:
		return 2
	default:
		return 3
	}
}

// judge finds out how far a counter moved, and whether that is notable.
func (c *Change) judge() {
	if c.Older.Count == 0 || c.Newer.Count == 0 {
		return
	}
	c.Spread = c.Older.Spread()
	may := c.Older.Count >= MinSamples && c.Newer.Count >= MinSamples && !c.Older.passes()
	var other float64 // by how much what is not notable moved
	for _, m := range []Move{c.Average(), c.P95()} {
		if may && m.notable(c.Spread) {
			c.Notable, c.Spreads = true, max(c.Spreads, m.spreads(c.Spread))
		} else {
			other = max(other, m.spreads(c.Spread))
		}
	}
	if !c.Notable {
		c.Spreads = other
	}
}

// passes reports whether the values of a counter always move, or say nothing by their
// size: how long something runs, and numbers that are names.
func (l *Line) passes() bool {
	switch l.key.counter {
	case "elapsed time", "system up time", "id process", "creating process id", "process id", "id thread":
		return true
	}
	return l.Series.HasType && l.Series.Type == countertypes.PERF_ELAPSED_TIME
}

// path returns the path of a line.
func (l *Line) path(one bool) string {
	p := pdhpath.Path{Object: l.Object, Counter: l.Counter, HasInstance: l.Series.HasInstance, Machine: l.Series.Host}
	if one {
		p.Machine = ""
	}
	p.Instance = l.Instance() // whole, parent and number too
	return p.String()
}

// Group is a change with others that say the same.
type Group struct {
	*Change

	Also []*Change
}

// The rule of groups: the averages are as near to each other as this share. Only so
// many groups of a counter are looked at.
const (
	near      = 0.05
	maxLooked = 16
)

// Fold puts changes of one counter together whose averages are about the same on both
// sides: those of a disk, its volume and _Total. The first stands for them.
func Fold(changes []*Change) []*Group {
	var all []*Group
	known := map[string][]*Group{}
next:
	for _, c := range changes {
		name := c.Line().key.counter
		for _, g := range known[name] {
			if c.Both() && g.Both() && alike(c.Older, g.Older) && alike(c.Newer, g.Newer) {
				g.Also = append(g.Also, c)
				continue next
			}
		}
		g := &Group{Change: c}
		all = append(all, g)
		if len(known[name]) < maxLooked {
			known[name] = append(known[name], g)
		}
	}
	return all
}

func alike(a, b *Line) bool {
	return math.Abs(a.Mean-b.Mean) <= near*max(math.Abs(a.Mean), math.Abs(b.Mean))
}
