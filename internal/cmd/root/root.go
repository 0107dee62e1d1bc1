// Package root is the command perfdump itself: it knows the verbs, and turns
// what they return into exit codes.
package root

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/cmd/check"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/cmd/cook"
	"github.com/perfdump/perfdump/internal/cmd/diff"
	"github.com/perfdump/perfdump/internal/cmd/doctor"
	"github.com/perfdump/perfdump/internal/cmd/dump"
	"github.com/perfdump/perfdump/internal/cmd/encode"
	"github.com/perfdump/perfdump/internal/cmd/explain"
	"github.com/perfdump/perfdump/internal/cmd/hexdump"
	"github.com/perfdump/perfdump/internal/cmd/info"
	"github.com/perfdump/perfdump/internal/cmd/lodctr"
	"github.com/perfdump/perfdump/internal/cmd/man"
	"github.com/perfdump/perfdump/internal/cmd/plot"
	"github.com/perfdump/perfdump/internal/cmd/report"
	"github.com/perfdump/perfdump/internal/cmd/titles"
	"github.com/perfdump/perfdump/internal/cmd/types"
	"github.com/perfdump/perfdump/internal/cmd/version"
	"github.com/perfdump/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// Run runs a command line with the given streams and returns its exit code.
func Run(ctx context.Context, io *iostreams.IOStreams, args []string) int {
	styled := false // until the flags of the verb are known
	if io.StdoutTTY() {
		io.Out = cell.Screen(io.Out, func() bool { return styled })
	}
	out := cmdutil.Keep(io.Out)
	f := &cmdutil.Factory{ErrorsJSON: asksJSON(args), Budget: &cmdutil.Budget{}}
	io.Out = f.Budget.Writer(out)
	f.IO, f.Progress = cmdutil.NewProgress(io, time.Now)
	defer f.Progress.Clear()
	cmd := NewCmd(f)
	cmd.SetArgs(args)
	begin := cmd.PersistentPreRunE
	cmd.PersistentPreRunE = func(verb *cobra.Command, args []string) error {
		err := begin(verb, args)
		styled = f.IO.Color() && isForReading(verb)
		return err
	}
	ran, err := cmd.ExecuteContextC(ctx)
	if lost := out.Err(); lost != nil && (err == nil || !cmdutil.ClosedPipe(lost)) {
		err = lost // whatever else there is to say
	}
	if large := f.Budget.Err(); large != nil {
		err = large // even where the verb goes on
	}
	return exitCode(ctx, f, ran, err)
}

// isForReading reports whether a verb writes its own form of output, in which
// names are clean and headings bold, and not one that programs read.
func isForReading(verb *cobra.Command) bool {
	form := verb.Flags().Lookup("output")
	return form == nil || form.Value.String() == form.DefValue
}

// asksJSON reports whether errors are wanted as JSON, for those of the flags
// themselves, after which no flag counts any more.
func asksJSON(args []string) bool {
	for i, arg := range args {
		switch {
		case arg == "--":
			return false
		case arg == "--errors=json", arg == "--errors" && i+1 < len(args) && args[i+1] == "json":
			return true
		}
	}
	return false
}

// NewCmd returns the command with all its verbs.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	var color, errorsAs string
	cmd := &cobra.Command{
		Use:   "perfdump VERB",
		Short: "Read Windows performance data away from Windows",
		Long: `Perfdump reads what the performance counters of Windows leave behind: binary and
text logs, buffers of HKEY_PERFORMANCE_DATA, the counters in the memory of .NET
processes and in dumps of them, and the files that register counters and name
them. It needs no Windows, and says of what it cannot read where the fault is.

A file of which nothing is known yet: info says what it is, check what is wrong
with it, dump what is in it. A log: cook and report show its values over time.
Counters that are missing: doctor.`,
		Example: `  perfdump info testdata/captures testdata/blg
  perfdump cook testdata/blg/small.blg
  perfdump dump testdata/captures/sys-238-x86_64-1.bin
  perfdump check testdata/captures/inst-x86_64-1.bin
  perfdump doctor testdata/registration/mismatch`,
		Version:       version.Line(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(verb *cobra.Command, _ []string) error {
			if w := verb.Flags().Lookup("write"); w != nil && (w.Value.String() == "-" || w.Value.String() == "/dev/stdout") {
				_ = w.Value.Set(w.DefValue) // standard output, whatever the verb
			}
			f.ErrorsJSON = errorsAs == "json"
			if err := f.IO.SetColor(iostreams.Color(color)); err != nil {
				return cmdutil.Usagef("--color: %v", err)
			}
			return nil
		},
	}
	cmd.SetIn(f.IO.In)
	cmd.SetOut(f.IO.Out)
	cmd.SetErr(f.IO.ErrOut)
	cmd.SetUsageTemplate(usageTemplate)
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.SetFlagErrorFunc(flagError)
	cmd.SuggestionsMinimumDistance = 2
	cmd.CompletionOptions.HiddenDefaultCmd = false
	persistent(cmd, &color, "color", "auto", "colour the output", "auto", "always", "never")
	persistent(cmd, &errorsAs, "errors", "text", "write errors for people or as JSON, an object a line", "text", "json")
	cmd.AddCommand(
		info.NewCmd(f, nil),
		dump.NewCmd(f, nil),
		cook.NewCmd(f, nil),
		plot.NewCmd(f, nil),
		report.NewCmd(f, nil),
		hexdump.NewCmd(f, nil),
		check.NewCmd(f, nil),
		diff.NewCmd(f, nil),
		encode.NewCmd(f, nil),
		titles.NewCmd(f, nil),
		types.NewCmd(f, nil),
		lodctr.NewCmd(f, nil),
		lodctr.NewUnloadCmd(f, nil),
		doctor.NewCmd(f, nil),
		explain.NewCmd(f, nil),
		man.NewCmd(f, nil),
		version.NewCmd(f, nil),
		exitCodes(),
		formats(),
		paths(),
		derived(),
	)
	cmd.SetHelpCommand(help(cmd))
	cmd.InitDefaultCompletionCmd()
	if completion, _, err := cmd.Find([]string{"completion"}); err == nil {
		// Without this a shell that it does not know would be no error.
		completion.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	return cmd
}

// persistent registers a flag of all verbs.
func persistent(cmd *cobra.Command, p *string, name, value, usage string, words ...string) {
	var holder cobra.Command
	cmdutil.Choice(&holder, p, name, "", value, usage, words...)
	cmd.PersistentFlags().AddFlag(holder.Flags().Lookup(name))
}

// unknownVerb is the check of the arguments of perfdump itself, which are no
// verb.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	e := cmdutil.Usagef("unknown verb %q", args[0])
	var verbs []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
		if slices.Contains(c.SuggestFor, args[0]) { // what other programs call it
			e.Hint = "the verb for that is " + c.Name()
			return e
		}
	}
	if near, ok := cmdutil.Nearest(args[0], verbs); ok {
		e.Hint = "did you mean " + near + "?"
	} else if _, err := os.Stat(args[0]); err == nil {
		e.Hint = "to see what is in the file: perfdump dump " + args[0]
	} else {
		e.Hint = "the verbs are: " + strings.Join(verbs, ", ")
	}
	return e
}

// flagError makes an error of a flag one of usage, with the flag that was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	e := &cmdutil.UsageError{Text: place(cmd) + err.Error(), Hint: "see " + cmd.CommandPath() + " --help"}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if invalid.GetFlag().Name == "output" {
			hintOutput(e, cmd, invalid.GetValue())
		} else if want, ok := wanted[invalid.GetFlag().Value.Type()]; ok {
			e.Text = strings.Replace(e.Text, invalid.Unwrap().Error(), "want "+want, 1)
		}
		return e
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return e
	}
	if file := "-" + unknown.GetSpecifiedShortnames(); len(file) > 1 {
		if _, err := os.Stat(file); err == nil {
			e.Hint = "the file is ./" + file
			return e
		}
	}
	if name := unknown.GetSpecifiedName(); name == "o" || name == "output" {
		e.Hint = cmd.Name() + " has one form of output"
		if cmd.Flags().Lookup("write") != nil {
			e.Hint += "; -w FILE writes it to a file"
		}
		return e
	}
	var flags []string
	add := func(f *pflag.Flag) { flags = append(flags, f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	if near, ok := cmdutil.Nearest(unknown.GetSpecifiedName(), flags); ok {
		e.Hint = "did you mean --" + near + "?"
	}
	return e
}

// wanted are the values that flags take, by their types: what the parsers of
// these say is not for people.
var wanted = map[string]string{
	"int":      "a whole number",
	"uint32":   "a whole number, not below 0",
	"duration": "a duration such as 10s or 5m",
}

// hintOutput says which verb shows captures in a form that cmd has not, or that
// what looks like one is a file.
func hintOutput(e *cmdutil.UsageError, cmd *cobra.Command, value string) {
	if _, err := os.Stat("-o" + value); err == nil {
		e.Hint = "the file is ./-o" + value
		return
	}
	for _, c := range cmd.Root().Commands() {
		f := c.Flags().Lookup("output")
		if (c.Name() == "dump" || c.Name() == "cook") && slices.Contains(strings.Split(f.Value.Type(), "|"), value) {
			e.Hint = "there is perfdump " + c.Name() + " -o " + value
			return
		}
	}
}

// place returns the verb that an error belongs to, as a message begins.
func place(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return cmd.Name() + ": "
}

// exitCode reports what is left to report of an error.
func exitCode(ctx context.Context, f *cmdutil.Factory, ran *cobra.Command, err error) int {
	var usage *cmdutil.UsageError
	var fe *perfdump.FormatError
	switch {
	case err == nil:
		return cmdutil.ExitOK
	case ctx.Err() != nil:
		f.Note("interrupted")
		return cmdutil.ExitInterrupted
	case cmdutil.ClosedPipe(err):
		return cmdutil.ExitOK
	case errors.Is(err, cmdutil.ErrFindings):
		return cmdutil.ExitFindings
	case errors.Is(err, cmdutil.ErrInput):
		return cmdutil.ExitInput
	case errors.Is(err, cmdutil.ErrNoVerb):
		return cmdutil.ExitUsage
	case errors.Is(err, cmdutil.ErrTooLarge):
		failure(f, perfdump.CodeLimit, err.Error())
		return cmdutil.ExitInput
	case errors.Is(err, cmdutil.ErrOutput):
		failure(f, perfdump.CodeIO, err.Error())
		return cmdutil.ExitInput
	case errors.As(err, &usage):
	case errors.As(err, &fe): // of a file that a flag names
		failure(f, fe.Code, err.Error())
		return cmdutil.ExitInput
	default:
		// All else is what cobra has to say about the arguments.
		usage = &cmdutil.UsageError{Text: place(ran) + err.Error(), Hint: "see " + ran.CommandPath() + " --help"}
	}
	text := usage.Text
	if usage.Hint != "" {
		text += "; " + usage.Hint
	}
	failure(f, perfdump.CodeSyntax, text)
	return cmdutil.ExitUsage
}

// failure tells of an error that is not of an input.
func failure(f *cmdutil.Factory, code perfdump.Code, text string) {
	if f.ErrorsJSON {
		f.Report("", &perfdump.FormatError{Code: code, Off: -1, Err: errors.New(text)})
		return
	}
	_, _ = fmt.Fprintln(f.IO.ErrOut, "perfdump:", cell.Clean(text))
}
