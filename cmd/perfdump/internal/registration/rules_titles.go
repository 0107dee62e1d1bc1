package registration

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

func checkStructure(x *exam) {
	for _, t := range x.tables {
		if t.backup != nil {
			continue
		}
		x.anomalies(t, t.t.Anomalies(), titles.CodeIndexText, titles.CodeOddCount, titles.CodeDuplicateIndex, titles.CodeDigitsText, titles.CodeOddLength)
		if t.origin != fromList {
			x.anomalies(t, t.tableAnomalies(), titles.CodeOrder, titles.CodeParity)
		}
	}
	x.backups(perfstrings.CodeIndexText, perfstrings.CodeDuplicateIndex)
}

func checkEmptyTexts(x *exam) {
	for _, t := range x.tables {
		if t.backup == nil {
			x.anomalies(t, t.t.Anomalies(), titles.CodeEmptyName)
		}
	}
	x.backups(perfstrings.CodeEmptyName)
}

// tableAnomalies returns the anomalies that only the table as a whole shows.
func (t *table) tableAnomalies() *perfdump.Anomalies {
	return &t.t.Statistics(t.kind, perfdump.Limits{}).Anomalies
}

// anomalies reports those of some codes: the first of each, and how many more
// there are, since one string too many gives hundreds.
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
		x.keep(t.name, t.line, t.subject(), text)
	}
}

// backups reports the anomalies of some codes in each backup.
func (x *exam) backups(codes ...perfdump.Code) {
	seen := map[*perfstrings.File]bool{nil: true}
	for _, t := range x.tables {
		if seen[t.backup] {
			continue
		}
		seen[t.backup] = true
		for _, a := range t.backup.Anomalies().Kept() {
			if slices.Contains(codes, a.Code) {
				x.report(t.name, lineOf(a), "", "%s", a.Message())
			}
		}
	}
}

// endMarker is the index of the last name of Windows itself. Its help text, the next
// index, is the same in every language.
const endMarker = titles.LastBase - 1

func checkEndMarkers(x *exam, t *table) {
	if t.origin == fromList {
		return
	}
	index := endMarker + uint32(t.kind)
	text, ok := t.t.Lookup(index)
	if ok && text == "" {
		x.report(t.name, t.line, t.subject(), "the text of index %d is empty", index)
		return
	}
	o := x.other(t)
	if !ok || o == nil || t.kind != titles.Counter {
		return
	}
	if help, ok := o.t.Lookup(endMarker + 1); ok && help != "" && help != text {
		x.report(t.name, t.line, t.subject(), "index %d is %q and index %d is %q; they should be the same text", index, clip(text), endMarker+1, clip(help))
	}
}

func checkSplit(x *exam, t *table) { x.anomalies(t, t.tableAnomalies(), titles.CodeSplitText) }

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

// few joins the first of a list for a message.
func few[T any](all []T) string {
	var words []string
	for _, v := range all[:min(len(all), 8)] {
		words = append(words, fmt.Sprint(v))
	}
	if more := len(all) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

func checkHalves(x *exam, t *table) {
	o := x.other(t)
	if o == nil || t.origin == fromList {
		return
	}
	var alone []uint32
	for index := range t.t.All() {
		partner := index + 1
		if t.kind == titles.Help {
			partner = index - 1
		}
		if _, ok := o.t.Lookup(partner); !ok && index > titles.LastBase+1 {
			alone = append(alone, index)
		}
	}
	switch {
	case len(alone) == 0:
	case t.kind == titles.Counter:
		x.report(t.name, t.line, t.subject(), "%s above the base without a help text: %s", plural(len(alone), "name", "names"), few(alone))
	default:
		x.report(t.name, t.line, t.subject(), "%s above the base without a name: %s", plural(len(alone), "help text", "help texts"), few(alone))
	}
}

func checkLanguages(x *exam, t *table) {
	model := x.model(t)
	if model == nil || model == t {
		return
	}
	for _, c := range [][2]*table{{t, model}, {model, t}} {
		if lost := x.lacking(c[0], c[1]); len(lost) > 0 {
			x.report(t.name, t.line, t.subject(), "%s missing in %s and there in %s: %s", plural(len(lost), "index is", "indexes are"), c[0].language, c[1].language, few(lost))
		}
	}
}

// lacking returns the indexes above the base that a table lacks and another one has.
// A help text whose name is missing too is not a separate fault.
func (x *exam) lacking(t, other *table) (lost []uint32) {
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
		lost = append(lost, index)
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

// model returns the table that others of its origin and kind are compared with: that
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
	var from, reach []uint32 // of the ranges, and the highest index of all up to each
	for i, p := range x.ranges {
		from, reach = append(from, p.first.v), append(reach, p.last.v)
		reach[i] = slices.Max(reach[max(i-1, 0):])
	}
	owned := func(index uint32) bool {
		n, ok := slices.BinarySearch(from, index)
		return ok || n > 0 && reach[n-1] >= index
	}
	for _, t := range x.tables {
		if t.kind != titles.Counter || t.origin == fromList {
			continue
		}
		var lost []uint32
		for index := range t.t.All() {
			if index > titles.LastBase && !owned(index) {
				lost = append(lost, index)
			}
		}
		if len(lost) > 0 {
			text, _ := t.t.Lookup(lost[0])
			x.report(t.name, t.line, t.subject(), "%s of no provider, the first is %q: %s", plural(len(lost), "name", "names"), clip(text), few(lost))
		}
	}
}

func checkFiles(x *exam, t *table) {
	is := x.texts[tableKey{t.language, t.kind}]
	if t.origin != fromFile || is == nil || is.origin != fromRegistry {
		return
	}
	var differ []uint32
	for index, text := range is.t.All() {
		if was, ok := t.t.Lookup(index); !ok || was != text {
			differ = append(differ, index)
		}
	}
	for index := range t.t.All() {
		if _, ok := is.t.Lookup(index); !ok {
			differ = append(differ, index)
		}
	}
	if len(differ) > 0 {
		x.report(t.name, 0, t.subject(), "%s not as in %s: %s", plural(len(differ), "text is", "texts are"), baseName(is.name), few(differ))
	}
}
