// Package report is the verb that makes a page of a recording.
package report

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/report"
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
		Use:   "report FILE... -w out.html",
		Short: "Make one HTML page of a recording: summary, tables, charts, byte map",
		Long: `Report writes a page that a browser opens from the disk, with no network: what
was recorded of which machine, a table of all counters with their least,
average, greatest and last value and a curve each, charts to zoom into, and what
is wrong or odd with the files. Of a single file of up to 256 KiB it shows every
byte with its meaning.

The files are one recording, as for perfdump cook, and values are cooked as there
(--cook). A value that cannot be told is a gap in its curve, with the reason in
the table; it is never 0.

A long recording has a point in the charts for several snapshots each: the page
says for how many, and shows the average and the span from the least to the
greatest. Tables are of all values.

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
				return o.ToFile(o.Write, o.FailFast, func(f *cmdutil.Factory) error {
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
	o.Cooking.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	page := report.New(o.Title)
	var single single
	var read capture.Options
	o.Remarked = page.AddRemark
	o.Failed = func(source string, err error) { page.AddFinding(cmdutil.FileName(source), finding(err)) }
	o.Seen = func(in *detect.Input, co capture.Options, err error) {
		name := cmdutil.FileName(in.Name)
		page.AddInput(report.Input{Name: name, Format: string(in.Format), Packed: in.Packed, Size: in.Size()})
		if capture.Checks(in.Format) {
			for f := range capture.Check(in, co) {
				page.AddFinding(name, f)
			}
		} else if err != nil {
			page.AddFinding(name, finding(err))
		}
		single.add(in)
		read = co
	}
	return o.Show(ctx, o.Factory, "report", o.Files, false, func(r *cmdutil.Recording) error {
		frames, cells := 0, 0
		for f, err := range r.Frames(ctx) {
			if err != nil {
				return err
			}
			page.AddFrame(f)
			frames++
			cells += len(f.Cells)
		}
		if !r.Empty() {
			o.Advise(o.Factory, frames, cells)
		}
		if single.n == 1 {
			in := hexdump.Input{Mode: read.Mode, CodePage: read.CodePage, Names: read.Names}
			page.SetBytes(single.name, single.size, func() hexdump.Document {
				return hexdump.Open(single.format, single.data, in)
			})
		}
		if err := page.Write(cmdutil.Output(ctx, o.IO.Out)); err != nil {
			return err
		}
		return r.Err()
	})
}

// finding is an error as a page lists it.
func finding(err error) capture.Finding {
	fe := cmdutil.AsFormatError(err)
	return capture.Finding{Code: fe.Code, Offset: fe.Off, Path: fe.Path, Message: fe.Message(), Severity: capture.SeverityError}
}

// single is the input of a run that has one, for the byte map.
type single struct {
	n      int
	name   string
	format string
	size   int64
	data   []byte
}

func (s *single) add(in *detect.Input) {
	if s.n++; s.n > 1 {
		s.data = nil
		return
	}
	s.name, s.format, s.size, s.data = cmdutil.FileName(in.Name), string(in.Format), in.Size(), in.Data
	if s.size > report.MaxBytes {
		s.data = nil
	} else if in.At != nil {
		s.data = make([]byte, s.size)
		if _, err := in.At.ReadAt(s.data, 0); err != nil && !errors.Is(err, io.EOF) {
			s.data = nil
		}
	}
}
