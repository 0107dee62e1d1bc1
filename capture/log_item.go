package capture

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/perfdata"
)

// logItem is what is remembered of an item of a log. One of a later list is that
// of the earlier list with its path. A path may be in a list more than once:
// each is an item of its own.
type logItem struct {
	key   string // the path in lower case, with the number of items of one path
	boot  *int   // of its machine, see bootOf
	clock bootClock

	object *logObject // of an item that is a whole object
	set    *logSet    // of an item that is a version 2 counter set

	group  *group // of any other
	layout layout // of its last series
	at     []*Series

	role      role        // what its values say of the owner of an instance
	who       []*logOwner // of each value, nil unless something says so
	whoLayout layout      // that who is for
}

// layout identifies the instances of a series, see blg.Series.AppendLayout.
type layout struct {
	bytes []byte
	known bool
}

func (l *layout) same(b []byte, known bool) bool {
	return known && l.known && bytes.Equal(b, l.bytes)
}

func (l *layout) set(b []byte, known bool) { l.bytes, l.known = append(l.bytes[:0], b...), known }

// logObject is what is remembered of an item that is a whole object. The
// record's own block is gone with the record.
type logObject struct {
	cooker   blockCooker
	decoders [2]perfdata.Decoder
	bytes    [2][]byte
	older    *perfdata.Block
	newer    *perfdata.Block // of this record, nil for none
	host     string
	n        int
}

// place finds the item of each series of a record.
func (c *logCooker) place(rec *blg.Record) {
	if len(rec.Items) == 0 {
		c.unlisted(rec)
		return
	}
	if len(c.list) == len(rec.Items) && &c.list[0] == &rec.Items[0] {
		return
	}
	c.remember()
	if n := len(rec.Items) - c.log.list; n > 0 {
		c.log.list += n
		c.r.table.budget.Take(listedCost * n)
	}
	c.list, c.at = rec.Items, slices.Grow(c.at[:0], len(rec.Items))
	met := map[string]int{}
	for i := range rec.Items {
		of := &rec.Items[i]
		path := itemPath(of)
		item, _ := c.item(path, path, met)
		item.layout.known = false
		c.at = append(c.at, item)
	}
	c.identities()
}

// remember makes the items of the list known to later ones. Most logs have one.
func (c *logCooker) remember() {
	if c.list == nil {
		return
	}
	for _, item := range c.at {
		c.items[item.key] = item
	}
}

// unlisted is place for a record that has no list of items: it has whole
// objects, and counter sets that are known by their places.
func (c *logCooker) unlisted(rec *blg.Record) {
	c.remember()
	c.list, c.at, c.owners.objects = nil, c.at[:0], nil
	met := map[string]int{}
	for _, s := range rec.All() {
		title := ""
		if b := s.BlockBytes(); s.Kind == blg.CounterSet {
			_, title = setPath(s)
		} else if len(b) >= 36 {
			title = strconv.FormatUint(uint64(binary.LittleEndian.Uint32(b[32:])), 10) // DefaultObject
		}
		item, name := c.item("", title, met)
		c.items[name] = item
		c.at = append(c.at, item)
	}
}

// item returns the next item of a path, by a name that met counts, and that name
// with its number.
func (c *logCooker) item(path, name string, met map[string]int) (*logItem, string) {
	n := count(met, name)
	key := path
	if n > 0 {
		again := "\x00" + strconv.Itoa(n)
		if name == path {
			name += again // the items may be many, and their names long
			key = name
		} else {
			name, key = name+again, key+again
		}
	}
	item := c.items[name]
	if item == nil {
		item = &logItem{key: key}
		if c.met++; c.met > c.log.items { // each reading finds them again
			c.log.items = c.met
			c.r.table.budget.Take(itemCost + 2*len(key))
		}
	}
	return item, name
}

// groupName names the group that the series of an item belong to. Items of single
// processes share that of their counter where series follow owners: a process may
// go from one to another.
func (i *logItem) groupName(byPID bool, s *blg.Series) string {
	if !byPID || len(i.who) == 0 || s.Kind != blg.Single {
		return i.key
	}
	_, again, _ := strings.Cut(i.key, "\x00")
	return strings.ToLower("\x00" + s.Item.Path.Parent + "\x00" + s.Item.Path.Counter + "\x00" + again)
}

func (i *logItem) path() string {
	path, _, _ := strings.Cut(i.key, "\x00")
	return path
}

func itemPath(of *blg.Item) string { return string(columnKey(strings.ToLower(of.Path.String()))) }
