package titles

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// ParseText reads a list with an entry a line, in one of two forms:
//
//	6 : % Processor Time
//	6<TAB>% Processor Time
//
// Blanks may stand before the index and the colon; one after the colon is
// dropped. Blank lines are passed over, and so is a first line "index<TAB>name".
// The list is UTF-8, with or without a byte order mark, or UTF-16 with one;
// what is not valid UTF-8 is in o.CodePage.
//
// Other lines are anomalies of code "index-text", and those of [Parse] apply
// to entries; the offsets are those of lines in the list. The errors are as
// there. The table is for look-ups and for [Append]: it has no spans, and its
// entries no offsets.
func ParseText(b []byte, o Options) (*Table, error) {
	if len(b) > maxInput {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "a list of %d bytes; the limit is %d", len(b), maxInput)
	}
	src, skip, err := listSource(b, o)
	if err != nil {
		return nil, err
	}
	t := &Table{enc: Encoding{CodePage: pageUTF16}, list: true}
	t.anomalies.Reset(o.Limits.MaxAnomalies())
	if len(b) == 0 {
		t.note(CodeEmpty, 0, perfdump.Path{}, "no bytes")
		return t.finish(o.Mode)
	}
	body := b[skip:]

	// Twice, as in Parse.
	n := 0
	lossy, err := src.eachLine(body, skip, func(_ listLine, index, text []byte) { n += len(index) + len(text) + 2 })
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	out.Grow(n + 1)
	text := false
	_, err = src.eachLine(body, skip, func(l listLine, index, name []byte) {
		text = text || len(l.text) > 0
		t.judgeLine(l, index, name, lossy)
		if index == nil {
			return
		}
		out.Write(index)
		out.WriteByte(0)
		out.Write(name)
		out.WriteByte(0)
	})
	if err != nil {
		return nil, err
	}
	if out.Len() == 0 && text {
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, perfdump.Path{}, "no list of names: of its lines none is an index, a colon or TAB, and a name")
	}
	out.WriteByte(0)
	t.text = out.String()
	t.size = int64(len(t.text))
	t.index()
	if t.repeats {
		t.judgeRepeats()
	}
	return t.finish(o.Mode)
}

func listSource(b []byte, o Options) (source, int64, error) {
	switch {
	case hasBOM(b):
		return source{}, 2, nil
	case len(b) >= 2 && b[0] == 0xFE && b[1] == 0xFF:
		return source{big: true}, 2, nil
	}
	skip, page := int64(0), uint32(pageUTF8)
	switch {
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		skip = 3
	case !utf8.Valid(b):
		page = cmp.Or(o.CodePage, pageDefault)
	}
	p, err := lookUpPage(page)
	return source{page: p}, skip, err
}

// listLine is a line without its end.
type listLine struct {
	n    int
	off  int64 // in the list
	text []byte
}

// eachLine calls f with each line that is not blank, and with its index and
// name, which are nil if it is no entry.
func (s source) eachLine(b []byte, off int64, f func(l listLine, index, name []byte)) (lossy bool, err error) {
	l := listLine{}
	rest := b
	return s.each(b, '\n', off, func(piece []byte) {
		for len(piece) > 0 {
			var line []byte
			line, piece, _ = bytes.Cut(piece, []byte("\n"))
			line = bytes.TrimSuffix(line, []byte("\r"))
			size := s.index(rest, '\n')
			if size < 0 {
				size = len(rest)
			} else {
				size += s.unit()
			}
			l.off, l.text = off, line
			if len(bytes.TrimSpace(line)) > 0 && (l.n > 0 || string(line) != "index\tname") {
				index, name := splitLine(line)
				f(l, index, name)
			}
			rest = rest[size:]
			off += int64(size)
			l.n++
		}
	})
}

// listTail is what the end of a text file may be padded with.
const listTail = "\x00\x1A"

// splitLine returns the index and the name of a line, or nil.
func splitLine(line []byte) (index, name []byte) {
	line = bytes.TrimLeft(line, " \t")
	n := 0
	for n < len(line) && isDigit(line[n]) {
		n++
	}
	index, line = line[:n], line[n:]
	line = bytes.TrimRight(line, listTail)
	if _, ok := parseIndex(string(index)); !ok || bytes.IndexByte(line, 0) >= 0 {
		return nil, nil
	}
	if len(line) > 0 && line[0] == '\t' {
		return index, line[1:]
	}
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || line[0] != ':' {
		return nil, nil
	}
	return index, bytes.TrimPrefix(line[1:], []byte(" "))
}

func (t *Table) judgeLine(l listLine, index, name []byte, lossy bool) {
	path := levels.Root().At(1, l.n)
	number, _ := parseIndex(string(index))
	switch {
	case index == nil:
		t.note(CodeIndexText, l.off, path, "a line of %d characters that is no index, a colon or TAB, and a name", int64(utf8.RuneCount(l.text)))
		return
	case len(bytes.TrimRight(l.text, listTail)) < len(l.text):
		t.note(CodeIndexText, l.off, path, "the line is padded with NULs or ^Z, which are left out")
	case len(name) == 0:
		t.note(CodeEmptyName, l.off, path, "the index has an empty name")
	case number != baseIndex && allDigits(string(name)):
		t.note(CodeDigitsText, l.off, path, "the name is a number; its own may be missing")
	}
	if lossy && bytes.ContainsRune(l.text, utf8.RuneError) {
		t.note(CodeEncoding, l.off, path, "not valid in the list's encoding")
	}
}

// judgeRepeats tells of entries that a later one replaces. It counts entries,
// not lines: those that are none have been told.
func (t *Table) judgeRepeats() {
	n := 0
	t.walk(func(it item, _ place) bool {
		if it.kind != entry {
			return true
		}
		if p, _ := t.find(it.index); p != it.pos {
			t.note(CodeDuplicateIndex, -1, levels.Root().At(0, n), "index %d comes again further down; its last name counts", int64(it.index))
		}
		n++
		return true
	})
}

// AppendText appends the entries to dst as a list, index TAB name a line, in
// UTF-8 without a byte order mark. dst is returned as it was with an error if
// a name holds a line end, which a list has no way to write.
func (t *Table) AppendText(dst []byte) ([]byte, error) {
	was := dst
	for e := range t.Entries() {
		if strings.ContainsAny(e.Text, "\r\n") {
			return was, fmt.Errorf("titles: the text of index %d holds a line end, which a list cannot", e.Index)
		}
		dst = strconv.AppendUint(dst, uint64(e.Index), 10)
		dst = append(dst, '\t')
		dst = append(dst, e.Text...)
		dst = append(dst, '\n')
	}
	return dst, nil
}
