// Package plot is the verb that draws counters over time.
package plot

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/chart"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/vitals"
)

// Options holds the flags of plot.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Files    []string
	Write    string
	Title    string
	Top      int
	Exclude  []string
	Findings string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "plot FILE... -w out.svg",
		Short:      "Draw the vital signs, or other counters, as an SVG or PNG picture",
		SuggestFor: []string{"chart", "graph"},
		Long: `Plot draws the vital signs of a machine over time: processors, memory, paging,
disks, network, and the processes that use most, a panel each, with the min,
average and max of each line. --top says how many disks, adapters and processes
a panel has (5 by default), --exclude which are left out.

-c, --query and --derive draw other counters instead: a line for each counter
and instance, a panel for each unit, and a legend with the last value too. Up to
12 lines are drawn, or --top N, in colours and dashes that differ on paper and
for the colour-blind too. If there are more, those with the highest averages are
drawn, from each unit in turn, and a note says so. Idle and _Total of processes
are drawn if a path names them.

The line has a gap where there is no value, where the recorder was off, and
where name#1 is another process than before. --key pid draws a line for each
process; --pairing name computes the value anyway.

--findings takes what "perfdump analyze -o json FILE -w findings.json" writes:
each finding gets a row above the panels, and its times are shaded.

` + cmdutil.PeriodHelp + `

The files are one recording, as for cook. FILE may be a directory, or - for
standard input; gzip and zstd are unpacked. The picture goes to the file of -w,
as PNG if its name ends in .png, or as SVG to standard output. Browsers,
LibreOffice and Inkscape show SVG; the latter two also print it or save it as
PDF.

Switches (--cook), as for cook; the first word is the default:
` + cmdutil.SwitchesHelp(),
		Example: `  # The vital signs of a server, as a picture on standard output
  perfdump plot testdata/story/srv-sql-01.blg.gz

  # Three processes and disks in each panel, without the backup
  perfdump plot --top 3 --exclude '\Process(BackupAgent)\*' testdata/story/srv-sql-01.blg.gz

  # The processors of a server
  perfdump plot -c '\Processor(*)\% Processor Time' testdata/story/srv-sql-01.blg.gz

  # Your own metric, next to the counter that it is computed from
  perfdump plot -c '\PhysicalDisk(1 D:)\Disk Bytes/sec' --derive 'Bytes per transfer = Disk Bytes/sec / Disk Transfers/sec' --from 10:00 --to 10:30 testdata/story/srv-sql-01.blg.gz`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if ext := strings.ToLower(filepath.Ext(o.Write)); slices.Contains([]string{".jpg", ".jpeg", ".gif", ".pdf"}, ext) {
				return &cmdutil.UsageError{Text: "plot draws SVG and PNG, and " + o.Write + " is the name of another format", Hint: "-w FILE.svg or -w FILE.png; a browser shows them and prints them to PDF"}
			}
			if o.Top < 0 || o.Top > chart.MaxSeries {
				return cmdutil.Usagef("--top %d: expected 1 to %d", o.Top, chart.MaxSeries)
			}
			if o.Write != "" {
				return o.ToFile(o.Write, o.Read(o.Files), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, instead of to standard output")
	flags.StringVar(&o.Title, "title", "", "use `TEXT` as the title of the picture, not one made from the names")
	flags.IntVar(&o.Top, "top", 0, "draw the `N` highest lines, of vital signs in each panel")
	flags.StringArrayVar(&o.Exclude, "exclude", nil, "leave out counters that match `PATH`; may be repeated")
	flags.StringVar(&o.Findings, "findings", "", "mark the findings in `FILE`, which analyze -o json wrote")
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	marks, err := o.marks()
	if err != nil {
		return err
	}
	chosen := o.Selection.Any() || len(o.CounterFiles)+len(o.Metrics)+len(o.MetricFiles) > 0
	return o.Show(ctx, o.Factory, "plot", o.Files, capture.CookOptions{}, func(r *cmdutil.Recording) error {
		exclude, err := r.Filter("--exclude", o.Exclude)
		if err != nil {
			return err
		}
		named := slices.ContainsFunc(o.Counters, whole)
		var picture bytes.Buffer
		drawn, err := chart.Draw(&picture, r.Frames(ctx), chart.Options{
			Title: o.Title, Zone: o.Period.Zone.Location, PNG: strings.EqualFold(filepath.Ext(o.Write), ".png"),
			Vitals: !chosen, Top: o.Top, Marks: marks,
			Drop: func(s *capture.Series) bool {
				return exclude != nil && exclude.Match(s) || !named && vitals.Sum(s)
			},
		})
		if err != nil {
			return err
		}
		if err := r.Advise(ctx, drawn.Frames, drawn.Cells); err != nil {
			return err
		}
		if _, err := picture.WriteTo(cmdutil.Output(ctx, o.IO.Out)); err != nil {
			return err
		}
		o.remark(&drawn, chosen, len(marks))
		return r.Err()
	})
}

// remark says what is not in the picture.
func (o *Options) remark(drawn *chart.Result, chosen bool, marks int) {
	if !chosen && !drawn.Vitals && drawn.Drawn > 0 {
		o.Note("no vital signs were recorded, so other counters are drawn; -c chooses them")
	} else if drawn.Left > 0 {
		o.Note("%d of %d counters are drawn, those with the highest averages; -c chooses others", drawn.Drawn, drawn.Drawn+drawn.Left)
	}
	if drawn.Empty > 0 {
		o.Note("%s no value and no line; perfdump cook says why", cmdutil.Has(drawn.Empty, "counter", "counters"))
	}
	if drawn.Marks < marks {
		o.Note("%d of %d findings are within the times of the picture", drawn.Marks, marks)
	}
}
