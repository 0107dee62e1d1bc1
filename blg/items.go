package blg

import (
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// Item describes the series at its position in each record. It never changes.
type Item struct {
	Path         pdhpath.Path // as in the log; the machine without its backslashes
	Kind         SeriesKind   // from its flags; each series has a kind as well
	Machine      string       // with its backslashes
	CounterType  countertypes.Type
	TimeBase     int64 // ticks per second
	DefaultScale int32 // power of ten, for display

	rawInstance []byte // UTF-16
	set         string // the object's name in lower case, of a CounterSet
	scale       int8
}

// itemList is a list of items, its position, and what was reported about it. The readers of
// a File share one.
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

// setItems makes the list of an event the current one.
func (r *Reader) setItems(e *event) {
	l := &r.list
	known := l.is(e)
	if r.items != nil && !known {
		r.report(CodeItemListAgain, e.at(0), e.path(), "another list of items, which applies from here on")
	}
	if known && !l.cut {
		r.items = l.items
		r.lost[lostItems] += l.lost
		for _, a := range l.anomalies {
			r.anomalies.Add(a)
		}
		return
	}
	problems, kept, lost := r.anomalies.Len(), len(r.anomalies.Kept()), r.lost[lostItems]
	r.items = r.parseItems(e)
	switch {
	case known:
		r.items = l.items
	case l.items == nil:
		r.late = r.late || r.last.Local != noTime
		anomalies := r.anomalies.Kept()[kept:]
		*l = itemList{r.items, e.at(0), len(e.data), slices.Clone(anomalies), len(anomalies) < r.anomalies.Len()-problems, r.lost[lostItems] - lost}
	}
}

// parseItems reads the data of an item list.
func (t *problems) parseItems(e *event) []Item {
	b := e.data
	path := e.path()
	if len(b) < etl.ItemListHeaderSize {
		t.lost[lostItems]++
		t.report(codeItemLength, e.at(0), path, "the item list has %d bytes, fewer than the %d of its header", int64(len(b)), etl.ItemListHeaderSize)
		return nil
	}
	n := 0
	for range listItems(b) {
		n++
	}
	items := make([]Item, 0, n)
	left := 2 * len(b) // bytes of texts; only malicious texts share bytes
	end := etl.ItemListHeaderSize
	for off, item := range listItems(b) {
		var h etl.ItemHeader
		wire.LoadStruct(&h, item)
		items = append(items, t.parseItem(e, &h, item[etl.ItemHeaderSize:], off, path.At(levelSeries, len(items)), &left))
		end = off + len(item)
	}
	if rest := b[end:]; len(rest) > 0 {
		size := uint32(0)
		if len(rest) >= etl.ItemHeaderSize {
			size = wire.U32(rest, 0)
		}
		t.lost[lostItems]++
		if at := path.At(levelSeries, n); n == maxItems && size >= etl.ItemHeaderSize && uint64(size) <= uint64(len(rest)) {
			t.report(codeItemLength, e.at(end), at, "more than %d items: the rest of the list is not read", maxItems)
		} else {
			t.report(codeItemLength, e.at(end), at.Field("Length"), "an item of 0x%x bytes does not fit into the remaining 0x%x: the rest of the list is not read", int64(size), int64(len(rest)))
		}
	}
	return items
}

// maxItems limits the number of items of a list; typical lists have some hundred.
const maxItems = 1 << 17

// maxText limits the bytes of a text of an item, of which output needs several copies.
// PDH's longest path has 2,048 characters.
const maxText = 32 << 10

// cutPair removes half of a surrogate pair at the end of a text.
func cutPair(text []byte) []byte {
	if n := len(text); text[n-1]&0xfc == 0xd8 {
		return text[:n-2]
	}
	return text
}

// listItems yields the items of a list that fit into it, with their offsets.
func listItems(b []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for off, n := etl.ItemListHeaderSize, 0; len(b)-off >= etl.ItemHeaderSize && n < maxItems; n++ {
			size := wire.U32(b, off)
			if size < etl.ItemHeaderSize || uint64(size) > uint64(len(b)-off) || !yield(off, b[off:off+int(size)]) {
				return
			}
			off += int(size)
		}
	}
}

// parseItem returns an item from its header and texts.
func (t *problems) parseItem(e *event, h *etl.ItemHeader, texts []byte, off int, path perfdump.Path, left *int) Item {
	it := Item{CounterType: countertypes.Type(h.CounterType), TimeBase: h.TimeBase, DefaultScale: h.DefaultScale}
	// field is the position in the header of the offset from.
	text := func(from int32, field int, name string) (raw []byte, ok bool) {
		if from < 0 {
			return nil, false
		}
		if int(from) >= len(texts) {
			t.report(codeItemText, e.at(off+field), path.Field(name), "a text at 0x%x, past the 0x%x bytes of texts of the item", int64(from), int64(len(texts)))
			return nil, false
		}
		if raw, _ = cutText(texts[from:]); len(raw) > maxText {
			t.report(codeItemText, e.at(off+field), path.Field(name), "a text of %d bytes, cut after %d", int64(len(raw)), maxText)
			raw = cutPair(raw[:maxText])
		}
		if len(raw) > *left {
			t.report(codeItemText, e.at(off+field), path.Field(name), "the texts of the items share their bytes: this one is not read")
			return nil, false
		}
		*left -= len(raw)
		return raw, true
	}
	read := func(from int32, field int, name string) string {
		raw, _ := text(from, field, name)
		return wire.UTF16(raw)
	}
	it.Machine = read(h.Machine, 0x1C, "Machine")
	it.Path.Machine = strings.TrimPrefix(it.Machine, `\\`)
	it.Path.Object = read(h.Object, 0x20, "Object")
	it.Path.Parent = read(h.Parent, 0x28, "Parent")
	it.Path.Counter = read(h.Counter, 0x30, "Counter")
	raw, ok := text(h.Instance, 0x24, "Instance")
	it.rawInstance, it.Path.HasInstance = append([]byte(nil), raw...), ok
	it.Path.Instance = wire.UTF16(raw)
	it.Path.Index = int(min(h.InstanceIndex, 1<<30))
	if _, _, k := pdhpath.SplitInstance(it.Path.Instance); k > 0 && k == it.Path.Index {
		it.Path.Index = 0 // the text already has it
	}
	it.scale = countertypes.ClampScale(it.DefaultScale)
	it.set = strings.ToLower(it.Path.Object)
	switch {
	case h.Flags&etl.FlagSet != 0:
		it.Kind = CounterSet
	case h.Flags&0x10 != 0:
		it.Kind = Object
	case h.Flags&1 != 0:
		it.Kind = Instances
	default:
		it.Kind = Single
	}
	return it
}
