package titles

import (
	"hash/maphash"
	"slices"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// The codes of [Statistics].Doubts: tables that have these can be read without
// a loss, and Windows never makes them.
const (
	// CodeParity: an index is odd in a table of names, or even in one of help texts.
	CodeParity = perfdump.Code("parity")
	// CodeOrder: an index stands behind a higher one.
	CodeOrder = perfdump.Code("order")
	// CodeBaseIndex: index 1 does not stand first, or its text is not 1847, the last index of
	// Windows' own counters.
	CodeBaseIndex = perfdump.Code("base-index")
	// CodeSplitText: a long text is followed by a string without an index.
	CodeSplitText = perfdump.Code("split-text")
)

// What is the same on every Windows since XP.
const (
	// LastBase is the highest index of the counters of Windows itself, and the
	// text of index 1.
	LastBase = 1847
)

// splitUnits is where an editor of Windows 2000 cut long strings (Q268486);
// some left room for the NUL.
const splitUnits = 1023

// Statistics is a table in numbers. Index 1, which is no name, is counted
// among Entries alone.
type Statistics struct {
	Entries   int // as they stand, repeated ones too
	Names     int // indexes
	Distinct  int // texts that differ
	Empty     int // indexes whose text is empty
	Lowest    uint32
	Highest   uint32
	OutOfBase int // indexes above LastBase: of counters that were installed

	Longest      int    // the length of the longest text in UTF-16 units
	LongestIndex uint32 // whose it is

	// Doubts are what Windows' own tables never have, beside what
	// [Table.Anomalies] tells: indexes of the other kind's parity or in no
	// order, a base index that is not as everywhere, a text that was split.
	Doubts perfdump.Anomalies
}

// Statistics counts what is in t, a table of the given kind. limits bounds the
// doubts that are kept. It takes a pass over the table and eight bytes a name
// while it runs.
func (t *Table) Statistics(kind Kind, limits perfdump.Limits) *Statistics {
	s := &Statistics{Names: t.Len()}
	s.Doubts.Reset(limits.MaxAnomalies())
	hashes := make([]uint64, 0, s.Names)
	seed := maphash.MakeSeed()
	for index, text := range t.All() {
		if s.Highest == 0 {
			s.Lowest = index
		}
		s.Highest = index
		if index > LastBase {
			s.OutOfBase++
		}
		if text == "" {
			s.Empty++
		}
		if n := units(text); n > s.Longest {
			s.Longest, s.LongestIndex = n, index
		}
		hashes = append(hashes, maphash.String(seed, text))
	}
	slices.Sort(hashes)
	s.Distinct = len(slices.Compact(hashes))
	s.doubt(t, kind)
	return s
}

// doubt walks the entries in the order of the file.
func (s *Statistics) doubt(t *Table, kind Kind) {
	add := func(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
		if t.list {
			off = -1
		}
		s.Doubts.Add(perfdump.NewAnomaly(code, off, path, text, args...))
	}
	var last item
	var lastAt place
	known, before := false, uint32(0)
	t.walk(func(it item, at place) bool {
		path := levels.Root().At(0, s.Entries)
		if it.kind == skipped && known && it.indexEnd > it.pos && units(t.text[last.textPos:last.textEnd]) >= splitUnits {
			add(CodeSplitText, lastAt.text, levels.Root().At(0, s.Entries-1).Field("Text"), "the text of index %d was split; its rest stands behind it as a string of its own", int64(last.index))
		}
		known = it.kind == entry
		if !known {
			return true
		}
		s.Entries++
		text := t.text[it.textPos:it.textEnd]
		switch {
		case it.index == baseIndex:
			if base, ok := parseIndex(text); !ok || base != LastBase {
				add(CodeBaseIndex, at.text, path.Field("Text"), "the text of index 1 is not %d, the last index of Windows' own counters", LastBase)
			} else if s.Entries > 1 {
				add(CodeBaseIndex, at.index, path.Field("Index"), "index 1 does not stand first")
			}
		case it.index%2 != uint32(kind):
			add(CodeParity, at.index, path.Field("Index"), parityText(kind), int64(it.index))
		}
		if it.index != baseIndex {
			if it.index < before {
				add(CodeOrder, at.index, path.Field("Index"), "index %d stands behind %d", int64(it.index), int64(before))
			}
			before = it.index
		}
		last, lastAt = it, at
		return true
	})
}

func parityText(kind Kind) string {
	if kind == Help {
		return "index %d is even; those of help texts are odd"
	}
	return "index %d is odd; those of names are even"
}

// units returns the length of s in UTF-16 units.
func units(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0xF0: // a pair of surrogates
			n += 2
		case utf8.RuneStart(c):
			n++
		}
	}
	return n
}
