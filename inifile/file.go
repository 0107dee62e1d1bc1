// Package inifile reads, changes and writes the .ini files by which lodctr
// registers performance counters: the driver, its symbol file, the languages,
// the objects, and the names and explanations in each language.
// docs/registration.md describes the format and every anomaly.
//
//	f, err := inifile.Parse(b, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	for t := range f.Texts() {
//		fmt.Println(t.Line, t.Symbol, t.Language, t.Kind, t.Text)
//	}
//
// Every byte is kept: comments, blank lines, line ends, a Ctrl-Z at the end,
// duplicates, lines without meaning. [File.Lines] yields all lines with their
// places. The typed view ([File.DriverName], [File.Languages], [File.Objects],
// [File.Texts]) is what the loader makes of them. [File.Edit] changes lines and
// leaves the others alone, and [Registration] writes new files. [File.INI] gives
// the keys to code that has a *ini.File of gopkg.in/ini.v1.
//
// No input makes this package panic (FuzzINIFile) or take more than 64 MiB plus
// 24 times the input (TestHostileFilesStayWithinMemory); time is linear. The one
// exception is File.INI, whose memory is ini.v1's. What Parse accepts,
// [File.AppendBinary] returns byte by byte.
package inifile

import (
	"iter"
	"sort"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// maxSections is far above the four that a file needs.
const maxSections = 1 << 16

// File is an .ini file. It refers to the bytes that it was made of, which must
// not change, and never changes itself: it is safe for concurrent use.
type File struct {
	text     *textlines.Text
	sections []section
	ids      map[string]int // by folded name: the first section of the name
	first    map[key]int    // the line of the first key of a name
	keys     int
	ascii    bool
	// The texts are in the code pages of their languages.
	byLanguage bool
	anomalies  perfdump.Anomalies
}

// section is a section as it begins in the file. The one before the first line
// has no name; nor has "[]", and both are one.
type section struct {
	name   string
	id     int // the first section of the same name
	line   int
	last   int  // the line of its last key, else of the section
	opened bool // of the first: a line has opened it
}

// key is the name of a key, folded, in a section.
type key struct {
	section int
	name    string
}

// Parse reads an .ini file. It keeps b.
//
// The errors are ErrBigEndian; ErrSyntax where the file has text but no
// section; ErrLimit for an input above 1 GiB, a line above 8 MiB or more than
// 65,536 sections; an unknown code page; and in strict mode the first anomaly.
// Every other file is readable, with anomalies. Salvage mode is as tolerant.
func Parse(b []byte, o perfdump.Options) (*File, error) {
	text, err := textlines.New(b, textlines.Options{CodePage: o.CodePage})
	if err != nil {
		return nil, err
	}
	f := &File{text: text, ids: map[string]int{"": 0}, first: map[key]int{}, sections: []section{{}}}
	f.ascii = text.Encoding().ASCII(b[len(text.Encoding().BOM()):])
	f.byLanguage = o.CodePage == 0 && !f.ascii && !text.Encoding().IsUTF16() && !text.Encoding().IsUTF8()
	f.anomalies.Reset(o.Limits.MaxAnomalies())
	if err := f.scan(); err != nil {
		return nil, err
	}
	if kept := f.anomalies.Kept(); o.Mode == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return f, nil
}

// scan finds the sections, the keys and the anomalies.
func (f *File) scan() error {
	common := f.text.Checker(&f.anomalies)
	text := false  // there is a line with a meaning
	var stray Line // the first line that needs a section and has none
	for t := range f.text.All() {
		l := classify(t, f.text.Encoding())
		text = text || l.Kind != blank && l.Kind != ctrlZ
		if stray.Number == 0 && len(f.sections) == 1 && (l.Kind == Key || l.Kind == Other) {
			stray = l
		}
		common.Line(t)
		switch l.Kind {
		case Section:
			if len(f.sections) > maxSections {
				return perfdump.NewError(perfdump.CodeLimit, int64(t.Off), t.Path(), "line %d opens section %d; the limit is %d", l.Number, len(f.sections), maxSections)
			}
			f.checkSection(l, f.open(l))
		case Key:
			f.keys++
			at := &f.sections[len(f.sections)-1]
			at.last = l.Number
			f.checkKey(l, at)
		case Other:
			f.checkOther(l)
		case blank, comment, ctrlZ:
		}
	}
	if len(f.sections) == 1 && stray.Number > 0 {
		return perfdump.NewError(perfdump.CodeSyntax, int64(stray.line.Off), stray.line.Path(), "line %d is %.40q where a section such as [info] is expected; the file has none", stray.Number, stray.Text())
	}
	f.checkWhole(text)
	return nil
}

// open adds the section that l opens.
func (f *File) open(l Line) *section {
	s := section{name: l.enc.Text(l.line.Raw[l.a:l.b]), id: len(f.sections), line: l.Number, last: l.Number}
	folded := strings.ToLower(s.name)
	if id, ok := f.ids[folded]; ok {
		s.id = id
	}
	f.ids[folded] = s.id
	f.sections = append(f.sections, s)
	return &f.sections[len(f.sections)-1]
}

// AppendBinary appends the file as it was read. The error is always nil; it is
// there for encoding.BinaryAppender.
func (f *File) AppendBinary(dst []byte) ([]byte, error) {
	return append(dst, f.text.Bytes()...), nil
}

// Bytes returns the file as it was read. It belongs to f.
func (f *File) Bytes() []byte { return f.text.Bytes() }

// Encoding returns how the file is written: "utf-16le-bom", which lodctr
// expects, "utf-16le", "utf-8-bom", "utf-8", or "cp" and the number of a code
// page, as "cp1252".
func (f *File) Encoding() string { return f.text.Encoding().Name() }

// ASCII reports whether all text is ASCII, so that it is the same in every code
// page.
func (f *File) ASCII() bool { return f.ascii }

// NumLines returns the number of lines. What follows the last line end is a
// line if it has any bytes.
func (f *File) NumLines() int { return f.text.Len() }

// NumKeys returns how many lines are keys, duplicates included.
func (f *File) NumKeys() int { return f.keys }

// Anomalies returns the anomalies of the file. They belong to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }

// lines yields every line with the id of its section.
func (f *File) lines() iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		for n := range f.text.Len() {
			if !yield(f.line(n + 1)) {
				return
			}
		}
	}
}

// line returns the line with a number, and the id of its section.
func (f *File) line(n int) (int, Line) {
	i := sort.Search(len(f.sections)-1, func(i int) bool { return f.sections[i+1].line > n })
	s := &f.sections[i]
	return s.id, f.in(s.name, classify(f.text.Line(n), f.text.Encoding()))
}

// Lines yields every line.
func (f *File) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for _, l := range f.lines() {
			if !yield(l) {
				return
			}
		}
	}
}

// Keys yields the keys of all sections of a name, in any case, in their order,
// duplicates included. The empty name is for the keys before the first section.
func (f *File) Keys(section string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		want, ok := f.ids[strings.ToLower(section)]
		if !ok {
			return
		}
		for id, l := range f.lines() {
			if l.Kind == Key && id == want && !yield(l) {
				return
			}
		}
	}
}

// Get returns the key of a name in the sections of a name, both in any case,
// and whether there is one. Of several, in one section or in several of one
// name, it is the first, as in the profile functions of Windows; a key k is a
// duplicate where Get(k.Section, k.Key()) returns another line.
func (f *File) Get(section, name string) (Line, bool) {
	id, ok := f.ids[strings.ToLower(section)]
	n := f.first[key{id, strings.ToLower(name)}]
	if !ok || n == 0 {
		return Line{}, false
	}
	_, l := f.line(n)
	return l, true
}

// hasSection reports whether there is a section of a name, in any case.
func (f *File) hasSection(name string) bool { return f.ids[strings.ToLower(name)] != 0 }

// Spans yields the meaning of each byte of the file, in order and without a
// gap. blanks belong to what precedes them, the = to the key, a line's end to
// the line.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	kind, _ := f.text.Encoding().Kind()
	return f.text.Spans(func(dst []textlines.Part, t textlines.Line) []textlines.Part {
		l := classify(t, f.text.Encoding())
		p := textlines.Part{End: t.Size(), Kind: kind}
		switch l.Kind {
		case Key:
			dst = append(dst, textlines.Part{End: l.c, Kind: kind, Field: "Key"})
			p.Field = "Value"
		case Section:
			p.Field = "Section"
		case comment:
			p.Field = "Comment"
		case blank:
			p.Kind, p.Note = perfdump.KindPadding, "blank line"
		case ctrlZ, Other:
			p.Kind, p.Note = perfdump.KindGap, "no key, no effect"
		}
		return append(dst, p)
	})
}
