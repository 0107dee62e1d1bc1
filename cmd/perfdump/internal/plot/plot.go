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

// Options are the flags of plot.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Files []string
	Write string
	Title string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "plot FILE... -c PATH -w out.svg",
		Short:      "Draw counters over time, as an SVG picture",
		SuggestFor: []string{"chart", "graph"},
		Long: `Plot draws the values that cook shows: a line for each counter and instance, a
panel for each unit, and a legend with the least, average, greatest and last
value of each. Where there is no value, and where the recorder was off, there is
a gap in the line. So there is where name#1 is another process than before;
--key pid draws a line for each process, and --pairing name computes the value
all the same.

` + cmdutil.PeriodHelp + `

Up to 12 lines are told apart by colours and dashes, on paper and by eyes that
see colours in other ways. Of more, those with the greatest averages are drawn,
from each unit in turn, and a note says so; -c chooses others.

The files are one recording, as for cook. FILE may be - for standard input, a
directory, and packed by gzip or zstd. The picture goes to the file of -w, or to
standard output. Browsers show it; so do LibreOffice and Inkscape, which print
it and make PDF of it.

Switches (--cook), as for cook; the first word is the default:
` + cmdutil.SwitchesHelp(),
		Example: `  # The processors of a server
  perfdump plot -c '\Processor(*)\% Processor Time' testdata/captures/small.bin testdata/captures/small-next.bin

  # What a metric of one's own looks like, beside the counter that it is made of
  perfdump plot -c '\PhysicalDisk(*)\Disk Bytes/sec' --derive 'Bytes per transfer = Disk Bytes/sec / Disk Transfers/sec' testdata/captures/small.bin testdata/captures/small-next.bin --titles testdata/captures/titles-009.bin`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			if ext := strings.ToLower(filepath.Ext(o.Write)); slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".pdf"}, ext) {
				return &cmdutil.UsageError{Text: "plot draws SVG, and " + o.Write + " says another format", Hint: "-w FILE.svg; a browser shows it and prints it to PDF"}
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
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, in the place of standard output")
	flags.StringVar(&o.Title, "title", "", "the title of the picture is `TEXT`, not one made of the names")
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
			o.Note("%d of %d counters are drawn, those with the greatest averages; -c chooses others", drawn.Drawn, drawn.Drawn+drawn.Left)
		}
		if drawn.Empty > 0 {
			o.Note("%s no value and no line; perfdump cook says why", cmdutil.Has(drawn.Empty, "counter", "counters"))
		}
		return r.Err()
	})
}
