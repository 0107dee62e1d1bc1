// Package doctor is the verb that says why counters are missing.
package doctor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/cmd/findings"
	"github.com/perfdump/perfdump/lodctr"
)

// Options are the flags of doctor.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Files  []string
	Events []string
	Output string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "doctor PATH...",
		Short: "Say why counters are missing, and what to do",
		Long: `Doctor checks files of one machine against each other: .ini and .h files, tables
of names (perfc009.dat), PerfStringBackup.INI, .reg files, hives, captures, in
any mix. Each finding has an id, a severity, its place, what it means and what
to do; docs/doctor.md lists them all. Of an .ini file the symbol file is looked
for in its folder.

--event gives it an event of LoadPerf or Perflib, with its data, that it
explains beside the findings: --event 'perflib:1008 F3030000'.

It exits with 0 where nothing is wrong or there are notes alone, 1 for warnings
or errors, 2 where a file cannot be read, or where there is none that it reads;
the others are examined all the same.

PATH may be a file, a directory, or - for standard input; files may be packed by
gzip or zstd. Files of other formats in a directory are passed over, and so are
transaction logs of the registry, such as SYSTEM.LOG1, wherever they are named.

-o json is one object:
  findings  [{"id", "severity", "file", "line", "subject", "message", "advice"}]
            severity is error, warning or note; line is null where the place is
            no line, subject says what it is then`,
		Example: `  perfdump doctor testdata/registration/mismatch
  perfdump doctor -o json testdata/registration/disabled`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &cmdutil.UsageError{Text: "doctor needs a file", Hint: "or better the folder that has all of the machine: perfdump doctor FOLDER"}
			}
			return cmdutil.StdinOnce(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	cmd.Flags().StringArrayVar(&o.Events, "event", nil, "explain an `EVENT` of LoadPerf or Perflib with its data too; may be repeated")
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	mode, err := perfdump.ParseMode(o.Mode)
	if err != nil {
		return &cmdutil.UsageError{Text: err.Error()}
	}
	heard, certain, err := events(o.Events)
	if err != nil {
		return err
	}
	var files lodctr.Files
	lo := lodctr.Options{Mode: mode, CodePage: o.CodePage, Language: o.Lang}
	args := append(append([]string(nil), o.Files...), o.Titles...)
	captures, logs := 0, 0
	o.TakeForeign()
	told := o.Each(ctx, o.Factory, args, func(in *detect.Input) error {
		if in.Format == detect.RegistryLog {
			logs++
			return nil
		}
		if !lodctr.Reads(in.Format) {
			return &cmdutil.NoVerbError{Verb: "doctor", Format: in.Format}
		}
		if in.Format == detect.PerfData || in.Format == detect.BLG {
			captures++
		}
		return files.Add(in, lo)
	})
	if logs > 0 {
		o.Note("transaction logs of the registry passed over: %d; what was written last may be in them and not in the hives", logs)
	}
	if ctx.Err() != nil || errors.Is(told, cmdutil.ErrNoVerb) && len(files.Names())+len(heard) == 0 {
		return told // nothing was examined
	}
	if told == nil && len(files.Names()) == 0 {
		o.Report(strings.Join(args, ", "), nothingToCheck)
		told = cmdutil.ErrInput
		if len(heard) == 0 {
			return told
		}
	}
	if err := o.Beside(o.Factory, &files, lo); told == nil {
		told = err
	}
	found := files.Examine()
	tellEvents(found, certain)
	found = append(found, heard...)
	if err := write(cmdutil.Output(ctx, o.IO.Out), o, found, len(files.Names())); err != nil {
		return err
	}
	if n := len(files.Names()); n > 0 && n == captures {
		o.Note("captures alone do not say how counters are registered: give their machine's .ini and .h, .reg files or hives, and perfc009.dat too")
	}
	if told != nil {
		return told
	}
	if findings.Bad(found) {
		return cmdutil.ErrFindings
	}
	return nil
}

// nothingToCheck is the error of paths without any file that doctor reads.
var nothingToCheck = perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{},
	"no file to check; doctor reads .ini and .h files, perfc009.dat and other tables of names, PerfStringBackup.INI, .reg files, hives and captures")

// write writes the findings as -o wants them.
func write(w io.Writer, o *Options, found []lodctr.Finding, files int) error {
	b := bufio.NewWriter(w)
	switch {
	case o.Output == "json":
		_, _ = b.Write(append(findings.AppendJSON([]byte(`{"findings":`), found), '}', '\n'))
	case len(found) == 0 && files == 0: // there was nothing to examine
	case len(found) == 0:
		_, _ = fmt.Fprintf(b, "nothing wrong in %s\n", count(files))
	default:
		findings.WriteTable(b, o.IO, found)
		_, _ = fmt.Fprintf(b, "%s in %s\n", findings.Total(found), count(files))
	}
	return b.Flush()
}

func count(files int) string {
	if files == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", files)
}
