// Package analyze is the verb that says what was wrong with a machine.
package analyze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/pal"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/report"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/vitals"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// Options holds the flags of analyze.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Files     []string
	Output    string
	Write     string
	Rules     []string
	NoBuiltin bool
	Disable   []string
	Facts     []string
	Print     bool
	FailOn    string

	overview bool // without a verb
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd, _ := newCmd(f)
	return cmd
}

func newCmd(f *cmdutil.Factory) (*cobra.Command, *Options) {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "analyze FILE...",
		Short:      "Say what was wrong with the machine, and when",
		SuggestFor: []string{"pal", "analyse", "findings"},
		Long: `Analyze checks a recording by rules and lists what was wrong with the machine:
each finding with its times, the worst value, what it means, who was at work
then, and what to look at next. Above the findings are the vital signs:
processors, memory, disks, network. "perfdump FILE" is short for it.

Findings of one thing (a disk, its volume and _Total) are one. What is wrong
with the recording itself is listed apart: gaps, restarts, missing values.

A rule checks samples, "for 3 samples" means three in a row. PAL, whose files
--rules reads too, cuts the time into slices and compares the min, average and
max of each. Only comparisons with a constant are taken from a file of PAL;
thresholds that are programs are not run. --print-rules lists them.

--rules adds rules from a file; one with the name of a built-in rule replaces
it. docs/analyze.md has the form of the file. Rules whose counters were not
recorded are skipped, and so are those that need a fact that is not known.

` + cmdutil.PeriodHelp + `

Keys of -o json: machines, an object each with machine, start, end, utc_offset,
findings, checked, skipped, quality; of one machine these are also at the top.
jsonl has an object a line for each machine. Exit code 0, also with findings,
unless --fail-on asks for 1.`,
		Example: `  # What was wrong with this server?
  perfdump analyze testdata/story/srv-sql-01.blg.gz

  # The built-in rules for disks, to change and to use with --rules
  perfdump analyze --print-rules | grep -A 9 '^.disk-read-slow'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if len(args) == 0 && !o.Print {
				return cmdutil.AtLeastOneFile(cmd, args)
			}
			if err := cmdutil.Promised(cmd, o.Write); err != nil {
				return err
			}
			if o.Write != "" {
				return o.ToFile(o.Write, o.Read(o.Files), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write; html is what report writes", "table", "json", "jsonl", "html")
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, instead of to standard output")
	flags.StringArrayVar(&o.Rules, "rules", nil, "add the rules of a `FILE`, or of a threshold file of PAL (.xml); may be repeated")
	flags.BoolVar(&o.NoBuiltin, "no-builtin", false, "without the built-in rules")
	flags.StringSliceVar(&o.Disable, "disable", nil, "leave out these `RULES`")
	flags.StringArrayVar(&o.Facts, "fact", nil, "what the recording does not say: `NAME=VALUE`, as ram=16GB or cpus=4; may be repeated")
	flags.BoolVar(&o.Print, "print-rules", false, "write the rules instead of checking them")
	cmdutil.Choice(cmd, &o.FailOn, "fail-on", "", "", "exit with 1 if there is a finding of this severity or worse", "warning", "critical")
	o.AddFlags(cmd)
	return cmd, o
}

// Overview shows files without a verb. It returns those that are no recording.
func Overview(ctx context.Context, f *cmdutil.Factory, files []string) (others []string, err error) {
	cmd, o := newCmd(f)
	cmd.SetContext(ctx)
	o.Other = func(file string) { others = append(others, file) }
	o.overview = true
	err = cmd.RunE(cmd, files)
	if errors.Is(err, errOneMoment) {
		return files, nil
	}
	return others, err
}

// errOneMoment says that files hold one moment, which is no recording.
var errOneMoment = errors.New("one moment")

func run(ctx context.Context, o *Options) error {
	rules, notes, err := o.rules()
	if err != nil {
		return err
	}
	if o.Print {
		p := table.NewPrinter(cmdutil.Output(ctx, o.IO.Out), table.Options{})
		for _, note := range notes {
			p.Line("# " + note)
		}
		p.Raw(rules.String())
		return p.Flush()
	}
	for _, note := range notes {
		o.Note("%s", note)
	}
	facts, err := o.facts()
	if err != nil {
		return err
	}
	if o.Output == "html" {
		return report.Run(ctx, &report.Options{Factory: o.Factory, Cooking: o.Cooking, Files: o.Files, Rules: rules, Facts: facts, Fails: o.fails})
	}
	return o.Show(ctx, o.Factory, "analyze", o.Files, capture.CookOptions{Kept: analyze.Kept}, func(r *cmdutil.Recording) error {
		a, signs := analyze.New(rules, facts), &vitals.Watch{}
		frames, cells := 0, 0
		for f, err := range r.Frames(ctx) {
			if err != nil {
				return err
			}
			a.Add(f)
			if o.Output == "table" {
				signs.Add(f)
			}
			frames++
			cells += len(f.Cells)
		}
		if o.overview && frames < 2 && r.Err() == nil {
			return errOneMoment
		}
		if r.Err() != nil && o.FailFast {
			return r.Err()
		}
		if err := r.Advise(ctx, frames, cells); err != nil {
			return err
		}
		reports := a.Reports()
		if err := o.write(ctx, reports, signs); err != nil {
			return err
		}
		if o.fails(reports) && r.Err() == nil {
			return cmdutil.ErrFindings
		}
		return r.Err()
	})
}

// rules returns the rules that are checked, and what there is to say about their
// files.
func (o *Options) rules() (rules *analyze.Rules, notes []string, err error) {
	rules = &analyze.Rules{}
	if !o.NoBuiltin {
		rules = analyze.BuiltIn()
	}
	for _, name := range o.Rules {
		more, said, err := o.file(name)
		if err != nil {
			return nil, nil, err
		}
		rules.Add(more)
		notes = append(notes, said...)
	}
	for _, name := range o.Disable {
		if !rules.Remove(name) {
			return nil, nil, &cmdutil.UsageError{Text: "--disable " + name + ": there is no such rule", Hint: "perfdump analyze --print-rules lists them"}
		}
	}
	return rules, notes, nil
}

// file reads a file of --rules.
func (o *Options) file(name string) (rules *analyze.Rules, notes []string, err error) {
	b, err := cmdutil.ReadWords("--rules", name)
	if err != nil {
		return nil, nil, err
	}
	if text := bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))); !bytes.HasPrefix(text, []byte("<")) {
		if rules, err = analyze.Parse(b, perfdump.Options{CodePage: o.CodePage}); err != nil {
			return nil, nil, &cmdutil.UsageError{Text: "--rules " + cmdutil.FileName(name) + ": " + err.Error(), Hint: "perfdump analyze --print-rules shows the form"}
		}
		return rules, nil, nil
	}
	r, err := pal.Parse(name, b, func(other string) ([]byte, error) {
		beside := filepath.Join(filepath.Dir(name), other)
		if _, err := os.Stat(beside); err != nil {
			return nil, fs.ErrNotExist
		}
		return cmdutil.ReadWords("--rules", beside)
	})
	if err != nil {
		return nil, nil, cmdutil.Usagef("--rules %s: %v", cmdutil.FileName(name), err)
	}
	for _, note := range r.Notes {
		notes = append(notes, cmdutil.FileName(name)+": "+note)
	}
	if n := len(r.Left); n > 0 && !o.Print {
		notes = append(notes, fmt.Sprintf("%s: %s taken, %d thresholds are programs or computed and are not run; --print-rules lists them",
			cmdutil.FileName(name), table.Plural(r.Rules.Len(), "rule"), n))
	} else {
		for _, l := range r.Left {
			notes = append(notes, fmt.Sprintf("not taken: %s, %s: %s", cell.Clean(l.Analysis), cell.Clean(l.Threshold), l.Why))
		}
	}
	return r.Rules, notes, nil
}

// facts reads --fact.
func (o *Options) facts() (map[string]float64, error) {
	known := map[string]float64{}
	for _, s := range o.Facts {
		name, text, _ := strings.Cut(s, "=")
		v, err := analyze.ParseNumber(text)
		switch {
		case name != "ram" && name != "cpus":
			return nil, cmdutil.Usagef("--fact %q: unknown fact; there are %s", name, strings.Join(analyze.Facts(), ", "))
		case err != nil || v <= 0:
			return nil, cmdutil.Usagef("--fact %s: expected a number above 0 such as ram=16GB or cpus=4", s)
		}
		known[name] = v
	}
	return known, nil
}

// fails reports whether --fail-on asks for an exit code of 1.
func (o *Options) fails(reports []*analyze.Report) bool {
	for _, r := range reports {
		for _, f := range r.Findings {
			if o.FailOn == "warning" || o.FailOn == f.Severity.String() {
				return true
			}
		}
	}
	return false
}
