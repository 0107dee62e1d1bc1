package capture

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/perfdata"
)

// ObjectDiff is what has become of an object.
type ObjectDiff struct {
	Change       Change
	Index        uint32 // title index
	Name         string
	Older, Newer *Object // nil where it was not or is no more; what the filter holds back counts as there

	Fields   []FieldChange // of its header; none where a filter is set
	Counters []CounterDiff // those whose definitions came, went or changed

	// How many instances came, went, have changed or are in both; how many
	// values have changed of those that are in both. Of objects that came
	// or went nothing is counted.
	InstancesGone, InstancesNew, InstancesChanged, InstancesBoth int
	ValuesChanged, ValuesBoth                                    int

	d          *SnapshotDiff
	was, is    Object
	instances  matches
	replaced   []bool        // which instances of the newer object have another owner, nil for none
	counters   []CounterDiff // all
	walkA      walker
	walkB      walker
	instance   InstanceDiff
	sameLayout bool // the same bytes of a counter block are the same values
}

// CounterDiff is what has become of the definition of a counter.
type CounterDiff struct {
	Change  Change
	Counter        // as it is now, or as it was where it is gone
	BaseOf  string // the name of the counter that it is the base of, "" for none
	Fields  []FieldChange

	older, newer         int32 // positions, -1 for none
	countOlder, countNew bool  // a count stands behind the value
}

// Objects yields the objects that differ, as far as the filter lets them
// through: those that are gone, those that are new, then those that have
// changed, each in the order of their source. An ObjectDiff is valid until the
// next one is yielded.
func (d *SnapshotDiff) Objects() iter.Seq[*ObjectDiff] {
	return func(yield func(*ObjectDiff) bool) {
		if d.Older == nil || d.Newer == nil {
			return
		}
		m := matchObjects(d.Older.block, d.Newer.block)
		o := &ObjectDiff{d: d}
		for i, at := range m.newer {
			if at < 0 && o.one(Gone, d.Older.block.Object(i)) && !yield(o) {
				return
			}
		}
		for i, at := range m.older {
			if at < 0 && o.one(New, d.Newer.block.Object(i)) && !yield(o) {
				return
			}
		}
		for i, at := range m.older {
			if at >= 0 && o.both(d.Older.block.Object(int(at)), d.Newer.block.Object(i)) && !yield(o) {
				return
			}
		}
	}
}

// reset makes o a new one, with the memory of the last.
func (o *ObjectDiff) reset(change Change, view *perfdata.Object) {
	*o = ObjectDiff{
		Change: change, Index: view.ObjectNameTitleIndex, d: o.d,
		was: o.was, is: o.is, counters: o.counters[:0], Counters: o.Counters[:0],
		instance: InstanceDiff{Values: o.instance.Values[:0]},
	}
}

// one makes o an object that one side has. It is false where the filter holds
// it back.
func (o *ObjectDiff) one(change Change, view *perfdata.Object) bool {
	o.reset(change, view)
	shown := false
	if change == Gone {
		o.Older, shown = &o.was, o.was.load(o.d.Older, view)
	} else {
		o.Newer, shown = &o.is, o.is.load(o.d.Newer, view)
	}
	o.Name = o.d.names.object(o.Index)
	return shown
}

// both makes o an object that both sides have. It is false where nothing that
// the filter lets through has changed.
func (o *ObjectDiff) both(older, newer *perfdata.Object) bool {
	o.reset(Changed, newer)
	if include, _ := o.d.Newer.query.Match(newer); !include {
		return false
	}
	shownOlder, shownNewer := o.was.load(o.d.Older, older), o.is.load(o.d.Newer, newer)
	if !shownOlder && !shownNewer {
		return false
	}
	o.Older, o.Newer = &o.was, &o.is
	o.Name = o.d.names.object(o.Index)
	if !o.d.partial {
		o.Fields = diffObject(older, newer)
	}
	o.diffCounters()
	if !o.is.bare {
		who := identityCountersOf(newer, o.d.names)
		o.d.id.start(older, newer, &who)
		o.instances = o.d.id.matchInstances(older, newer)
		o.replaced = o.d.id.another(older, newer, o.instances.older)
		o.count()
	}
	return len(o.Fields)+len(o.Counters)+o.InstancesGone+o.InstancesNew+o.InstancesChanged > 0
}

func diffObject(older, newer *perfdata.Object) []FieldChange {
	var f fieldChanges
	if was, is := kindOf(older), kindOf(newer); was != is {
		f = append(f, FieldChange{"kind", was, is})
	}
	unsigned(&f, "help_index", older.ObjectHelpTitleIndex, newer.ObjectHelpTitleIndex)
	unsigned(&f, "detail_level", older.DetailLevel, newer.DetailLevel)
	signed(&f, "default_counter", older.DefaultCounter, newer.DefaultCounter)
	unsigned(&f, "code_page", older.CodePage, newer.CodePage)
	signed(&f, "perf_time", older.PerfTime, newer.PerfTime)
	signed(&f, "perf_freq", older.PerfFreq, newer.PerfFreq)
	unsigned(&f, "name_title", older.ObjectNameTitle, newer.ObjectNameTitle)
	unsigned(&f, "help_title", older.ObjectHelpTitle, newer.ObjectHelpTitle)
	return f
}

// kindOf says what NumInstances means where it is no count.
func kindOf(o *perfdata.Object) string {
	switch n := o.NumInstances; {
	case n >= 0:
		return "instances"
	case n == perfdata.NoInstances:
		return "single"
	case n == perfdata.MetadataMulti:
		return "definitions of instances"
	case n == perfdata.MetadataSingle:
		return "definitions of a single"
	default:
		return fmt.Sprint(n)
	}
}

// diffCounters matches the counters and finds those whose definitions differ.
func (o *ObjectDiff) diffCounters() {
	older, newer := o.was.view, o.is.view
	ofOlder, ofNewer := owners(older), owners(newer)
	m := matchCounters(older, newer, ofOlder, ofNewer)
	o.sameLayout = len(m.older) == len(m.newer) && older.CodePage == newer.CodePage
	both := 0
	for _, at := range m.older {
		if at >= 0 {
			both++
		}
	}
	o.counters = slices.Grow(o.counters, len(m.newer)-both+len(m.older)) // once: a file may be little but definitions
	for j, at := range m.newer {
		if at < 0 {
			o.counters = append(o.counters, o.counter(Gone, older, j, ofOlder))
			o.counters[len(o.counters)-1].older = int32(j)
		}
	}
	for j, at := range m.older {
		c := o.counter(Same, newer, j, ofNewer)
		c.newer, c.older = int32(j), at
		if at < 0 {
			c.Change = New
		} else {
			was, is := older.Counter(int(at)), newer.Counter(j)
			c.countOlder, c.countNew = countBehind(was), countBehind(is)
			if c.Fields = diffCounter(was, is); len(c.Fields) > 0 {
				c.Change = Changed
			}
			o.sameLayout = o.sameLayout && int(at) == j && c.Change == Same && was.CounterOffset == is.CounterOffset
		}
		o.counters = append(o.counters, c)
	}
	for i := range o.counters {
		if c := &o.counters[i]; c.Change != Same && o.shown(c) {
			o.Counters = append(o.Counters, *c)
		}
	}
}

func (o *ObjectDiff) counter(change Change, view *perfdata.Object, j int, of []int32) CounterDiff {
	c := view.Counter(j)
	d := CounterDiff{Change: change, older: -1, newer: -1, Counter: Counter{
		Index: c.CounterNameTitleIndex, Name: o.d.names.counter(o.Index, c.CounterNameTitleIndex),
		Type: c.CounterType, Size: c.CounterSize, Scale: c.DefaultScale, pos: j, base: c.Base(),
	}}
	if of[j] >= 0 {
		d.BaseOf = o.d.names.counter(o.Index, view.Counter(int(of[j])).CounterNameTitleIndex)
	}
	return d
}

// shown reports whether the filter lets the counter through on one side.
func (o *ObjectDiff) shown(c *CounterDiff) bool {
	return c.older >= 0 && o.was.show.counter(int(c.older)) || c.newer >= 0 && o.is.show.counter(int(c.newer))
}

func diffCounter(older, newer *perfdata.Counter) []FieldChange {
	var f fieldChanges
	if older.CounterType != newer.CounterType {
		f = append(f, FieldChange{"type", older.CounterType, newer.CounterType})
	}
	unsigned(&f, "size", older.CounterSize, newer.CounterSize)
	signed(&f, "scale", older.DefaultScale, newer.DefaultScale)
	unsigned(&f, "detail_level", older.DetailLevel, newer.DetailLevel)
	unsigned(&f, "help_index", older.CounterHelpTitleIndex, newer.CounterHelpTitleIndex)
	unsigned(&f, "name_title", older.CounterNameTitle, newer.CounterNameTitle)
	unsigned(&f, "help_title", older.CounterHelpTitle, newer.CounterHelpTitle)
	return f
}

// countBehind reports whether c is a multi-counter whose count stands behind
// its value, not in a counter of its own.
func countBehind(c *perfdata.Counter) bool {
	return c.CounterType.Multi() && !c.CounterType.IsBase() && c.Base() < 0
}

// words writes a time that is none.
func words(t perfdata.SystemTime) string {
	return strings.Trim(fmt.Sprint([8]uint16(t)), "[]")
}
