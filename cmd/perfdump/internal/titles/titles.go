// Package titles is the verb that lists, looks up and converts the tables of
// counter names.
package titles

import (
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/titles"
)

// Options holds the flags of titles.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Files   []string
	Output  string
	Write   string
	Kind    string
	Indexes []string
	Names   []string

	Stats    bool
	Repair   bool
	language string // --lang, where it was given
}

// The values of -o.
const (
	asTable   = "table"
	asText    = "text"
	asMultiSz = "multisz"
	asDat     = "dat"
	asBackup  = "perfstrings"
	asReg     = "reg"
	asJSON    = "json"
)

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "titles [FILE...]",
		Short: "List, look up and convert counter names",
		Long: `Titles reads tables of counter names and help texts: the registry's values
"Counter 009" and "Help 009", files such as perfc009.dat, PerfStringBackup.INI
with the tables of all languages, .reg files of the key Perflib, binary logs
(blg) of whole objects, and lists of lines such as 6 : % Processor Time.
Captures contain numbers only; these tables contain their names.

Without FILE it reads the built-in names: those of Windows' own counters on
every system since XP, in English.

FILE may be a directory, or - for standard input; gzip and zstd are unpacked.
A list of a single line with a TAB needs --format titles.

Language and kind of a table come from --lang and --kind, else from the name of
the file (perfh00C.dat), else it is 009 and what most of its indexes are for. Of
PerfStringBackup.INI and .reg files the flags choose tables:
--lang 00C --kind help.

Look-ups (--index, --name) leave out all other entries. They may be repeated and
combined. Case does not matter in names, and * matches any characters.

Outputs (-o):
  table    for reading; long texts are wrapped
  text     a line for each entry: index, TAB, text. It can be edited and read
           again.
  multisz  the registry's own form, in UTF-16 and with NULs. A table that has
           this form already is copied byte by byte. For one table only, and
           not to a terminal.
  dat      the same bytes as files: with -w DIR one for each table, named
           perfc009.dat and perfh009.dat by language and kind
  perfstrings
           PerfStringBackup.INI with all tables, as lodctr /S writes it. The
           services come from such files among the input. A single such file is
           copied byte by byte.
  reg      a .reg file with the values Counter and Help of each language below
           Perflib, in UTF-16, as regedit exports them
  json     a document for each table, which "perfdump encode" turns into the
           table again; with look-ups it is partial.

--stats shows how many entries each table has, which indexes, and what is
damaged, instead of the entries. --repair repairs what it can before anything is
written, and reports each change on standard error.

The exit code is 1 if an index or a name is in none of the tables, as with grep,
and 2 if a file cannot be read.`,
		Example: `  # What index 238 is called, on every Windows
  perfdump titles --index 238

  # The names of a machine that have to do with disks
  perfdump titles testdata/captures/titles-009.bin --name '*Disk*'

  # What is in a table, and what is damaged
  perfdump titles --stats testdata/captures/titles-009.bin

  # The names that a log holds
  perfdump titles testdata/blg/small.blg

  # A list made into a table as the registry has it, and back
  printf '6 : Prozessorzeit\n238 : Prozessor\n' | perfdump titles -o multisz - | perfdump titles -o text -`,
		Args: cmdutil.StdinOnce,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if cmd.Flags().Changed("titles") {
				return &cmdutil.UsageError{Text: "titles: --titles is for verbs that read captures", Hint: "name the table itself: perfdump titles FILE"}
			}
			if err := cmdutil.Promised(cmd, o.Write); err != nil {
				return err
			}
			if cmd.Flags().Changed("lang") {
				o.language = o.Lang
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", asTable, "what to write", asTable, asText, asMultiSz, asDat, asBackup, asReg, asJSON)
	cmd.Flags().StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all; with -o dat also a directory")
	cmd.Flags().BoolVar(&o.Stats, "stats", false, "show what each table contains and what is damaged; -o table or json")
	cmd.Flags().BoolVar(&o.Repair, "repair", false, "repair damaged tables, and report each change")
	cmdutil.Choice(cmd, &o.Kind, "kind", "", "", "what the texts are; the default follows from the indexes", "counter", "help")
	cmd.Flags().StringSliceVar(&o.Indexes, "index", nil, "only the entry of index `N`; may be repeated")
	cmd.Flags().StringArrayVar(&o.Names, "name", nil, "only entries with the text `NAME`; may be repeated")
	o.AddFlags(cmd)
	_ = cmd.Flags().MarkHidden("titles")
	lang := cmd.Flags().Lookup("lang")
	lang.Usage, lang.DefValue = "language `ID` of tables whose file name does not give it; of PerfStringBackup.INI the one to read", ""
	return cmd
}

func run(ctx context.Context, o *Options) error {
	l := &lister{o: o}
	if err := l.lookups(); err != nil {
		return err
	}
	binary := o.Output == asMultiSz || o.Output == asDat || o.Output == asBackup || o.Output == asReg
	switch {
	case binary && o.Write == "" && o.IO.StdoutTTY():
		return &cmdutil.UsageError{Text: "titles: a table in the registry's form is no text for a terminal", Hint: "write it to a file with -w FILE, or into a pipe"}
	case o.Stats && o.Output != asTable && o.Output != asJSON:
		return &cmdutil.UsageError{Text: "titles: --stats writes -o table or json", Hint: "leave out -o " + o.Output}
	case o.Stats && l.selective():
		return &cmdutil.UsageError{Text: "titles: --stats is of whole tables", Hint: "leave out --index and --name"}
	}
	if err := o.Apart(o.Write, o.Files...); err != nil {
		return err
	}
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	var held bytes.Buffer
	out := cmdutil.Output(ctx, o.IO.Out)
	l.w = out
	if o.Write != "" || binary { // whole or not at all
		l.w = &held
	}
	if len(o.Files) == 0 {
		err = l.builtIn()
	} else {
		err = o.Each(ctx, o.Factory, o.Files, func(in *detect.Input) error { return l.file(in, co) })
	}
	something := l.tables+len(l.backups) > 0
	if err == nil && something {
		err = l.convert()
	}
	if err := cmp.Or(err, l.misuse); err != nil {
		return err
	}
	write := func(w io.Writer) error { _, err := w.Write(held.Bytes()); return err }
	if o.Write != "" && !l.written && something {
		err = cmdutil.WriteFile(o.Write, write)
	} else if held.Len() > 0 {
		err = write(out)
	}
	if err != nil {
		return err
	}
	return l.end()
}

// lister writes the tables of a run.
type lister struct {
	o       *Options
	w       io.Writer
	indexes []uint32
	found   map[string]bool // of what was looked for, as it was spelled
	tables  int
	printed bool
	misuse  error
	last    *titles.Table

	collected []source // for the outputs of all tables together
	backups   []backup
	written   bool // to files of their own
	absent    bool // a requested language
	repaired  bool
	texts     string // the language of lists that were written
}

// table writes one table, or what was looked for of it.
func (l *lister) table(s source) error {
	if l.tables++; l.tables > 1 && l.o.Output == asMultiSz {
		hint := "name one file"
		if s.part {
			hint = "choose one with --lang 009 --kind counter, or use -o dat -w DIR, which makes a file for each"
		}
		l.misuse = &cmdutil.UsageError{Text: "titles: -o multisz writes one table", Hint: hint}
		return nil
	}
	if l.o.Repair {
		if err := l.repair(&s); err != nil {
			return err
		}
	}
	l.last = s.table
	if l.o.Stats {
		return l.statistics(s)
	}
	entries := l.choose(s.table)
	switch l.o.Output {
	case asText:
		return l.text(s, entries)
	case asMultiSz:
		return l.multiSz(s.table, entries)
	case asDat, asBackup, asReg:
		return l.collect(s, entries)
	case asJSON:
		return l.document(s, entries)
	default:
		return l.print(s, entries)
	}
}
