package titles

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// maxJoined bounds a text that is put together again, in bytes.
const maxJoined = 64 << 10

// Repair returns a table as Windows would have written it, with what is
// damaged in t put right, and tells what it did: an anomaly for each change,
// with the code of the damage and its place in t. limits bounds how many are
// kept. A table that needs nothing is returned as it is.
//
// It removes entries without a text, strings without an index, and what a
// repeated index had before; it puts the indexes in order, and ends the table.
// Where a text is missing, so that the next index stands in its place, the
// entries behind it are those that were meant. A text that an editor split at
// 1024 units is put together. What it cannot know it leaves: names that are
// lost, indexes of a wrong parity, texts under a wrong index.
//
// The result is as a table made from a list: without spans or offsets.
// [Table.AppendBinary] writes it in the encoding of t, and what that writes
// reads without an anomaly.
func (t *Table) Repair(limits perfdump.Limits) (*Table, *perfdump.Anomalies) {
	r := &repairer{t: t, done: new(perfdump.Anomalies)}
	r.done.Reset(limits.MaxAnomalies())
	r.out.Grow(len(t.text) + 1)
	r.walk()
	r.out.WriteByte(0)
	sound := newList(r.out.String(), t.enc)
	r.whole(sound)
	switch {
	case r.done.Len() == 0:
		return t, r.done
	case r.sorted && !sound.repeats && r.bases < 2:
		return sound, r.done
	}
	var text strings.Builder
	text.Grow(len(sound.text))
	if r.bases > 0 {
		appendEntry(&text, baseIndex, strconv.FormatUint(uint64(r.base), 10))
	}
	for index, name := range sound.All() {
		appendEntry(&text, index, name)
	}
	text.WriteByte(0)
	return newList(text.String(), t.enc), r.done
}

// newList returns the table of a list, given as its strings with their NULs.
func newList(text string, enc Encoding) *Table {
	t := &Table{text: text, size: int64(len(text)), enc: enc, list: true}
	t.index()
	return t
}

func appendEntry(out *strings.Builder, index uint32, text string) {
	var digits [10]byte
	out.Write(strconv.AppendUint(digits[:0], uint64(index), 10))
	out.WriteByte(0)
	out.WriteString(text)
	out.WriteByte(0)
}

// repairer makes sound entries of what stands in a table.
type repairer struct {
	t      *Table
	out    strings.Builder // index NUL text NUL
	done   *perfdump.Anomalies
	last   uint32 // index written
	n      int    // entries written but for index 1
	sorted bool   // in the order of the file they ascend
	buf    []byte

	base  uint32 // the text of index 1
	bases int    // how often it stands there

	pending item // the entry before, not yet written
	at      place
	joined  string // what belongs behind its text
	has     bool
}

func (r *repairer) tell(code perfdump.Code, off int64, text string, args ...int64) {
	if r.t.list {
		off = -1
	}
	r.done.Add(perfdump.NewAnomaly(code, off, perfdump.Path{}, text, args...))
}

func (r *repairer) walk() {
	r.sorted = true
	r.t.walk(func(it item, at place) bool {
		switch it.kind {
		case entry:
			r.flush()
			r.pending, r.at, r.joined, r.has = it, at, "", true
		case skipped:
			r.stray(it, at)
		case lone:
			r.flush()
			r.tell(CodeOddCount, at.index, "removed index %d, which has no text", int64(it.index))
		}
		return true
	})
	r.flush()
}

func (r *repairer) text() string { return r.t.text[r.pending.textPos:r.pending.textEnd] }

// stray finds a use for a string that stands where an index belongs.
func (r *repairer) stray(it item, at place) {
	s := r.t.text[it.pos:it.indexEnd]
	if r.has && s != "" {
		text := r.text()
		if index, ok := parseIndex(text); ok && index != baseIndex && r.pending.index != baseIndex && r.joined == "" && !allDigits(s) {
			r.tell(CodeDigitsText, r.at.index, "removed index %d, whose text is missing; the string behind it is that of index %d", int64(r.pending.index), int64(index))
			r.has = false
			r.put(index, r.spell(s), at.index)
			return
		}
		if units(text) >= splitUnits && len(text)+len(r.joined)+len(s) <= maxJoined {
			r.tell(CodeSplitText, r.at.text, "put the text of index %d together again", int64(r.pending.index))
			r.joined += s
			return
		}
	}
	r.flush()
	r.tell(CodeIndexText, at.index, "removed a string of %d bytes that has no index", at.indexEnd-at.index)
}

// flush writes the entry before, if it is sound.
func (r *repairer) flush() {
	if !r.has {
		return
	}
	r.has = false
	index, text := r.pending.index, r.text()+r.joined
	switch {
	case index == baseIndex:
		r.putBase(text)
		return
	case text == "":
		r.tell(CodeEmptyName, r.at.index, "removed index %d, whose text is empty", int64(index))
		return
	case allDigits(text):
		r.tell(CodeDigitsText, r.at.index, "removed index %d, whose text is a number", int64(index))
		return
	case r.t.lossy && strings.ContainsRune(text, '\uFFFD'):
		r.tell(CodeEncoding, r.at.text, "replaced what is not text in that of index %d", int64(index))
	}
	r.put(index, r.spell(text), r.at.index)
}

// putBase writes index 1 where it stands first; the last text of it counts.
func (r *repairer) putBase(text string) {
	base, ok := parseIndex(text)
	if !ok {
		r.tell(CodeBaseIndex, r.at.text, "set the text of index 1 to %d", LastBase)
		base = LastBase
	}
	switch {
	case r.n > 0 && r.bases == 0:
		r.tell(CodeOrder, r.at.index, "put index 1 first")
		r.sorted = false
	case r.bases == 0:
		appendEntry(&r.out, baseIndex, strconv.FormatUint(uint64(base), 10))
	}
	r.bases++
	r.base = base
}

func (r *repairer) put(index uint32, text string, off int64) {
	if index < r.last {
		r.tell(CodeOrder, off, "put index %d in its place; it stood behind %d", int64(index), int64(r.last))
		r.sorted = false
	}
	r.n++
	r.last = index
	appendEntry(&r.out, index, text)
}

// whole tells of what no single entry shows: repeated indexes, lines that are
// no entries, and how the file ends.
func (r *repairer) whole(sound *Table) {
	if again := r.n - sound.Len() + max(r.bases-1, 0); again > 0 {
		r.tell(CodeDuplicateIndex, -1, "removed the earlier texts of repeated indexes, %d in all", int64(again))
	}
	if r.t.list {
		for _, a := range r.t.anomalies.Kept() {
			switch a.Code {
			case CodeIndexText:
				r.tell(a.Code, -1, "left out a line that is no entry")
			case CodeEncoding:
				r.tell(a.Code, -1, "replaced what is not text in a line")
			default: // told before
			}
		}
		return
	}
	if r.t.size > r.t.bodyEnd() {
		r.tell(CodeOddLength, r.t.bodyEnd(), "removed one byte behind the last UTF-16 unit")
	}
	if rest := strings.TrimRight(r.t.text, "\x00"); rest == "" && r.t.text == "" || rest != "" && len(r.t.text)-len(rest) < 2 {
		r.tell(CodeNoTerminator, r.t.bodyEnd(), "ended the table")
	}
}

// spell returns text as the table's code page can write it, with ? for what it
// cannot. A few pages read bytes that they do not write.
func (r *repairer) spell(text string) string {
	page := r.t.src.page
	if page == nil {
		return text
	}
	var ok bool
	if r.buf, ok = page.Encode(r.buf[:0], text); ok {
		return text
	}
	var out []byte
	for _, c := range text {
		if r.buf, ok = page.Encode(r.buf[:0], string(c)); !ok {
			c = '?'
		}
		out = utf8.AppendRune(out, c)
	}
	return string(out)
}
