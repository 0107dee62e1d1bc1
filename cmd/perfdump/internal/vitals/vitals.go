// Package vitals says what to look at first in a recording: processors, memory,
// disks, network, and the processes that use most. The table of signs is the only
// place that knows.
package vitals

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/tally"
	"github.com/perfdump/perfdump/internal/unit"
)

// Panel is a group of lines of one unit.
type Panel struct {
	Title string // of a process, 100% of CPU is one processor
	Unit  unit.Unit
	Lines []Line
}

// Line is a series of a panel.
type Line struct {
	Name   string
	Series *capture.Series
	Stats  tally.Stats
	Scale  float64 // what its values are multiplied by
	Low    bool    // low values are the bad ones
}

// sign is a line of a panel, or several: one for each instance.
type sign struct {
	panel, name string
	unit        unit.Unit
	// The first counters that were recorded count.
	counters []counter
	pick     func([]Line) []Line // nil for all
	low      bool
}

// counter is where a value is found. Names are folded.
type counter struct {
	object, counter string
	instance        func(string) bool // which instances, by their folded names; nil for an object without
	scale           float64           // 0 for 1
}

const maxLines = 5

var signs = []sign{
	{panel: "CPU", name: "all", unit: unit.Percent, counters: []counter{
		{"processor information", "% processor time", total, 0},
		{"processor", "% processor time", total, 0},
	}},
	{panel: "CPU", name: "busiest", unit: unit.Percent, pick: busiest, counters: []counter{
		{"processor information", "% processor time", part, 0},
		{"processor", "% processor time", part, 0},
	}},
	{panel: "Memory", name: "available", unit: unit.Bytes, low: true, counters: []counter{
		{"memory", "available bytes", nil, 0},
		{"memory", "available mbytes", nil, 1 << 20},
		{"memory", "available kbytes", nil, 1 << 10},
	}},
	{panel: "Memory", name: "committed", unit: unit.Bytes, counters: []counter{{"memory", "committed bytes", nil, 0}}},
	{panel: "Paging", name: "pages", unit: unit.PerSecond, counters: []counter{{"memory", "pages/sec", nil, 0}}},
	{panel: "Disk latency", unit: unit.Seconds, pick: highest, counters: []counter{
		{"physicaldisk", "avg. disk sec/transfer", part, 0},
		{"logicaldisk", "avg. disk sec/transfer", part, 0},
		{"physicaldisk", "avg. disk sec/read", part, 0},
		{"logicaldisk", "avg. disk sec/read", part, 0},
	}},
	{panel: "Disk queue", unit: unit.Number, pick: highest, counters: []counter{
		{"physicaldisk", "avg. disk queue length", part, 0},
		{"logicaldisk", "avg. disk queue length", part, 0},
		{"physicaldisk", "current disk queue length", part, 0},
		{"logicaldisk", "current disk queue length", part, 0},
	}},
	{panel: "Network", unit: unit.BytesRate, pick: highest, counters: []counter{
		{"network interface", "bytes total/sec", part, 0},
		{"network adapter", "bytes total/sec", part, 0},
	}},
	{panel: "CPU by process", unit: unit.Percent, pick: highest, counters: []counter{{"process", "% processor time", process, 0}}},
	{panel: "Memory by process", unit: unit.Bytes, pick: highest, counters: []counter{
		{"process", "private bytes", process, 0},
		{"process", "working set", process, 0},
	}},
}

func total(instance string) bool { return instance == "_total" }

func part(instance string) bool { return !strings.HasSuffix(instance, "_total") }

func process(instance string) bool { return instance != "_total" && instance != "idle" }

// highest returns the lines with the highest sums, without those that are always
// 0: a process that ran for a minute used less than its average says.
func highest(all []Line) []Line {
	sum := func(l Line) float64 { return l.Stats.Mean * float64(l.Stats.Count) }
	all = slices.DeleteFunc(all, func(l Line) bool { return l.Stats.Max == 0 })
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Compare(sum(b), sum(a)) })
	return all[:min(len(all), maxLines)]
}

// busiest returns the one line with the highest sum.
func busiest(all []Line) []Line {
	if all = highest(all); len(all) > 0 {
		all = all[:1]
		all[0].Name = "busiest: " + all[0].Name
	}
	return all
}

// find returns the sign that a series may be a line of, and the counter there.
func find(s *capture.Series) (sign, at int, ok bool) {
	object, name := s.English()
	object, name = strings.ToLower(object), strings.ToLower(name)
	for i := range signs {
		for k, c := range signs[i].counters {
			if c.object != object || c.counter != name || (c.instance != nil) != s.HasInstance {
				continue
			}
			if c.instance == nil || c.instance(strings.ToLower(s.Instance)) {
				return i, k, true
			}
		}
	}
	return 0, 0, false
}

// Wanted reports whether a series may be a line of a panel.
func Wanted(s *capture.Series) bool {
	_, _, ok := find(s)
	return ok
}

// Panels returns the panels of a machine, of its series and what is known of them.
func Panels(all iter.Seq2[*capture.Series, tally.Stats]) []Panel {
	found := make([]map[int][]Line, len(signs))
	for s, stats := range all {
		i, k, ok := find(s)
		if !ok || stats.Count == 0 {
			continue
		}
		if found[i] == nil {
			found[i] = map[int][]Line{}
		}
		l := Line{Name: signs[i].name, Series: s, Stats: stats, Scale: max(signs[i].counters[k].scale, 1), Low: signs[i].low}
		if s.HasInstance && l.Name != "all" {
			l.Name = string(s.AppendInstance(nil))
		}
		found[i][k] = append(found[i][k], l)
	}
	var panels []Panel
	for i := range signs {
		for k := range signs[i].counters {
			lines := found[i][k]
			if signs[i].pick != nil {
				lines = signs[i].pick(lines)
			}
			if len(lines) == 0 {
				continue
			}
			if n := len(panels); n == 0 || panels[n-1].Title != signs[i].panel {
				panels = append(panels, Panel{Title: signs[i].panel, Unit: signs[i].unit})
			}
			p := &panels[len(panels)-1]
			p.Lines = append(p.Lines, lines...)
			break
		}
	}
	return panels
}
