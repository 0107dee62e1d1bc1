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

// logItem is the state of an item of a log. Items of different lists with the same path
// share it. A path may occur more than once in a list: each is a separate item.
type logItem struct {
	key   string // the path in lower case, and a number if the path is repeated
	boot  *int   // of its machine, see bootOf
	clock bootClock

	object *logObject // of an item that is a whole object
	set    *logSet    // of an item that is a version 2 counter set

	group  *group // of other items
	layout layout // of the last series
	at     []*Series

	role      role        // how its values identify the owner of an instance
	who       []*logOwner // for each value, nil if unknown
	whoLayout layout      // of who
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

// logObject is the state of an item that is a whole object. It copies the block, which is
// only valid as long as its record.
type logObject struct {
	cooker   blockCooker
	decoders [2]perfdata.Decoder
	bytes    [2][]byte
	older    *perfdata.Block
	newer    *perfdata.Block // of this record, or nil
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
	seen := map[string]int{}
	for i := range rec.Items {
		of := &rec.Items[i]
		path := itemPath(of)
		item, _ := c.item(path, path, seen)
		item.layout.known = false
		c.at = append(c.at, item)
	}
	c.identities()
}

// remember makes the items of the list known to later ones. Most logs have one list.
func (c *logCooker) remember() {
	if c.list == nil {
		return
	}
	for _, item := range c.at {
		c.items[item.key] = item
	}
}

// unlisted is place for a record without a list of items: it has whole objects, and counter
// sets that are identified by their positions.
func (c *logCooker) unlisted(rec *blg.Record) {
	c.remember()
	c.list, c.at, c.owners.objects = nil, c.at[:0], nil
	seen := map[string]int{}
	for _, s := range rec.All() {
		title := ""
		if b := s.BlockBytes(); s.Kind == blg.CounterSet {
			_, title = setPath(s)
		} else if len(b) >= 36 {
			title = strconv.FormatUint(uint64(binary.LittleEndian.Uint32(b[32:])), 10) // DefaultObject
		}
		item, name := c.item("", title, seen)
		c.items[name] = item
		c.at = append(c.at, item)
	}
}

// item returns the next item of a path, and the name under which it is stored. seen counts
// the items of each name.
func (c *logCooker) item(path, name string, seen map[string]int) (*logItem, string) {
	n := count(seen, name)
	key := path
	if n > 0 {
		again := "\x00" + strconv.Itoa(n)
		if name == path {
			name += again // share the string: items may be many, and names long
			key = name
		} else {
			name, key = name+again, key+again
		}
	}
	item := c.items[name]
	if item == nil {
		item = &logItem{key: key}
		if c.seen++; c.seen > c.log.items { // later readings find the same items
			c.log.items = c.seen
			c.r.table.budget.Take(itemCost + 2*len(key))
		}
	}
	return item, name
}

// groupName returns the name of the group of the item's series. If series follow owners,
// items of single processes share the group of their counter: a process may move from one
// item to another.
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
