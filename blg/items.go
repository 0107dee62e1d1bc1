package blg

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// Item says what the series at its place in each record is of. It never changes.
type Item struct {
	ItemHeader

	Path    pdhpath.Path // as the log spells it; the machine without its backslashes
	Kind    SeriesKind   // of its series by its flags; samples go by their own
	Machine string       // with its backslashes

	rawInstance []byte // UTF-16
	set         string // the object's name in lower case, of a CounterSet
	scale       int8
}

// itemList is a list of items, where it stands, and what was told of it. The
// readers of a File have one in common.
type itemList struct {
	items     []Item
	at        int64
	size      int
	anomalies []perfdump.Anomaly
	cut       bool // there were more anomalies than are kept
	lost      int64
}

// is reports whether the list was read from an event.
func (l *itemList) is(e *event) bool {
	return l.items != nil && l.at == e.at(0) && l.size == len(e.data)
}

// takeItems puts the list of an event in force.
func (r *Reader) takeItems(e *event) {
	l := &r.list
	known := l.is(e)
	if r.items != nil && !known {
		r.tell(CodeItemListAgain, e.at(0), e.path(), "another list of items, in force from here on")
	}
	if known && !l.cut {
		r.items = l.items
		r.lost[LostItems] += l.lost
		for _, a := range l.anomalies {
			r.anomalies.Add(a)
		}
		return
	}
	told, kept, lost := r.anomalies.Len(), len(r.anomalies.Kept()), r.lost[LostItems]
	r.items = r.parseItems(e)
	switch {
	case known:
		r.items = l.items
	case l.items == nil:
		r.late = r.late || r.last.Local != noTime
		anomalies := r.anomalies.Kept()[kept:]
		*l = itemList{r.items, e.at(0), len(e.data), slices.Clone(anomalies), len(anomalies) < r.anomalies.Len()-told, r.lost[LostItems] - lost}
	}
}

// parseItems reads the data of an item list.
func (t *told) parseItems(e *event) []Item {
	b := e.data
	path := e.path()
	if len(b) < itemListHeaderSize {
		t.lost[LostItems]++
		t.tell(CodeItemLength, e.at(0), path, "an item list of %d bytes, fewer than its header's %d", int64(len(b)), itemListHeaderSize)
		return nil
	}
	items := make([]Item, 0, countItems(b))
	left := 2 * len(b) // of texts; they do not share bytes, but for hostile ones
	for off := itemListHeaderSize; off < len(b); {
		at := path.At(levelSeries, len(items))
		rest := b[off:]
		var n uint32
		if len(rest) >= itemHeaderSize {
			n = wire.U32(rest, 0)
		}
		if n < itemHeaderSize || uint64(n) > uint64(len(rest)) {
			t.lost[LostItems]++
			t.tell(CodeItemLength, e.at(off), at.Field("Length"), "an item of 0x%x bytes, 0x%x are left: the rest of the list is not read", int64(n), int64(len(rest)))
			break
		}
		if len(items) == maxItems {
			t.lost[LostItems]++
			t.tell(CodeItemLength, e.at(off), at, "more than %d items: the rest of the list is not read", maxItems)
			break
		}
		var it Item
		it.load(rest)
		t.itemTexts(e, &it, rest[itemHeaderSize:n], off, at, &left)
		items = append(items, it)
		off += int(n)
	}
	return items
}

// flagSet is set in the flags of items that are version 2 counter sets.
const flagSet = 0x100

// maxItems bounds what a list may cost; typical ones have some hundred.
const maxItems = 1 << 17

// maxText bounds the bytes of a text of an item, which is in memory many times
// before it is in any output. PDH's longest path has 2,048 characters.
const maxText = 32 << 10

// cutPair leaves out half of a pair at the end of a text.
func cutPair(text []byte) []byte {
	if n := len(text); text[n-1]&0xfc == 0xd8 {
		return text[:n-2]
	}
	return text
}

// countItems returns how many items a list has at most.
func countItems(b []byte) (n int) {
	for off := itemListHeaderSize; len(b)-off >= itemHeaderSize && n < maxItems; n++ {
		size := wire.U32(b, off)
		if size < itemHeaderSize || uint64(size) > uint64(len(b)-off) {
			break
		}
		off += int(size)
	}
	return n
}

// itemTexts fills in what the texts of an item say.
func (t *told) itemTexts(e *event, it *Item, texts []byte, off int, path perfdump.Path, left *int) {
	// field is where in the header the offset from stands.
	text := func(from int32, field int, name string) (raw []byte, ok bool) {
		if from < 0 {
			return nil, false
		}
		if int(from) >= len(texts) {
			t.tell(CodeItemText, e.at(off+field), path.Field(name), "a text at 0x%x, past the item's 0x%x bytes of texts", int64(from), int64(len(texts)))
			return nil, false
		}
		if raw, _ = cutText(texts[from:]); len(raw) > maxText {
			t.tell(CodeItemText, e.at(off+field), path.Field(name), "a text of %d bytes: what is behind its first %d is left out", int64(len(raw)), maxText)
			raw = cutPair(raw[:maxText])
		}
		if len(raw) > *left {
			t.tell(CodeItemText, e.at(off+field), path.Field(name), "the texts of the items share their bytes: this one is not read")
			return nil, false
		}
		*left -= len(raw)
		return raw, true
	}
	read := func(from int32, field int, name string) string {
		raw, _ := text(from, field, name)
		return wire.UTF16(raw)
	}
	it.Machine = read(it.ItemHeader.Machine, 0x1C, "Machine")
	it.Path.Machine = strings.TrimPrefix(it.Machine, `\\`)
	it.Path.Object = read(it.Object, 0x20, "Object")
	it.Path.Parent = read(it.Parent, 0x28, "Parent")
	it.Path.Counter = read(it.Counter, 0x30, "Counter")
	raw, ok := text(it.Instance, 0x24, "Instance")
	it.rawInstance, it.Path.HasInstance = append([]byte(nil), raw...), ok
	it.Path.Instance = wire.UTF16(raw)
	it.Path.Index = int(min(it.InstanceIndex, 1<<30))
	if _, _, k := pdhpath.SplitInstance(it.Path.Instance); k > 0 && k == it.Path.Index {
		it.Path.Index = 0 // the text says it already
	}
	it.scale = countertypes.ClampScale(it.DefaultScale)
	it.set = strings.ToLower(it.Path.Object)
	switch {
	case it.Flags&flagSet != 0:
		it.Kind = CounterSet
	case it.Flags&0x10 != 0:
		it.Kind = Object
	case it.Flags&1 != 0:
		it.Kind = Instances
	default:
		it.Kind = Single
	}
}
