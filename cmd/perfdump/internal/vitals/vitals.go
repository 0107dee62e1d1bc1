// Package vitals says what to look at first in a recording: processors, memory,
// disks, network, and the processes that use most. The table of signs is the only
// place that knows.
package vitals

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/tally"
	"github.com/perfdump/perfdump/internal/unit"
)

// Panel is a group of lines of one unit.
type Panel struct {
	Title string
	Unit  unit.Unit
	Whole bool // 100% is all there is
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

// Scaled returns the stats of the values as they are shown.
func (l *Line) Scaled() tally.Stats {
	s := l.Stats
	s.Min, s.Max, s.Mean, s.Last = s.Min*l.Scale, s.Max*l.Scale, s.Mean*l.Scale, s.Last*l.Scale
	return s
}

// sign is a line of a panel, or several: one for each instance.
type sign struct {
	panel, name string
	unit        unit.Unit
	whole       bool
	// The first counters that were recorded count.
	counters []counter
	pick     func(all []Line, most int) []Line // nil for all
	low      bool
	// The counter of the same instance that says how many bits per second are 100%.
	// Where all lines have it, they are percentages.
	bandwidth string
}

// counter is where a value is found. Names are folded.
type counter struct {
	object, counter string
	instance        func(string) bool // which instances, by their folded names; nil for an object without
	scale           float64           // 0 for 1
}

// MaxLines is how many instances a panel has unless more are wanted.
const MaxLines = 5

var signs = []sign{
	{panel: "CPU", name: "all", unit: unit.Percent, whole: true, counters: []counter{
		{"processor information", "% processor time", total, 0},
		{"processor", "% processor time", total, 0},
	}},
	{panel: "CPU", name: "busiest", unit: unit.Percent, whole: true, pick: busiest, counters: []counter{
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
	{panel: "Network", unit: unit.BytesRate, pick: highest, bandwidth: "current bandwidth", counters: []counter{
		{"network interface", "bytes total/sec", part, 0},
		{"network adapter", "bytes total/sec", part, 0},
	}},
	{panel: "CPU by process (% of a core)", unit: unit.Percent, pick: highest, counters: []counter{{"process", "% processor time", process, 0}}},
	{panel: "Memory by process", unit: unit.Bytes, pick: highest, counters: []counter{
		{"process", "private bytes", process, 0},
		{"process", "working set", process, 0},
	}},
}

func total(instance string) bool { return instance == "_total" }

func part(instance string) bool { return !strings.HasSuffix(instance, "_total") }

func process(instance string) bool { return instance != "_total" && instance != "idle" }

// Sum reports whether a series is not of one process but of all, or of the idle one.
func Sum(s *capture.Series) bool {
	object, _ := s.English()
	return strings.EqualFold(object, "Process") && s.HasInstance && !process(strings.ToLower(s.Instance))
}

// highest returns the lines with the highest sums, without those that are always
// 0: a process that ran for a minute used less than its average says.
func highest(all []Line, most int) []Line {
	sum := func(l Line) float64 { return l.Stats.Mean * float64(l.Stats.Count) }
	all = slices.DeleteFunc(all, func(l Line) bool { return l.Stats.Max == 0 })
	sort.SliceStable(all, func(i, j int) bool { return cmp.Less(sum(all[j]), sum(all[i])) })
	return all[:min(len(all), most)]
}

// busiest returns the one line with the highest value: a core that was full for a
// while says more than one that was busier on average.
func busiest(all []Line, _ int) []Line {
	if all = highest(all, len(all)); len(all) == 0 {
		return nil
	}
	worst := slices.MaxFunc(all, func(a, b Line) int {
		return cmp.Or(cmp.Compare(math.Round(a.Stats.Max), math.Round(b.Stats.Max)), cmp.Compare(a.Stats.Mean, b.Stats.Mean))
	})
	worst.Name = "busiest: " + worst.Name
	return []Line{worst}
}

// bandwidth is where the counter of the bandwidth is found: behind the others.
const bandwidth = -1

// find returns the sign that a series may be a line of, and the counter there.
func find(s *capture.Series) (sign, at int, ok bool) {
	object, name := s.English()
	object, name = strings.ToLower(object), strings.ToLower(name)
	for i := range signs {
		for k, c := range signs[i].counters {
			if c.object != object || (c.instance != nil) != s.HasInstance || c.instance != nil && !c.instance(strings.ToLower(s.Instance)) {
				continue
			}
			switch name {
			case c.counter:
				return i, k, true
			case signs[i].bandwidth:
				return i, bandwidth, true
			}
		}
	}
	return 0, 0, false
}

// Wanted reports whether the panels need a series.
func Wanted(s *capture.Series) bool {
	_, _, ok := find(s)
	return ok
}

// adapterOf identifies an adapter.
func adapterOf(s *capture.Series) string {
	return strings.ToLower(s.Object + "(" + string(s.AppendInstance(nil)))
}

// Panels returns the panels of a machine, of its series and what is known of them,
// with at most so many instances each.
func Panels(all iter.Seq2[*capture.Series, tally.Stats], most int) []Panel {
	found := make([]map[int][]Line, len(signs))
	full := map[string]float64{}
	for s, stats := range all {
		i, k, ok := find(s)
		if !ok || stats.Count == 0 {
			continue
		}
		if k == bandwidth {
			full[adapterOf(s)] = stats.Max
			continue
		}
		if found[i] == nil {
			found[i] = map[int][]Line{}
		}
		l := Line{Name: signs[i].name, Series: s, Stats: stats, Scale: cmp.Or(signs[i].counters[k].scale, 1), Low: signs[i].low}
		if s.HasInstance && l.Name != "all" {
			l.Name = s.DisplayName()
		}
		found[i][k] = append(found[i][k], l)
	}
	var panels []Panel
	for i := range signs {
		for k := range signs[i].counters {
			lines := found[i][k]
			if signs[i].pick != nil {
				lines = signs[i].pick(lines, most)
			}
			if len(lines) == 0 {
				continue
			}
			n := len(panels)
			begins := n == 0 || panels[n-1].Title != signs[i].panel
			if !begins && len(found[i][k]) == 1 && signs[i].name == "busiest" {
				break // the one processor is all there are
			}
			if begins {
				panels = append(panels, Panel{Title: signs[i].panel, Unit: signs[i].unit, Whole: signs[i].whole})
			}
			p := &panels[len(panels)-1]
			p.Lines = append(p.Lines, lines...)
			p.percent(full)
			break
		}
	}
	return panels
}

// percent makes percentages of bytes a second if the bandwidth of all adapters is
// known.
func (p *Panel) percent(full map[string]float64) {
	if p.Unit != unit.BytesRate || slices.ContainsFunc(p.Lines, func(l Line) bool { return full[adapterOf(l.Series)] < 1 }) {
		return
	}
	p.Title, p.Unit, p.Whole = p.Title+" (% of the link)", unit.Percent, true
	for i := range p.Lines {
		p.Lines[i].Scale = 100 * 8 / full[adapterOf(p.Lines[i].Series)]
	}
}
