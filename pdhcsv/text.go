package pdhcsv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// place gives the offset in a file of an offset in the text that was made of
// it. Text is other bytes than the file where that is in UTF-16; behind the
// header it is digits, two bytes each.
type place struct {
	mark   int64 // bytes of the byte order mark
	behind int64 // where the header's line ends in the text
	header int64 // and in the file, less the mark
	source *utf16Text
}

func (p place) of(text int64) int64 {
	switch {
	case p.source == nil:
		return p.mark + text
	case text >= p.behind:
		// Text that is not ASCII behind the data would lead past the end.
		return p.mark + min(p.header+2*(text-p.behind), p.source.read)
	default:
		return p.mark + min(2*text, p.header, p.source.read)
	}
}

// readHeader finds out how the text is written and reads its first line.
func (r *Reader) readHeader() error {
	for len(r.buf) < 4 && !r.eof {
		r.fill()
	}
	switch {
	case r.err != nil:
		return r.err
	case len(r.buf) == 0:
		return perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes: want a header")
	}
	if rest, found := bytes.CutPrefix(r.buf, []byte("\xef\xbb\xbf")); found {
		r.at.mark = 3
		r.buf = append(r.buf[:0], rest...)
	} else if mark, big := wide(r.buf); mark >= 0 {
		source := &utf16Text{src: io.MultiReader(bytes.NewReader(bytes.Clone(r.buf[mark:])), r.src), big: big}
		r.at, r.src = place{mark: int64(mark), header: math.MaxInt64, behind: math.MaxInt64, source: source}, source
		r.buf, r.eof = r.buf[:0], false
	}
	line, start, err := r.headerLine()
	if err != nil {
		return err
	}
	text, err := r.headerText(line)
	if err != nil {
		return err
	}
	if r.at.source != nil {
		end := r.base + int64(r.begin)
		r.at.behind, r.at.header = end, r.wideLength(line, end-start-int64(len(line)), start)
	}
	err = r.parseHeader(line, text, func(i int) int64 { return r.at.of(start + int64(i)) })
	r.shrink()
	return err
}

// wide tells how long the byte order mark of a text in UTF-16 is, -1 where the
// text is in bytes. Without a mark it begins with signs of ASCII.
func wide(b []byte) (mark int, big bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return 2, false
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return 2, true
	case len(b) >= 4 && b[1] == 0 && b[3] == 0:
		return 0, false
	case len(b) >= 4 && b[0] == 0 && b[2] == 0:
		return 0, true
	default:
		return -1, false
	}
}

// shrink gives back the room that a long header took.
func (r *Reader) shrink() {
	rest := r.buf[r.begin:]
	if cap(r.buf) <= bufferSize || len(rest) > cap(r.buf)/4 {
		return
	}
	r.base += int64(r.begin)
	r.buf, r.begin = append(make([]byte, 0, max(bufferSize, len(rest))), rest...), 0
}

// wideLength returns how many bytes of UTF-16 a header takes, with the blank
// lines in front of it and the signs of its end.
func (r *Reader) wideLength(text []byte, rest, before int64) int64 {
	n := int64(0)
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		n += 2
		if c > 0xffff {
			n += 2
		}
		text = text[size:]
	}
	return n + 2*(rest+before)
}

// headerLine returns the first line that is not blank. It may go on in the
// next lines: a name in quotes may hold their ends.
func (r *Reader) headerLine() (line []byte, start int64, err error) {
	blanks := false
	for {
		start = r.base + int64(r.begin)
		l, ok := r.line()
		switch {
		case r.err != nil:
			return nil, 0, r.err
		case !ok:
			return nil, 0, perfdump.NewError(perfdump.CodeSignature, 0, inHeader(), "nothing but blank lines: want a header")
		case blank(l.text):
			if !blanks {
				blanks = true
				r.anomaly(perfdump.NewAnomaly(CodeBlankLine, r.at.of(start), inHeader(), "a blank line stands in front of the header, as typeperf prints one"))
			}
			continue
		}
		line = l.text
		quotes := bytes.Count(l.all, []byte(`"`))
		for quotes%2 == 1 {
			l, ok = r.extend(len(l.all))
			if r.err != nil {
				return nil, 0, r.err
			}
			if !ok {
				break
			}
			quotes += bytes.Count(l.all[len(line):], []byte(`"`))
			line = l.text
		}
		return line, start, nil
	}
}

// extend puts back the n bytes of the line that was read last, and returns it
// with the next line behind it.
func (r *Reader) extend(n int) (textLine, bool) {
	r.begin -= n
	from := r.begin + n
	for {
		if i := bytes.IndexByte(r.buf[from:], '\n'); i >= 0 {
			all := r.buf[r.begin : from+i+1]
			r.begin += len(all)
			return textLine{all, bytes.TrimSuffix(all[:len(all)-1], []byte("\r"))}, true
		}
		if r.eof {
			all := r.buf[r.begin:]
			r.begin += len(all)
			return textLine{all, bytes.TrimSuffix(all, []byte("\r"))}, len(all) > n
		}
		from = len(r.buf)
		from -= r.fill()
		if r.err != nil {
			return textLine{}, false
		}
	}
}

// headerText says how the bytes of a header are to be read: as UTF-8, in a page,
// or as what is UTF-8 in them.
type headerText struct {
	page  *wire.CodePage
	lossy bool
}

// headerText returns how the header is to be read: as UTF-8 if it is valid, else
// by the code page.
func (r *Reader) headerText(line []byte) (headerText, error) {
	if utf8.Valid(line) {
		return headerText{}, nil
	}
	number := r.o.CodePage
	if number == 0 {
		number = 1252
	}
	page, ok := wire.LookupCodePage(number)
	if !ok || !page.ASCII() {
		return headerText{}, perfdump.NewError(perfdump.CodeSyntax, r.at.of(0), inHeader(), "code page %d is none that text like this may be in", number)
	}
	if page.Valid(line) {
		return headerText{page: page}, nil
	}
	r.anomaly(perfdump.NewAnomaly(CodeCodePage, r.at.of(0), inHeader(), "the header is neither UTF-8 nor text in code page %d: U+FFFD stands for what is not", int64(number)))
	return headerText{lossy: true}, nil
}

// each calls f with the parts of the text of b, which may be most of the file.
func (t headerText) each(b []byte, f func(part []byte)) {
	switch {
	case t.page != nil:
		for part := range t.page.Parts(b) {
			f(part)
		}
	case t.lossy:
		for len(b) > 0 {
			good, bad := 0, 0
			for r, n := utf8.DecodeRune(b); good < len(b) && (r != utf8.RuneError || n > 1); r, n = utf8.DecodeRune(b[good:]) {
				good += n
			}
			f(b[:good])
			b = b[good:]
			for r, n := utf8.DecodeRune(b); bad < len(b) && r == utf8.RuneError && n == 1; r, n = utf8.DecodeRune(b[bad:]) {
				bad++
			}
			if bad > 0 {
				f([]byte("\ufffd"))
			}
			b = b[bad:]
		}
	default:
		f(b)
	}
}

// len returns how long the text of b is.
func (t headerText) len(b []byte) (n int) {
	t.each(b, func(part []byte) { n += len(part) })
	return n
}

// write appends the text of b.
func (t headerText) write(to *strings.Builder, b []byte) {
	t.each(b, func(part []byte) { to.Write(part) })
}

// utf16Text reads text in UTF-16 as UTF-8.
type utf16Text struct {
	src  io.Reader
	big  bool
	raw  []byte // not decoded yet: less than a character
	text []byte
	pos  int   // how much of text was handed out
	read int64 // bytes that src gave
	err  error
}

func (u *utf16Text) Read(p []byte) (int, error) {
	for u.pos == len(u.text) {
		if u.err != nil {
			return 0, u.err
		}
		u.more()
	}
	n := copy(p, u.text[u.pos:])
	u.pos += n
	return n, nil
}

// more decodes what is read next, but for half a character at its end.
func (u *utf16Text) more() {
	have := len(u.raw)
	u.raw = append(u.raw, make([]byte, 32<<10)...)
	n, err := u.src.Read(u.raw[have:])
	u.raw, u.err = u.raw[:have+n], err
	u.read += int64(n)
	whole := len(u.raw) &^ 1
	if u.big {
		for i := have &^ 1; i+1 < whole; i += 2 {
			u.raw[i], u.raw[i+1] = u.raw[i+1], u.raw[i]
		}
	}
	if whole >= 2 && !errors.Is(err, io.EOF) && binary.LittleEndian.Uint16(u.raw[whole-2:])&0xfc00 == 0xd800 {
		whole -= 2
	}
	u.text, u.pos = wire.AppendUTF16(u.text[:0], u.raw[:whole]), 0
	u.raw = append(u.raw[:0], u.raw[whole:]...)
}
