package document

import (
	"iter"
	"strconv"

	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// choice is what Options.Counters and Options.Query choose of an object.
type choice struct {
	patterns            []*pdhpath.Pattern
	paths               *pdhpath.Index // of the patterns
	all                 bool
	counters, instances []bool
}

func (c *choice) counter(j int) bool  { return c.all || c.counters[j] }
func (c *choice) instance(i int) bool { return c.all || c.instances[i] }

// object decides what is chosen of o, and reports whether that is anything.
func (c *choice) object(w *perfDataWriter, o *perfdata.Object) bool {
	bare := false
	if w.o.Query != nil {
		var include bool
		if include, bare = w.o.Query.Match(o); !include {
			return false
		}
	}
	if c.all = w.o.Counters == nil && !bare; c.all {
		return true
	}
	c.reset(len(o.Counters()), o.Len())
	if w.o.Counters == nil {
		for j := range c.counters {
			c.counters[j] = true
		}
		return true
	}
	names := make([][]named, len(c.counters))
	for j := range names {
		of, index := o.ObjectNameTitleIndex, o.Counter(j).CounterNameTitleIndex
		names[j] = w.o.both(w.shownName(of), of, w.shownName(index), index)
	}
	host := o.Block().ComputerName()
	if o.Len() > 0 && !bare {
		return c.grid(names, func(yield func(pdhpath.Path) bool) {
			for i, display := range o.DisplayNames() {
				in := o.Instance(i)
				path := pdhpath.Path{Machine: host, HasInstance: in.Defined()}
				path.Parent, path.Instance, path.Index = parts(in, display)
				if !yield(path) {
					return
				}
			}
		})
	}
	found := false
	for j := range names {
		for _, name := range names[j] {
			c.index().EachName(name.object, name.counter, func(i int) {
				p := c.patterns[i]
				c.counters[j] = c.counters[j] || p.MatchMachine(host) && p.MatchObject(name.object) && p.MatchCounter(name.counter)
			})
		}
		found = found || c.counters[j]
	}
	return found
}

// result decides what is chosen of the i-th result of a block of counter sets, and
// reports whether that is anything. A set is called by the place of its result, a
// counter by its id.
func (c *choice) result(i int, r perflib2.Result) bool {
	if c.all = c.patterns == nil; c.all {
		return true
	}
	c.reset(r.NumCounters(), r.Len())
	names := make([][]named, len(c.counters))
	for j := range names {
		counter := "?"
		if id := r.ID(j); id != perflib2.NoID {
			counter = strconv.FormatUint(uint64(id), 10)
		}
		names[j] = []named{{"#" + strconv.Itoa(i), "#" + counter}}
	}
	repeats := map[string]int{}
	return c.grid(names, func(yield func(pdhpath.Path) bool) {
		for _, in := range r.Instances() {
			name := in.Name()
			if !yield(pdhpath.Path{HasInstance: in.Named, Instance: name, Index: repeats[name]}) {
				return
			}
			repeats[name]++
		}
	})
}

func (c *choice) reset(counters, instances int) {
	c.counters, c.instances = make([]bool, counters), make([]bool, instances)
}

// grid chooses counters, by their names, and instances, by their paths, and reports
// whether it chose any.
func (c *choice) grid(names [][]named, instances iter.Seq[pdhpath.Path]) bool {
	found, i := false, 0
	for path := range instances {
		for j := range names {
			for _, name := range names[j] {
				path.Object, path.Counter = name.object, name.counter
				c.index().Each(path, func(k int) {
					if c.patterns[k].Match(path) {
						c.counters[j], c.instances[i], found = true, true, true
					}
				})
			}
		}
		i++
	}
	return found
}

func (c *choice) index() *pdhpath.Index {
	if c.paths == nil {
		c.paths = pdhpath.NewIndex(c.patterns)
	}
	return c.paths
}

// parts takes the display name of an instance apart with the help of the
// instance, since names may hold slashes and numbers too.
func parts(in perfdata.Instance, display string) (parent, name string, index int) {
	name = string(in.AppendShownName(nil))
	full := len(name)
	if p, ok := in.Parent(); ok {
		parent = string(p.AppendShownName(nil))
		full += len(parent) + 1
	}
	if len(display) > full {
		index, _ = strconv.Atoi(display[full+1:]) // what DisplayNames put there
	}
	return parent, name, index
}

// shownName returns the name of an index, the number if it has none.
func (w *perfDataWriter) shownName(index uint32) string {
	if name, ok := w.names.Lookup(index); ok {
		return name
	}
	return strconv.FormatUint(uint64(index), 10)
}
