// Package check is the verb that lists the errors and anomalies of files.
package check

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
)

// Options holds the flags of check.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Files  []string
	Output string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "check FILE...",
		Short:      "List errors and anomalies, with their places",
		SuggestFor: []string{"lint", "validate", "verify"},
		Long: `Check lists every error and every anomaly of files: severity, code, byte offset,
path and message. An error means that something cannot be read; an anomaly is
unusual but readable. Check continues after an error as far as it can, so that
one does not hide the others. With --mode strict every anomaly is an error. A
note explains values although nothing is wrong: counters of a runtime that has
ended, or that changed while they were read. perfdump explain CODE says more.

In a process dump (minidump) or raw memory, check looks at the dump and at each
table of IPC control blocks that it finds; offsets are those in the file.

The exit code is 0 if all is fine, 1 for anomalies, 2 for errors. Notes do not
count.

FILE may be a directory, or - for standard input; gzip and zstd are unpacked.

Keys of -o json, an object a line for each finding:
  code, offset, path, message   offset is null if there is none
  severity                      error, warning or note
  file
  count                         only for findings past the limit, which are
                                counted, not listed`,
		Example: `  perfdump check testdata/captures/sys-238-x86_64-1.bin
  perfdump check --mode tolerant -o json testdata/captures`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	p := newPrinter(cmdutil.Output(ctx, o.IO.Out), o)
	warnings := false
	err = o.Each(ctx, o.Factory, o.Files, func(in *detect.Input) error {
		f := formats.Of(in.Format)
		if f.Check == nil {
			return &formats.NoVerbError{Verb: "check", Format: in.Format}
		}
		p.file(in)
		var failed bool
		for finding := range f.Findings(in, co) {
			switch finding.Severity {
			case formats.SeverityError:
				failed = true
				o.report(in, finding)
			case formats.SeverityWarning:
				warnings = true
			case formats.SeverityNote: // nothing is wrong
			}
			if p.finding(finding); p.Err() != nil {
				return p.Err()
			}
		}
		if p.end(); p.Err() != nil {
			return p.Err()
		}
		if failed {
			return cmdutil.ErrInput
		}
		return nil
	})
	if flushErr := p.Flush(); flushErr != nil {
		return flushErr
	}
	if err == nil && warnings {
		return cmdutil.ErrFindings
	}
	return err
}

// report writes an error on standard error, as all verbs do, unless a person
// sees both streams in one place: the list has it already.
func (o *Options) report(in *detect.Input, f formats.Finding) {
	if o.IO.StdoutTTY() && o.IO.StderrTTY() && !o.ErrorsJSON || f.Count > 0 {
		return
	}
	o.Report(in.Name, &perfdump.FormatError{Code: f.Code, Off: f.Offset, Path: f.Path, Err: errors.New(f.Message)})
}
