// Package symbolh reads, changes and writes symbol files: the .h files that
// give the objects and counters of an .ini file their offsets, in the few forms
// of C that lodctr reads. docs/registration.md describes them and every anomaly.
//
//	f, err := symbolh.Parse(b, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	for d := range f.Defines() {
//		fmt.Println(d.Line, d.Name, d.Value)
//	}
//
// Every byte is kept: comments, guards, text that is not C, line ends.
// [File.Defines] and [File.Lookup] give the offsets with their places,
// [File.Edit] changes lines and leaves the others alone. [AppendHeader]
// and [AppendEnum] write a new symbol file, and the constants for the code of a
// provider.
//
// No input makes this package panic (FuzzSymbolH) or take more than 64 MiB plus
// 24 times the input (TestHostileFilesStayWithinMemory); time is linear. What
// Parse accepts, [File.AppendBinary] returns byte by byte.
package symbolh

import (
	"iter"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// maxAliases is how many names may refer to each other in a row.
const maxAliases = 16

// File is a symbol file. It refers to the bytes that it was made of, which must
// not change, and never changes itself: it is safe for concurrent use.
type File struct {
	text      *textlines.Text
	first     map[string]int // the line of the first define of a name, folded
	defines   int
	anomalies perfdump.Anomalies
}

// Parse reads a symbol file. It keeps b.
//
// The errors are ErrBigEndian; ErrSyntax where the file has text but no
// #define; ErrLimit for an input above 1 GiB or a line above 8 MiB; an unknown
// code page; and in strict mode the first anomaly. Every other file is readable,
// with anomalies. Salvage mode is as tolerant.
func Parse(b []byte, o perfdump.Options) (*File, error) {
	text, err := textlines.New(b, textlines.Options{CodePage: o.CodePage})
	if err != nil {
		return nil, err
	}
	f := &File{text: text, first: map[string]int{}}
	f.anomalies.Reset(o.Limits.MaxAnomalies())
	var stray line // the first with text that is no define
	for l := range f.lines() {
		switch l.Kind {
		case lineDefine:
			f.defines++
			name := strings.ToLower(l.text(l.a, l.b))
			if f.first[name] == 0 {
				f.first[name] = l.Number
			}
		case lineDirective, lineOther:
			if stray.Number == 0 {
				stray = l
			}
		case lineBlank, lineComment, lineCtrlZ:
		}
	}
	if f.defines == 0 && stray.Number > 0 {
		return nil, perfdump.NewError(perfdump.CodeSyntax, int64(stray.Off), stray.Path(), "line %d is %.40q; a #define NAME 10 is expected, and no line is one", stray.Number, stray.Text())
	}
	f.check()
	if kept := f.anomalies.Kept(); o.Mode == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return f, nil
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

// NumLines returns the number of lines. What follows the last line end is a
// line if it has any bytes.
func (f *File) NumLines() int { return f.text.Len() }

// NumDefines returns how many lines are defines, guards and duplicates included.
func (f *File) NumDefines() int { return f.defines }

// Anomalies returns the anomalies of the file. They belong to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }

// lines yields every line.
func (f *File) lines() iter.Seq[line] {
	return func(yield func(line) bool) {
		in := false
		for t := range f.text.All() {
			var l line
			l, in = classify(t, f.text.Encoding(), in)
			if !yield(l) {
				return
			}
		}
	}
}

// Defines yields every #define as it is in the file, with guards, aliases,
// duplicates and values that lodctr does not read.
func (f *File) Defines() iter.Seq[Define] {
	return func(yield func(Define) bool) {
		for l := range f.lines() {
			if d, ok := l.define(); ok && !yield(d) {
				return
			}
		}
	}
}

// Get returns the define of a name, in any case, and whether there is one. Of
// several it is the first; a define d is a duplicate where Get(d.Name) returns
// another line.
func (f *File) Get(name string) (Define, bool) {
	n := f.first[strings.ToLower(name)]
	if n == 0 {
		return Define{}, false
	}
	l, _ := classify(f.text.Line(n), f.text.Encoding(), false)
	return l.define()
}

// Lookup returns the offset of a name, in any case, over up to 16 aliases, and
// whether there is one.
func (f *File) Lookup(name string) (uint32, bool) {
	d, ok := f.Get(name)
	if ok {
		d, ok = f.follow(d)
	}
	return d.Offset, ok && d.Kind == Decimal
}

// follow returns what an alias refers to, over up to 16 names: an Alias where
// there are more, and nothing where a name is not defined.
func (f *File) follow(d Define) (Define, bool) {
	ok := true
	for i := 0; i < maxAliases && ok && d.Kind == Alias; i++ {
		d, ok = f.Get(d.Target())
	}
	return d, ok
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

// Spans yields the meaning of each byte of the file, in order and without a
// gap. What precedes a name or a value belongs to it, what follows and the
// line's end to the line.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	kind, _ := f.text.Encoding().Kind()
	in := false
	return f.text.Spans(func(dst []textlines.Part, t textlines.Line) []textlines.Part {
		var l line
		if t.Number == 1 {
			in = false
		}
		l, in = classify(t, f.text.Encoding(), in)
		p := textlines.Part{End: t.Size(), Kind: kind}
		switch l.Kind {
		case lineDefine:
			dst = append(dst, textlines.Part{End: l.b, Kind: kind, Field: "Name"})
			if l.c < l.d {
				dst = append(dst, textlines.Part{End: l.d, Kind: kind, Field: "Value"})
			}
			p.Field = "End"
		case lineComment:
			p.Field = "Comment"
		case lineDirective:
			p.Field = "Directive"
		case lineBlank:
			p.Kind, p.Note = perfdump.KindPadding, "blank line"
		case lineCtrlZ, lineOther:
			p.Kind, p.Note = perfdump.KindGap, "no #define, skipped"
		}
		return append(dst, p)
	})
}
