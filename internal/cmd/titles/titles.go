// Package titles is the verb that lists, looks up and converts the tables of
// counter names.
package titles

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/titles"
)

// Options are the flags of titles.
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

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "titles [FILE...]",
		Short: "List, look up and convert counter names",
		Long: `Titles reads tables of counter names and help texts: the registry's values
"Counter 009" and "Help 009", files such as perfc009.dat, PerfStringBackup.INI
with the tables of all languages, .reg files of the key Perflib, binary logs
(blg) of whole objects, and lists of lines such as 6 : % Processor Time.
Captures hold numbers only; these tables say what the numbers are called.

Without FILE it reads the names that are built in: those that Windows itself has
given its own counters on every system since XP, in English.

FILE may be - for standard input, a directory, and packed by gzip or zstd. A
list of a single line with a TAB needs --format titles.

Language and kind of a table come from --lang and --kind, else from the name of
the file (perfh00C.dat), else it is 009 and what most of its indexes are for. Of
PerfStringBackup.INI and .reg files the flags choose tables:
--lang 00C --kind help.

Look-ups (--index, --name) leave out all other entries. They may be repeated and
combined. Upper and lower case are the same in names, and * stands for any run
of characters.

Outputs (-o):
  table    for reading; long texts are wrapped
  text     a line for each entry: index, TAB, text. It can be edited and read
           again.
  multisz  the registry's own form, in UTF-16 and with NULs. A table that has
           it already comes back byte by byte. Of one table only, and not to a
           terminal.
  dat      the same bytes as files: with -w DIR one for each table, named
           perfc009.dat and perfh009.dat by language and kind
  perfstrings
           PerfStringBackup.INI with all tables, as lodctr /S writes it. What
           the tables do not tell, the services, is taken from such files among
           the input. One such file alone comes back byte by byte.
  reg      a .reg file with the values Counter and Help of each language below
           Perflib, in UTF-16, as regedit exports them
  json     a document for each table, which "perfdump encode" turns into the
           table again; with look-ups it is partial.

--stats tells of each table how many entries it has, which indexes, and what is
damaged, instead of the entries. --repair puts right what can be put right
before anything is written, and says on standard error what it did.

It exits with 1 where an index or a name was in none of the tables, as grep
does, and with 2 where a file cannot be read.`,
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
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", asTable, "what to write", asTable, asText, asMultiSz, asDat, asBackup, asReg, asJSON)
	cmd.Flags().StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all; with -o dat also a directory")
	cmd.Flags().BoolVar(&o.Stats, "stats", false, "tell of each table what it holds and what is damaged; -o table or json")
	cmd.Flags().BoolVar(&o.Repair, "repair", false, "put right what is damaged, and say what was done")
	cmdutil.Choice(cmd, &o.Kind, "kind", "", "", "what the texts are; where not given, the indexes tell", "counter", "help")
	cmd.Flags().StringSliceVar(&o.Indexes, "index", nil, "only the entry of index `N`; may be repeated")
	cmd.Flags().StringArrayVar(&o.Names, "name", nil, "only entries with the text `NAME`; may be repeated")
	o.AddFlags(cmd)
	_ = cmd.Flags().MarkHidden("titles")
	lang := cmd.Flags().Lookup("lang")
	lang.Usage, lang.DefValue = "language `ID` of tables whose file's name does not tell it; of PerfStringBackup.INI the one to read", ""
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
	var held held
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
	if err == nil && l.misuse != nil {
		err = l.misuse
	}
	if err != nil {
		return err
	}
	write := l.later
	if write == nil {
		write = func(w io.Writer) error { _, err := w.Write(held.b); return err }
	}
	if o.Write != "" && !l.written && something {
		if err := cmdutil.WriteFile(o.Write, write); err != nil {
			return err
		}
	} else if len(held.b) > 0 || l.later != nil {
		if err := write(out); err != nil {
			return err
		}
	}
	return l.end()
}

// held is an output that is kept until all of it is there.
type held struct{ b []byte }

func (h *held) Write(b []byte) (int, error) {
	h.b = append(h.b, b...)
	return len(b), nil
}

// whole writes b, which must not change any more, without a copy where it is
// held.
func (l *lister) whole(b []byte) error {
	if h, ok := l.w.(*held); ok && h.b == nil {
		h.b = b[:len(b):len(b)]
		return nil
	}
	_, err := l.w.Write(b)
	return err
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
	written   bool                  // to files of their own
	later     func(io.Writer) error // writes what there is no need to hold
	absent    bool                  // a language that was asked for
	repaired  bool
	texts     string // the language of lists that were written
}

func (l *lister) lookups() error {
	l.found = map[string]bool{}
	for _, s := range l.o.Indexes {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
		if err != nil {
			return &cmdutil.UsageError{Text: fmt.Sprintf("titles: --index %q is no index", s), Hint: "an index is a number such as 238; for a name there is --name"}
		}
		l.indexes = append(l.indexes, uint32(n))
	}
	return nil
}

func (l *lister) selective() bool { return len(l.indexes)+len(l.o.Names) > 0 }

// builtIn writes the names that are built in, as a file of them would look.
func (l *lister) builtIn() error {
	if only, ok := l.kind(); ok && only != titles.Counter {
		return &cmdutil.UsageError{Text: "titles: the built-in table has names and no help texts", Hint: "name a table that has them, such as perfh009.dat"}
	}
	if n, err := strconv.ParseUint(l.o.language, 16, 16); l.o.language != "" && (err != nil || n != 9) {
		return &cmdutil.UsageError{Text: "titles: the built-in table is English, 009", Hint: "name a table of language " + l.o.language}
	}
	data, err := titles.Base().AppendBinary(nil)
	if err != nil {
		return err
	}
	t, err := titles.Parse(data, titles.Options{})
	if err != nil {
		return err
	}
	l.o.language = cmp.Or(l.o.language, "009")
	return l.table(source{data: data, table: t, language: l.o.language})
}

// table writes one table, or what was looked for of it.
func (l *lister) table(s source) error {
	if l.tables++; l.tables > 1 && l.o.Output == asMultiSz {
		hint := "name one file"
		if s.part {
			hint = "choose one by --lang 009 --kind counter, or take -o dat -w DIR, which makes a file of each"
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

// choose returns the entries that were asked for; all of them where nothing
// was.
func (l *lister) choose(t *titles.Table) iter.Seq[titles.Entry] {
	if !l.selective() {
		return t.Entries()
	}
	var wanted []uint32
	for i, n := range l.indexes {
		if _, ok := lookup(t, n); ok {
			l.found["index "+l.o.Indexes[i]] = true
			wanted = append(wanted, n)
		}
	}
	for _, name := range l.o.Names {
		indexes := match(t, name)
		if len(indexes) > 0 {
			l.found["name "+name] = true
		}
		wanted = append(wanted, indexes...)
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	return func(yield func(titles.Entry) bool) {
		for _, n := range wanted {
			text, _ := lookup(t, n)
			if !yield(titles.Entry{Index: n, Text: text, Off: -1}) {
				return
			}
		}
	}
}

// lookup is that of the table, with index 1, which has no name there.
func lookup(t *titles.Table, n uint32) (string, bool) {
	if n == 1 {
		base, ok := t.BaseIndex()
		return strconv.FormatUint(uint64(base), 10), ok
	}
	return t.Lookup(n)
}

// match returns the indexes of a name, in which * stands for any characters.
func match(t *titles.Table, name string) []uint32 {
	if !strings.Contains(name, "*") {
		return t.Indexes(name)
	}
	parts := strings.Split(strings.ToLower(name), "*")
	var found []uint32
	for index, text := range t.All() {
		if text != "" && matches(parts, strings.ToLower(text)) {
			found = append(found, index)
		}
	}
	return found
}

// matches reports whether s is parts, in this order, with anything in between.
func matches(parts []string, s string) bool {
	first, last := parts[0], parts[len(parts)-1]
	if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return true
}

// end tells what was found nowhere.
func (l *lister) end() error {
	missing := l.absent
	for i, n := range l.indexes {
		if spelled := l.o.Indexes[i]; !l.found["index "+spelled] {
			missing = true
			l.o.Note("no index %d in %s%s", n, l.where(), l.aboutIndex(n))
		}
	}
	for _, name := range l.o.Names {
		if !l.found["name "+name] {
			missing = true
			l.o.Note("no name %q in %s%s", cell.Cut(name, 80), l.where(), l.aboutName(name))
		}
	}
	if missing {
		return cmdutil.ErrFindings
	}
	return nil
}

func (l *lister) where() string {
	switch {
	case len(l.o.Files) == 0:
		return "the built-in table"
	case l.tables == 1:
		return "the table"
	default:
		return fmt.Sprintf("the %d tables", l.tables)
	}
}

// aboutIndex says why there may be no such index.
func (l *lister) aboutIndex(n uint32) string {
	if l.last == nil || l.tables != 1 {
		return ""
	}
	help := l.last.Kind() == titles.Help
	_, before := l.last.Lookup(n - 1)
	_, after := l.last.Lookup(n + 1)
	switch {
	case n%2 == 1 && !help && before:
		return fmt.Sprintf("; odd indexes are help texts as a rule, and this is a table of names: try %d", n-1)
	case n%2 == 0 && help && after:
		return fmt.Sprintf("; even indexes are names as a rule, and this is a table of help texts: try %d", n+1)
	case len(l.o.Files) == 0:
		return "; what is installed beside Windows is in the tables of its machine: name a FILE"
	}
	low, high := uint32(0), uint32(0)
	for index := range l.last.All() {
		if low == 0 {
			low = index
		}
		high = index
	}
	return fmt.Sprintf("; its indexes go from %d to %d", low, high)
}

// aboutName says which name may have been meant.
func (l *lister) aboutName(name string) string {
	if l.last == nil || l.tables != 1 || strings.Contains(name, "*") {
		return ""
	}
	var names []string
	var parts []string
	for _, text := range l.last.All() {
		names = append(names, text)
		if len(parts) < 3 && len(name) > 2 && strings.Contains(strings.ToLower(text), strings.ToLower(name)) && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if len(parts) > 0 {
		return fmt.Sprintf("; names that it is a part of are %q: try --name '*%s*'", cell.Cut(strings.Join(parts, ", "), 120), name)
	}
	if near, ok := cmdutil.Nearest(name, names); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; --name '*WORD*' finds a part of a name"
}
