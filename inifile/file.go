package inifile

import (
	"iter"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Options says how to read a file. The zero Options is right unless the text
// is in a code page other than 1252.
type Options struct {
	Mode   perfdump.Mode
	Limits perfdump.Limits
	// CodePage is the ANSI code page of a file that is neither UTF-16 nor
	// UTF-8, which nothing in the file tells; 0 means that of the language that
	// a key of [text] names, and 1252 for all else. Another number
	// than 0 rules out that the file is taken for UTF-8 without a byte order
	// mark; 1200 and 65001 force UTF-16LE and UTF-8.
	CodePage uint32
}

// maxSections is far above the four that there are, and keeps the memory for
// them small.
const maxSections = 1 << 16

// File is an .ini file. It refers to the bytes that it was made of, which must
// not change, and never changes itself, so that any number of goroutines may
// read it.
type File struct {
	text     *textlines.Text
	sections []section
	ids      map[string]uint32 // by folded name: the first section of the name
	index    *textlines.Index
	keys     int
	ascii    bool
	// The texts are in the code pages of their languages.
	byLanguage bool
	anomalies  perfdump.Anomalies
}

// section is where a section begins. The one before the first line has no
// name; so has "[]", and both are one.
type section struct {
	off  uint32
	id   uint32 // the first section of the same name
	name string
}

// Parse reads an .ini file. It keeps b.
//
// The errors are ErrBigEndian; ErrSyntax where the file has text but no
// section; ErrLimit for an input above 1 GiB or more than 65,536 sections; that
// the code page is not known; and in strict mode the first anomaly. Every other
// file is readable, with anomalies. Salvage mode is as tolerant.
//
// It costs three passes over the bytes and, for the look-up of keys, 7.5 bytes
// a key.
func Parse(b []byte, o Options) (*File, error) {
	text, err := textlines.New(b, textlines.Options{CodePage: o.CodePage})
	if err != nil {
		return nil, err
	}
	f := &File{text: text, ids: map[string]uint32{"": 0}, sections: []section{{}}}
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

// scan finds the sections, then the keys, and tells what is odd.
func (f *File) scan() error {
	enc := f.text.Encoding()
	var stray Line // the first line that has no section to stand in
	sections := 0
	for t := range f.text.All() {
		switch l := classify(t, enc); l.Kind {
		case Key:
			f.keys++
			if sections == 0 && stray.Number == 0 {
				stray = l
			}
		case Section:
			if sections++; sections > maxSections {
				return perfdump.NewError(perfdump.CodeLimit, l.Off, l.path(), "line %d opens section %d; the limit is %d", l.Number, sections, maxSections)
			}
		case Other:
			if sections == 0 && stray.Number == 0 {
				stray = l
			}
		case Blank, Comment, CtrlZ:
		}
	}
	if sections == 0 && stray.Number > 0 {
		return perfdump.NewError(perfdump.CodeSyntax, stray.Off, stray.path(), "line %d is %.40q where a section is expected, as [info]; the file has none", stray.Number, stray.Text())
	}
	f.index = textlines.NewIndex(f.keys)
	j := newJudge(f)
	var names scratch
	var name string // decoded once a section
	var id uint32
	for t := range f.text.All() {
		l := classify(t, enc)
		if l.Kind == Section {
			name, id = f.open(l)
		}
		l.Section = name
		first := l.Off
		if l.Kind == Key {
			first = f.first(&names, id, l)
		}
		j.line(l, first, id)
	}
	j.end()
	return nil
}

// open adds the section that l opens.
func (f *File) open(l Line) (name string, id uint32) {
	name = l.enc.Text(l.line.Raw[l.a:l.b])
	folded := string(textlines.AppendFold(nil, []byte(name)))
	id, ok := f.ids[folded]
	if !ok {
		id = uint32(len(f.sections))
		f.ids[folded] = id
	}
	f.sections = append(f.sections, section{off: uint32(l.Off), id: id, name: name})
	return name, id
}

// sectionAt returns the section that the byte at off stands in.
func (f *File) sectionAt(off uint32) section {
	i := sort.Search(len(f.sections)-1, func(i int) bool { return f.sections[i+1].off > off })
	return f.sections[i]
}

// AppendBinary appends the file as it was read. The error is always nil; it is
// there for encoding.BinaryAppender.
func (f *File) AppendBinary(dst []byte) ([]byte, error) {
	return append(dst, f.text.Bytes()...), nil
}

// Bytes returns the file as it was read. It belongs to f.
func (f *File) Bytes() []byte { return f.text.Bytes() }

// Encoding returns how the file is written: "utf-16le-bom", which lodctr wants,
// "utf-16le", "utf-8-bom", "utf-8", or "cp" and the number of a code page, as
// "cp1252".
func (f *File) Encoding() string { return f.text.Encoding().Name() }

// CodePage returns the number of the file's code page: 1200 for UTF-16LE, 65001
// for UTF-8. As an option it reads the file again in the same way.
func (f *File) CodePage() uint32 { return f.text.Encoding().CodePage() }

// ASCII reports whether all text is ASCII, so that it is the same in every code
// page.
func (f *File) ASCII() bool { return f.ascii }

// NumLines returns how many lines there are. What follows the last line end is
// a line if it has any bytes.
func (f *File) NumLines() int { return f.text.Len() }

// NumKeys returns how many lines are keys, duplicates too.
func (f *File) NumKeys() int { return f.keys }

// Lines yields every line.
func (f *File) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		enc, name := f.text.Encoding(), ""
		next := 1
		for t := range f.text.All() {
			l := classify(t, enc)
			if l.Kind == Section {
				name = f.sections[next].name
				next++
			}
			if !yield(f.in(name, l)) {
				return
			}
		}
	}
}

// Line returns the line with a number, which counts from 1, and whether there
// is one. It costs a step over 63 lines at most.
func (f *File) Line(n int) (Line, bool) {
	t := f.text.Line(n)
	if t.Number == 0 {
		return Line{}, false
	}
	return f.lineAt(t), true
}

// lineAt gives a line its kind and section.
func (f *File) lineAt(t textlines.Line) Line {
	return f.in(f.sectionAt(uint32(t.Off)).name, classify(t, f.text.Encoding()))
}

// LineAt returns the number of the line that holds the byte at off.
func (f *File) LineAt(off int64) int { return f.text.LineAt(off) }

// Keys yields the keys of all sections of a name, in any case, in their order,
// duplicates too. The empty name stands for the keys before the first section.
func (f *File) Keys(section string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		want, ok := f.id(section)
		if !ok {
			return
		}
		id, next := uint32(0), 1
		enc, name := f.text.Encoding(), ""
		for t := range f.text.All() {
			l := classify(t, enc)
			if l.Kind == Section {
				id, name = f.sections[next].id, f.sections[next].name
				next++
			}
			if l.Kind == Key && id == want && !yield(f.in(name, l)) {
				return
			}
		}
	}
}

// Get returns the key of a name in the sections of a name, both in any case,
// and whether there is one. Of several, in one section or in several of one
// name, it is the first, as the profile functions of Windows have it; a key k
// is a duplicate where Get(k.Section, k.Key()) gives another line.
func (f *File) Get(section, key string) (Line, bool) {
	id, ok := f.id(section)
	if !ok {
		return Line{}, false
	}
	s := scratch{want: textlines.AppendFold(nil, []byte(key))}
	off, ok := f.index.Find(id, s.want, func(off int) bool { return f.isKey(&s, id, off) })
	if !ok {
		return Line{}, false
	}
	return f.lineAt(f.text.Line(f.text.LineAt(int64(off)))), true
}

// HasSection reports whether there is a section of a name, in any case.
func (f *File) HasSection(name string) bool {
	id, ok := f.id(name)
	return ok && id != 0
}

func (f *File) id(name string) (uint32, bool) {
	id, ok := f.ids[string(textlines.AppendFold(nil, []byte(name)))]
	return id, ok
}

// Anomalies returns what is odd about the file. It belongs to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }
