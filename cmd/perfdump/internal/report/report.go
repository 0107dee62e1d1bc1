// Package report is the verb that makes a page of a recording.
package report

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/beside"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/page"
)

// Options holds the flags of report.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Files []string
	Write string
	Title string

	Rules *analyze.Rules
	Facts map[string]float64
	Fails func([]*analyze.Report) bool // whether the exit code is 1; may be nil
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "report FILE... -w out.html",
		Short:      "Make one HTML page of a recording: findings, charts, tables",
		SuggestFor: []string{"html"},
		Long: `Report writes a page that a browser opens from the disk, with no network. It
begins with what was wrong, as perfdump analyze finds it, and with the vital
signs; the times of the findings are shaded, and a click shows them. Then come
charts of any counters, a table of all with their min, average, max and last
value and a curve each, and the errors and anomalies of the files. For a single
file of up to 256 KiB it also shows every byte with its meaning.

What is charted, the zoom and the time zone are in the address, so that a link
or a bookmark shows the same. -c charts the chosen counters first.

The files are one recording, as for perfdump cook, and values are cooked as
there (--cook). A value that cannot be computed is a gap in its curve, with the
reason in the table; it is never 0. The same goes for name#1 where that is
another process than before; --key pid has a curve for each process.

In a long recording each point of a chart stands for several snapshots: the page
says for how many, and shows their average and the range from min to max. Tables
cover all values.

` + cmdutil.PeriodHelp + `

FILE may be a directory, or - for standard input; gzip and zstd are unpacked.

Switches (--cook), for questions that Windows and its documents answer in
several ways; the first word is the default:
` + cmdutil.SwitchesHelp(),
		Example: `  # What was wrong with this server, on a page: -w server.html writes it to a file
  perfdump report testdata/story/srv-sql-01.blg.gz | head -n 20

  # A page with a title, of the processors alone
  perfdump report --title 'All processors' -c '\Processor(*)\*' testdata/story/srv-sql-01.blg.gz | gzip | wc -c`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if o.Write != "" {
				return o.ToFile(o.Write, o.Read(o.Files), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return Run(cmd.Context(), &to)
				})
			}
			return Run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, instead of to standard output")
	flags.StringVar(&o.Title, "title", "", "use `TITLE` as the title of the page, not the machine's name")
	o.AddFlags(cmd)
	return cmd
}

// Run writes the page.
func Run(ctx context.Context, o *Options) error {
	if o.Target == "" && o.IO.StdoutTTY() {
		return &cmdutil.UsageError{Text: "the page is HTML, and standard output is a terminal", Hint: "-w report.html writes it to a file"}
	}
	page := page.New(o.Title)
	page.Zone, page.Chosen = o.Period.Zone.Location, len(o.Counters) > 0
	rules := o.Rules
	if rules == nil {
		rules = analyze.BuiltIn()
	}
	a := analyze.New(rules, o.Facts)
	w := &watcher{page: page}
	cooking := o.Cooking
	cooking.Watch = w
	return cooking.Show(ctx, o.Factory, "report", o.Files, capture.CookOptions{Kept: analyze.Kept}, func(r *cmdutil.Recording) error {
		page.Frames = r.Len()
		frames, cells := 0, 0
		drawn := beside.Take(page.AddFrame)
		defer drawn.End()
		for f, err := range r.Frames(ctx) {
			if err != nil {
				return err
			}
			drawn.Add(f)
			a.Add(f)
			frames++
			cells += len(f.Cells)
		}
		drawn.End()
		if r.Err() == nil && !w.failed || frames > 0 && cells == 0 && o.Selection.Any() {
			if err := r.Advise(ctx, frames, cells); err != nil {
				return err
			}
		}
		var found []*analyze.Report
		if frames > 1 {
			found = a.Reports()
			page.SetAnswer(found)
		}
		if w.inputs == 1 {
			page.SetBytes(w.name, w.size, w.open)
		}
		w.end()
		if err := page.Write(cmdutil.Output(ctx, o.IO.Out)); errors.Is(err, perfdump.ErrLimit) {
			o.Report(o.Files[0], err)
			return cmdutil.ErrInput
		} else if err != nil {
			return err
		}
		if r.Err() == nil && o.Fails != nil && o.Fails(found) {
			return cmdutil.ErrFindings
		}
		return r.Err()
	})
}
