package document

import (
	"slices"
	"strconv"

	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// choice is what Options.Counters and Options.Query let through of an object.
type choice struct {
	all       bool
	counters  []bool
	instances []bool
}

func (c *choice) counter(j int) bool  { return c.all || c.counters[j] }
func (c *choice) instance(i int) bool { return c.all || c.instances[i] }

// object decides what is let through of o, and reports whether that is
// anything.
func (c *choice) object(d *perfDataWriter, o *perfdata.Object) bool {
	patterns, bare := d.o.Counters, false
	if d.o.Query != nil {
		var include bool
		if include, bare = d.o.Query.Match(o); !include {
			return false
		}
	}
	if c.all = patterns == nil && !bare; c.all {
		return true
	}
	n, instances := len(o.Counters()), o.Len()
	c.counters, c.instances = grow(c.counters, n), grow(c.instances, instances)
	if patterns == nil {
		for j := range c.counters {
			c.counters[j] = true
		}
		return true
	}
	names := make([][]named, n)
	for j := range names {
		of, index := o.ObjectNameTitleIndex, o.Counter(j).CounterNameTitleIndex
		names[j] = d.o.both(d.nameOf(of), of, d.nameOf(index), index)
	}
	host := o.Block().ComputerName()
	if d.index == nil {
		d.index = pdhpath.NewIndex(patterns)
	}
	found := false
	if instances == 0 || bare {
		for j := range names {
			for _, name := range names[j] {
				d.index.EachName(name.object, name.counter, func(i int) {
					p := patterns[i]
					c.counters[j] = c.counters[j] || p.MatchMachine(host) && p.MatchObject(name.object) && p.MatchCounter(name.counter)
				})
			}
			found = found || c.counters[j]
		}
		return found
	}
	path := pdhpath.Path{Machine: host}
	for i, display := range o.DisplayNames() {
		in := o.Instance(i)
		path.HasInstance = in.Defined()
		path.Parent, path.Instance, path.Index = parts(in, display)
		for j := range names {
			shown := false
			for _, name := range names[j] {
				path.Object, path.Counter = name.object, name.counter
				d.index.Each(path, func(i int) { shown = shown || patterns[i].Match(path) })
			}
			if shown {
				c.counters[j], c.instances[i], found = true, true, true
			}
		}
	}
	return found
}

func grow(b []bool, n int) []bool {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
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

// nameOf returns the name of an index, the number where it has none.
func (d *perfDataWriter) nameOf(index uint32) string {
	if name, ok := d.names.Lookup(index); ok {
		return name
	}
	return strconv.FormatUint(uint64(index), 10)
}
