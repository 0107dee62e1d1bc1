package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/answer"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/vitals"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/tally"
	"github.com/perfdump/perfdump/internal/unit"
)

// SetAnswer gives the page what was wrong with the machines.
func (p *Page) SetAnswer(reports []*analyze.Report) { p.reports = reports }

// answered is a report as the template shows it.
type answered struct {
	Machine, Span, Checked string
	Findings               []wrong
	Quality                []string
}

// wrong is a finding there.
type wrong struct {
	Severity, Title, Instance       string
	Times                           []times
	More, Values, Means, Then, Also string
	Next                            string
}

// times is an interval of a finding, in seconds since 1970.
type times struct {
	Text     string
	From, To float64
}

// maxButtons is how many intervals of a finding can be clicked.
const maxButtons = 12

func (p *Page) answers() (all []answered, critical bool) {
	z := answer.Times{Zone: p.Zone}
	for _, r := range p.reports {
		a := answered{Machine: cell.Clean(r.Machine), Span: z.Span(r, r.Start, r.End, true), Checked: answer.Checked(r), Quality: z.Quality(r)}
		if a.Machine == "" {
			a.Machine = "unknown machine"
		}
		for _, f := range r.Findings {
			critical = critical || f.Severity == analyze.Critical
			w := wrong{
				Severity: f.Severity.String(), Title: cell.Clean(f.Title), Instance: cell.Clean(f.Instance), Values: z.Values(r, f),
				Means: cell.Clean(f.Means), Then: answer.Then(f), Also: answer.Also(f), Next: cell.Clean(f.Next),
			}
			for i, in := range f.Intervals {
				if i == maxButtons {
					w.More = fmt.Sprintf("and %s more; %.0f%% of the time.", table.Plural(len(f.Intervals)-i, "interval"), 100*f.Share)
					break
				}
				w.Times = append(w.Times, times{z.Interval(r, in), seconds(in.Start.UnixMilli()), seconds(in.End.UnixMilli())})
			}
			a.Findings = append(a.Findings, w)
		}
		all = append(all, a)
	}
	return all, critical
}

func seconds(ms int64) float64 { return float64(ms) / 1000 }

// panel is a panel of vital signs, for the script.
type panel struct {
	Title  string    `json:"title"`
	Unit   unit.Unit `json:"unit"`
	Lines  [][]any   `json:"lines"` // series, name, scale
	Limits []float64 `json:"limits,omitempty"`
}

// panels returns the vital signs of all machines.
func (p *Page) panels(ids map[*capture.Series]int) (all []panel) {
	for _, a := range p.axes {
		if a.snapshots < 2 || a.clockless {
			continue
		}
		for _, v := range vitals.Panels(func(yield func(*capture.Series, tally.Stats) bool) {
			for _, t := range a.traces {
				if !yield(t.series, t.stats) {
					return
				}
			}
		}, vitals.MaxLines) {
			x := panel{Title: v.Title, Unit: v.Unit}
			if len(p.axes) > 1 {
				x.Title = a.hosts.String() + ": " + x.Title
			}
			for _, l := range v.Lines {
				x.Lines = append(x.Lines, []any{ids[l.Series], cell.Clean(l.Name), l.Scale})
			}
			x.Limits = p.limits(v)
			all = append(all, x)
		}
	}
	return all
}

// limits returns the thresholds of the findings about the lines of a panel.
func (p *Page) limits(v vitals.Panel) (all []float64) {
	for _, r := range p.reports {
		for _, f := range r.Findings {
			for _, l := range v.Lines {
				if l.Series == f.Series() && f.Trend == nil && strings.HasPrefix(f.Counter, `\`) && !math.IsInf(f.Threshold, 0) {
					all = append(all, f.Threshold*l.Scale)
				}
			}
		}
	}
	return all
}

// shaded is the time of a finding, for the script.
type shaded struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Severity string  `json:"severity"`
}

// maxShaded is how many times are shaded.
const maxShaded = 1000

func (p *Page) found() (all []shaded) {
	for _, r := range p.reports {
		for _, f := range r.Findings {
			for _, in := range f.Intervals[:min(len(f.Intervals), maxShaded-len(all))] {
				all = append(all, shaded{seconds(in.Start.UnixMilli()), seconds(in.End.UnixMilli()), f.Severity.String()})
			}
		}
	}
	return all
}

// maxFirst is how many of the chosen counters are charted at first.
const maxFirst = 8

// first returns the series that are charted at first: those that were chosen.
func (p *Page) first(ids map[*capture.Series]int) (all []int) {
	if !p.Chosen {
		return nil
	}
	for t := range p.drawn {
		if t.stats.Count > 0 && len(all) < maxFirst {
			all = append(all, ids[t.series])
		}
	}
	return all
}
