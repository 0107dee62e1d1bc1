package symbolh

import (
	"bytes"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Options says how to read a file. The zero Options is right as a rule: what
// counts in a symbol file is ASCII.
type Options struct {
	Mode   perfdump.Mode
	Limits perfdump.Limits
	// CodePage is the ANSI code page of a file that is neither UTF-16 nor
	// UTF-8; 0 means 1252. It matters to comments only.
	CodePage uint32
}

// maxAliases is how many names may stand for each other in a row.
const maxAliases = 16

// File is a symbol file. It refers to the bytes that it was made of, which must
// not change, and never changes itself, so that any number of goroutines may
// read it.
type File struct {
	text      *textlines.Text
	index     *textlines.Index
	defines   int
	anomalies perfdump.Anomalies
}

// Parse reads a symbol file. It keeps b.
//
// The errors are ErrBigEndian; ErrSyntax where the file has text but no
// #define; ErrLimit for an input above 1 GiB or a line above 8 MiB; that the
// code page is not known; and in strict mode the first anomaly. Every other
// file is readable, with anomalies. Salvage mode is as tolerant.
//
// It costs three passes over the bytes and, for the look-up of names, 7.5 bytes
// a define.
func Parse(b []byte, o Options) (*File, error) {
	text, err := textlines.New(b, textlines.Options{CodePage: o.CodePage})
	if err != nil {
		return nil, err
	}
	f := &File{text: text}
	var stray Line
	for l := range f.Lines() {
		switch l.Kind {
		case Definition:
			f.defines++
		case Directive, Other:
			if stray.Number == 0 {
				stray = l
			}
		case Blank, Comment, CtrlZ:
		}
	}
	if f.defines == 0 && stray.Number > 0 {
		return nil, perfdump.NewError(perfdump.CodeSyntax, stray.Off, stray.path(), "line %d is %.40q; a #define NAME 10 is expected, and no line is one", stray.Number, stray.Text())
	}
	f.index = textlines.NewIndex(f.defines)
	f.anomalies.Reset(o.Limits.MaxAnomalies())
	var s scratch
	for l := range f.Lines() {
		if l.Kind == Definition {
			s.want = textlines.AppendFold(s.want[:0], l.enc.Decode(&s.text, l.line.Raw[l.a:l.b]))
			f.index.Add(int(l.Off), 0, s.want, func(off int) bool { return f.isName(&s, off) })
		}
	}
	f.judge()
	if kept := f.anomalies.Kept(); o.Mode == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return f, nil
}

// scratch is what comparing a name with others takes.
type scratch struct{ want, have, text []byte }

// isName reports whether the define at off has the name that s wants.
func (f *File) isName(s *scratch, off int) bool {
	l := f.defineAt(off)
	s.have = textlines.AppendFold(s.have[:0], l.enc.Decode(&s.text, l.line.Raw[l.a:l.b]))
	return bytes.Equal(s.have, s.want)
}

// defineAt returns the line at off, a define. It has no number.
func (f *File) defineAt(off int) Line {
	l, _ := classify(f.text.At(off), f.text.Encoding(), false)
	return l
}

// AppendBinary appends the file as it was read. The error is always nil; it is
// there for encoding.BinaryAppender.
func (f *File) AppendBinary(dst []byte) ([]byte, error) {
	return append(dst, f.text.Bytes()...), nil
}

// Bytes returns the file as it was read. It belongs to f.
func (f *File) Bytes() []byte { return f.text.Bytes() }

// Encoding returns how the file is written: "utf-16le-bom", "utf-16le",
// "utf-8-bom", "utf-8", or "cp" and the number of a code page, as "cp1252".
func (f *File) Encoding() string { return f.text.Encoding().Name() }

// CodePage returns the number of the file's code page: 1200 for UTF-16LE, 65001
// for UTF-8. As an option it reads the file again in the same way.
func (f *File) CodePage() uint32 { return f.text.Encoding().CodePage() }

// NumLines returns how many lines there are. What follows the last line end is
// a line if it has any bytes.
func (f *File) NumLines() int { return f.text.Len() }

// NumDefines returns how many lines are defines, guards and duplicates too.
func (f *File) NumDefines() int { return f.defines }

// LineAt returns the number of the line that holds the byte at off.
func (f *File) LineAt(off int64) int { return f.text.LineAt(off) }

// Lines yields every line.
func (f *File) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		enc, in := f.text.Encoding(), false
		for t := range f.text.All() {
			var l Line
			l, in = classify(t, enc, in)
			if !yield(l) {
				return
			}
		}
	}
}

// Defines yields every #define as it stands, guards, aliases, duplicates and
// values that lodctr would not read too.
func (f *File) Defines() iter.Seq[Define] {
	return func(yield func(Define) bool) {
		for l := range f.Lines() {
			if d, ok := l.Define(); ok && !yield(d) {
				return
			}
		}
	}
}

// Get returns the define of a name, in any case, and whether there is one. Of
// several it is the first; a define d is a duplicate where Get(d.Name) gives
// another line.
func (f *File) Get(name string) (Define, bool) {
	l, ok := f.find(&scratch{}, name)
	if !ok {
		return Define{}, false
	}
	l.Number = f.text.LineAt(l.Off)
	return l.Define()
}

// find returns the first define of a name, without the number of its line,
// which costs more than the rest.
func (f *File) find(s *scratch, name string) (Line, bool) {
	s.want = textlines.AppendFold(s.want[:0], []byte(name))
	off, ok := f.index.Find(0, s.want, func(off int) bool { return f.isName(s, off) })
	if !ok {
		return Line{}, false
	}
	return f.defineAt(off), true
}

// Lookup returns the offset that a name stands for, in any case, over as many
// as 16 aliases, and whether there is one.
func (f *File) Lookup(name string) (uint32, bool) {
	var s scratch
	for range maxAliases + 1 {
		l, ok := f.find(&s, name)
		if !ok {
			return 0, false
		}
		d, _ := l.Define()
		if d.Kind != Alias {
			return d.Offset, d.Kind == Decimal
		}
		name = d.Target()
	}
	return 0, false
}

// Largest returns the largest offset that is defined, which lodctr makes Last
// Counter from, and false where there is none.
func (f *File) Largest() (uint32, bool) {
	largest, ok := uint32(0), false
	for d := range f.Defines() {
		if d.Kind == Decimal {
			largest, ok = max(largest, d.Offset), true
		}
	}
	return largest, ok
}

// Anomalies returns what is odd about the file. It belongs to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }
