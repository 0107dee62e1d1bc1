// Package hexdump is the verb that shows every byte with its meaning.
package hexdump

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// Options are the flags of hexdump.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Files []string
	All   bool
	Path  string
	Range string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "hexdump FILE...",
		Short:      "Show every byte with its meaning",
		SuggestFor: []string{"hex", "xxd"},
		Long: `Hexdump shows every byte of a file with what it means: address, bytes in hex and
in ASCII, path = value, and behind the value what helps to read it: the name of
a counter, the place that a length leads to.

What no field explains is a gap, with the reason. A broken file is shown as far
as it can be read, with ! before what is wrong; a file of unknown format is one
gap. Long arrays, texts and gaps are folded: "… 425 more instances
(0x1a30..0x76c0)"; of many objects each keeps a line. --all shows them, and so
does --range with what stands in the parentheses.

A path is an element with all below it (object[3].instance[2]), a field
(object[3].NumCounters), or, without an index, all elements:
object[3].instance.counter[5] is the value of counter[5] in each instance.

FILE may be - for standard input, and packed by gzip or zstd; addresses are
those of the unpacked bytes.`,
		Example: `  perfdump hexdump testdata/captures/sys-238-x86_64-1.bin
  perfdump hexdump --path object[0].instance testdata/captures/sys-238-x86_64-1.bin
  perfdump hexdump --path table[0].chunk[0].perf.gc testdata/minidump/service_x64.dmp
  perfdump hexdump --range 0x18+64 testdata/captures/sys-238-x86_64-1.bin`,
		Args: atLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.All, "all", "a", false, "fold nothing: every byte, every element")
	flags.StringVarP(&o.Path, "path", "p", "", "only what lies at or below `PATH`, such as object[3].instance[2]")
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
	in := hexdump.Input{Mode: co.Mode, CodePage: co.CodePage, Names: co.Names}
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

// file shows a file. The error is also what the file has wrong, which does not
// keep it from being shown.
func (o *Options) file(ctx context.Context, n int, name string, do detect.Options, in hexdump.Input) error {
	input, err := detect.OpenRaw(name, do)
	switch {
	case errors.Is(err, perfdump.ErrEmpty):
		return cmdutil.Empty()
	case err != nil:
		return err
	}
	defer func() { _ = input.Close() }()
	o.Budget.Read(input.Size())
	doc, err := open(input, do, in)
	if err != nil {
		return err
	}
	ho := hexdump.Options{All: o.All, Path: o.Path, Color: o.IO.Color()}
	if o.IO.StdoutTTY() {
		ho.Width = o.IO.Width()
	}
	if o.Range != "" {
		if ho.Range, err = hexdump.ParseRange(o.Range, input.Size()); err != nil {
			return cmdutil.Usagef("%s: --range %s: %v", cmdutil.FileName(name), o.Range, err)
		}
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
	folded, err := hexdump.Write(out, doc, ho)
	var missing *hexdump.PathError
	switch {
	case errors.As(err, &missing):
		return cmdutil.Usagef("%s: --%v", cmdutil.FileName(name), missing)
	case err != nil:
		return err
	case folded > 0 && o.IO.StdoutTTY():
		o.Note("%d bytes are folded; --all shows them", folded)
	}
	return doc.Err()
}

// sniffSize is how much of a file is looked at to say what it is like.
const sniffSize = 128 << 10

// open opens an input whatever it is. What can be shown without all of it in
// memory is: dumps, memory, and what nobody knows.
func open(in *detect.Input, do detect.Options, ho hexdump.Input) (hexdump.Document, error) {
	switch {
	case in.Size() == 0:
		return nil, cmdutil.Empty()
	case in.At == nil:
		return hexdump.Open(string(in.Format), in.Data, ho), nil
	case in.Format == "":
		head := make([]byte, min(in.Size(), sniffSize))
		n, _ := in.At.ReadAt(head, 0) // what cannot be read is told where it is shown
		reason := "no known format"
		if what := detect.Resembles(in.Name, head[:n]); what != "" {
			reason += "; it looks like " + what
		}
		return hexdump.RawAt(in.At, in.Size(), reason), nil
	}
	if doc, ok := hexdump.OpenAt(string(in.Format), in.At, in.Size(), ho); ok {
		return doc, nil
	}
	data, err := in.At.Bytes(do)
	if err != nil {
		return nil, err
	}
	return hexdump.Open(string(in.Format), data, ho), nil
}
