package capture

import (
	"bytes"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/pdhpath"
)

// In a log of chosen counters the counters that say who an instance is are items
// of their own. They are read before all others of a record.

// identityCost is what is kept of an instance that a log says the owner of, but for
// its name.
const identityCost = 200

// logIdentity is who an instance of an object is, as one or more items say.
type logIdentity struct {
	identity
	record int // that says so
}

// logIdentities are those of a log.
type logIdentities struct {
	all     map[string]*logIdentity // by machine, object and instance
	objects map[string]bool         // that say so, by machine and object
}

// objectOf names an object of a machine.
func objectOf(of *blg.Item) string {
	return strings.ToLower(cut(of.Path.Machine) + "\x00" + cut(of.Path.Object))
}

// appendWho appends the object and the instance that a value is of.
func appendWho(dst []byte, object string, of *blg.Item, v *blg.Value) []byte {
	dst = append(append(dst, object...), 0)
	return bytes.ToLower(pdhpath.AppendInstance(dst, cut(of.Path.Parent), bareName(v), v.Occurrence))
}

// identities finds the items of a list that say who an instance is.
func (c *logCooker) identities() {
	c.ids.objects = nil
	for i := range c.list {
		item, of := c.at[i], &c.list[i]
		item.whoKnown = false
		item.role = c.names.role(of)
		if item.role != isProcess && item.role != isThread {
			continue
		}
		if c.ids.objects == nil {
			c.ids.objects = map[string]bool{}
		}
		c.ids.objects[objectOf(of)] = true
	}
}

// identify reads who the instances of a record are.
func (c *logCooker) identify(record int, rec *blg.Record) {
	if c.ids.objects == nil {
		return
	}
	for i, s := range rec.All() {
		item := c.at[i]
		if item.role == noRole || s.Kind == blg.Object || s.Len() == 0 || !s.Valid() || c.r.table.room.Over() {
			continue
		}
		c.findWho(item, s)
		for k, who := range item.who {
			if who == nil {
				continue
			}
			if who.record != record {
				*who = logIdentity{record: record}
			}
			first, _, _ := s.Tuple(k)
			who.set(item.role, first)
		}
	}
}

// findWho finds the identities of the values of a series, unless those of the record
// before are still the same.
func (c *logCooker) findWho(item *logItem, s *blg.Series) {
	object := objectOf(s.Item)
	if !c.ids.objects[object] {
		item.who = nil
		return
	}
	layout, ok := s.AppendLayout(c.key[:0])
	if c.key = layout; ok && item.whoKnown && bytes.Equal(layout, item.whoLayout) {
		return
	}
	item.whoLayout, item.whoKnown = append(item.whoLayout[:0], layout...), ok
	item.who = slices.Grow(item.who[:0], s.Len())[:s.Len()]
	clear(item.who)
	for i, v := range s.Values() {
		c.key = appendWho(c.key[:0], object, s.Item, &v)
		who := c.ids.all[string(c.key)]
		if who == nil {
			c.r.table.room.Take(identityCost + len(c.key))
			who = &logIdentity{record: -1}
			c.ids.all[string(c.key)] = who
		}
		item.who[i] = who
	}
}

// whoIs returns who a value of an item is in a record.
func (i *logItem) whoIs(value, record int) identity {
	if value >= len(i.who) || i.who[value] == nil || i.who[value].record != record {
		return identity{}
	}
	return i.who[value].identity
}
