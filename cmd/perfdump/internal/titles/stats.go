package titles

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/titles"
)

// maxDamage is how much damage a table of statistics lists.
const maxDamage = 20

// statistics writes a table in numbers.
func (l *lister) statistics(s source) error {
	found := s.table.Statistics(s.kind, perfdump.Limits{})
	damage := slices.Concat(s.table.Anomalies().Kept(), found.Anomalies.Kept())
	sort.SliceStable(damage, func(i, j int) bool { return damage[i].Off < damage[j].Off })
	if l.o.Output == asJSON {
		return json.NewEncoder(l.w).Encode(l.statsKeys(s, found, damage))
	}
	p := l.page()
	p.Line(l.heading(s, p.Style))
	fact := func(name, format string, args ...any) { p.Fact(11, name, fmt.Sprintf(format, args...)) }
	fact("entries", "%d", found.Entries)
	if found.Names > 0 {
		fact("indexes", "%d from %d to %d, %d of them above %d", found.Names, found.Lowest, found.Highest, found.OutOfBase, titles.LastBase)
		fact("texts", "%s, %d empty", table.Plural(found.Distinct, "different one"), found.Empty)
		fact("longest", "%s, of index %d", table.Plural(found.Longest, "character"), found.LongestIndex)
	}
	if base, ok := s.table.BaseIndex(); ok {
		fact("base index", "%d", base)
	}
	total := s.table.Anomalies().Len() + found.Anomalies.Len()
	if total == 0 {
		fact("damage", "%s", p.Style.Green("none"))
		return p.Flush()
	}
	fact("damage", "%s", p.Style.Amber(fmt.Sprint(total)))
	t := &table.Table{Indent: 4, Columns: []table.Column{{Min: 15}, {}}}
	var row table.Row
	for _, a := range damage[:min(len(damage), maxDamage)] {
		p.Row(t, row.Reset().Texts(string(a.Code), cell.Clean(a.String())))
	}
	if n := total - maxDamage; n > 0 {
		p.Line(fmt.Sprintf("    … %d more; -o json lists up to 1,000 of each", n))
	}
	return p.Flush()
}

// statsKeys are the keys of statistics in JSON.
type statsKeys struct {
	File         string       `json:"file"`
	Language     string       `json:"language"`
	Kind         string       `json:"kind"`
	Encoding     string       `json:"encoding"`
	Entries      int          `json:"entries"`
	Names        int          `json:"names"`
	Distinct     int          `json:"distinct"`
	Empty        int          `json:"empty"`
	Lowest       *uint32      `json:"lowest"`
	Highest      *uint32      `json:"highest"`
	AboveBase    int          `json:"above_base"`
	BaseIndex    *uint32      `json:"base_index"`
	Longest      int          `json:"longest"`
	LongestIndex *uint32      `json:"longest_index"`
	Damage       []damageKeys `json:"damage"`
}

// damageKeys are those of an anomaly, or of how many more of a code there are.
type damageKeys struct {
	Code    perfdump.Code `json:"code"`
	Offset  *int64        `json:"offset"`
	Path    string        `json:"path"`
	Message string        `json:"message"`
	Count   int           `json:"count,omitempty"`
}

func (l *lister) statsKeys(s source, found *titles.Statistics, damage []perfdump.Anomaly) *statsKeys {
	k := &statsKeys{
		File: s.name, Language: s.language, Kind: s.kind.String(), Encoding: s.table.Encoding().String(),
		Entries: found.Entries, Names: found.Names, Distinct: found.Distinct, Empty: found.Empty, AboveBase: found.OutOfBase, Longest: found.Longest,
		Damage: []damageKeys{},
	}
	if found.Names > 0 {
		k.Lowest, k.Highest, k.LongestIndex = &found.Lowest, &found.Highest, &found.LongestIndex
	}
	if base, ok := s.table.BaseIndex(); ok {
		k.BaseIndex = &base
	}
	for _, a := range damage {
		d := damageKeys{Code: a.Code, Path: a.Path.String(), Message: a.Message()}
		if a.Off >= 0 {
			d.Offset = &a.Off
		}
		k.Damage = append(k.Damage, d)
	}
	for _, all := range []*perfdump.Anomalies{s.table.Anomalies(), &found.Anomalies} {
		for code, n := range all.Dropped() {
			k.Damage = append(k.Damage, damageKeys{Code: code, Message: "more of the same kind, not kept", Count: n})
		}
	}
	return k
}
