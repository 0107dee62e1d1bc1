package lodctr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

const rebuild = "restore the table from a backup, or lodctr /R"

// titleRules look at tables of names.
var titleRules = []rule{
	{Rule{"E20", Error, "a table has an odd number of strings, an index that is no number, out of order, of the wrong parity or given twice", rebuild}, checkStructure},
	{Rule{"E21", Error, "a table has an empty text", "find its provider and reload it, or lodctr /R"}, checkEmptyTexts},
	{Rule{"W20", Warning, "the texts of 1846 and 1847, End Marker in the language of the table, differ or are empty", "check the base strings: " + rebuild}, checkEndMarkers},
	{Rule{"W21", Warning, "above the base, a counter has no help text or a help text no counter", "reload the provider"}, checkHalves},
	{Rule{"W22", Warning, "languages do not have the same indexes; that Terminal Services Session is there in English only is normal", "reload the provider for that language"}, checkLanguages},
	{Rule{"W23", Warning, "names above the base belong to no provider", "a leftover: reload and unload its provider"}, checkOwners},
	{Rule{"W24", Warning, "a text was split at 1024 units", "an editor did that: reload the provider"}, checkSplit},
	{Rule{"W25", Warning, "a perfc or perfh file differs from the registry", "lodctr /R rebuilds both"}, checkFiles},
}

// backups returns the backups that are there, with a table of each.
func (x *exam) backups() []*table {
	var all []*table
	for _, t := range x.tables {
		if t.backup != nil && !slices.ContainsFunc(all, func(b *table) bool { return b.backup == t.backup }) {
			all = append(all, t)
		}
	}
	return all
}

func checkStructure(x *exam) {
	codes := []perfdump.Code{
		titles.CodeIndexText, titles.CodeOddCount, titles.CodeDuplicateIndex, titles.CodeDigitsText, titles.CodeOddLength,
	}
	for _, t := range x.tables {
		if t.backup != nil {
			continue
		}
		x.anomalies(t, t.t.Anomalies(), codes...)
		if t.origin != fromList {
			x.anomalies(t, &t.t.Statistics(t.kind, perfdump.Limits{}).Doubts, titles.CodeOrder, titles.CodeParity)
		}
	}
	for _, b := range x.backups() {
		for _, a := range b.backup.Anomalies().Kept() {
			if a.Code == perfstrings.CodeIndexText || a.Code == perfstrings.CodeDuplicateIndex {
				x.report(b.name, lineOf(a), "", "%s", a.Message())
			}
		}
	}
}

// anomalies reports those of some codes: the first of each, and how many there
// are besides, since one string too many gives hundreds.
func (x *exam) anomalies(t *table, all *perfdump.Anomalies, codes ...perfdump.Code) {
	counts := map[perfdump.Code]int{}
	for code, n := range all.Dropped() {
		counts[code] = n
	}
	for _, a := range all.Kept() {
		counts[a.Code]++
	}
	for _, a := range all.Kept() {
		n := counts[a.Code]
		if n == 0 || !slices.Contains(codes, a.Code) {
			continue
		}
		counts[a.Code] = 0
		text := a.Message()
		if a.Off >= 0 {
			text += fmt.Sprintf(" (offset 0x%x)", a.Off)
		}
		if n > 1 {
			text += fmt.Sprintf("; and %d more like it", n-1)
		}
		x.tell(t.name, t.line, t.subject(), text)
	}
}

func checkEmptyTexts(x *exam) {
	for _, t := range x.tables {
		if t.backup == nil {
			x.anomalies(t, t.t.Anomalies(), titles.CodeEmptyName)
		}
	}
	for _, b := range x.backups() {
		for _, a := range b.backup.Anomalies().Kept() {
			if a.Code == perfstrings.CodeEmptyName {
				x.report(b.name, lineOf(a), "", "%s", a.Message())
			}
		}
	}
}

// endMarker is the index of the last name of Windows itself. Its help text, the next
// index, is the same in every language.
const endMarker = titles.LastBase - 1

func checkEndMarkers(x *exam) {
	for _, t := range x.tables {
		if t.origin == fromList {
			continue
		}
		index := endMarker + uint32(t.kind)
		text, ok := t.t.Lookup(index)
		if ok && text == "" {
			x.report(t.name, t.line, t.subject(), "the text of index %d is empty", index)
			continue
		}
		o := x.other(t)
		if !ok || o == nil || t.kind != titles.Counter {
			continue
		}
		if help, ok := o.t.Lookup(endMarker + 1); ok && help != "" && help != text {
			x.report(t.name, t.line, t.subject(), "index %d is %q and index %d is %q; they should be the same text", index, clip(text), endMarker+1, clip(help))
		}
	}
}

func checkSplit(x *exam) {
	for _, t := range x.tables {
		x.anomalies(t, &t.t.Statistics(t.kind, perfdump.Limits{}).Doubts, titles.CodeSplitText)
	}
}

// other returns the table that has the other half of the texts.
func (x *exam) other(t *table) *table {
	for _, o := range x.tables {
		if o.kind != t.kind && o.language == t.language && o.origin == t.origin && (o.name == t.name || t.origin == fromFile) {
			return o
		}
	}
	return nil
}

// plural returns "1 index is" or "3 indexes are".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// indexes are the first few of a list, and how many there are.
type indexes struct {
	few []uint32
	n   int
}

func (s *indexes) add(index uint32) {
	if s.n++; len(s.few) < 8 {
		s.few = append(s.few, index)
	}
}

func (s *indexes) String() string {
	var words []string
	for _, index := range s.few {
		words = append(words, fmt.Sprint(index))
	}
	if s.n > len(s.few) {
		words = append(words, fmt.Sprintf("and %d more", s.n-len(s.few)))
	}
	return strings.Join(words, ", ")
}

func checkHalves(x *exam) {
	for _, t := range x.tables {
		o := x.other(t)
		if o == nil || t.origin == fromList {
			continue
		}
		var alone indexes
		for index := range t.t.All() {
			partner := index + 1
			if t.kind == titles.Help {
				partner = index - 1
			}
			if _, ok := o.t.Lookup(partner); !ok && index > titles.LastBase+1 {
				alone.add(index)
			}
		}
		switch {
		case alone.n == 0:
		case t.kind == titles.Counter:
			x.report(t.name, t.line, t.subject(), "%s above the base without a help text: %s", plural(alone.n, "name", "names"), &alone)
		default:
			x.report(t.name, t.line, t.subject(), "%s above the base without a name: %s", plural(alone.n, "help text", "help texts"), &alone)
		}
	}
}

func checkLanguages(x *exam) {
	for _, t := range x.tables {
		model := x.model(t)
		if model == nil || model == t {
			continue
		}
		less := x.lacking(t, model)
		more := x.lacking(model, t)
		if less.n > 0 {
			x.report(t.name, t.line, t.subject(), "%s missing in %s and there in %s: %s", plural(less.n, "index is", "indexes are"), t.language, model.language, less)
		}
		if more.n > 0 {
			x.report(t.name, t.line, t.subject(), "%s missing in %s and there in %s: %s", plural(more.n, "index is", "indexes are"), model.language, t.language, more)
		}
	}
}

// lacking returns the indexes above the base that a table lacks and another one has.
// A help text whose name is lacking too is no fault of its own.
func (x *exam) lacking(t, other *table) *indexes {
	lost := &indexes{}
	names, otherNames := x.other(t), x.other(other)
	first, last := x.sessions(other)
	normal := false // index is one of Terminal Services Session
	for index := range other.t.All() {
		_, ok := t.t.Lookup(index)
		normal = !ok && index <= last && (normal || index == first)
		if ok || normal || index <= titles.LastBase {
			continue
		}
		if t.kind == titles.Help && names != nil && otherNames != nil {
			_, has := names.t.Lookup(index - 1)
			_, there := otherNames.t.Lookup(index - 1)
			if there && !has {
				continue
			}
		}
		lost.add(index)
	}
	return lost
}

// sessions returns the indexes of Terminal Services Session in an English table: the
// range of its service, else all from its name on. Windows has its texts in English
// only, so other languages miss some or all of them.
func (x *exam) sessions(t *table) (first, last uint32) {
	if t.language != english {
		return 0, 0
	}
	if p := x.services["termservice"]; p != nil && p.hasRange() {
		return p.first.v + uint32(t.kind), p.last.v + uint32(t.kind)
	}
	if names := x.texts[tableKey{english, titles.Counter}]; names != nil {
		for _, index := range names.t.Indexes("Terminal Services Session") {
			return index + uint32(t.kind), math.MaxUint32
		}
	}
	return 0, 0
}

// model returns the table that others of its origin and kind are held to: that
// of English, else the first.
func (x *exam) model(t *table) *table {
	var found *table
	for _, o := range x.tables {
		if o.kind != t.kind || o.origin != t.origin || t.origin == fromList || t.origin != fromFile && o.name != t.name {
			continue
		}
		if o.language == english {
			return o
		}
		if found == nil {
			found = o
		}
	}
	return found
}

func checkOwners(x *exam) {
	if !slices.ContainsFunc(x.providers, func(p *provider) bool { return p.whole }) {
		return // not all providers are known
	}
	owners := ownedBy(x.ranges)
	for _, t := range x.tables {
		if t.kind != titles.Counter || t.origin == fromList {
			continue
		}
		var lost indexes
		text := ""
		for index, name := range t.t.All() {
			if index <= titles.LastBase || owners.has(index) {
				continue
			}
			if lost.add(index); lost.n == 1 {
				text = name
			}
		}
		if lost.n > 0 {
			x.report(t.name, t.line, t.subject(), "%s of no provider, the first is %q: %s", plural(lost.n, "name", "names"), clip(text), &lost)
		}
	}
}

// owned tells whose indexes are some provider's.
type owned struct {
	from  []uint32 // the first indexes of the ranges, ascending
	reach []uint32 // the highest index of all ranges up to each
}

func ownedBy(ranges []*provider) *owned {
	o := &owned{}
	high := uint32(0)
	for _, p := range ranges {
		high = max(high, p.last.v)
		o.from, o.reach = append(o.from, p.first.v), append(o.reach, high)
	}
	return o
}

func (o *owned) has(index uint32) bool {
	n, ok := slices.BinarySearch(o.from, index)
	if ok {
		return true
	}
	return n > 0 && o.reach[n-1] >= index
}

func checkFiles(x *exam) {
	for _, t := range x.tables {
		if t.origin != fromFile {
			continue
		}
		is := x.texts[tableKey{t.language, t.kind}]
		if is == nil || is.origin != fromRegistry {
			continue
		}
		var differ indexes
		for index, text := range is.t.All() {
			if was, ok := t.t.Lookup(index); !ok || was != text {
				differ.add(index)
			}
		}
		for index := range t.t.All() {
			if _, ok := is.t.Lookup(index); !ok {
				differ.add(index)
			}
		}
		if differ.n > 0 {
			x.report(t.name, 0, t.subject(), "%s not as in %s: %s", plural(differ.n, "text is", "texts are"), baseName(is.name), &differ)
		}
	}
}
