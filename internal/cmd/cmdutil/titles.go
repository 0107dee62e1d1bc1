package cmdutil

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/titles"
)

// names reads the tables of --titles and --english-titles. One that cannot be
// read ends the run: its user would wait for names in vain.
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
			var none *NoVerbError
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

// tables reads the table of a file, or those of --lang of a backup or a .reg
// file, or those of a binary log.
func (i *Inputs) tables(f *Factory, co capture.Options, flag, file string) ([]*titles.Table, error) {
	in, err := detect.Open(file, detect.Options{Format: detect.Titles, Stdin: f.IO.In})
	if err != nil {
		return nil, err
	}
	format, known := detect.Sniff(in.Data[:min(len(in.Data), sniffSize)], int64(len(in.Data)))
	switch format {
	case detect.PerfStrings:
		backup, err := capture.ParsePerfStrings(in.Data, co)
		if err != nil {
			return nil, err
		}
		return i.both(backup.Table)
	case detect.Reg:
		_, v, err := capture.ParseReg(in.Data, co)
		if err != nil {
			return nil, err
		}
		co.Mode = perfdump.Tolerant // check does not look into the tables of a .reg file either
		return i.both(func(language string, kind titles.Kind) (*titles.Table, error) {
			return capture.RegistryTable(v, language, kind, co)
		})
	case detect.BLG:
		return ofLog(in.Data, co)
	case detect.Titles:
	default:
		if known {
			return nil, &NoVerbError{Verb: flag, Format: format}
		}
	}
	t, err := capture.ParseTitles(in.Data, co)
	if err == nil && t.Len() == 0 {
		err = &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: errors.New("no names in it; want the value \"Counter 009\" or lines such as 6 : % Processor Time")}
	}
	return []*titles.Table{t}, err
}

// sniffSize is how much of a file its format is found by.
const sniffSize = 128 << 10

// both returns the names and the help texts of --lang.
func (i *Inputs) both(table func(string, titles.Kind) (*titles.Table, error)) ([]*titles.Table, error) {
	var tables []*titles.Table
	names := 0
	for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
		t, err := table(i.Lang, kind)
		if err != nil {
			return nil, err
		}
		if t != nil {
			names += t.Len()
			tables = append(tables, t)
		}
	}
	if names == 0 {
		return nil, &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: fmt.Errorf("no names of the language %s in it; --lang chooses another", i.Lang)}
	}
	return tables, nil
}

// ofLog returns the names that a binary log holds, those of each machine.
func ofLog(b []byte, co capture.Options) ([]*titles.Table, error) {
	f, err := LogFile(bytes.NewReader(b), int64(len(b)), co)
	if err != nil {
		return nil, err
	}
	var tables []*titles.Table
	for _, machine := range f.Titles() {
		tables = append(tables, machine.Table)
	}
	if len(tables) == 0 {
		return nil, &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: errors.New(noLogTitles)}
	}
	return tables, nil
}

// noLogTitles is what a log without names has to say.
const noLogTitles = "no names in it; only logs of whole objects hold them"

// LogFile opens a binary log for the names that it holds.
func LogFile(r io.ReaderAt, size int64, co capture.Options) (*blg.File, error) {
	return blg.NewFile(r, size, blg.Options{Mode: co.Mode, CodePage: co.CodePage})
}
