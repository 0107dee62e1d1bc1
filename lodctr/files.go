package lodctr

import (
	"errors"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// Options says how files are read. The zero Options is right as a rule.
type Options struct {
	Mode     perfdump.Mode
	Limits   perfdump.Limits
	CodePage uint32 // of texts that name none; 0 means 1252
	Language string // of tables whose file name does not tell; "" means 009
}

func (o Options) language() string {
	if o.Language == "" {
		return english
	}
	return o.Language
}

// Files are what is known of one machine: .ini and .h files, tables of names,
// backups, the registry, captures. Their bytes must not change while it is in
// use. The zero Files has none; it is for one goroutine at a time.
type Files struct {
	names []string
	known map[string]bool // those of names
	taken int             // keys, defines and services

	inis      []iniFile
	headers   []*symbolFile
	tables    []*table
	perflibs  []*perflib
	providers []*provider
	captures  []*captured
	sources   []source // what an edit writes anew
}

// source is a file of the database.
type source struct {
	in     *detect.Input
	o      Options
	table  *table            // of a table of names
	reg    *registry.Reg     // of a .reg file
	view   *registry.View    // of that
	backup *perfstrings.File // of a backup
}

type iniFile struct {
	name string
	f    *inifile.File
}

// maxTexts bounds the keys of all .ini files, the defines of all .h files and
// the services of all backups, which cost more than their bytes do. The largest that ships has 10,000.
const maxTexts = 131072

// Names returns the names of the files in the order in which they were added.
func (f *Files) Names() []string { return f.names }

// Reads reports whether [Files.Add] takes a format.
func Reads(format detect.Format) bool {
	switch format {
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Titles, detect.PerfStrings, detect.PerfData, detect.BLG:
		return true
	default:
		return false
	}
}

// Add adds a file. The bytes of the input must not change from then on; what
// is needed of an input that is read here and there is read now.
//
// The error is a *perfdump.FormatError, the format's own, or ErrLimit for more
// than 131,072 texts and offsets in all; the file is then not among those that
// are examined.
func (f *Files) Add(in *detect.Input, o Options) error {
	if err := f.add(in, o); err != nil {
		return err
	}
	if !f.known[in.Name] {
		if f.known == nil {
			f.known = map[string]bool{}
		}
		f.known[in.Name] = true
		f.names = append(f.names, in.Name)
	}
	return nil
}

func (f *Files) add(in *detect.Input, o Options) error {
	switch in.Format {
	case detect.INIFile:
		ini, err := inifile.Parse(in.Data, inifile.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
		if err != nil {
			return err
		}
		if err := f.count(ini.NumKeys()); err != nil {
			return err
		}
		f.inis = append(f.inis, iniFile{in.Name, ini})
		return nil
	case detect.SymbolH:
		h, err := symbolh.Parse(in.Data, symbolh.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
		if err != nil {
			return err
		}
		if err := f.count(h.NumDefines()); err != nil {
			return err
		}
		f.headers = append(f.headers, &symbolFile{in.Name, h})
		return nil
	case detect.Reg:
		return f.addReg(in, o)
	case detect.Hive:
		return f.addHive(in, o)
	case detect.Titles:
		return f.addTitles(in, o)
	case detect.PerfStrings:
		return f.addBackup(in, o)
	case detect.PerfData, detect.BLG:
		return f.addCapture(in, o)
	default:
		return perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "%s says nothing of how counters are registered", in.Format)
	}
}

func (f *Files) count(n int) error {
	if n > maxTexts-f.taken {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "%d texts or offsets where %d more are taken", n, maxTexts-f.taken)
	}
	f.taken += n
	return nil
}

func (f *Files) addReg(in *detect.Input, o Options) error {
	r, err := registry.ParseReg(in.Data, registry.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
	if err != nil {
		return err
	}
	v, err := r.View()
	if err != nil {
		return err
	}
	f.sources = append(f.sources, source{in: in, o: o, reg: r, view: v})
	return f.addView(in.Name, v, wholeServices(r), o)
}

func (f *Files) addHive(in *detect.Input, o Options) error {
	h, err := registry.NewHive(in.At, in.Size(), registry.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
	if err != nil {
		return err
	}
	v, err := h.View()
	if err != nil {
		return err
	}
	f.sources = append(f.sources, source{in: in, o: o})
	return f.addView(in.Name, v, v.ControlSet != "", o)
}

// tableValues are the values of a language, by the kinds of their tables.
var tableValues = [...]string{titles.Counter: "Counter", titles.Help: "Help"}

// addView takes what the registry says. whole tells that all services of the
// machine are there.
func (f *Files) addView(name string, v *registry.View, whole bool, o Options) error {
	for i := range v.Providers {
		f.providers = append(f.providers, registered(name, &v.Providers[i], whole))
	}
	if v.Perflib == nil {
		return nil
	}
	if v.Perflib.Key != nil {
		f.perflibs = append(f.perflibs, perflibOf(name, v.Perflib.Key))
	}
	if err := fewLanguages(len(v.Perflib.Languages)); err != nil {
		return err
	}
	for _, l := range v.Perflib.Languages {
		for kind, value := range tableValues {
			data := l.Value(value)
			if data == nil {
				continue
			}
			t, err := titles.Parse(data.Data, titles.Options{Limits: o.Limits, CodePage: 1200})
			if err != nil {
				return within(`Perflib\`+l.ID+`\`+value, err)
			}
			f.tables = append(f.tables, &table{
				name: name, line: data.Line, key: `Perflib\` + l.ID + `\` + value,
				language: fold(l.ID), kind: titles.Kind(kind), origin: fromRegistry, t: t,
			})
		}
	}
	slices.SortStableFunc(f.tables, byPlace)
	return nil
}

// maxLanguages is how many languages of a file are taken. Windows has 40.
const maxLanguages = 64

func fewLanguages(n int) error {
	if n > maxLanguages {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "%d languages where %d are the most that are taken", n, maxLanguages)
	}
	return nil
}

// within returns the error of a value of the registry, whose offsets are not
// those of the file, with the value for its path.
func within(value string, err error) error {
	code := perfdump.CodeSyntax
	var fe *perfdump.FormatError
	if errors.As(err, &fe) {
		code = fe.Code
	}
	return &perfdump.FormatError{Code: code, Off: -1, Path: value, Err: err}
}

func (f *Files) addTitles(in *detect.Input, o Options) error {
	t, err := capture.ParseTitles(in.Data, capture.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
	if err != nil {
		return err
	}
	add := &table{name: in.Name, language: o.language(), kind: t.Kind(), origin: fromFile, t: t}
	if language, kind, ok := titles.ParseDatName(baseName(in.Name)); ok {
		add.language, add.kind = language, kind
	}
	for e := range t.Entries() {
		if e.Off < 0 {
			add.origin = fromList
		}
		break
	}
	f.tables = append(f.tables, add)
	f.sources = append(f.sources, source{in: in, o: o, table: add})
	return nil
}

func (f *Files) addBackup(in *detect.Input, o Options) error {
	b, err := perfstrings.Parse(in.Data, perfstrings.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
	if err != nil {
		return err
	}
	if err := fewLanguages(len(b.Languages())); err != nil {
		return err
	}
	if err := f.count(b.NumProviders()); err != nil {
		return err
	}
	for _, l := range b.Languages() {
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			t, err := b.Table(l.ID, kind)
			if err != nil {
				return err
			}
			f.tables = append(f.tables, &table{
				name: in.Name, line: l.Line, key: "[PerfStrings_" + l.ID + "]",
				language: fold(l.ID), kind: kind, origin: fromBackup, t: t, backup: b,
			})
		}
	}
	f.sources = append(f.sources, source{in: in, o: o, backup: b})
	if p := b.Perflib(); p.Line > 0 {
		f.perflibs = append(f.perflibs, backupPerflib(in.Name, p))
	}
	for p := range b.Providers() {
		f.providers = append(f.providers, backedUp(in.Name, &p))
	}
	return nil
}
