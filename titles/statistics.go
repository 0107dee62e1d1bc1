package titles

import (
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// The codes of [Statistics].Anomalies: Windows never writes such tables, but they can be
// read without loss.
const (
	CodeParity    = perfdump.Code("parity")     // an index is odd in a table of names, or even in one of help texts
	CodeOrder     = perfdump.Code("order")      // an index comes after a higher one
	CodeBaseIndex = perfdump.Code("base-index") // index 1 is not first, or its text is not 1847, the last index of Windows' own counters
	CodeSplitText = perfdump.Code("split-text") // a long text is followed by a string without an index
)

// What is the same on every Windows since XP.
const (
	// LastBase is the highest index of the counters of Windows itself, and the
	// text of index 1.
	LastBase = 1847
)

// splitUnits is where an editor of Windows 2000 cut long strings (Q268486), sometimes
// leaving space for the NUL.
const splitUnits = 1023

// Statistics is a table in numbers. Index 1, which is no name, is counted
// among Entries alone.
type Statistics struct {
	Entries   int // repeated ones too
	Names     int // indexes
	Distinct  int // texts that differ
	Empty     int // indexes whose text is empty
	Lowest    uint32
	Highest   uint32
	OutOfBase int // indexes above LastBase: of counters that were installed

	Longest      int    // the length of the longest text in UTF-16 units
	LongestIndex uint32 // whose it is

	// Anomalies are those that only the table as a whole shows, in addition to
	// [Table.Anomalies]: indexes of the wrong parity or out of order, an unexpected base
	// index, a text that was split.
	Anomalies perfdump.Anomalies
}

// Statistics counts what is in t, a table of the given kind. limits bounds the anomalies
// that are kept.
func (t *Table) Statistics(kind Kind, limits perfdump.Limits) *Statistics {
	s := &Statistics{Names: t.Len()}
	s.Anomalies.Reset(limits.MaxAnomalies())
	distinct := map[string]bool{}
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
		distinct[text] = true
	}
	s.Distinct = len(distinct)
	s.check(t, kind)
	return s
}

// check checks the entries in the order of the file.
func (s *Statistics) check(t *Table, kind Kind) {
	add := func(code perfdump.Code, pos int32, path perfdump.Path, text string, args ...int64) {
		s.Anomalies.Add(perfdump.NewAnomaly(code, t.off(int(pos)), path, text, args...))
	}
	last := -1 // the item before, if it is an entry
	before := uint32(0)
	for i, it := range t.all() {
		text, path := t.textOf(i), levels.Root().At(0, s.Entries)
		if it.kind == skipped && text != "" && last >= 0 && units(t.textOf(last)) >= splitUnits {
			add(CodeSplitText, t.items[last].textPos, levels.Root().At(0, s.Entries-1).Field("Text"), "the text of index %d was split; its rest follows as a string of its own", int64(t.items[last].index))
		}
		last = -1
		if it.kind != entry {
			continue
		}
		last = i
		s.Entries++
		if it.index == baseIndex {
			if base, ok := parseIndex(text); !ok || base != LastBase {
				add(CodeBaseIndex, it.textPos, path.Field("Text"), "the text of index 1 is not %d, the last index of Windows' own counters", LastBase)
			} else if s.Entries > 1 {
				add(CodeBaseIndex, it.pos, path.Field("Index"), "index 1 is not first")
			}
			continue
		}
		if it.index%2 != uint32(kind) {
			add(CodeParity, it.pos, path.Field("Index"), parityText(kind), int64(it.index))
		}
		if it.index < before {
			add(CodeOrder, it.pos, path.Field("Index"), "index %d comes after %d", int64(it.index), int64(before))
		}
		before = it.index
	}
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
