// Package encode is the verb that writes the file of a document.
package encode

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
)

// Options holds the flags of encode.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	File   string
	Output string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "encode FILE.json",
		Short: "Write the file that a JSON document describes",
		Long: `Encode is the inverse of dump -o json. It writes the bytes that the document was
made from, with the changes that you made to the document. A document without
"wire" and "gaps", such as one written by hand, gets the usual layout.

It encodes captures (perfdata), version 2 counter sets (perflib2), tables of
names (titles), IPC control blocks (ipcblock) and text files (perfstrings,
inifile, symbolh, reg). For a text file only "lines" is read. Documents made
with filters or in salvage mode are incomplete and cannot be encoded.

FILE.json may be - for standard input, and packed by gzip or zstd. The output is
written whole or not at all.`,
		Example: `  # The same bytes again
  perfdump dump -o json testdata/captures/small.bin | perfdump encode - | cmp - testdata/captures/small.bin && echo same

  # With one thing changed
  perfdump dump -o json testdata/captures/small.bin | sed s/SRV-HOST-42/SRV-HOST-43/ | perfdump encode - | perfdump info -

  # A table of names from a document of your own
  echo '{"format":"titles","entries":[{"index":"5000","text":"Toaster"}]}' | perfdump encode - | od -c`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.File = args[0]
			return run(cmd.Context(), o)
		},
	}
	o.AddMaxUnpacked(cmd)
	o.AddMaxText(cmd, "documents")
	cmd.Flags().StringVarP(&o.Output, "write", "w", "-", "write to `FILE`, not to standard output")
	return cmd
}

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &cmdutil.UsageError{
		Text: fmt.Sprintf("encode needs one document, not %d", len(args)),
		Hint: "name a file, or - for standard input: perfdump encode block.json -w block.bin",
	}
}

func run(ctx context.Context, o *Options) error {
	if o.Output == "-" && o.IO.StdoutTTY() {
		return &cmdutil.UsageError{
			Text: "encode writes binary data, and standard output is a terminal",
			Hint: "-w FILE writes to a file",
		}
	}
	if err := o.Apart(o.Output, o.File); err != nil {
		return err
	}
	in, done, err := o.open(ctx)
	var wrong *cmdutil.UsageError
	if errors.As(err, &wrong) {
		return err
	}
	if err != nil {
		return o.fails(err)
	}
	defer done()
	write := func(w io.Writer) error { return formats.Encode(cmdutil.Output(ctx, w), in) }
	if o.Output == "-" {
		err = write(o.IO.Out)
	} else {
		err = cmdutil.WriteFile(o.Output, write)
	}
	if err == nil || ctx.Err() != nil || errors.Is(err, cmdutil.ErrOutput) {
		return err
	}
	return o.fails(err)
}

// fails reports an error of the document.
func (o *Options) fails(err error) error {
	o.Report(o.File, err)
	if errors.Is(err, perfdump.ErrReadOnly) {
		return cmdutil.ErrNoVerb
	}
	return cmdutil.ErrInput
}

// open returns the document, unpacked. done ends its use.
func (o *Options) open(ctx context.Context) (in io.Reader, done func(), err error) {
	do, err := o.Detect(o.Factory)
	if err != nil {
		return nil, nil, err
	}
	limit := cmp.Or(do.MaxText, detect.MaxText)
	do.Format = detect.Carve // a format is named so that none is looked for
	if o.File == "-" {
		stdin := bufio.NewReader(o.IO.In)
		if head, _ := stdin.Peek(4); !packed(head) {
			return &reader{ctx: ctx, r: stdin, limit: limit}, func() {}, nil
		}
		do.Stdin = stdin
	}
	f, err := detect.Open(o.File, do)
	if err != nil {
		return nil, nil, err
	}
	return &reader{ctx: ctx, r: io.NewSectionReader(f.At, 0, f.Size()), limit: limit}, func() { _ = f.Close() }, nil
}

// packed reports whether data begins as gzip and zstd do.
func packed(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0x1F, 0x8B}) || bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD})
}

// reader reads a document up to a limit. It ends with the run.
type reader struct {
	ctx   context.Context //nolint:containedctx // it is the reader's own
	r     io.Reader
	limit int64
	n     int64
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(b)
	if r.n += int64(n); r.n > r.limit {
		return 0, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "the document is longer than the limit of %d bytes; raise it by --max-text", r.limit)
	}
	return n, err
}
