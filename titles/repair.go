package titles

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// maxJoined limits the length of a joined text, in bytes.
const maxJoined = 64 << 10

// Repair returns t as Windows would have written it, with an anomaly for each
// change: the code of the damage and its place in t, at most limits of them. A
// table without damage is returned itself.
//
// It removes entries without a text, strings without an index, and the earlier
// texts of a repeated index. It sorts the indexes and ends the table. If a text is
// missing and the next index is in its place, it removes that entry. It joins a
// text that an editor split at 1024 units. It cannot restore lost names, indexes
// of a wrong parity, or texts under a wrong index.
//
// The result has no spans or offsets. What [Table.AppendBinary] writes for it, in
// the encoding of t, reads without an anomaly.
func (t *Table) Repair(limits perfdump.Limits) (*Table, *perfdump.Anomalies) {
	r := &repairer{t: t, done: new(perfdump.Anomalies), texts: map[uint32]string{}, pending: -1}
	r.done.Reset(limits.MaxAnomalies())
	r.walk()
	r.whole()
	if r.done.Len() == 0 {
		return t, r.done
	}
	text := make([]byte, 0, len(t.text)+1)
	if r.bases > 0 {
		text = appendEntry(text, baseIndex, strconv.FormatUint(uint64(r.base), 10))
	}
	for _, index := range slices.Sorted(maps.Keys(r.texts)) {
		text = appendEntry(text, index, r.texts[index])
	}
	fixed := &Table{file: append(text, 0), enc: t.enc, list: true}
	_ = fixed.scan() // texts that are there as they are have no limit
	return fixed, r.done
}

func appendEntry(dst []byte, index uint32, text string) []byte {
	dst = append(strconv.AppendUint(dst, uint64(index), 10), 0)
	return append(append(dst, text...), 0)
}

// repairer makes valid entries from the entries of a table.
type repairer struct {
	t     *Table
	done  *perfdump.Anomalies
	texts map[uint32]string
	last  uint32 // index taken
	n     int    // entries taken but for index 1
	base  uint32 // the text of index 1
	bases int    // how often it is there

	pending int    // the entry before, not yet taken; -1 if there is none
	joined  string // what belongs after its text
}

func (r *repairer) report(code perfdump.Code, pos int, text string, args ...int64) {
	r.done.Add(perfdump.NewAnomaly(code, r.t.off(pos), perfdump.Path{}, text, args...))
}

func (r *repairer) walk() {
	for i, it := range r.t.all() {
		switch it.kind {
		case entry:
			r.flush()
			r.pending, r.joined = i, ""
		case skipped:
			for k := range int(it.index) + 1 {
				r.stray(i, int(it.pos)+k*r.t.unit())
			}
		case lone:
			r.flush()
			r.report(CodeOddCount, int(it.pos), "removed index %d, which has no text", int64(it.index))
		}
	}
	r.flush()
}

// stray handles a string in the place of an index.
func (r *repairer) stray(i, pos int) {
	s := r.t.textOf(i)
	if r.pending >= 0 && s != "" {
		p, text := r.t.items[r.pending], r.t.textOf(r.pending)
		if index, ok := parseIndex(text); ok && index != baseIndex && p.index != baseIndex && r.joined == "" && !allDigits(s) {
			r.report(CodeDigitsText, int(p.pos), "removed index %d, whose text is missing; the string after it is that of index %d", int64(p.index), int64(index))
			r.pending = -1
			r.put(index, r.spell(s), pos)
			return
		}
		if units(text) >= splitUnits && len(text)+len(r.joined)+len(s) <= maxJoined {
			r.report(CodeSplitText, int(p.textPos), "joined the text of index %d, which was split", int64(p.index))
			r.joined += s
			return
		}
	}
	r.flush()
	end, _ := r.t.str(pos)
	r.report(CodeIndexText, pos, "removed a string of %d bytes that has no index", int64(end-pos))
}

func (r *repairer) flush() {
	if r.pending < 0 {
		return
	}
	p, text := r.t.items[r.pending], r.t.textOf(r.pending)+r.joined
	r.pending = -1
	index := p.index
	switch {
	case index == baseIndex:
		r.putBase(text, p)
		return
	case text == "":
		r.report(CodeEmptyName, int(p.pos), "removed index %d, whose text is empty", int64(index))
		return
	case allDigits(text):
		r.report(CodeDigitsText, int(p.pos), "removed index %d, whose text is a number", int64(index))
		return
	case r.t.lossy && strings.ContainsRune(text, utf8.RuneError):
		r.report(codeEncoding, int(p.textPos), "replaced what is not text in that of index %d", int64(index))
	}
	r.put(index, r.spell(text), int(p.pos))
}

func (r *repairer) putBase(text string, p item) {
	base, ok := parseIndex(text)
	if !ok {
		r.report(CodeBaseIndex, int(p.textPos), "set the text of index 1 to %d", LastBase)
		base = LastBase
	}
	if r.n > 0 && r.bases == 0 {
		r.report(CodeOrder, int(p.pos), "put index 1 first")
	}
	r.bases++
	r.base = base
}

func (r *repairer) put(index uint32, text string, pos int) {
	if index < r.last {
		r.report(CodeOrder, pos, "put index %d in its place; it came after %d", int64(index), int64(r.last))
	}
	r.n++
	r.last = index
	r.texts[index] = text
}

// whole reports repeated indexes, lines that are no entries, and the end.
func (r *repairer) whole() {
	if again := r.n - len(r.texts) + max(r.bases-1, 0); again > 0 {
		r.report(CodeDuplicateIndex, -1, "removed the earlier texts of repeated indexes, %d in all", int64(again))
	}
	if r.t.list {
		for _, a := range r.t.anomalies.Kept() {
			switch a.Code {
			case CodeIndexText:
				r.report(a.Code, -1, "left out a line that is no entry")
			case codeEncoding:
				r.report(a.Code, -1, "replaced what is not text in a line")
			default: // reported already
			}
		}
		return
	}
	if len(r.t.file) > r.t.bodyEnd() {
		r.report(CodeOddLength, r.t.bodyEnd(), "removed one byte after the last UTF-16 unit")
	}
	if ends := r.t.ends(); ends == 0 && len(r.t.items) == 1 || ends < 2 && len(r.t.items) > 1 {
		r.report(codeNoTerminator, r.t.bodyEnd(), "ended the table")
	}
}

// ends returns how many NULs the file ends in, two at most.
func (t *Table) ends() int {
	n := 0
	for pos := t.bodyEnd() - t.unit(); n < 2 && pos >= t.start() && t.isNUL(pos); pos -= t.unit() {
		n++
	}
	return n
}

// spell returns text with ? for what the table's code page cannot write: a few
// pages read bytes that they do not write.
func (r *repairer) spell(text string) string {
	page := r.t.page
	if page == nil {
		return text
	}
	if _, ok := page.Encode(nil, text); ok {
		return text
	}
	return strings.Map(func(c rune) rune {
		if _, ok := page.Encode(nil, string(c)); !ok {
			return '?'
		}
		return c
	}, text)
}
