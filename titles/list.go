package titles

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// ParseText reads a list with an entry a line, in one of two forms:
//
//	6 : % Processor Time
//	6<TAB>% Processor Time
//
// Blanks before the index and the colon, and one after the colon, are dropped.
// Blank lines are skipped, as is a first line "index<TAB>name". The list is UTF-8,
// or UTF-16 with a byte order mark; what is not valid UTF-8 is in o.CodePage.
//
// Other lines are anomalies of code "index-text" with their offsets, and those of
// [Parse] apply to entries. The errors are those of Parse. The table has no spans,
// and its entries no offsets.
func ParseText(b []byte, o perfdump.Options) (*Table, error) {
	if len(b) > maxInput {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "a list of %d bytes; the limit is %d", len(b), maxInput)
	}
	if len(b) >= 2 && b[0] == 0xFE && b[1] == 0xFF { // the high byte first
		b = bytes.Clone(b)
		for i := 0; i+2 <= len(b); i += 2 {
			b[i], b[i+1] = b[i+1], b[i]
		}
	}
	page, skip, err := listSource(b, o)
	if err != nil {
		return nil, err
	}
	t := &Table{enc: Encoding{CodePage: pageUTF16}, list: true}
	t.anomalies.Reset(o.Limits.MaxAnomalies())
	if len(b) == 0 {
		t.note(CodeEmpty, 0, perfdump.Path{}, "no bytes")
		return t.finish(o.Mode)
	}
	written := false // whether a line is not blank
	var line []byte
	for n, pos := 0, skip; pos < len(b); n++ {
		size := lineSize(page, b[pos:])
		if size > maxString {
			return nil, perfdump.NewError(perfdump.CodeLimit, int64(pos), perfdump.Path{}, "a line of %d bytes; the limit is %d", size, maxString)
		}
		var ok bool
		line, ok = decode(page, line[:0], b[pos:pos+size])
		l := listLine{n: n, off: pos, text: bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), bad: !ok}
		pos += size
		if len(bytes.TrimSpace(l.text)) == 0 || n == 0 && string(l.text) == "index\tname" {
			continue
		}
		written = true
		index, name := splitLine(l.text)
		t.checkLine(l, index, name)
		if index != nil {
			t.file = append(append(append(append(t.file, index...), 0), name...), 0)
		}
	}
	if written && len(t.file) == 0 {
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, perfdump.Path{}, "no list of names: of its lines none is an index, a colon or TAB, and a name")
	}
	t.file = append(t.file, 0)
	if err := t.scan(); err != nil {
		return nil, err
	}
	n := 0
	for i, it := range t.all() {
		if it.kind != entry {
			continue
		}
		if t.replaced(i) {
			t.note(CodeDuplicateIndex, -1, levels.Root().At(0, n), "index %d comes again further down; its last name counts", int64(it.index))
		}
		n++
	}
	return t.finish(o.Mode)
}

// listSource returns the page that a list is written in, nil for UTF-16LE, and
// the size of its byte order mark.
func listSource(b []byte, o perfdump.Options) (page *wire.CodePage, skip int, err error) {
	switch {
	case hasBOM(b):
		return nil, 2, nil
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		skip = 3
		fallthrough
	case utf8.Valid(b):
		page, err = lookUpPage(pageUTF8)
	default:
		page, err = lookUpPage(cmp.Or(o.CodePage, pageDefault))
	}
	return page, skip, err
}

// lineSize returns the size of the first line of b, with its line end.
func lineSize(page *wire.CodePage, b []byte) int {
	if page != nil {
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			return i + 1
		}
		return len(b)
	}
	for i := 0; i+2 <= len(b); i += 2 {
		if wire.U16(b, i) == '\n' {
			return i + 2
		}
	}
	return len(b)
}

type listLine struct {
	n    int
	off  int // in the list
	text []byte
	bad  bool // not valid in the encoding
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
	if _, ok := parseIndex(index); !ok || bytes.IndexByte(line, 0) >= 0 {
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

func (t *Table) checkLine(l listLine, index, name []byte) {
	path := levels.Root().At(1, l.n)
	number, _ := parseIndex(index)
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
	if l.bad {
		t.note(codeEncoding, l.off, path, "not valid in the list's encoding")
	}
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

// ParseAny reads a table in either form: by [ParseText] if it looks like a list,
// else by [Parse].
func ParseAny(b []byte, o perfdump.Options) (*Table, error) {
	if isList(b) {
		return ParseText(b, o)
	}
	return Parse(b, o)
}

// isList reports whether b looks like a list: an index, then a colon or a tab
// in its first line.
func isList(b []byte) bool {
	head := b[:min(len(b), 256)]
	utf16 := hasBOM(head) || bytes.HasPrefix(head, []byte("\xFE\xFF"))
	if !utf16 && bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	text := strings.Map(func(r rune) rune {
		if r == 0 || r == 0xfffd || r == 0xfeff {
			return -1
		}
		return r
	}, string(head))
	text = strings.TrimLeft(text, " \t\r\n")
	digits := strings.TrimLeft(text, "0123456789")
	rest := strings.TrimLeft(digits, " ")
	return strings.HasPrefix(strings.ToLower(text), "index\t") ||
		len(digits) < len(text) && (strings.HasPrefix(rest, ":") || strings.HasPrefix(digits, "\t"))
}
