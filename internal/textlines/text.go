// Package textlines reads and edits text files that must be kept byte by
// byte: .ini and .h files, PerfStringBackup.INI, .reg files. It finds the
// encoding and the lines, and an [Editor] replaces, inserts and deletes whole
// lines. What a line means, and how one is spelled, is up to the format.
//
// A Text is the file and the offset of each line. Lines are decoded on demand.
// Bytes that are not valid in the encoding stay as they are; [Line.Inverts]
// reports whether the text of a line gives them back.
package textlines

import (
	"bytes"
	"iter"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	maxInput = 1 << 30 // so that offsets fit 32 bits
	// maxLine bounds the memory that decoding takes. It is a thousand times
	// the longest line seen in any format.
	maxLine = 8 << 20
)

// Options says how to read a file.
type Options struct {
	// CodePage is the page of text that is neither UTF-16 nor UTF-8; see
	// [Sniff]. 0 means that the file decides, and 1252 where it cannot.
	CodePage uint32
	// OnlyCRLF makes CR LF alone end a line, so that a lone LF is text. It is
	// the rule of PerfStringBackup.INI.
	OnlyCRLF bool
}

// Text is a file as lines. It refers to the bytes it was made of, which must
// not change, and never changes itself: it is safe for concurrent use.
type Text struct {
	data []byte
	enc  Encoding
	crlf bool
	offs []uint32 // where each line begins, and the end of the file
}

// New finds the encoding of data and its lines. The errors are those of
// [Sniff], and ErrLimit for an input above 1 GiB or a line above 8 MiB.
func New(data []byte, o Options) (*Text, error) {
	enc, err := Sniff(data, o.CodePage)
	if err != nil {
		return nil, err
	}
	return NewIn(data, enc, o)
}

// NewIn is [New] for data whose encoding is known. A byte order mark that enc
// does not have is text.
func NewIn(data []byte, enc Encoding, o Options) (*Text, error) {
	if len(data) > maxInput {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "a text of %d bytes; the limit is %d", len(data), maxInput)
	}
	t := &Text{data: data, enc: enc, crlf: o.OnlyCRLF, offs: make([]uint32, 0, bytes.Count(data, []byte("\n"))+2)}
	for off := len(enc.BOM()); off < len(data); {
		t.offs = append(t.offs, uint32(off))
		size := t.size(data[off:])
		if off += size; size <= maxLine {
			continue
		}
		n := len(t.offs)
		t.offs = append(t.offs, uint32(off))
		l := t.Line(n)
		if t.offs = t.offs[:n]; len(l.Raw) > maxLine {
			return nil, perfdump.NewError(perfdump.CodeLimit, int64(l.Off), l.Path(), "line %d has %d bytes; the limit is %d", n, len(l.Raw), maxLine)
		}
	}
	t.offs = append(t.offs, uint32(len(data)))
	return t, nil
}

// size returns how many bytes the first line of b has with its end.
func (t *Text) size(b []byte) int {
	u := t.enc.Unit()
	for from := 0; ; {
		i := t.enc.Index(b[from:], '\n')
		if i < 0 {
			return len(b)
		}
		from += i + u
		if !t.crlf || from >= 2*u && t.enc.At(b, from-2*u, '\r') {
			return from
		}
	}
}

// EOL returns how new lines of the file end: as its first line does, and with
// CR LF where that has no end.
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

// Len returns the number of lines. What follows the last line end is a line if
// it has any bytes.
func (t *Text) Len() int { return len(t.offs) - 1 }

// All yields the lines from the first to the last.
func (t *Text) All() iter.Seq[Line] { return t.From(1) }

// From yields the lines from number n on, which counts from 1. There are none
// past the last.
func (t *Text) From(n int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for n := n; n >= 1 && n <= t.Len() && yield(t.Line(n)); n++ {
		}
	}
}

// Line returns the line with a number, which counts from 1, and the zero Line
// where there is none.
func (t *Text) Line(n int) Line {
	if n < 1 || n > t.Len() {
		return Line{}
	}
	off, to, u := int(t.offs[n-1]), int(t.offs[n]), t.enc.Unit()
	l := Line{Number: n, Off: off, enc: t.enc}
	end := to
	if at := to - u; (to-off)%u == 0 && t.enc.At(t.data[:to], at, '\n') {
		switch {
		case at-u >= off && t.enc.At(t.data[:to], at-u, '\r'):
			end = at - u
		case !t.crlf:
			end = at
		}
	}
	l.Raw, l.end = t.data[off:end:end], t.data[end:to:to]
	return l
}

// LineAt returns the number of the line that holds the byte at off, its end
// included. A byte order mark is of line 1, the end of the file of the last
// line. It is 0 where there are no lines.
func (t *Text) LineAt(off int64) int {
	n := sort.Search(t.Len(), func(i int) bool { return int64(t.offs[i]) > off })
	return max(n, min(t.Len(), 1))
}

var levels = perfdump.Levels{"line"}

// Line is a line of a file.
type Line struct {
	Number int    // from 1
	Off    int    // of its first byte in the file
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

// Path returns the path of the line in errors and anomalies: line[0] is the
// first.
func (l Line) Path() perfdump.Path { return levels.Root().At(0, l.Number-1) }

// Anomaly returns an anomaly at a byte of the line. The first verb of text is
// the number of the line, the second one n.
func (l Line) Anomaly(code perfdump.Code, at int, text string, n int64) perfdump.Anomaly {
	return perfdump.NewAnomaly(code, int64(l.Off+at), l.Path(), text, int64(l.Number), n)
}

// Part is a part of a line for [Text.Spans].
type Part struct {
	End   int // the byte of the line where it ends
	Kind  perfdump.Kind
	Field string // "" for the line itself
	Note  string
}

// Spans yields the meaning of each byte of the file: the byte order mark, and
// the parts of each line in their order. parts appends them to dst; the last
// one must end at the line's Size.
func (t *Text) Spans(parts func(dst []Part, l Line) []Part) iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		_, page := t.enc.Kind()
		s := wire.NewTiler(yield)
		s.Page = page
		s.To(int64(len(t.enc.BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		var all []Part
		for l := range t.All() {
			all = parts(all[:0], l)
			for _, p := range all {
				s.To(int64(l.Off+p.End), p.Kind, l.Path().Field(p.Field), p.Note)
			}
			if s.Done() {
				return
			}
		}
	}
}
