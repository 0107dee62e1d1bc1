package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// Report is what the rules found in the recording of one machine.
type Report struct {
	Machine   string     `json:"machine"`
	Start     time.Time  `json:"start"`
	End       time.Time  `json:"end"`
	UTCOffset string     `json:"utc_offset,omitempty"` // of the machine's local time, such as +01:00
	Findings  []*Finding `json:"findings"`             // the worst first
	Checked   int        `json:"checked"`              // rules
	Skipped   []Skipped  `json:"skipped"`
	Quality   Quality    `json:"quality"`

	Log    string         `json:"-"` // identifies the recorder, see [capture.Frame]
	Offset capture.Offset `json:"-"`
	Zone   string         `json:"-"` // the recorder's name of its time zone
}

// Skipped is a rule that was not checked.
type Skipped struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Quality says how much the recording can tell.
type Quality struct {
	Samples   int            `json:"samples"`
	TooFew    bool           `json:"too_few"` // fewer than 10
	Interval  float64        `json:"interval_s"`
	Gaps      []Gap          `json:"gaps"`
	Restarts  []Restart      `json:"restarts"`
	Restarted int            `json:"restarted"`     // processes; the list ends at 100
	Missing   map[string]int `json:"missing"`       // values by status, without those of the first moment
	NoValue   []string       `json:"without_value"` // counters; the list ends at 100
	NoValues  int            `json:"counters_without_value"`
}

// Gap is a time without samples, between the last one and the next.
type Gap struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// minSamples is how many samples a recording should have.
const minSamples = 10

// Reports ends the analysis and returns what was found, a report for each
// recording: what one logger wrote on one machine.
func (a *Analysis) Reports() []*Report {
	all := []*Report{}
	for _, m := range a.order {
		all = append(all, m.report())
	}
	a.withoutValue(all)
	return all
}

func (m *machine) report() *Report {
	r := &Report{
		Machine: m.host, Start: m.start, End: m.end, UTCOffset: m.offset.String(), Log: m.log, Offset: m.offset, Zone: m.zone,
		Findings: []*Finding{}, Skipped: []Skipped{},
	}
	checked, rank := map[*Rule]bool{}, map[*Rule]int{}
	for i, rule := range m.rules.all {
		rank[rule] = i
	}
	for _, w := range m.watches {
		checked[w.rule] = checked[w.rule] || w.samples > 0
		if f := w.finding(); f != nil {
			f.rank = rank[w.rule]
			r.Findings = append(r.Findings, f)
		}
	}
	r.Findings = append([]*Finding{}, foldFindings(r.Findings)...)
	sortFindings(r.Findings)
	for _, rule := range m.rules.all {
		if checked[rule] {
			r.Checked++
			continue
		}
		r.Skipped = append(r.Skipped, Skipped{rule.Name, m.reason(rule)})
	}
	r.Quality = m.quality()
	return r
}

// reason says why a rule was not checked.
func (m *machine) reason(rule *Rule) string {
	for _, f := range rule.facts {
		if _, ok := m.fact(f); !ok && f == "ram" {
			return "the memory of the machine is not known; --fact ram=16GB gives it"
		} else if !ok {
			return "the number of processors is not known; --fact cpus=4 gives it"
		}
	}
	for _, in := range rule.inputs {
		if in.object != "" && !m.recorded(in) {
			return "not recorded: " + in.path
		}
	}
	return "no instance has a value of " + rule.Counter()
}

// recorded reports whether any instance has an input.
func (m *machine) recorded(in input) bool {
	for at, r := range m.readings {
		if at.object == in.object && at.counter == in.counter && r.series != nil {
			return true
		}
	}
	return false
}

func (m *machine) quality() Quality {
	q := Quality{
		Samples: m.samples, TooFew: m.samples < minSamples, Interval: m.usual.median.Seconds(), Gaps: append([]Gap{}, m.gaps...),
		Restarts: append([]Restart{}, m.restarts...), Restarted: m.restarted, Missing: map[string]int{}, NoValue: []string{},
	}
	for status, n := range m.missing {
		if status != countertypes.StatusNeedsSecondSample {
			q.Missing[status.String()] += n
		}
	}
	return q
}

// withoutValue counts the counters that never had a value.
func (a *Analysis) withoutValue(all []*Report) {
	of := map[string]*Report{}
	for _, r := range slices.Backward(all) {
		of[fold(r.Machine)] = r
	}
	for i := range a.slots {
		s := &a.slots[i]
		if s.series == nil || s.has {
			continue
		}
		q := &of[fold(s.series.Host)].Quality
		if q.NoValues++; len(q.NoValue) < maxListed {
			q.NoValue = append(q.NoValue, s.series.Path())
		}
	}
}

// Why returns the reasons for which rules were skipped, with their numbers.
func (r *Report) Why() string {
	reasons := map[string]int{}
	var kinds []string
	for _, s := range r.Skipped {
		kind, _, _ := strings.Cut(strings.ReplaceAll(s.Reason, "; ", ": "), ":")
		if reasons[kind]++; reasons[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(reasons[b], reasons[a]) })
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d: %s", reasons[kind], kind)
	}
	return strings.Join(kinds, "; ")
}
