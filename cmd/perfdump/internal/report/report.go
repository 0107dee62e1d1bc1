// Package report is the verb that makes a page of a recording.
package report

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/page"
)

// Options are the flags of report.
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
		Use:        "report FILE... -w out.html",
		Short:      "Make one HTML page of a recording: tables, charts, byte map",
		SuggestFor: []string{"html"},
		Long: `Report writes a page that a browser opens from the disk, with no network: what
was recorded of which machine, a table of all counters with their least,
average, greatest and last value and a curve each, charts to zoom into, and what
is wrong or odd with the files. Of a single file of up to 256 KiB it shows every
byte with its meaning.

The files are one recording, as for perfdump cook, and values are cooked as
there (--cook). A value that cannot be told is a gap in its curve, with the
reason in the table; it is never 0. So is a value of name#1 where that is
another process than before; --key pid has a curve for each process.

A long recording has a point in the charts for several snapshots each: the page
says for how many, and shows the average and the span from the least to the
greatest. Tables are of all values.

` + cmdutil.PeriodHelp + `

FILE may be - for standard input, a directory, and packed by gzip or zstd.

Switches (--cook), for questions that Windows and its documents answer in
several ways; the first word is the default:
` + cmdutil.SwitchesHelp(),
		Example: `  # A page of two moments of a server (-w server.html writes it to a file)
  perfdump report testdata/captures/small.bin testdata/captures/small-next.bin --titles testdata/captures/titles-009.bin | head -n 20

  # A page with a title, of the processors alone
  perfdump report --title 'All processors' -c '\Processor(*)\*' testdata/captures/small.bin testdata/captures/small-next.bin | gzip | wc -c`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			if o.Write != "" {
				return o.ToFile(o.Write, o.Read(o.Files), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			if o.IO.StdoutTTY() {
				return &cmdutil.UsageError{Text: "a page is nothing for a terminal", Hint: "-w report.html writes it to a file"}
			}
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, in the place of standard output")
	flags.StringVar(&o.Title, "title", "", "the page's `TITLE`, in the place of the machine's name")
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	page := page.New(o.Title)
	page.Zone = o.Period.Zone.Location
	w := &watcher{page: page}
	cooking := o.Cooking
	cooking.Watch = w
	return cooking.Show(ctx, o.Factory, "report", o.Files, capture.CookOptions{}, func(r *cmdutil.Recording) error {
		frames, cells := 0, 0
		for f, err := range r.Frames(ctx) {
			if err != nil {
				return err
			}
			page.AddFrame(f)
			frames++
			cells += len(f.Cells)
		}
		if r.Err() == nil && !w.failed || frames > 0 && cells == 0 && o.Selection.Any() {
			if err := r.Advise(ctx, frames, cells); err != nil {
				return err
			}
		}
		if w.inputs == 1 {
			page.SetBytes(w.name, w.size, w.open)
		}
		if err := page.Write(cmdutil.Output(ctx, o.IO.Out)); errors.Is(err, perfdump.ErrLimit) {
			o.Report(o.Files[0], err)
			return cmdutil.ErrInput
		} else if err != nil {
			return err
		}
		return r.Err()
	})
}
