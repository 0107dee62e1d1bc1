package cmdutil

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/titles"
)

// names reads the tables of --titles and --english-titles. One that cannot be
// read ends the run, since the output would lack its names.
func (i *Inputs) names(f *Factory, co capture.Options) (*capture.Names, error) {
	tables, err := i.read(f, co, "--titles", i.Titles)
	if err != nil {
		return nil, err
	}
	in := *i
	in.Lang = english
	given, err := in.read(f, co, "--english-titles", i.EnglishOf)
	if err != nil {
		return nil, err
	}
	names := capture.NewNames(tables...)
	names.SetEnglish(i.English || len(given) > 0, given...)
	return names, nil
}

// english is the language of --english-titles.
const english = "009"

// read reads the tables that a flag names.
func (i *Inputs) read(f *Factory, co capture.Options, flag string, names []string) ([]*titles.Table, error) {
	var tables []*titles.Table
	for _, name := range names {
		files, err := i.titleFiles(flag, name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			of, err := i.tables(f, co, flag, file)
			var none *formats.NoVerbError
			switch {
			case errors.As(err, &none):
				f.Report(file, &perfdump.FormatError{Code: perfdump.CodeUnknownFormat, Off: -1, Err: err})
				return nil, ErrNoVerb
			case err != nil:
				f.Report(file, err)
				return nil, ErrInput
			}
			tables = append(tables, of...)
		}
	}
	return tables, nil
}

// titleFiles returns the files that a flag names: itself, or those of a
// directory that have the language in their name.
func (i *Inputs) titleFiles(flag, name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return []string{name}, nil //nolint:nilerr // opening it will say what is wrong
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, Usagef("%s %s: %v", flag, name, err)
	}
	var files []string
	for _, e := range entries {
		lower := strings.ToLower(e.Name())
		if e.Type()&fs.ModeType == 0 && strings.Contains(lower, strings.ToLower(i.Lang)) && isTitleName(lower) {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, &UsageError{
			Text: flag + " " + name + ": no file for language " + i.Lang,
			Hint: "names such as perfc" + i.Lang + ".dat, perfh" + i.Lang + ".dat or titles-" + i.Lang + ".bin are looked for; name a file to use any other",
		}
	}
	return files, nil
}

func isTitleName(lower string) bool {
	for _, word := range []string{"perfc", "perfh", "title", "counter", "help"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// tables reads the tables of a file, those of --lang if it has several
// languages.
func (i *Inputs) tables(f *Factory, co capture.Options, flag, file string) ([]*titles.Table, error) {
	in, err := detect.Open(file, detect.Options{Format: detect.Titles, Stdin: f.IO.In})
	if err != nil {
		return nil, err
	}
	if format, known := detect.Sniff(in.Data[:min(len(in.Data), detect.HeadSize)], int64(len(in.Data))); known {
		in.Format = format
	}
	format := formats.Of(in.Format)
	if format.Names == nil {
		return nil, &formats.NoVerbError{Verb: flag, Format: in.Format}
	}
	names, err := format.Names(in, co)
	if err != nil {
		return nil, err
	}
	var tables []*titles.Table
	for _, t := range names.Tables {
		tables = append(tables, t.Table)
	}
	none := noNames
	if names.Of != nil {
		none = "no names of the language " + i.Lang + " in it; --lang chooses another"
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			t, err := names.Of(i.Lang, kind)
			if err != nil {
				return nil, err
			}
			if t != nil {
				tables = append(tables, t)
			}
		}
	} else if names.None != "" {
		none = "no names in it; only logs of whole objects contain them"
	}
	n := 0
	for _, t := range tables {
		n += t.Len()
	}
	if n == 0 {
		return nil, &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: errors.New(none)}
	}
	return tables, nil
}

const noNames = "no names in it; expected the value \"Counter 009\" or lines such as 6 : % Processor Time"
