package titles

import (
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// baseIndex is the entry that is no name: its text is the highest index of
// the base counters.
const baseIndex = 1

// itemKind says what a run of strings is.
type itemKind uint8

const (
	entry   itemKind = iota // an index and its text
	skipped                 // a string where an index belongs that is none
	lone                    // an index at the end, without a text
)

// item is a run of strings in the decoded table; the ends are before the NUL,
// end is behind the last NUL.
type item struct {
	kind             itemKind
	index            uint32
	pos, indexEnd    int
	textPos, textEnd int
	end              int
}

// walker takes a decoded table apart. The table is over where only empty
// strings remain, not at the first empty one: empty names occur.
type walker struct {
	s    string
	pos  int
	tail int // only NULs from here on
}

func newWalker(s string) walker {
	tail := len(strings.TrimRight(s, "\x00"))
	if tail > 0 && tail < len(s) {
		tail++ // the NUL of the last string
	}
	return walker{s: s, tail: tail}
}

// next returns the next item, and false at the end.
func (w *walker) next() (it item, ok bool) {
	if w.pos >= w.tail {
		return item{}, false
	}
	it.pos = w.pos
	it.indexEnd, it.end = w.str(w.pos)
	it.index, ok = parseIndex(w.s[it.pos:it.indexEnd])
	switch left := len(w.s) - it.end; {
	case !ok:
		it.kind = skipped
	case it.end >= w.tail && left < 2:
		// One empty string ends the table; only with two is the first a text.
		it.kind = lone
	default:
		it.textPos = it.end
		it.textEnd, it.end = w.str(it.textPos)
	}
	w.pos = it.end
	return it, true
}

// str returns the end of the string at pos and the start of the next one.
func (w *walker) str(pos int) (end, next int) {
	i := strings.IndexByte(w.s[pos:], 0)
	if i < 0 {
		return len(w.s), len(w.s)
	}
	return pos + i, pos + i + 1
}

// mostDigits is how many digits the highest index has.
const mostDigits = 10

// parseIndex reads an index: one to ten digits that fit 32 bits.
func parseIndex(s string) (uint32, bool) {
	if s == "" || len(s) > mostDigits {
		return 0, false
	}
	n := uint64(0)
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return uint32(n), n <= 0xFFFFFFFF
}

// place is where an item stands in the file.
type place struct {
	index, indexEnd int64
	text, textEnd   int64 // of an entry
	end             int64
}

// walk calls f for each item and its place in the file until f returns false.
func (t *Table) walk(f func(item, place) bool) {
	w := newWalker(t.text)
	pos := int(t.start())
	for {
		it, ok := w.next()
		if !ok {
			return
		}
		var at place
		if t.raw == nil {
			at = place{int64(it.pos), int64(it.indexEnd), int64(it.textPos), int64(it.textEnd), int64(it.end)}
		} else {
			at.index = int64(pos)
			at.indexEnd, pos = t.rawString(pos)
			if it.kind == entry {
				at.text = int64(pos)
				at.textEnd, pos = t.rawString(pos)
			}
			at.end = int64(pos)
		}
		if !f(it, at) {
			return
		}
	}
}

// rawString is str for the file's own bytes.
func (t *Table) rawString(pos int) (end int64, next int) {
	b := t.raw[pos:t.bodyEnd()]
	unit := t.src.unit()
	i := indexNUL(b, unit)
	if i < 0 {
		return t.bodyEnd(), int(t.bodyEnd())
	}
	return int64(pos + i), pos + i + unit
}

func indexNUL(b []byte, unit int) int {
	if unit == 2 {
		return wire.IndexNUL16(b)
	}
	return indexByte(b, 0)
}
