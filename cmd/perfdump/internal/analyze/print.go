package analyze

import (
	"context"
	"time"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/answer"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/vitals"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// write writes the reports in the format of -o.
func (o *Options) write(ctx context.Context, reports []*analyze.Report, signs *vitals.Watch) error {
	p := &printer{table.NewPrinter(cmdutil.Output(ctx, o.IO.Out), table.Options{Width: o.IO.Width(), Cut: true, Color: o.IO.Color()}), answer.Times{Zone: o.Period.Zone.Location}}
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
	times answer.Times
}

func (p *printer) report(r *analyze.Report, signs *vitals.Watch) {
	facts := []string{p.times.Span(r, r.Start, r.End, true), table.GroupedPlural(r.Quality.Samples, "sample")}
	if r.Quality.Interval > 0 {
		facts = append(facts, "every "+answer.Lasting(time.Duration(r.Quality.Interval*float64(time.Second))))
	}
	p.Heading(name(r.Machine), facts...)
	p.signs(signs.Panels(r.Machine, r.Log), signs)
	p.Line("")
	if len(r.Findings) == 0 {
		p.Line("  " + p.Style.Green("Nothing wrong was found."))
	} else {
		p.Line("  " + p.Style.Bold(table.Plural(len(r.Findings), "finding")))
	}
	p.Text(2, "", answer.Checked(r)+".")
	for _, f := range r.Findings {
		p.Line("")
		p.finding(r, f)
	}
	lines := p.times.Quality(r)
	if len(lines) == 0 {
		return
	}
	p.Line("")
	p.Line("  " + p.Style.Bold("The recording"))
	for _, line := range lines {
		p.Text(4, "", line)
	}
}

func name(machine string) string {
	if machine == "" {
		return "unknown machine"
	}
	return cell.Clean(machine)
}

// curve is how wide the curves are.
const curve = 20

// signs writes the vital signs, a line each.
func (p *printer) signs(panels []vitals.Panel, signs *vitals.Watch) {
	if len(panels) == 0 {
		return
	}
	tab := &table.Table{Indent: 2, Columns: []table.Column{
		{Shrink: 20, Middle: true}, {Head: []string{"min"}, Align: table.Right}, {Head: []string{"average"}, Align: table.Right}, {Head: []string{"max"}, Align: table.Right}, {Dim: true},
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
				if !yield(row.Reset().Texts(text, panel.Unit.Text(stats.Min), panel.Unit.Text(stats.Mean), panel.Unit.Text(stats.Max), signs.Curve(l.Series, curve))) {
					return
				}
			}
		}
	})
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
	p.Text(indent, "", p.times.When(r, f)+". "+p.times.Values(r, f)+".")
	if f.Means != "" {
		p.Text(indent, "", cell.Clean(f.Means))
	}
	if then := answer.Then(f); then != "" {
		p.Text(indent, "then: ", then)
	}
	if len(f.Also) > 0 {
		p.Text(indent, "also: ", answer.Also(f))
	}
	if f.Next != "" {
		p.Text(indent, "next: ", cell.Clean(f.Next))
	}
}
