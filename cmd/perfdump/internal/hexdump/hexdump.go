// Package hexdump is the verb that shows every byte with its meaning.
package hexdump

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
)

// Options holds the flags of hexdump.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Files []string
	All   bool
	Path  string
	Range string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "hexdump FILE...",
		Short:      "Show every byte with its meaning",
		SuggestFor: []string{"hex", "xxd"},
		Long: `Hexdump shows every byte of a file with its meaning: address, bytes in hex and
in ASCII, path = value, and after the value what helps to read it, such as the
name of a counter or the address that a length leads to.

Bytes that no field explains are a gap, with the reason. A broken file is shown
as far as it can be read, with ! before each error. A file of unknown format is
one gap. Long arrays, texts and gaps are folded: "… 425 more instances
(0x1a30..0x76c0)". Folded objects keep a line each. --all shows everything;
--range 0x1a30..0x76c0 shows what is folded there.

A path is an element with all below it (object[3].instance[2]) or a field
(object[3].NumCounters). Without an index it means all elements:
object[3].instance.counter[5] is the value of counter[5] in each instance.

FILE may be - for standard input, and may be packed by gzip or zstd. Addresses
are those of the unpacked bytes.`,
		Example: `  perfdump hexdump testdata/captures/sys-238-x86_64-1.bin
  perfdump hexdump --path object[0].instance testdata/captures/sys-238-x86_64-1.bin
  perfdump hexdump --path table[0].chunk[0].perf.gc testdata/minidump/service_x64.dmp
  perfdump hexdump --range 0x18+64 testdata/captures/sys-238-x86_64-1.bin`,
		Args: atLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.All, "all", "a", false, "fold nothing: every byte, every element")
	flags.StringVarP(&o.Path, "path", "p", "", "only what is at or below `PATH`, such as object[3].instance[2]")
	flags.StringVarP(&o.Range, "range", "r", "", "only the bytes of `RANGE`, not folded: 0x100..0x200 (the end is excluded) or 0x100+32")
	o.AddFlags(cmd)
	return cmd
}

// atLeastOneFile is the check of the arguments. Directories are not walked.
func atLeastOneFile(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return &cmdutil.UsageError{
		Text: "hexdump needs a file",
		Hint: "name a file, or - for standard input: perfdump hexdump capture.bin",
	}
}

func run(ctx context.Context, o *Options) error {
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	do, err := o.Detect(o.Factory)
	if err != nil {
		return err
	}
	in := hexview.Input{Options: co.Options, Names: co.Names}
	failed := false
	for n, name := range o.Files {
		if err := o.file(ctx, n, name, do, in); err != nil {
			var usage *cmdutil.UsageError
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.As(err, &usage), errors.Is(err, cmdutil.ErrOutput):
				return err
			}
			o.Report(name, err)
			failed = true
			if o.FailFast {
				break
			}
		}
	}
	if failed {
		return cmdutil.ErrInput
	}
	return nil
}

// file shows a file. Errors in the file are returned, too, after it is shown.
func (o *Options) file(ctx context.Context, n int, name string, do detect.Options, in hexview.Input) error {
	do.Raw = true
	input, err := detect.Open(name, do)
	switch {
	case errors.Is(err, perfdump.ErrEmpty):
		return cmdutil.Empty()
	case err != nil:
		return err
	}
	defer func() { _ = input.Close() }()
	o.Budget.Read(input.Size())
	ho := hexview.Options{All: o.All, Path: o.Path, Color: o.IO.Color()}
	if o.IO.StdoutTTY() {
		ho.Width = o.IO.Width()
	}
	if o.Range != "" {
		if ho.Range, err = hexview.ParseRange(o.Range, input.Size()); err != nil {
			return cmdutil.Usagef("%s: --range %s: %v", cmdutil.FileName(name), o.Range, err)
		}
	}
	in.Range = ho.Range
	doc, err := open(input, do, in)
	if err != nil {
		return err
	}
	out := cmdutil.Output(ctx, o.IO.Out)
	if len(o.Files) > 1 {
		title := cell.Style{On: o.IO.Color()}.Bold(cell.Clean(cmdutil.FileName(name))) + "\n"
		if n > 0 {
			title = "\n" + title
		}
		if _, err := out.Write([]byte(title)); err != nil {
			return err
		}
	}
	folded, err := hexview.Write(out, doc, ho)
	var missing *hexview.PathError
	switch {
	case errors.As(err, &missing):
		return cmdutil.Usagef("%s: --%v", cmdutil.FileName(name), missing)
	case err != nil:
		return err
	case folded > 0 && o.IO.StdoutTTY():
		o.Note("%d bytes are folded; --all shows them", folded)
	}
	return doc.Err
}

// open returns the document of an input. Some formats, and files of unknown
// format, are shown without reading all of the file into memory.
func open(in *detect.Input, do detect.Options, hi hexview.Input) (*hexview.Document, error) {
	if in.Size() == 0 {
		return nil, cmdutil.Empty()
	}
	f := formats.Of(in.Format)
	if in.At == nil {
		return f.Show(in.Data, hi), nil
	}
	hi.At, hi.Size = in.At, in.Size()
	switch {
	case in.Format == "":
		head := make([]byte, min(in.Size(), detect.HeadSize))
		n, _ := in.At.ReadAt(head, 0) // what cannot be read is reported where it is shown
		reason := "no known format"
		if what := detect.Resembles(in.Name, head[:n]); what != "" {
			reason += "; it looks like " + what
		}
		return hexview.Raw(nil, hi, reason), nil
	case f.Bytes == nil || f.InPlace:
		return f.Show(nil, hi), nil
	}
	data, err := in.Bytes(do)
	if err != nil {
		return nil, err
	}
	return f.Show(data, hi), nil
}
