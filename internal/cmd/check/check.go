// Package check is the verb that lists what is wrong or odd with files.
package check

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// Options are the flags of check.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Files  []string
	Output string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "check FILE...",
		Short:      "List what is wrong or odd, with its place",
		SuggestFor: []string{"lint", "validate", "verify"},
		Long: `Check lists every error and every anomaly of files: severity, code, byte offset,
path and message. An error keeps something from being read; an anomaly is odd
but readable. After an error it goes on as far as it can, so that one does not
hide the others. With --mode strict every anomaly is an error. A note tells
what values mean though nothing is wrong: counters of a runtime that is gone,
or that were read while they changed. perfdump explain CODE tells more.

Of a process dump (minidump) or raw memory it checks the dump and each table of
IPC control blocks that is found there; offsets are those in the file.

It exits with 0 where all is fine, 1 for anomalies, 2 for errors. Notes alone
are fine.

FILE may be - for standard input, a directory, and packed by gzip or zstd.

Keys of -o json, an object a line for each finding:
  code, offset, path, message   offset is null where there is none
  severity                      error, warning or note
  file
  count                         only where findings past the limit are counted`,
		Example: `  perfdump check testdata/captures/sys-238-x86_64-1.bin
  perfdump check --mode tolerant -o json testdata/captures`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
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
		if !capture.Checks(in.Format) {
			return &cmdutil.NoVerbError{Verb: "check", Format: in.Format}
		}
		p.file(in)
		var failed bool
		for finding := range capture.Check(in, co) {
			switch finding.Severity {
			case capture.SeverityError:
				failed = true
				o.tell(in, finding)
			case capture.SeverityWarning:
				warnings = true
			case capture.SeverityNote: // nothing is wrong
			}
			if p.finding(finding); p.err != nil {
				return p.err
			}
		}
		if p.end(); p.err != nil {
			return p.err
		}
		if failed {
			return cmdutil.ErrInput
		}
		return nil
	})
	if p.flush(); p.err != nil {
		return p.err
	}
	if err == nil && warnings {
		return cmdutil.ErrFindings
	}
	return err
}

// tell reports an error on standard error, as all verbs do, unless a person
// sees both streams in one place: the list has it already.
func (o *Options) tell(in *detect.Input, f capture.Finding) {
	if o.IO.StdoutTTY() && o.IO.StderrTTY() && !o.ErrorsJSON || f.Count > 0 {
		return
	}
	o.Report(in.Name, &perfdump.FormatError{Code: f.Code, Off: f.Offset, Path: f.Path, Err: errors.New(f.Message)})
}
