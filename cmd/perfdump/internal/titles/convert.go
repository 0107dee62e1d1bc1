package titles

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// collect keeps a table, or what was chosen of it, for an output of all tables
// together.
func (l *lister) collect(s source, entries iter.Seq[titles.Entry]) error {
	if l.selective() {
		b, err := titles.Append(nil, titles.Encoding{}, entries)
		if err != nil {
			return err
		}
		if s.table, err = titles.Parse(b, perfdump.Options{CodePage: 1200}); err != nil {
			return err
		}
	}
	s.data = nil // it is not needed again
	l.collected = append(l.collected, s)
	return nil
}

// convert writes the tables that were collected.
func (l *lister) convert() error {
	switch l.o.Output {
	case asDat:
		return l.dat()
	case asBackup:
		return l.perfStrings()
	case asReg:
		return l.reg()
	default:
		return nil
	}
}

// dat writes one table, or each table to a file of a directory.
func (l *lister) dat() error {
	dir := l.o.Write
	info, err := os.Stat(dir)
	if dir == "" || (err != nil || !info.IsDir()) && !os.IsPathSeparator(dir[len(dir)-1]) {
		if len(l.collected) != 1 {
			return &cmdutil.UsageError{Text: fmt.Sprintf("titles: -o dat has %d tables to write", len(l.collected)), Hint: "-w DIR, a directory, gets a file for each"}
		}
		return l.multiSz(l.collected[0].table, l.collected[0].table.Entries())
	}
	taken := map[string]string{}
	for _, s := range l.collected {
		name := titles.DatName(s.language, s.kind)
		if strings.ContainsAny(name, `/\`) {
			return &cmdutil.UsageError{
				Text: fmt.Sprintf("titles: the language %q would lead out of %s", s.language, dir),
				Hint: "--lang takes the number of a language, such as 009 or 00C",
			}
		}
		if other, ok := taken[strings.ToLower(name)]; ok {
			return &cmdutil.UsageError{
				Text: fmt.Sprintf("titles: %s and %s would both be %s", cmdutil.FileName(other), cmdutil.FileName(s.name), name),
				Hint: "--lang and --kind say what the table of a file is, where its name does not",
			}
		}
		taken[strings.ToLower(name)] = s.name
	}
	for _, s := range l.collected {
		b, err := registryForm(s.table, s.table.Entries(), true)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, titles.DatName(s.language, s.kind))
		if err := l.o.Apart(name, l.o.Files...); err != nil {
			return err
		}
		if err := cmdutil.WriteFile(name, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
	}
	l.written = true
	return nil
}

// perfStrings writes all tables as one backup. What else a backup has comes
// from those that were read.
func (l *lister) perfStrings() error {
	if len(l.backups) == 1 && len(l.o.Files) == 1 && !l.selective() && l.o.Kind == "" && l.o.language == "" && !l.repaired {
		_, err := l.w.Write(l.backups[0].data)
		return err
	}
	var b perfstrings.Backup
	for _, from := range l.backups {
		if b.Perflib.Line == 0 {
			b.Perflib = from.file.Perflib()
		}
		b.Providers = slices.AppendSeq(b.Providers, from.file.Providers())
	}
	at := map[string]int{}
	for _, s := range l.collected {
		language := strings.ToUpper(s.language)
		i, ok := at[language]
		if !ok {
			i = len(b.Strings)
			at[language] = i
			b.Strings = append(b.Strings, perfstrings.Strings{Language: language})
		}
		b.Strings[i].Tables = append(b.Strings[i].Tables, s.table)
	}
	out, err := perfstrings.Append(nil, &b)
	if err != nil {
		return err
	}
	_, err = l.w.Write(out)
	return err
}

// reg writes all tables as a .reg file, a key for each language.
func (l *lister) reg() error {
	var keys []registry.Key
	at := map[string]int{} // of a language
	for _, s := range l.collected {
		b, err := registryForm(s.table, s.table.Entries(), true)
		if err != nil {
			return err
		}
		language := registry.NewLanguage(s.language)
		i, known := at[language.ID]
		if !known {
			i = len(keys)
			at[language.ID] = i
			keys = append(keys, *language.Key)
		}
		value := formats.TableValue(s.kind)
		if keys[i].Value(value) != nil {
			return &cmdutil.UsageError{
				Text: fmt.Sprintf("titles: two tables would both be %s of %s", value, strings.ToUpper(s.language)),
				Hint: "--lang and --kind say what the table of a file is, where its name does not",
			}
		}
		keys[i].Values = append(keys[i].Values, registry.Value{Name: value, Type: registry.MultiSZ, Data: b})
	}
	return registry.WriteReg(l.w, keys...)
}
