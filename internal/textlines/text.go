package textlines

import (
	"iter"
	"sort"

	"github.com/perfdump/perfdump"
)

const (
	maxInput = 1 << 30 // so that offsets fit 32 bits with room to spare
	stride   = 64      // lines from one kept offset to the next
	// maxLine bounds the memory that decoding takes. It is a thousand times
	// what any line of the formats has.
	maxLine = 8 << 20
)

// Options says how to read a file.
type Options struct {
	// CodePage is the page of text that is neither UTF-16 nor UTF-8; see
	// [Sniff]. 0 means that the file decides, and 1252 where it cannot.
	CodePage uint32
	// OnlyCRLF lets CR LF alone end a line, so that a lone LF is text. It is
	// the rule of PerfStringBackup.INI.
	OnlyCRLF bool
}

// Text is a file as lines. It refers to the bytes it was made of, which must
// not change, and never changes itself, so that any number of goroutines may
// read it.
type Text struct {
	data  []byte
	enc   Encoding
	crlf  bool
	lines int
	marks []uint32 // the offsets of lines 1, 65, 129 ...
}

// New finds the encoding of data and its lines. The errors are those of
// [Sniff], and ErrLimit for an input above 1 GiB or a line above 8 MiB.
//
// It costs a pass to find the encoding and one to count the lines, and a
// sixteenth of the input in memory where every byte is a line.
func New(data []byte, o Options) (*Text, error) {
	enc, err := Sniff(data, o.CodePage)
	if err != nil {
		return nil, err
	}
	return NewIn(data, enc, o)
}

// NewIn is [New] for data whose encoding is known. A byte order mark that enc
// has not is text.
func NewIn(data []byte, enc Encoding, o Options) (*Text, error) {
	if len(data) > maxInput {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "a text of %d bytes; the limit is %d", len(data), maxInput)
	}
	t := &Text{data: data, enc: enc, crlf: o.OnlyCRLF}
	for l := range t.from(0, len(enc.BOM())) {
		if len(l.Raw) > maxLine {
			return nil, perfdump.NewError(perfdump.CodeLimit, int64(l.Off), perfdump.Path{}, "line %d has %d bytes; the limit is %d", l.Number, len(l.Raw), maxLine)
		}
		if t.lines%stride == 0 {
			t.marks = append(t.marks, uint32(l.Off))
		}
		t.lines++
	}
	return t, nil
}

// EOL returns how lines that are put into the file are to end: as its first
// line does, and with CR LF where that has no end.
func (t *Text) EOL() string {
	if eol := t.Line(1).EOL(); eol != "" {
		return eol
	}
	return "\r\n"
}

// Bytes returns the file. It belongs to t.
func (t *Text) Bytes() []byte { return t.data }

// Encoding returns how the file is written.
func (t *Text) Encoding() Encoding { return t.enc }

// Len returns how many lines there are. What follows the last line end is a
// line if it has any bytes.
func (t *Text) Len() int { return t.lines }

// All yields the lines from the first to the last. It does not allocate.
func (t *Text) All() iter.Seq[Line] { return t.from(0, len(t.enc.BOM())) }

// From yields the lines from number n on, which counts from 1. There are none
// past the last.
func (t *Text) From(n int) iter.Seq[Line] {
	if n < 1 || n > t.lines {
		return func(func(Line) bool) {}
	}
	mark := (n - 1) / stride
	return func(yield func(Line) bool) {
		for l := range t.from(mark*stride, int(t.marks[mark])) {
			if l.Number >= n && !yield(l) {
				return
			}
		}
	}
}

// FromAt is [Text.From] for those who kept the offset of line n beside its
// number: it steps over no line.
func (t *Text) FromAt(n, off int) iter.Seq[Line] { return t.from(n-1, off) }

// Line returns the line with a number, which counts from 1, and the zero Line
// where there is none. It steps over 63 lines at most.
func (t *Text) Line(n int) Line {
	for l := range t.From(n) {
		return l
	}
	return Line{}
}

// At returns the line that begins at off, without its number: for those who
// kept the offset of a line.
func (t *Text) At(off int) Line {
	l := Line{Off: off, enc: t.enc}
	l.Raw, l.end = t.cut(off)
	return l
}

// LineAt returns the number of the line that holds the byte at off, its end
// included, for those who know an offset and are asked for a line. A byte order
// mark is of line 1, the end of the file of the last line; 0 where there are
// no lines.
func (t *Text) LineAt(off int64) int {
	mark := sort.Search(len(t.marks), func(i int) bool { return int64(t.marks[i]) > off }) - 1
	n := 0
	for l := range t.From(max(mark, 0)*stride + 1) {
		if int64(l.Off) > off && n > 0 {
			break
		}
		n = l.Number
	}
	return n
}

// from yields the lines behind number done, the first of which begins at off.
func (t *Text) from(done, off int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for n := done + 1; off < len(t.data); n++ {
			l := Line{Number: n, Off: off, enc: t.enc}
			l.Raw, l.end = t.cut(off)
			off += len(l.Raw) + len(l.end)
			if !yield(l) {
				return
			}
		}
	}
}

// cut returns the line at off and its end, as bytes.
func (t *Text) cut(off int) (raw, end []byte) {
	u := t.enc.Unit()
	rest := t.data[off:]
	for from := 0; ; {
		i := t.enc.Index(rest[from:], '\n')
		if i < 0 {
			return rest[:len(rest):len(rest)], nil
		}
		lf := from + i
		cr := lf - u
		switch {
		case cr >= 0 && t.enc.At(rest, cr, '\r'):
			return rest[:cr:cr], rest[cr : lf+u : lf+u]
		case !t.crlf:
			return rest[:lf:lf], rest[lf : lf+u : lf+u]
		}
		from = lf + u
	}
}

// Line is a line of a file.
type Line struct {
	Number int    // from 1
	Off    int    // of its first byte in the file; the byte order mark is of no line
	Raw    []byte // its bytes without the end; they belong to the file

	end []byte
	enc Encoding
}

// EOL returns what ends the line: "\r\n", "\n", or "" where the file ends. A
// lone CR ends no line.
func (l Line) EOL() string {
	switch len(l.end) {
	case 0:
		return ""
	case l.enc.Unit():
		return "\n"
	default:
		return "\r\n"
	}
}

// Size returns how many bytes the line has with its end.
func (l Line) Size() int { return len(l.Raw) + len(l.end) }

// Text returns the line without its end; see [Encoding.Append].
func (l Line) Text() string { return l.enc.Text(l.Raw) }

// Decode returns the line without its end; see [Encoding.Decode].
func (l Line) Decode(buf *[]byte) []byte { return l.enc.Decode(buf, l.Raw) }

// Inverts reports whether the text of the line encodes back to its bytes. If
// not, a JSON document must hold the bytes.
func (l Line) Inverts() bool { return l.enc.Inverts(l.Raw) }
