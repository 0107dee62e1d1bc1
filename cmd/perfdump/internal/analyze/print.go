package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/vitals"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/unit"
	"github.com/perfdump/perfdump/pdhpath"
)

// write writes the reports in the format of -o.
func (o *Options) write(ctx context.Context, reports []*analyze.Report, signs *vitals.Watch) error {
	p := &printer{table.NewPrinter(cmdutil.Output(ctx, o.IO.Out), table.Options{Width: o.IO.Width(), Cut: true, Color: o.IO.Color()}), o.Period.Zone.Location}
	switch o.Output {
	case "json":
		p.JSON(document(reports))
	case "jsonl":
		for _, r := range reports {
			p.JSON(r)
		}
	default:
		for i, r := range reports {
			if i > 0 {
				p.Line("")
			}
			p.report(r, signs)
		}
	}
	return p.Flush()
}

// document is the JSON of all machines: of one, its report, and always the list.
func document(reports []*analyze.Report) any {
	type list struct {
		*analyze.Report
		Machines []*analyze.Report `json:"machines"`
	}
	l := list{Machines: reports}
	if len(reports) == 1 {
		l.Report = reports[0]
	}
	return l
}

// printer writes reports for people.
type printer struct {
	*table.Printer
	zone *time.Location
}

func (p *printer) report(r *analyze.Report, signs *vitals.Watch) {
	facts := []string{p.span(r, r.Start, r.End, true), table.GroupedPlural(r.Quality.Samples, "sample")}
	if r.Quality.Interval > 0 {
		facts = append(facts, "every "+lasting(time.Duration(r.Quality.Interval*float64(time.Second))))
	}
	p.Heading(name(r.Machine), facts...)
	p.signs(signs.Panels(r.Machine, r.Log), signs)
	p.Line("")
	if len(r.Findings) == 0 {
		p.Line("  " + p.Style.Green("Nothing wrong was found.") + " " + checked(r) + ".")
	} else {
		p.Line("  " + p.Style.Bold(table.Plural(len(r.Findings), "finding")) + ". " + checked(r) + ".")
	}
	for _, f := range r.Findings {
		p.Line("")
		p.finding(r, f)
	}
	p.quality(r)
}

func name(machine string) string {
	if machine == "" {
		return "unknown machine"
	}
	return cell.Clean(machine)
}

// checked says how many rules were checked, and why others were not.
func checked(r *analyze.Report) string {
	text := table.Plural(r.Checked, "rule") + " checked"
	if n := len(r.Skipped); n > 0 {
		text += fmt.Sprintf(", %d skipped (%s)", n, r.Why())
	}
	return text
}

// curve is how wide the curves are.
const curve = 20

// signs writes the vital signs, a line each.
func (p *printer) signs(panels []vitals.Panel, signs *vitals.Watch) {
	if len(panels) == 0 {
		return
	}
	tab := &table.Table{Indent: 2, Columns: []table.Column{
		{Shrink: 20}, {Head: []string{"min"}, Align: table.Right}, {Head: []string{"average"}, Align: table.Right}, {Head: []string{"max"}, Align: table.Right}, {Dim: true},
	}}
	var row table.Row
	p.Line("")
	p.Table(tab, func(yield func(*table.Row) bool) {
		for _, panel := range panels {
			title := panel.Title
			if len(panel.Lines) > 1 || panel.Lines[0].Series.HasInstance {
				row.Reset().Texts(title)
				row.Paint(table.Bold)
				if !yield(&row) {
					return
				}
				title = ""
			}
			for _, l := range panel.Lines {
				text := "  " + cell.Clean(l.Name)
				if title != "" {
					text = title
				}
				stats := l.Scaled()
				if !yield(row.Reset().Texts(text, value(panel.Unit, stats.Min), value(panel.Unit, stats.Mean), value(panel.Unit, stats.Max), signs.Curve(l.Series, curve))) {
					return
				}
			}
		}
	})
}

// value writes a number with three digits that matter, and counts in full.
func value(u unit.Unit, v float64) string {
	if a := math.Abs(v); u == unit.Number && a >= 1000 && a < 1e7 {
		return table.Grouped(int64(math.Round(v)))
	}
	return u.Short(v)
}

// finding writes a finding with its times, what it means, and what to do.
func (p *printer) finding(r *analyze.Report, f *analyze.Finding) {
	word := p.Style.Amber("warning ")
	if f.Severity == analyze.Critical {
		word = p.Style.Red("critical")
	}
	title := p.Style.Bold(cell.Clean(f.Title))
	if f.Instance != "" {
		title += ": " + p.Style.Bold(cell.Clean(f.Instance))
	}
	p.Line("  " + word + "  " + title)
	const indent = 12
	p.Text(indent, "", p.when(r, f)+". "+p.values(r, f)+".")
	if f.Means != "" {
		p.Text(indent, "", cell.Clean(f.Means))
	}
	if len(f.Evidence) > 0 {
		var all []string
		for _, e := range f.Evidence {
			all = append(all, evidence(&e))
		}
		p.Text(indent, "then: ", strings.Join(all, ", "))
	}
	if len(f.Also) > 0 {
		p.Text(indent, "also: ", also(f))
	}
	if f.Next != "" {
		p.Text(indent, "next: ", cell.Clean(f.Next))
	}
}

// also lists what was folded into a finding.
func also(f *analyze.Finding) string {
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
	text := string(s.AppendInstance(nil))
	if text == "" {
		text = s.Counter
	}
	return cell.Clean(text) + " " + value(unit.Of(s.Counter, s.Type, s.HasType), e.Average)
}

// maxTimes is how many intervals of a finding are written out.
const maxTimes = 4

// when writes the intervals of a finding.
func (p *printer) when(r *analyze.Report, f *analyze.Finding) string {
	var all []string
	for _, i := range f.Intervals[:min(len(f.Intervals), maxTimes)] {
		text := p.span(r, i.Start, i.End, false)
		if i.Samples > 1 {
			text += " (" + lasting(between(i.Start, i.End)) + ")"
		}
		all = append(all, text)
	}
	text := strings.Join(all, ", ")
	if n := len(f.Intervals) - maxTimes; n > 0 {
		text += fmt.Sprintf(" and %s more; %.0f%% of the time", table.Plural(n, "interval"), 100*f.Share)
	}
	return text
}

// values writes what the values were, and from where on they are bad.
func (p *printer) values(r *analyze.Report, f *analyze.Finding) string {
	u := unitOf(f)
	if t := f.Trend; t != nil {
		return fmt.Sprintf("From %s to %s: %s an hour; %s an hour", value(u, t.First), value(u, t.Last), signed(u, t.PerSecond*3600), limits(u, f, 3600))
	}
	worst := "max"
	if strings.HasPrefix(f.Condition, "<") {
		worst = "min"
	}
	return fmt.Sprintf("Average %s, %s %s at %s; %s", value(u, f.Average), worst, value(u, f.Worst.Value), p.at(r, f.Worst.Time).Format(time.TimeOnly), limits(u, f, 1))
}

// limits writes the limit of a finding, or both.
func limits(u unit.Unit, f *analyze.Finding, scale float64) string {
	if f.Lower == nil {
		return "the limit is " + value(u, f.Threshold*scale)
	}
	return fmt.Sprintf("the limits are %s and %s", value(u, *f.Lower*scale), value(u, f.Threshold*scale))
}

func signed(u unit.Unit, v float64) string {
	if v > 0 {
		return "+" + value(u, v)
	}
	return value(u, v)
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

// quality writes what is wrong with the recording.
func (p *printer) quality(r *analyze.Report) {
	q := &r.Quality
	var lines []string
	if q.TooFew {
		lines = append(lines, fmt.Sprintf("%s: too few to say much", table.Plural(q.Samples, "sample")))
	}
	for i, g := range q.Gaps {
		if i == maxTimes {
			lines = append(lines, table.Plural(len(q.Gaps)-i, "more gap"))
			break
		}
		lines = append(lines, "no samples from "+p.span(r, g.Start, g.End, false)+" ("+lasting(between(g.Start, g.End))+")")
	}
	for i, s := range q.Restarts {
		if i == maxTimes {
			lines = append(lines, table.Plural(q.Restarted-i, "more restart")+" of processes")
			break
		}
		lines = append(lines, fmt.Sprintf("%s was restarted before %s: process %d is now %d", cell.Clean(s.Instance), p.at(r, s.Time).Format(time.TimeOnly), s.From, s.To))
	}
	if q.NoValues > 0 {
		lines = append(lines, fmt.Sprintf("%s without any value, such as %s", table.GroupedPlural(q.NoValues, "counter"), short(q.NoValue[0])))
	}
	if len(lines) == 0 {
		return
	}
	p.Line("")
	p.Line("  " + p.Style.Bold("The recording"))
	for _, line := range lines {
		p.Text(4, "", line)
	}
}

// short returns a path without its machine.
func short(path string) string {
	if parts, err := pdhpath.Parse(path); err == nil {
		parts.Machine = ""
		path = parts.String()
	}
	return cell.Clean(path)
}

// at returns a time as it is shown.
func (p *printer) at(r *analyze.Report, t time.Time) time.Time { return r.Offset.In(t, p.zone) }

// span writes a span of time, with the day and the zone where they are not known
// from the heading.
func (p *printer) span(r *analyze.Report, from, to time.Time, whole bool) string {
	if from.IsZero() {
		return "at unknown times"
	}
	a, b := p.at(r, from), p.at(r, to)
	first, last := p.at(r, r.Start), p.at(r, r.End)
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

// lasting writes a duration for people: 17 min, 8 h, 15 s.
func lasting(d time.Duration) string {
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
