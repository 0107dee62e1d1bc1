// Package answer puts what an analysis found into words, for the terminal and for
// pages.
package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/unit"
	"github.com/perfdump/perfdump/pdhpath"
)

// Times writes times in a zone, nil for that of the recorder.
type Times struct{ Zone *time.Location }

// Then lists who was at work while a finding lasted, "" if that is not known.
func Then(f *analyze.Finding) string {
	var all []string
	for i := range f.Evidence {
		all = append(all, evidence(&f.Evidence[i]))
	}
	return strings.Join(all, ", ")
}

// Checked says how many rules were checked, and why others were not.
func Checked(r *analyze.Report) string {
	text := table.Plural(r.Checked, "rule") + " checked"
	if n := len(r.Skipped); n > 0 {
		text += fmt.Sprintf(", %d skipped (%s)", n, r.Why())
	}
	return text
}

// Also lists what was folded into a finding.
func Also(f *analyze.Finding) string {
	var titles []string
	of := map[string][]string{}
	for _, a := range f.Also {
		if of[a.Title] == nil {
			titles = append(titles, a.Title)
		}
		if a.Instance != "" && !slices.Contains(of[a.Title], a.Instance) {
			of[a.Title] = append(of[a.Title], a.Instance)
		}
	}
	for i, t := range titles {
		titles[i] = cell.Clean(strings.ToLower(t[:1]) + t[1:])
		if len(of[t]) > 0 {
			titles[i] += " (" + cell.Clean(strings.Join(of[t], ", ")) + ")"
		}
	}
	return strings.Join(titles, "; ")
}

// evidence writes who was at work.
func evidence(e *analyze.Evidence) string {
	s := e.Series()
	return cell.Clean(cmp.Or(s.DisplayName(), s.Counter)) + " " + unit.Of(s.Counter, s.Type, s.HasType).Text(e.Average)
}

// maxTimes is how many intervals of a finding are written out.
const maxTimes = 4

// When writes the intervals of a finding.
func (z Times) When(r *analyze.Report, f *analyze.Finding) string {
	var all []string
	for _, i := range f.Intervals[:min(len(f.Intervals), maxTimes)] {
		all = append(all, z.Interval(r, i))
	}
	text := strings.Join(all, ", ")
	if n := len(f.Intervals) - maxTimes; n > 0 {
		text += fmt.Sprintf(" and %s more; %.0f%% of the time", table.Plural(n, "interval"), 100*f.Share)
	}
	return text
}

// Interval writes an interval, with its length.
func (z Times) Interval(r *analyze.Report, i analyze.Interval) string {
	text := z.Span(r, i.Start, i.End, false)
	if i.Samples > 1 {
		text += " (" + Lasting(between(i.Start, i.End)) + ")"
	}
	return text
}

// Values writes what the values were, and from where on they are bad.
func (z Times) Values(r *analyze.Report, f *analyze.Finding) string {
	u := unitOf(f)
	if t := f.Trend; t != nil {
		return fmt.Sprintf("From %s to %s: %s an hour; %s an hour", u.Text(t.First), u.Text(t.Last), signed(u, t.PerSecond*3600), limits(u, f, 3600))
	}
	worst := "max"
	if strings.HasPrefix(f.Condition, "<") {
		worst = "min"
	}
	return fmt.Sprintf("Average %s, %s %s at %s; %s", u.Text(f.Average), worst, u.Text(f.Worst.Value), z.At(r, f.Worst.Time).Format(time.TimeOnly), limits(u, f, 1))
}

// limits writes the limit of a finding, or both.
func limits(u unit.Unit, f *analyze.Finding, scale float64) string {
	if f.Lower == nil {
		return "the limit is " + u.Text(f.Threshold*scale)
	}
	return fmt.Sprintf("the limits are %s and %s", u.Text(*f.Lower*scale), u.Text(f.Threshold*scale))
}

func signed(u unit.Unit, v float64) string {
	if v > 0 {
		return "+" + u.Text(v)
	}
	return u.Text(v)
}

// unitOf returns the unit of what a finding is about: as its threshold has it, or
// else of its counter.
func unitOf(f *analyze.Finding) unit.Unit {
	switch f.Unit {
	case "%":
		return unit.Percent
	case "us", "ms", "s":
		return unit.Seconds
	case "KB", "MB", "GB", "TB":
		return unit.Bytes
	}
	if s := f.Series(); strings.HasPrefix(f.Counter, `\`) {
		return unit.Of(s.Counter, s.Type, s.HasType)
	}
	return unit.Number
}

// Quality says what is wrong with the recording.
func (z Times) Quality(r *analyze.Report) (lines []string) {
	q := &r.Quality
	if q.TooFew {
		lines = append(lines, fmt.Sprintf("%s: too few to say much", table.Plural(q.Samples, "sample")))
	}
	for i, g := range q.Gaps {
		if i == maxTimes {
			lines = append(lines, table.Plural(len(q.Gaps)-i, "more gap"))
			break
		}
		lines = append(lines, "no samples from "+z.Span(r, g.Start, g.End, false)+" ("+Lasting(between(g.Start, g.End))+")")
	}
	for i, s := range q.Restarts {
		if i == maxTimes {
			lines = append(lines, table.Plural(q.Restarted-i, "more restart")+" of processes")
			break
		}
		lines = append(lines, fmt.Sprintf("%s was restarted before %s: process %d is now %d", cell.Clean(s.Instance), z.At(r, s.Time).Format(time.TimeOnly), s.From, s.To))
	}
	if q.NoValues > 0 {
		lines = append(lines, fmt.Sprintf("%s without any value, such as %s", table.GroupedPlural(q.NoValues, "counter"), short(q.NoValue[0])))
	}
	return lines
}

// short returns a path without its machine.
func short(path string) string {
	if parts, err := pdhpath.Parse(path); err == nil {
		parts.Machine = ""
		path = parts.String()
	}
	return cell.Clean(path)
}

// At returns a time as it is shown.
func (z Times) At(r *analyze.Report, t time.Time) time.Time { return r.Offset.In(t, z.Zone) }

// Span writes a span of time, with the day and the zone where they are not known
// from the heading.
func (z Times) Span(r *analyze.Report, from, to time.Time, whole bool) string {
	if from.IsZero() {
		return "at unknown times"
	}
	a, b := z.At(r, from), z.At(r, to)
	first, last := z.At(r, r.Start), z.At(r, r.End)
	layout := time.TimeOnly
	if whole || first.Format(time.DateOnly) != last.Format(time.DateOnly) {
		layout = time.DateTime
	}
	text := a.Format(layout)
	if a.Format(time.DateTime) != b.Format(time.DateTime) {
		end := time.TimeOnly
		if a.Format(time.DateOnly) != b.Format(time.DateOnly) {
			end = time.DateTime
		}
		text += " to " + b.Format(end)
	}
	if whole {
		if r.Offset.Known {
			text += " " + zoneName(b)
		} else {
			text += " local time"
		}
	}
	return text
}

func zoneName(t time.Time) string {
	if _, east := t.Zone(); east == 0 {
		return "UTC"
	}
	return t.Format("-07:00")
}

func between(from, to time.Time) time.Duration {
	d, _ := capture.Between(from, to)
	return d
}

// Lasting writes a duration for people: 17 min, 8 h, 15 s.
func Lasting(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	default:
		return fmt.Sprintf("%.1f days", d.Hours()/24)
	}
}
