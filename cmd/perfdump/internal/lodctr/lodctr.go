// Package lodctr is the verbs that load and unload the counters of a driver
// away from Windows.
package lodctr

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/findings"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/titles"
)

// Options holds the flags of lodctr and unlodctr.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	File         string // of lodctr
	Driver       string // of unlodctr
	Registry     []string
	FirstCounter uint32
	Output       string
	Dir          string
}

const planHelp = `
The database is what --titles and --reg name: tables of names (perfc009.dat, or
the value "Counter 009" as a file), PerfStringBackup.INI, .reg files of Perflib
and of the services, hives. A hive gives a plan only.

Without -w it prints a plan: the range, the objects, the texts of each language.
With -w DIR it writes the files that change into DIR, under the same names: each
is the given file with only these changes. An input is overwritten only if DIR
is its folder.

Keys of -o json:
  driver_name, first_counter, last_counter, first_help, last_help, object_list
  entries   [{"symbol", "offset", "language", "counter_index", "name",
            "help_index", "help"}]; name or help is null if there is none
  findings  as perfdump doctor has them
`

// NewCmd returns the command lodctr.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := o.newCmd(&o.File, "one .ini file", "perfdump lodctr FILE.ini --titles perfc009.dat --reg services.reg")
	cmd.Use = "lodctr FILE.ini"
	cmd.Short = "Load the counters of an .ini file, as a plan or into files"
	cmd.Long = `Lodctr does what lodctr of Windows does, on files: it gives the objects and
counters of an .ini file their indexes. The symbol file is looked for in the
folder of the .ini.

The first index is that of --first-counter, else two above Last Counter of
Perflib, else two above the highest of the tables, rounded up to an even number.
Texts in languages that the tables do not have are left out.
` + planHelp + `
The exit code is 1 if the findings have errors or warnings, or if the driver is
loaded already: then nothing is done.`
	cmd.Example = `  perfdump lodctr testdata/registration/sound/net.ini
  perfdump lodctr testdata/registration/sound/net.ini --first-counter 15266 -o json`
	cmd.Flags().Uint32Var(&o.FirstCounter, "first-counter", 0, "begin at the index `N`, an even number from 1848 on")
	return cmd
}

// NewUnloadCmd returns the command unlodctr.
func NewUnloadCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := o.newCmd(&o.Driver, "the name of a driver", "perfdump unlodctr DRIVER --titles perfc009.dat --reg services.reg")
	cmd.Use = "unlodctr DRIVER"
	cmd.Short = "Unload the counters of a driver, as a plan or from files"
	cmd.Long = `Unlodctr does what unlodctr of Windows does, on files: it removes the texts of a
driver from every language, and the values of its range and Object List from its
key. Last Counter of Perflib goes down only if the range was the last one.
Library, Open, Collect and Close stay.
` + planHelp + `
The exit code is 1 if the driver is not registered: then nothing is done.`
	cmd.Example = `  perfdump unlodctr App --reg testdata/registration/sound/machine.reg`
	return cmd
}

// newCmd returns a command that takes one argument.
func (o *Options) newCmd(arg *string, needs, hint string) *cobra.Command {
	cmd := &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &cmdutil.UsageError{Text: cmd.Name() + " needs " + needs, Hint: hint}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			*arg = args[0]
			if cmd.Name() == "unlodctr" && len(o.Registry)+len(o.Titles) == 0 {
				return &cmdutil.UsageError{Text: "unlodctr needs a database", Hint: "give it by --reg and --titles"}
			}
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Registry, "reg", nil, "a `FILE` of the registry: .reg, hive, or PerfStringBackup.INI; may be repeated")
	flags.StringVarP(&o.Dir, "write", "w", "", "write the files that change into `DIR`")
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	mode, err := perfdump.ParseMode(o.Mode)
	if err != nil {
		return &cmdutil.UsageError{Text: err.Error()}
	}
	if n := o.FirstCounter; n != 0 && (n%2 != 0 || n <= titles.LastBase) {
		return cmdutil.Usagef("--first-counter %d: use an even number from %d on", n, titles.LastBase+1)
	}
	var files registration.Files
	lo := registration.Options{Options: perfdump.Options{Mode: mode, CodePage: o.CodePage}, Language: o.Lang}
	if o.File != "" {
		if err := o.addINI(&files, lo); err != nil {
			return err
		}
	}
	args := slices.Concat(o.Registry, o.Titles)
	packed := map[string]bool{}
	if len(args) > 0 {
		err := o.Each(ctx, o.Factory, args, func(in *detect.Input) error {
			if !formats.Of(in.Format).Database {
				return &formats.NoVerbError{Verb: "lodctr", Format: in.Format}
			}
			packed[in.Name] = in.Packed != ""
			return files.Add(in, lo)
		})
		if err != nil {
			return err // a plan on half a database would be wrong
		}
	}
	plan, err := o.plan(&files)
	if err != nil {
		return err
	}
	if o.Dir != "" {
		edited, err := files.Apply(plan)
		if err != nil {
			return o.refuse(err)
		}
		if err := o.save(edited, args, packed); err != nil {
			return err
		}
	}
	if err := write(cmdutil.Output(ctx, o.IO.Out), o, plan); err != nil {
		return err
	}
	if findings.Bad(plan.Findings) {
		return cmdutil.ErrFindings
	}
	return nil
}

// addINI adds the .ini and its symbol file.
func (o *Options) addINI(files *registration.Files, lo registration.Options) error {
	do, err := o.Detect(o.Factory)
	if err != nil {
		return err
	}
	do.Format = detect.INIFile
	in, err := detect.Open(o.File, do)
	if err == nil {
		if format, other := o.other(in.Data); other {
			none := &formats.NoVerbError{Verb: "lodctr", Format: format}
			o.Report(o.File, &perfdump.FormatError{Code: perfdump.CodeUnknownFormat, Off: -1, Err: none})
			return cmdutil.ErrNoVerb
		}
		if err = files.Add(in, lo); len(in.Data) == 0 {
			err = cmdutil.Empty()
		}
	}
	if err != nil {
		o.Report(o.File, err)
		return cmdutil.ErrInput
	}
	return o.Beside(o.Factory, files, lo)
}

// other returns the format of what is known not to be an .ini file. What looks
// like no format may still be one.
func (o *Options) other(b []byte) (format detect.Format, ok bool) {
	named := detect.Format(o.Format)
	if named == detect.INIFile {
		return named, false
	}
	if format, ok = detect.Sniff(b[:min(len(b), detect.HeadSize)], int64(len(b))); ok {
		return format, format != detect.INIFile
	}
	return named, named != "" && !formats.Of(named).Database // which --format may be meant for
}

// refuse reports an error of the plan.
func (o *Options) refuse(err error) error {
	if errors.Is(err, perfdump.ErrReadOnly) {
		return &cmdutil.UsageError{Text: err.Error(), Hint: "leave out -w for the plan"}
	}
	o.Report(cmp.Or(o.File, o.Driver), &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: err})
	return cmdutil.ErrInput
}

func (o *Options) plan(files *registration.Files) (plan *registration.Plan, err error) {
	if o.File != "" {
		plan, err = files.Load(o.File, o.FirstCounter)
	} else {
		plan, err = files.Unload(o.Driver)
	}
	if err != nil {
		o.Report(cmp.Or(o.File, o.Driver), err)
		return nil, cmdutil.ErrInput
	}
	return plan, nil
}
