package titles

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// source is a table and where it comes from.
type source struct {
	name     string // of the file, "" for the built-in table
	data     []byte // of the file; of a part of one the table in the registry's form
	part     bool   // the file has other tables too
	table    *titles.Table
	machine  string // that a log has the names of
	language string
	kind     titles.Kind
}

// backup is a PerfStringBackup.INI among the input.
type backup struct {
	data []byte
	file *perfstrings.File
}

// file writes the tables of an input.
func (l *lister) file(in *detect.Input, co capture.Options) error {
	f := formats.Of(in.Format)
	if f.Names == nil {
		return &formats.NoVerbError{Verb: "titles", Format: in.Format}
	}
	names, err := f.Names(in, co)
	switch {
	case err != nil:
		return err
	case names.Backup != nil:
		l.backups = append(l.backups, backup{in.Data, names.Backup})
	case names.Of != nil && len(names.Languages) == 0:
		return &formats.NoVerbError{Verb: "titles", Format: in.Format, Without: names.None}
	}
	if names.Of != nil {
		return l.parts(in.Name, names.Languages, names.Of)
	}
	if names.None != "" {
		return l.log(in, names)
	}
	t := names.Tables[0].Table
	s := source{name: in.Name, data: in.Data, table: t, kind: l.kindOf(in.Name, t)}
	language, _, _ := titles.ParseDatName(in.Name)
	s.language = cmp.Or(l.o.language, language, document.DefaultLanguage)
	return l.table(s)
}

// log writes the names that a binary log has of each machine. It says neither
// their language nor that they are names.
func (l *lister) log(in *detect.Input, names *formats.Names) (err error) {
	if only, ok := l.kind(); ok && only != titles.Counter {
		l.o.Note("%s: a log has names and no help texts", cmdutil.FileName(in.Name))
		return nil
	}
	l.sets(names.Sets)
	if len(names.Tables) == 0 && len(l.found) > 0 {
		return nil // what was looked for are sets
	}
	if len(names.Tables) == 0 {
		return &formats.NoVerbError{Verb: "titles", Format: in.Format, Without: names.None}
	}
	for _, m := range names.Tables {
		s := source{name: in.Name, part: true, machine: m.Machine, table: m.Table, kind: titles.Counter}
		s.language = cmp.Or(l.o.language, document.DefaultLanguage)
		if s.data, err = m.Table.AppendBinary(nil); err != nil {
			return err
		}
		if err := l.table(s); err != nil {
			return err
		}
	}
	return nil
}

// kindOf returns the kind of the only table of a file.
func (l *lister) kindOf(name string, t *titles.Table) titles.Kind {
	if kind, ok := l.kind(); ok {
		return kind
	}
	if _, kind, ok := titles.ParseDatName(name); ok {
		return kind
	}
	return t.Kind()
}

// kind is that of --kind.
func (l *lister) kind() (kind titles.Kind, ok bool) {
	if l.o.Kind == titles.Help.String() {
		return titles.Help, true
	}
	return titles.Counter, l.o.Kind != ""
}

// parts writes those tables of a file of several that are requested and have
// names.
func (l *lister) parts(name string, languages []string, table func(string, titles.Kind) (*titles.Table, error)) error {
	if l.o.Output == asText && l.o.language == "" && len(languages) > 1 {
		l.misuse = oneLanguage(languages[0], languages[1])
		return nil
	}
	found := false
	for _, language := range languages {
		if l.o.language != "" && !strings.EqualFold(l.o.language, language) {
			continue
		}
		found = true
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			if only, ok := l.kind(); ok && kind != only {
				continue
			}
			t, err := table(language, kind)
			if err != nil {
				return err
			}
			if t == nil || t.Len() == 0 {
				continue
			}
			s := source{name: name, part: true, table: t, language: language, kind: kind}
			if s.data, err = t.AppendBinary(nil); err != nil {
				return err
			}
			if err := l.table(s); err != nil {
				return err
			}
		}
	}
	if !found && l.o.language != "" {
		l.absent = true
		l.o.Note("%s: no language %s; there are: %s", cmdutil.FileName(name), l.o.language, strings.Join(languages, ", "))
	}
	return nil
}

func oneLanguage(a, b string) error {
	return &cmdutil.UsageError{Text: "titles: -o text writes one language, and there are " + a + " and " + b, Hint: "choose one with --lang, or use -o perfstrings, which holds several"}
}

// builtIn writes the built-in names, as if they were a file.
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
	t, err := titles.Parse(data, perfdump.Options{})
	if err != nil {
		return err
	}
	l.o.language = cmp.Or(l.o.language, "009")
	return l.table(source{data: data, table: t, language: l.o.language})
}
