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
)

// Options holds the flags of plot.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Files []string
	Write string
	Title string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "plot FILE... -c PATH -w out.svg",
		Short:      "Draw counters over time, as an SVG picture",
		SuggestFor: []string{"chart", "graph"},
		Long: `Plot draws the values that cook shows: a line for each counter and instance, a
panel for each unit, and a legend with the min, average, max and last value of
each. The line has a gap where there is no value, where the recorder was off,
and where name#1 is another process than before. --key pid draws a line for each
process; --pairing name computes the value anyway.

` + cmdutil.PeriodHelp + `

Up to 12 lines are drawn, in colours and dashes that differ on paper and for the
colour-blind too. If there are more, those with the highest averages are drawn,
from each unit in turn, and a note says so; -c chooses others.

The files are one recording, as for cook. FILE may be a directory, or - for
standard input; gzip and zstd are unpacked. The picture goes to the file of -w,
or to standard output. Browsers, LibreOffice and Inkscape show it; the latter
two also print it or save it as PDF.

Switches (--cook), as for cook; the first word is the default:
` + cmdutil.SwitchesHelp(),
		Example: `  # The processors of a server
  perfdump plot -c '\Processor(*)\% Processor Time' testdata/story/srv-sql-01.blg.gz

  # Your own metric, next to the counter that it is computed from
  perfdump plot -c '\PhysicalDisk(1 D:)\Disk Bytes/sec' --derive 'Bytes per transfer = Disk Bytes/sec / Disk Transfers/sec' --from 10:00 --to 10:30 testdata/story/srv-sql-01.blg.gz`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if ext := strings.ToLower(filepath.Ext(o.Write)); slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".pdf"}, ext) {
				return &cmdutil.UsageError{Text: "plot draws SVG, and " + o.Write + " is the name of another format", Hint: "-w FILE.svg; a browser shows it and prints it to PDF"}
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
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	return o.Show(ctx, o.Factory, "plot", o.Files, capture.CookOptions{}, func(r *cmdutil.Recording) error {
		var picture bytes.Buffer
		drawn, err := chart.Draw(&picture, r.Frames(ctx), chart.Options{Title: o.Title, Zone: o.Period.Zone.Location})
		if err != nil {
			return err
		}
		if err := r.Advise(ctx, drawn.Frames, drawn.Cells); err != nil {
			return err
		}
		if _, err := picture.WriteTo(cmdutil.Output(ctx, o.IO.Out)); err != nil {
			return err
		}
		if drawn.Left > 0 {
			o.Note("%d of %d counters are drawn, those with the highest averages; -c chooses others", drawn.Drawn, drawn.Drawn+drawn.Left)
		}
		if drawn.Empty > 0 {
			o.Note("%s no value and no line; perfdump cook says why", cmdutil.Has(drawn.Empty, "counter", "counters"))
		}
		return r.Err()
	})
}
