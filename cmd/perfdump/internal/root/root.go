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
	"github.com/perfdump/perfdump/cmd/perfdump/internal/analyze"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/check"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/comparelogs"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cook"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/diff"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/doctor"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/dump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/encode"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/explain"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/info"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/lake"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/lodctr"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/man"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/mcp"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/plot"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/report"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/titles"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/types"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/version"
	"github.com/perfdump/perfdump/internal/cell"
)

// Run runs a command line with the given streams and returns its exit code.
func Run(ctx context.Context, io *iostreams.IOStreams, args []string) int {
	return runWith(ctx, io, nil, args)
}

// runWith is Run with what opens inputs, nil for os.Open.
func runWith(ctx context.Context, io *iostreams.IOStreams, open func(string) (*os.File, error), args []string) int {
	styled := false // until the flags of the verb are known
	if io.StdoutTTY() {
		io.Out = cell.Screen(io.Out, func() bool { return styled })
	}
	out := cmdutil.Keep(io.Out)
	f := &cmdutil.Factory{ErrorsJSON: asksJSON(args), Budget: &cmdutil.Budget{}, Version: version.Text(), Open: open}
	io.Out = f.Budget.Writer(out)
	f.IO, f.Progress = cmdutil.NewProgress(io, time.Now)
	defer f.Progress.Clear()
	cmd := NewCmd(f, args...)
	cmd.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		cmdutil.RegisterCompletions(cmd)
	}
	begin := cmd.PersistentPreRunE
	cmd.PersistentPreRunE = func(verb *cobra.Command, args []string) error {
		err := begin(verb, args)
		styled = f.IO.Color() && isForReading(verb)
		return err
	}
	ran, err := cmd.ExecuteContextC(ctx)
	if lost := out.Err(); lost != nil && (err == nil || !cmdutil.ClosedPipe(lost)) {
		err = lost // more important than other errors
	}
	if large := f.Budget.Err(); large != nil {
		err = large // even if the verb went on
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

// verbs makes the verbs by their names. Only man and mcp are not here: they know all
// others.
var verbs = map[string]func(*cmdutil.Factory) *cobra.Command{
	"analyze":  analyze.NewCmd,
	"info":     info.NewCmd,
	"dump":     dump.NewCmd,
	"cook":     cook.NewCmd,
	"plot":     plot.NewCmd,
	"report":   report.NewCmd,
	"compare":  comparelogs.NewCmd,
	"lake":     lake.NewCmd,
	"hexdump":  hexdump.NewCmd,
	"check":    check.NewCmd,
	"diff":     diff.NewCmd,
	"encode":   encode.NewCmd,
	"titles":   titles.NewCmd,
	"types":    types.NewCmd,
	"lodctr":   lodctr.NewCmd,
	"unlodctr": lodctr.NewUnloadCmd,
	"doctor":   doctor.NewCmd,
	"explain":  explain.NewCmd,
	"version":  version.NewCmd,
}

// NewCmd returns the command with the verb that args begin with, or with all where
// they do not: a verb does not wait for the flags of the others.
func NewCmd(f *cmdutil.Factory, args ...string) *cobra.Command {
	var color, errorsAs string
	var showVersion bool // cobra's own flag would link text/template
	cmd := &cobra.Command{
		Use:   "perfdump VERB",
		Short: "Read Windows performance data away from Windows",
		Long: `Perfdump reads performance data of Windows on any system: binary and text logs,
buffers of HKEY_PERFORMANCE_DATA, the counters in the memory of .NET processes
and in dumps of them, and the files that register and name counters. Errors say
where the fault is.

"perfdump FILE" shows what was wrong with the machine that a log is of, and what
any other file is. For a log, analyze, cook, plot and report say more; for any
file, check says what is wrong with it, and dump what is in it. If counters are
missing, doctor says why.`,
		Example: `  perfdump testdata/story/srv-sql-01.blg.gz
  perfdump info testdata/captures testdata/blg
  perfdump cook --summary -c '\PhysicalDisk(*)\*' testdata/story/srv-sql-01.blg.gz
  perfdump dump testdata/captures/sys-238-x86_64-1.bin
  perfdump check testdata/captures/inst-x86_64-1.bin
  perfdump doctor testdata/registration/mismatch`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if showVersion {
				return nil
			}
			return unknownVerb(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if showVersion {
				_, err := fmt.Fprintln(f.IO.Out, version.Line())
				return err
			}
			if len(args) == 0 {
				return cmd.Help()
			}
			return overview(cmd.Context(), f, args)
		},
		PersistentPreRunE: func(verb *cobra.Command, _ []string) error {
			if w := verb.Flags().Lookup("write"); w != nil && (w.Value.String() == "-" || w.Value.String() == "/dev/stdout") {
				_ = w.Value.Set(w.DefValue) // standard output, for every verb
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
	cmd.SetUsageFunc(usage)
	cmd.Flags().BoolVarP(&showVersion, "version", "v", false, "version for perfdump")
	cmd.SetFlagErrorFunc(flagError)
	cmd.SuggestionsMinimumDistance = 2
	cmd.CompletionOptions.HiddenDefaultCmd = false
	persistent(cmd, &color, "color", "auto", "colour the output", "auto", "always", "never")
	persistent(cmd, &errorsAs, "errors", "text", "write errors for people or as JSON, an object a line", "text", "json")
	if len(args) > 0 && verbs[args[0]] != nil {
		cmd.CompletionOptions.DisableDefaultCmd = true
		cmd.AddCommand(verbs[args[0]](f))
		return cmd
	}
	for _, verb := range verbs {
		cmd.AddCommand(verb(f))
	}
	cmd.AddCommand(
		man.NewCmd(f),
		mcp.NewCmd(f, runWith),
		&cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: aboutExitCodes},
		&cobra.Command{Use: "formats", Short: "Which formats there are and what reads them", Long: aboutFormats},
		&cobra.Command{Use: "paths", Short: "How counters are named, with wildcards", Long: aboutPaths},
		&cobra.Command{Use: "derive", Short: "How to compute metrics that no counter has", Long: aboutDerive()},
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

// unknownVerb checks the arguments of perfdump itself, which are not a verb.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "-" {
		return nil
	}
	_, err := os.Stat(args[0])
	if err == nil {
		return nil
	}
	if strings.ContainsAny(args[0], `./\\`) {
		return cmdutil.Usagef("no such file: %s", args[0])
	}
	e := cmdutil.Usagef("unknown verb %q", args[0])
	verbs := names(cmd, (*cobra.Command).IsAvailableCommand)
	if near, ok := cmdutil.Nearest(args[0], verbs); ok {
		e.Hint = "did you mean " + near + "?"
	} else {
		e.Hint = "the verbs are: " + strings.Join(verbs, ", ")
	}
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, args[0]) { // what other programs call it
			e.Hint = "the verb for that is " + c.Name()
		}
	}
	return e
}

// names returns those of the commands below cmd that are such.
func names(cmd *cobra.Command, such func(*cobra.Command) bool) []string {
	var all []string
	for _, c := range cmd.Commands() {
		if such(c) {
			all = append(all, c.Name())
		}
	}
	return all
}

// expected are the values that flags take, by their types: what the parsers of
// these say is not for people.
var expected = map[string]string{
	"int":      "a whole number",
	"uint32":   "a whole number, not below 0",
	"duration": "a duration such as 10s or 5m",
}

// flagError makes an error of a flag one of usage, with the flag that was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 {
		return unknownVerb(cmd, args)
	}
	e := &cmdutil.UsageError{Text: place(cmd) + err.Error(), Hint: "see " + cmd.CommandPath() + " --help"}
	isFile := func(name string) bool {
		_, err := os.Stat(name)
		if err == nil {
			e.Hint = "the file is ./" + name
		}
		return err == nil
	}
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		value, flag := invalid.GetValue(), invalid.GetFlag()
		if want := expected[flag.Value.Type()]; want != "" {
			e.Text = strings.Replace(e.Text, invalid.Unwrap().Error(), "expected "+want, 1)
		}
		if flag.Name != "output" || isFile("-o"+value) {
			break
		}
		for _, verb := range []string{"cook", "dump"} { // which may have a form that cmd does not
			f := verbs[verb](&cmdutil.Factory{}).Flags().Lookup("output")
			if slices.Contains(strings.Split(f.Value.Type(), "|"), value) {
				e.Hint = "there is perfdump " + verb + " -o " + value
				break
			}
		}
	case errors.As(err, &unknown):
		name, file := unknown.GetSpecifiedName(), "-"+unknown.GetSpecifiedShortnames()
		if len(file) > 1 && isFile(file) {
			break
		}
		if name == "o" || name == "output" {
			e.Hint = cmd.Name() + " has one form of output"
			if cmd.Flags().Lookup("write") != nil {
				e.Hint += "; -w FILE writes it to a file"
			}
			break
		}
		var flags []string
		add := func(f *pflag.Flag) { flags = append(flags, f.Name) }
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if near, ok := cmdutil.Nearest(name, flags); ok {
			e.Hint = "did you mean --" + near + "?"
		}
	}
	return e
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
		fe = &perfdump.FormatError{Code: perfdump.CodeLimit}
	case errors.Is(err, cmdutil.ErrOutput):
		fe = &perfdump.FormatError{Code: perfdump.CodeIO}
	case errors.As(err, &usage):
	case errors.As(err, &fe): // of a file that a flag names
	default:
		// All else is what cobra says about the arguments.
		usage = &cmdutil.UsageError{Text: place(ran) + err.Error(), Hint: "see " + ran.CommandPath() + " --help"}
	}
	if fe != nil {
		failure(f, fe.Code, err.Error())
		return cmdutil.ExitInput
	}
	text := usage.Text
	if usage.Hint != "" {
		text += "; " + usage.Hint
	}
	failure(f, perfdump.CodeSyntax, text)
	return cmdutil.ExitUsage
}

// failure reports an error that is not of an input.
func failure(f *cmdutil.Factory, code perfdump.Code, text string) {
	if f.ErrorsJSON {
		f.Report("", &perfdump.FormatError{Code: code, Off: -1, Err: errors.New(text)})
		return
	}
	_, _ = fmt.Fprintln(f.IO.ErrOut, "perfdump:", cell.Clean(text))
}
