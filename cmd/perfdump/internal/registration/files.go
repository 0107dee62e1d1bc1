package registration

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// Options says how files are read.
type Options struct {
	perfdump.Options
	Language string // of tables whose file name does not say it; "" means 009
}

// Files are the files of one machine: .ini and .h files, tables of names,
// backups, the registry, captures. Their bytes must not change while it is in
// use. The zero Files has none; it is not safe for concurrent use.
type Files struct {
	names []string
	added map[string]bool // of names
	taken int             // keys, defines and services

	inis      []*iniFile
	headers   []*symbolFile
	tables    []*table
	perflibs  []*perflib
	providers []*provider
	captures  []*captured
	sources   []source // that an edit writes
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

// iniFile is an .ini file with its name.
type iniFile struct {
	name string
	*inifile.File
}

// symbolFile is a symbol file with its name.
type symbolFile struct {
	name string
	*symbolh.File
}

// The limits of what costs more than its bytes.
const (
	// maxTexts is the limit of the keys of all .ini files, the defines of all
	// .h files and the services of all backups. The largest that ships has
	// 10,000.
	maxTexts = 131072
	// maxLanguages is the limit of the languages of a file. Windows has 40.
	maxLanguages = 64
)

// Names returns the names of the files in the order in which they were added.
func (f *Files) Names() []string { return f.names }

// readers add a file of a format each.
var readers = map[detect.Format]func(*Files, *detect.Input, Options) error{
	detect.INIFile:     (*Files).addINI,
	detect.SymbolH:     (*Files).addSymbols,
	detect.Reg:         (*Files).addReg,
	detect.Hive:        (*Files).addHive,
	detect.Titles:      (*Files).addTitles,
	detect.PerfStrings: (*Files).addBackup,
	detect.PerfData:    (*Files).addCapture,
	detect.BLG:         (*Files).addCapture,
}

// Reads reports whether [Files.Add] takes a format.
func Reads(format detect.Format) bool { return readers[format] != nil }

// Add adds a file. The bytes of the input must not change from then on; an
// input that is read in parts is read now.
//
// The error is a *perfdump.FormatError, the format's own, or ErrLimit for more
// than 131,072 texts and offsets in all; the file is then not among those that
// are examined.
func (f *Files) Add(in *detect.Input, o Options) error {
	read := readers[in.Format]
	if read == nil {
		return perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "%s does not say how counters are registered", in.Format)
	}
	if err := read(f, in, o); err != nil {
		return err
	}
	if !f.added[in.Name] {
		if f.added == nil {
			f.added = map[string]bool{}
		}
		f.added[in.Name] = true
		f.names = append(f.names, in.Name)
	}
	return nil
}

// count takes n texts or offsets from the limit.
func (f *Files) count(n int) error {
	if n > maxTexts-f.taken {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "%d texts or offsets; the limit leaves %d more", n, maxTexts-f.taken)
	}
	f.taken += n
	return nil
}

func (f *Files) addINI(in *detect.Input, o Options) error {
	ini, err := inifile.Parse(in.Data, o.Options)
	if err == nil {
		err = f.count(ini.NumKeys())
	}
	if err == nil {
		f.inis = append(f.inis, &iniFile{in.Name, ini})
	}
	return err
}

func (f *Files) addSymbols(in *detect.Input, o Options) error {
	h, err := symbolh.Parse(in.Data, o.Options)
	if err == nil {
		err = f.count(h.NumDefines())
	}
	if err == nil {
		f.headers = append(f.headers, &symbolFile{in.Name, h})
	}
	return err
}

func (f *Files) addReg(in *detect.Input, o Options) error {
	r, err := registry.ParseReg(in.Data, o.Options)
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

// wholeServices reports whether a .reg file is an export of all services: it
// has their key itself.
func wholeServices(r *registry.Reg) bool {
	for e := range r.Entries() {
		set, ok := strings.CutSuffix(fold(e.Path), `\services`)
		if ok && e.Key && !e.Deleted && strings.Contains(set[strings.LastIndexByte(set, '\\')+1:], "controlset") {
			return true
		}
	}
	return false
}

func (f *Files) addHive(in *detect.Input, o Options) error {
	h, err := registry.OpenHive(in.At, in.Size(), o.Options)
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

// parseTable reads the table of names in a value of a language, nil if it has
// none. The path of an error is that of the value, since its offsets are not
// those of the file.
func parseTable(l registry.Language, name string, o Options) (*titles.Table, error) {
	v := l.Value(name)
	if v == nil {
		return nil, nil
	}
	t, err := titles.Parse(v.Data, perfdump.Options{Limits: o.Limits, CodePage: 1200})
	return t, within(tablePath(l, name), err)
}

func tablePath(l registry.Language, name string) string { return `Perflib\` + l.ID + `\` + name }

// within returns an error of a value of the registry with its path.
func within(value string, err error) error {
	if err == nil {
		return nil
	}
	code := perfdump.CodeSyntax
	var fe *perfdump.FormatError
	if errors.As(err, &fe) {
		code = fe.Code
	}
	return &perfdump.FormatError{Code: code, Off: -1, Path: value, Err: err}
}

// addView adds the content of a registry. whole says that all services of the
// machine are there.
func (f *Files) addView(name string, v *registry.View, whole bool, o Options) error {
	for i := range v.Providers {
		p := &v.Providers[i]
		n := func(value string) number { return dword(p.Value(value)) }
		f.providers = append(f.providers, &provider{
			name: name, line: p.Performance.Line, service: p.Service, reg: p, whole: whole,
			first: n(registry.FirstCounter), last: n(registry.LastCounter), firstHelp: n(registry.FirstHelp), lastHelp: n(registry.LastHelp),
			disabled: n(registry.DisableCounters),
		})
	}
	if v.Perflib == nil {
		return nil
	}
	if k := v.Perflib.Key; k != nil {
		f.perflibs = append(f.perflibs, &perflib{
			name: name, key: k,
			base: dword(k.Value(registry.BaseIndex)), counter: dword(k.Value(registry.LastCounter)), help: dword(k.Value(registry.LastHelp)),
		})
	}
	if err := fewLanguages(len(v.Perflib.Languages)); err != nil {
		return err
	}
	for _, l := range v.Perflib.Languages {
		for kind, value := range tableValues {
			t, err := parseTable(l, value, o)
			if err != nil {
				return err
			}
			if t != nil {
				f.tables = append(f.tables, &table{
					name: name, line: l.Value(value).Line, key: tablePath(l, value),
					language: fold(l.ID), kind: titles.Kind(kind), origin: fromRegistry, t: t,
				})
			}
		}
	}
	slices.SortStableFunc(f.tables, func(a, b *table) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.language, b.language), cmp.Compare(a.kind, b.kind))
	})
	return nil
}

func fewLanguages(n int) error {
	if n > maxLanguages {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "%d languages; the limit is %d", n, maxLanguages)
	}
	return nil
}

func (f *Files) addTitles(in *detect.Input, o Options) error {
	t, err := titles.ParseAny(in.Data, o.Options)
	if err != nil {
		return err
	}
	add := &table{name: in.Name, language: cmp.Or(o.Language, english), kind: t.Kind(), origin: fromFile, t: t}
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
	b, err := perfstrings.Parse(in.Data, o.Options)
	if err == nil {
		err = fewLanguages(len(b.Languages()))
	}
	if err == nil {
		err = f.count(b.NumProviders())
	}
	if err != nil {
		return err
	}
	for _, l := range b.Languages() {
		for kind := range tableValues {
			t, err := b.Table(l.ID, titles.Kind(kind))
			if err != nil {
				return err
			}
			f.tables = append(f.tables, &table{
				name: in.Name, line: l.Line, key: "[PerfStrings_" + l.ID + "]",
				language: fold(l.ID), kind: titles.Kind(kind), origin: fromBackup, t: t, backup: b,
			})
		}
	}
	f.sources = append(f.sources, source{in: in, o: o, backup: b})
	n := func(n perfstrings.Number) number {
		return number{v: n.Value, ok: n.Given, there: n.Line > 0, line: n.Line}
	}
	if p := b.Perflib(); p.Line > 0 {
		f.perflibs = append(f.perflibs, &perflib{name: in.Name, base: n(p.BaseIndex), counter: n(p.LastCounter), help: n(p.LastHelp)})
	}
	for p := range b.Providers() {
		f.providers = append(f.providers, &provider{
			name: in.Name, line: p.Line, service: p.Name, whole: true,
			first: n(p.FirstCounter), last: n(p.LastCounter), firstHelp: n(p.FirstHelp), lastHelp: n(p.LastHelp), disabled: n(p.Disabled),
		})
	}
	return nil
}
