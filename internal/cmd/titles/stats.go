package titles

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/titles"
)

// maxDamage is how much damage a table of statistics lists.
const maxDamage = 20

// statistics tells of a table in numbers.
func (l *lister) statistics(s source) error {
	found := s.table.Statistics(s.kind, perfdump.Limits{})
	damage := slices.Concat(s.table.Anomalies().Kept(), found.Doubts.Kept())
	slices.SortStableFunc(damage, func(a, b perfdump.Anomaly) int { return cmp.Compare(a.Off, b.Off) })
	w := &chunks{w: l.w}
	if l.o.Output == asJSON {
		line, err := json.Marshal(l.statsKeys(s, found, damage))
		if err != nil {
			return err
		}
		w.b = append(append(w.b, line...), '\n')
		return w.flush(0)
	}
	style := cell.Style{On: l.o.IO.Color() && l.o.Write == ""}
	if l.printed {
		w.b = append(w.b, '\n')
	}
	l.printed = true
	w.b = append(append(w.b, l.heading(s, style)...), '\n')
	fact := func(name, format string, args ...any) {
		w.b = fmt.Appendf(w.b, "  %s  %s\n", style.Dim(fmt.Sprintf("%-11s", name)), fmt.Sprintf(format, args...))
	}
	fact("entries", "%d", found.Entries)
	if found.Names > 0 {
		fact("indexes", "%d from %d to %d, %d of them above %d", found.Names, found.Lowest, found.Highest, found.OutOfBase, titles.LastBase)
		fact("texts", "%s, %d empty", counted(found.Distinct, "different one", "different ones"), found.Empty)
		fact("longest", "%s, of index %d", counted(found.Longest, "character", "characters"), found.LongestIndex)
	}
	if base, ok := s.table.BaseIndex(); ok {
		fact("base index", "%d", base)
	}
	total := s.table.Anomalies().Len() + found.Doubts.Len()
	if total == 0 {
		fact("damage", "%s", style.Green("none"))
		return w.flush(0)
	}
	fact("damage", "%s", style.Amber(fmt.Sprint(total)))
	for _, a := range damage[:min(len(damage), maxDamage)] {
		w.b = fmt.Appendf(w.b, "    %-15s  %s\n", a.Code, cell.Clean(a.String()))
	}
	if n := total - maxDamage; n > 0 {
		w.b = fmt.Appendf(w.b, "    … %d more; -o json lists up to 1,000 of each\n", n)
	}
	return w.flush(0)
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
	for _, all := range []*perfdump.Anomalies{s.table.Anomalies(), &found.Doubts} {
		for code, n := range all.Dropped() {
			k.Damage = append(k.Damage, damageKeys{Code: code, Message: "more of the same kind, not kept", Count: n})
		}
	}
	return k
}
