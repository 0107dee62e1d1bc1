package formats

import (
	"bytes"
	"io"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/perflib2"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// Names are the tables of counter names of a file.
type Names struct {
	Tables []NameTable // that have no language of their own
	// Of returns the table of one of Languages, nil if there is none.
	Of        func(language string, kind titles.Kind) (*titles.Table, error)
	Languages []string
	Backup    *perfstrings.File        // of a backup of names, else nil
	Sets      []*perflib2.Registration // version 2 counter sets, whose names are in no table
	None      string                   // what a file without tables lacks
}

// NameTable is a table of names.
type NameTable struct {
	*titles.Table

	Machine string
	Part    bool // the file has other things
}

// atOf returns the bytes of a file whose format may not have been known when it
// was opened.
func atOf(in *detect.Input) io.ReaderAt {
	if in.At == nil {
		return bytes.NewReader(in.Data)
	}
	return in.At
}

func titleNames(in *detect.Input, o capture.Options) (*Names, error) {
	t, err := parseTitles(in, o)
	return &Names{Tables: []NameTable{{Table: t}}}, err
}

func backupNames(in *detect.Input, o capture.Options) (*Names, error) {
	f, err := parsePerfStrings(in, o)
	if err != nil {
		return nil, err
	}
	n := &Names{Of: f.Table, Backup: f}
	for _, l := range f.Languages() {
		n.Languages = append(n.Languages, l.ID)
	}
	return n, nil
}

func regNames(in *detect.Input, o capture.Options) (*Names, error) {
	r, err := parseReg(in, o)
	if err != nil {
		return nil, err
	}
	n := &Names{None: "a language of Perflib"}
	o.Mode = perfdump.Tolerant // check does not look into the tables of a .reg file either
	values := map[string][]*registry.Language{}
	if r.Perflib != nil {
		for i := range r.Perflib.Languages {
			l := &r.Perflib.Languages[i]
			n.Languages = append(n.Languages, l.ID)
			key := strings.ToUpper(l.ID)
			values[key] = append(values[key], l)
		}
	}
	n.Of = func(language string, kind titles.Kind) (*titles.Table, error) {
		for _, l := range values[strings.ToUpper(language)] {
			if t, err := registryTable(l, kind, o); t != nil || err != nil {
				return t, err
			}
		}
		return nil, nil //nolint:nilnil // there is no table, and nothing is wrong
	}
	return n, nil
}

// registryTable returns the names of a language of the registry, or its help
// texts, nil if it has none.
func registryTable(l *registry.Language, kind titles.Kind, o capture.Options) (*titles.Table, error) {
	value := l.Value(TableValue(kind))
	if value == nil || value.Type != registry.MultiSZ {
		return nil, nil //nolint:nilnil // there is no table, and nothing is wrong
	}
	const utf16 = 1200 // for any file that has the value
	return titles.Parse(value.Data, perfdump.Options{Mode: o.Mode, Limits: o.Limits, CodePage: utf16})
}

// TableValue returns the name of the value that the registry has tables of a kind
// in.
func TableValue(kind titles.Kind) string {
	if kind == titles.Help {
		return "Help"
	}
	return "Counter"
}

func logNames(in *detect.Input, o capture.Options) (*Names, error) {
	f, err := openLog(in, o)
	if err != nil {
		return nil, err
	}
	n := &Names{Sets: f.Registrations(), None: "names, which only logs of whole objects contain"}
	for _, m := range f.Titles() {
		n.Tables = append(n.Tables, NameTable{Table: m.Table, Machine: m.Machine, Part: true})
	}
	return n, nil
}
