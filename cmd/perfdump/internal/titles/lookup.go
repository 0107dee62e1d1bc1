package titles

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/perflib2"
	"github.com/perfdump/perfdump/titles"
)

// lookups parses the requested indexes.
func (l *lister) lookups() error {
	l.found = map[string]bool{}
	for _, s := range l.o.Indexes {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
		if err != nil {
			return &cmdutil.UsageError{Text: fmt.Sprintf("titles: --index %q is no index", s), Hint: "an index is a number such as 238; for a name there is --name"}
		}
		l.indexes = append(l.indexes, uint32(n))
	}
	return nil
}

func (l *lister) selective() bool { return len(l.indexes)+len(l.o.Names) > 0 }

// choose returns the requested entries, or all of them.
func (l *lister) choose(t *titles.Table) iter.Seq[titles.Entry] {
	if !l.selective() {
		return t.Entries()
	}
	var wanted []uint32
	for i, n := range l.indexes {
		if _, ok := lookup(t, n); ok {
			l.found["index "+l.o.Indexes[i]] = true
			wanted = append(wanted, n)
		}
	}
	for _, name := range l.o.Names {
		indexes := t.Match(name)
		if len(indexes) > 0 {
			l.found["name "+name] = true
		}
		wanted = append(wanted, indexes...)
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	return func(yield func(titles.Entry) bool) {
		for _, n := range wanted {
			text, _ := lookup(t, n)
			if !yield(titles.Entry{Index: n, Text: text, Off: -1}) {
				return
			}
		}
	}
}

// lookup is that of the table, with index 1, which has no name there.
func lookup(t *titles.Table, n uint32) (string, bool) {
	if n == 1 {
		base, ok := t.BaseIndex()
		return strconv.FormatUint(uint64(base), 10), ok
	}
	return t.Lookup(n)
}

// maxSets bounds the sets and counters that are reported.
const maxSets = 20

// sets reports which of the requested names are those of version 2 counter
// sets of a log or of their counters. A log may have titles of them, too,
// which say nothing of the sets.
func (l *lister) sets(registrations []*perflib2.Registration) {
	reported := 0
	report := func(name, format string, args ...any) {
		l.found["name "+name] = true
		if reported++; reported <= maxSets {
			l.o.Note(format, args...)
		}
	}
	for _, name := range l.o.Names {
		for _, r := range registrations {
			set := cell.Cut(cell.Clean(r.Name()), 80)
			if titles.MatchText(name, r.Name()) {
				report(name, "%q is a version 2 counter set, %s: its counters go by ids, not by title indexes", set, r.GUIDString())
			}
			for _, c := range r.Counters() {
				if titles.MatchText(name, c.Name()) && !c.Hidden() {
					report(name, "%q is counter %d of the version 2 counter set %q, %s", cell.Cut(cell.Clean(c.Name()), 80), c.ID, set, r.GUIDString())
				}
			}
		}
	}
	if more := reported - maxSets; more > 0 {
		l.o.Note("and %d more of version 2 counter sets", more)
	}
}

// end reports what was not found.
func (l *lister) end() error {
	missing := l.absent
	for i, n := range l.indexes {
		if spelled := l.o.Indexes[i]; !l.found["index "+spelled] {
			missing = true
			l.o.Note("no index %d in %s%s", n, l.where(), l.aboutIndex(n))
		}
	}
	for _, name := range l.o.Names {
		if !l.found["name "+name] {
			missing = true
			l.o.Note("no name %q in %s%s", cell.Cut(name, 80), l.where(), l.aboutName(name))
		}
	}
	if missing {
		return cmdutil.ErrFindings
	}
	return nil
}

func (l *lister) where() string {
	switch {
	case len(l.o.Files) == 0:
		return "the built-in table"
	case l.tables == 1:
		return "the table"
	default:
		return fmt.Sprintf("the %d tables", l.tables)
	}
}

// aboutIndex says why there may be no such index.
func (l *lister) aboutIndex(n uint32) string {
	if l.last == nil || l.tables != 1 {
		return ""
	}
	help := l.last.Kind() == titles.Help
	_, before := l.last.Lookup(n - 1)
	_, after := l.last.Lookup(n + 1)
	switch {
	case n%2 == 1 && !help && before:
		return fmt.Sprintf("; odd indexes are usually help texts, and this is a table of names: try %d", n-1)
	case n%2 == 0 && help && after:
		return fmt.Sprintf("; even indexes are usually names, and this is a table of help texts: try %d", n+1)
	case len(l.o.Files) == 0:
		return "; the names of installed products are in the tables of their machine: name a FILE"
	}
	low, high := uint32(0), uint32(0)
	for index := range l.last.All() {
		if low == 0 {
			low = index
		}
		high = index
	}
	return fmt.Sprintf("; its indexes go from %d to %d", low, high)
}

// aboutName says which name may have been meant.
func (l *lister) aboutName(name string) string {
	if l.last == nil || l.tables != 1 || strings.Contains(name, "*") {
		return ""
	}
	var names []string
	var parts []string
	for _, text := range l.last.All() {
		names = append(names, text)
		if len(parts) < 3 && len(name) > 2 && strings.Contains(strings.ToLower(text), strings.ToLower(name)) && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if len(parts) > 0 {
		return fmt.Sprintf("; it is part of the names %q: try --name '*%s*'", cell.Cut(strings.Join(parts, ", "), 120), name)
	}
	if near, ok := cmdutil.Nearest(name, names); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; --name '*WORD*' finds a part of a name"
}
