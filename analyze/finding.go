package analyze

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
)

// Finding is what is wrong with an instance, by a rule.
type Finding struct {
	Rule      string     `json:"rule"`
	Area      string     `json:"area"`
	Severity  Severity   `json:"severity"`
	Instance  string     `json:"instance"` // "" for an object without instances
	Intervals []Interval `json:"intervals"`
	Share     float64    `json:"share"` // of the recording's samples, from 0 to 1
	Worst     Worst      `json:"worst"`
	Average   float64    `json:"average"`                     // while it held
	Threshold float64    `json:"threshold"`                   // of the severity
	Lower     *float64   `json:"warning_threshold,omitempty"` // of a warning, where the finding is critical
	Unit      string     `json:"unit,omitempty"`              // of the threshold, as the rule has it
	Condition string     `json:"condition"`                   // as the rule has it
	Counter   string     `json:"counter"`
	Trend     *Trend     `json:"trend,omitempty"`
	Title     string     `json:"title"`
	Means     string     `json:"means,omitempty"`
	Next      string     `json:"next,omitempty"`
	Link      string     `json:"link,omitempty"`
	Evidence  []Evidence `json:"evidence,omitempty"`
	Also      []Also     `json:"also,omitempty"` // what says the same at the same time

	object string
	rank   int // of the rule
	beyond float64
	series *capture.Series
}

// Series returns the counter that the finding is about; of a metric, its first.
func (f *Finding) Series() *capture.Series { return f.series }

// Worst is the worst value while a rule held.
type Worst struct {
	Value float64   `json:"value"`
	Time  time.Time `json:"time"`
}

// Trend is a straight line through the values.
type Trend struct {
	First     float64 `json:"first"`
	Last      float64 `json:"last"`
	PerSecond float64 `json:"per_second"`
	Explained float64 `json:"explained"` // of the variance, from 0 to 1
}

// Evidence is what another counter was on average while a rule held.
type Evidence struct {
	Path    string  `json:"path"`
	Average float64 `json:"average"`

	series *capture.Series
}

// Series returns the counter.
func (e *Evidence) Series() *capture.Series { return e.series }

// Also is a finding that was folded into another.
type Also struct {
	Rule     string `json:"rule"`
	Title    string `json:"title"`
	Instance string `json:"instance"`
}

// explains is the share of the variance that a trend has to explain.
const explains = 0.8

// finding returns what the rule has found on an instance, nil for nothing. Its times
// are those of both levels, its severity that of the worse one.
func (w *watch) finding() (f *Finding) {
	for _, s := range []Severity{Warning, Critical} {
		l := w.rule.levels[s]
		if l == nil {
			continue
		}
		found := w.at(l, &w.tracks[s])
		switch {
		case found == nil:
		case f == nil:
			f = found
			f.Severity = s
		default:
			lower := f.Threshold
			f.Lower = &lower
			f.Severity, f.Condition, f.Threshold, f.Unit, f.beyond = s, found.Condition, found.Threshold, found.Unit, found.beyond
			f.Intervals = union(f.Intervals, found.Intervals)
		}
	}
	return f
}

// union joins intervals that overlap.
func union(a, b []Interval) (all []Interval) {
	both := slices.Concat(a, b)
	sort.SliceStable(both, func(i, j int) bool { return both[i].Start.Before(both[j].Start) })
	for _, i := range both {
		n := len(all)
		if n == 0 || i.Start.After(all[n-1].End) {
			all = append(all, i)
			continue
		}
		last := &all[n-1]
		last.End, last.Samples = later(last.End, i.End), max(last.Samples, i.Samples)
	}
	return all
}

// at returns what a level has found.
func (w *watch) at(l *level, k *track) *Finding {
	r := w.rule
	f := &Finding{
		Rule: r.Name, Area: r.Area, Instance: w.anchor.series.DisplayName(), Unit: l.unit, Condition: l.text, Counter: r.Counter(),
		Title: r.Title, Means: r.Means, Next: r.Next, Link: r.Link, series: w.anchor.series,
	}
	f.object, _ = w.anchor.series.English()
	main := &l.conds[0]
	if l.trend != nil {
		main = l.trend
		if !w.trend(l, k, f) {
			return nil
		}
	} else if !w.lasted(l, k, f) {
		return nil
	}
	f.Threshold = main.limit
	f.beyond = beyond(f, main)
	return f
}

// lasted gives a finding the times in which a level held.
func (w *watch) lasted(l *level, k *track, f *Finding) bool {
	w.end(l, k)
	if len(k.intervals) == 0 || l.share > 0 && 100*float64(k.all.samples) < l.share*float64(w.samples) {
		return false
	}
	f.Intervals = k.intervals
	f.Share = share(k.all.samples, w.machine.samples)
	f.Worst, f.Average = Worst{k.all.worst, k.all.worstAt}, k.all.mean
	f.Evidence = w.machine.top(w.rule, k.all.shown)
	return true
}

func share(n, of int) float64 { return min(1, float64(n)/float64(max(of, 1))) }

// trend gives a finding the time in which a value grew.
func (w *watch) trend(l *level, k *track, f *Finding) bool {
	k.trend.end()
	x := &k.trend.longest
	slope, explained := x.slope()
	if explained < explains || x.duration() < l.trend.over || !l.trend.holds(slope) || !l.reached(x.last) {
		return false
	}
	f.Intervals = []Interval{{x.start, x.end, x.n}}
	f.Share = share(x.n, w.machine.samples)
	f.Worst, f.Average = Worst{x.max, x.maxAt}, x.y
	f.Trend = &Trend{x.first, x.last, slope, explained}
	return true
}

// beyond returns how far a finding is beyond its threshold.
func beyond(f *Finding, c *condition) float64 {
	v, limit := f.Worst.Value, c.limit
	if f.Trend != nil {
		v = f.Trend.PerSecond
	}
	switch {
	case limit == 0 || v == 0:
		return 1 + math.Abs(v-limit)
	case c.below():
		return math.Abs(limit / v)
	default:
		return math.Abs(v / limit)
	}
}

// top returns the evidence with the largest averages.
func (m *machine) top(r *Rule, shown []mean) (all []Evidence) {
	for i, x := range shown {
		if s := m.shown[r][i].series; x.n > 0 && x.mean > 0 {
			all = append(all, Evidence{s.Path(), x.mean, s})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return cmp.Less(all[j].Average, all[i].Average) })
	return all[:min(len(all), topEvidence)]
}

// sortFindings puts the worst first.
func sortFindings(all []*Finding) {
	slices.SortStableFunc(all, func(a, b *Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Share*b.beyond, a.Share*a.beyond),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Instance, b.Instance),
		)
	})
}

// foldFindings joins findings that say the same at the same time. The worst stays,
// one of a process rather than of the machine, of an instance rather than of the
// total.
func foldFindings(all []*Finding) (kept []*Finding) {
	slices.SortStableFunc(all, func(a, b *Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity), compareBool(a.Area != "process", b.Area != "process"),
			compareBool(isTotal(a.Instance), isTotal(b.Instance)), cmp.Compare(a.rank, b.rank),
		)
	})
next:
	for _, f := range all {
		for _, k := range kept {
			if related(k, f) && together(k.Intervals, f.Intervals) {
				k.Also = append(k.Also, Also{f.Rule, f.Title, f.Instance})
				continue next
			}
		}
		kept = append(kept, f)
	}
	return kept
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

func isTotal(instance string) bool { return strings.HasSuffix(fold(instance), "_total") }

// related reports whether two findings may be about one thing: the same instance,
// a total and a part of it, processors of one rule, a disk with its volumes, and a
// process with what it does to the processors or the memory.
func related(a, b *Finding) bool {
	switch {
	case a.Area == "process" && b.Area == "cpu":
		return true
	case a.Area == "process" && b.Area == "memory":
		return a.Trend != nil && b.Trend != nil
	case a.Area != b.Area:
		return false
	case strings.EqualFold(a.Instance, b.Instance), isTotal(a.Instance), isTotal(b.Instance):
		return true
	case a.Area == "cpu":
		return a.Rule == b.Rule || !strings.EqualFold(a.object, b.object)
	case a.Area == "disk" && !strings.EqualFold(a.object, b.object):
		return letters(a.Instance, b.Instance) || letters(b.Instance, a.Instance)
	default:
		return a.Instance == "" || b.Instance == ""
	}
}

// letters reports whether a disk ("1 D: E:") has a volume ("D:").
func letters(disk, volume string) bool {
	return slices.ContainsFunc(strings.Fields(disk), func(s string) bool { return strings.EqualFold(s, volume) })
}

// together reports whether most of either's time is in the other's as well.
func together(a, b []Interval) bool {
	both := time.Duration(0)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		from, to := later(a[i].Start, b[j].Start), earlier(a[i].End, b[j].End)
		if !to.Before(from) {
			both += between(from, to) + 1
		}
		if a[i].End.Before(b[j].End) {
			i++
		} else {
			j++
		}
	}
	return 10*both >= 8*length(a) && 10*both >= 8*length(b)
}

func length(all []Interval) (sum time.Duration) {
	for _, i := range all {
		sum += between(i.Start, i.End) + 1
	}
	return sum
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
