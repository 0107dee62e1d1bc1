package cmdutil

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/titles"
)

// names reads the tables of --titles. One that cannot be read ends the run:
// its user would wait for names in vain.
func (i *Inputs) names(f *Factory) (*capture.Names, error) {
	var tables []*titles.Table
	for _, name := range i.Titles {
		files, err := i.titleFiles(name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			t, err := i.table(f, file)
			if err != nil {
				f.Report(file, err)
				return nil, ErrInput
			}
			tables = append(tables, t)
		}
	}
	return capture.NewNames(tables...), nil
}

// titleFiles returns the files that a --titles names: itself, or those of a
// directory that have the language in their name.
func (i *Inputs) titleFiles(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return []string{name}, nil //nolint:nilerr // opening it will say what is wrong
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, Usagef("--titles %s: %v", name, err)
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
			Text: "--titles " + name + ": no file for language " + i.Lang,
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

func (i *Inputs) table(f *Factory, file string) (*titles.Table, error) {
	in, err := detect.Open(file, detect.Options{Format: detect.Titles, Stdin: f.IO.In})
	if err != nil {
		return nil, err
	}
	t, err := capture.ParseTitles(in.Data, capture.Options{CodePage: i.CodePage})
	if err == nil && t.Len() == 0 {
		err = &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: errors.New("no names in it; want the value \"Counter 009\" or lines such as 6 : % Processor Time")}
	}
	return t, err
}
