// Package doctor is the verb that says why counters are missing.
package doctor

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/findings"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

// Options holds the flags of doctor.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Events []string
	Output string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "doctor PATH...",
		Short: "Say why counters are missing, and what to do",
		Long: `Doctor checks files of one machine against each other: .ini and .h files, tables
of names (perfc009.dat), PerfStringBackup.INI, .reg files, hives, captures, in
any mix. Each finding has an id, a severity, its place, what it means and what
to do; docs/doctor.md lists them all. The symbol file of an .ini file is
looked for in the same folder.

--event gives it an event of LoadPerf or Perflib, with its data, that it
explains in addition to the findings: --event 'perflib:1008 F3030000'.

The exit code is 0 if there are no findings or only notes, 1 for warnings or
errors, 2 if a file cannot be read (the others are still examined) or there is
none to read.

PATH may be a file, a directory, or - for standard input; files may be packed by
gzip or zstd. Files of other formats in a directory are skipped, and so are
transaction logs of the registry such as SYSTEM.LOG1, even if named.

-o json is one object:
  findings  [{"id", "severity", "file", "line", "subject", "message", "advice"}]
            severity is error, warning or note; line is null if the place is no
            line; subject then says what it is`,
		Example: `  perfdump doctor testdata/registration/mismatch
  perfdump doctor -o json testdata/registration/disabled`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &cmdutil.UsageError{Text: "doctor needs a file", Hint: "or better the folder that has all of the machine: perfdump doctor FOLDER"}
			}
			return cmdutil.StdinOnce(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, args) },
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	cmd.Flags().StringArrayVar(&o.Events, "event", nil, "also explain an `EVENT` of LoadPerf or Perflib with its data; may be repeated")
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options, paths []string) error {
	mode, err := perfdump.ParseMode(o.Mode)
	if err != nil {
		return &cmdutil.UsageError{Text: err.Error()}
	}
	heard, certain, err := events(o.Events)
	if err != nil {
		return err
	}
	var files registration.Files
	lo := registration.Options{Options: perfdump.Options{Mode: mode, CodePage: o.CodePage}, Language: o.Lang}
	args := slices.Concat(paths, o.Titles)
	captures, logs := 0, 0
	o.TakeForeign()
	failed := o.Each(ctx, o.Factory, args, func(in *detect.Input) error {
		if in.Format == detect.RegistryLog {
			logs++
			return nil
		}
		if !registration.Reads(in.Format) {
			return &formats.NoVerbError{Verb: "doctor", Format: in.Format}
		}
		if formats.Of(in.Format).Values {
			captures++
		}
		return files.Add(in, lo)
	})
	if logs > 0 {
		o.Note("skipped transaction logs of the registry: %d; the last changes may be in them and not in the hives", logs)
	}
	if ctx.Err() != nil || errors.Is(failed, cmdutil.ErrNoVerb) && len(files.Names())+len(heard) == 0 {
		return failed // nothing was examined
	}
	if failed == nil && len(files.Names()) == 0 {
		o.Report(strings.Join(args, ", "), nothingToCheck)
		failed = cmdutil.ErrInput
		if len(heard) == 0 {
			return failed
		}
	}
	if err := o.Beside(o.Factory, &files, lo); failed == nil {
		failed = err
	}
	found := files.Examine()
	explainEvents(found, certain)
	found = append(found, heard...)
	if err := write(cmdutil.Output(ctx, o.IO.Out), o, found, len(files.Names())); err != nil {
		return err
	}
	if n := len(files.Names()); n > 0 && n == captures {
		o.Note("captures alone do not say how counters are registered; add the .ini and .h, .reg files or hives, and perfc009.dat of their machine")
	}
	if failed != nil {
		return failed
	}
	if findings.Bad(found) {
		return cmdutil.ErrFindings
	}
	return nil
}

// nothingToCheck is the error if no path is a file that doctor reads.
var nothingToCheck = perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{},
	"no file to check; doctor reads .ini and .h files, perfc009.dat and other tables of names, PerfStringBackup.INI, .reg files, hives and captures")

// write writes the findings in the format of -o.
func write(w io.Writer, o *Options, found []registration.Finding, files int) error {
	p := table.NewPrinter(w, table.Options{Width: o.IO.Width(), Color: o.IO.Color()})
	switch {
	case o.Output == "json":
		p.JSON(map[string]any{"findings": findings.JSON(found)})
	case len(found) == 0 && files == 0: // nothing was examined
	case len(found) == 0:
		p.Line("nothing wrong in " + table.Plural(files, "file"))
	default:
		findings.Write(p, found)
		p.Line(findings.Total(found) + " in " + table.Plural(files, "file"))
	}
	return p.Flush()
}
