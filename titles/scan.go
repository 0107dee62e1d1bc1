package titles

import (
	"bytes"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// baseIndex is the entry that is no name: its text is the highest index of
// the base counters.
const baseIndex = 1

const (
	maxString = 1 << 20
	maxInput  = 1 << 30 // offsets are 32 bits
)

type itemKind uint8

const (
	entry   itemKind = iota // an index and its text
	skipped                 // a string where an index belongs that is none
	lone                    // an index at the end, without a text
)

// item is a run of strings of the file. It ends where the next one begins; the
// last item of a table is empty and marks the end.
type item struct {
	kind    itemKind
	bad     bool   // its text is not valid in the encoding
	index   uint32 // of an empty skipped string: how many more follow it
	pos     int32  // of the index, or of the skipped string, in the file
	textPos int32  // of the text in the file; pos for a skipped string
	from    int32  // the text in Table.text; a skipped string too
}

func (t *Table) textOf(i int) string { return t.text[t.items[i].from:t.items[i+1].from] }

// all yields the items but the last.
func (t *Table) all() iter.Seq2[int, item] { return slices.All(t.items[:max(0, len(t.items)-1)]) }

// scan splits the file into items. The table ends where only empty strings remain, not at
// the first empty one: empty names occur.
func (t *Table) scan() error {
	unit := t.unit()
	tail := t.bodyEnd()
	for tail > t.start() && t.isNUL(tail-unit) {
		tail -= unit
	}
	if tail > t.start() && tail < t.bodyEnd() {
		tail += unit // the NUL of the last string
	}
	t.items = make([]item, 0, t.numStrings(tail)+1)
	text := make([]byte, 0, len(t.file)/unit)
	var buf [maxDigits]byte
	pos := t.start()
	for pos < tail {
		it := item{pos: int32(pos), textPos: int32(pos), from: int32(len(text))}
		end, next := t.str(pos)
		index, ok := parseIndex(t.digits(&buf, pos, end))
		switch {
		case !ok:
			it.kind = skipped
			if n := len(t.items); end == pos && n > 0 && t.emptySkipped(n-1) {
				t.items[n-1].index++
				pos = next
				continue
			}
		case next >= tail && t.bodyEnd()-next < 2*unit:
			// One empty string ends the table; only with two is the first a text.
			it.kind, it.index = lone, index
		default:
			it.index, it.textPos = index, int32(next)
			end, next = t.str(next)
		}
		if it.kind != lone {
			if n := next - int(it.textPos); n > maxString {
				return perfdump.NewError(perfdump.CodeLimit, int64(it.textPos), perfdump.Path{}, "a string of %d bytes; the limit is %d", n, maxString)
			}
			if raw := t.file[it.textPos:end]; t.list {
				text = append(text, raw...)
			} else {
				text, ok = decode(t.page, text, raw)
				it.bad = !ok
				t.lossy = t.lossy || !ok
			}
		}
		t.items = append(t.items, it)
		pos = next
	}
	t.items = append(t.items, item{pos: int32(pos), from: int32(len(text))})
	t.text = string(text)
	t.sort()
	return nil
}

// emptySkipped reports whether the item, which has no next yet, is an empty
// string where an index belongs.
func (t *Table) emptySkipped(i int) bool {
	it := t.items[i]
	return it.kind == skipped && t.isNUL(int(it.pos))
}

func (t *Table) numStrings(tail int) int {
	n := 1
	for pos := t.start(); pos < tail; n++ {
		_, pos = t.str(pos)
	}
	return n
}

// unit returns the size of a character that has no other bytes.
func (t *Table) unit() int {
	if t.page == nil && !t.list {
		return 2
	}
	return 1
}

func (t *Table) isNUL(pos int) bool {
	return t.file[pos] == 0 && (t.unit() == 1 || t.file[pos+1] == 0)
}

// str returns the end of the string at pos and the start of the next one.
func (t *Table) str(pos int) (end, next int) {
	b := t.file[pos:t.bodyEnd()]
	var i int
	if t.unit() == 2 {
		i = wire.IndexNUL16(b)
	} else {
		i = bytes.IndexByte(b, 0)
	}
	if i < 0 {
		return t.bodyEnd(), t.bodyEnd()
	}
	return pos + i, pos + i + t.unit()
}

// digits returns the ASCII characters of a string that may be an index.
// It uses buf for those of UTF-16.
func (t *Table) digits(buf *[maxDigits]byte, pos, end int) []byte {
	b := t.file[pos:end]
	switch {
	case len(b) > maxDigits*t.unit():
		return nil
	case t.unit() == 1:
		return b
	}
	for i := range len(b) / 2 {
		if b[2*i+1] != 0 {
			return nil
		}
		buf[i] = b[2*i]
	}
	return buf[:len(b)/2]
}

// decode appends b to dst in UTF-8 with U+FFFD for what is not valid in page, nil
// for UTF-16, and reports whether all was.
func decode(page *wire.CodePage, dst, b []byte) ([]byte, bool) {
	if page == nil {
		return wire.AppendUTF16(dst, b), wire.ValidUTF16(b)
	}
	return page.AppendLossy(dst, b)
}

// maxDigits is how many digits the highest index has.
const maxDigits = 10

// parseIndex reads an index: one to ten digits that fit 32 bits.
func parseIndex[T string | []byte](s T) (uint32, bool) {
	if len(s) == 0 || len(s) > maxDigits {
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
