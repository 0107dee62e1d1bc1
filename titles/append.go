package titles

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// AppendBinary appends the table to dst: for one that [Parse] read the bytes
// it was read from, for one made from a list what [Append] writes for it. The
// error is always nil; it is there for encoding.BinaryAppender.
func (t *Table) AppendBinary(dst []byte) ([]byte, error) {
	if t.list {
		return Append(dst, t.enc, t.Entries())
	}
	return append(dst, t.file...), nil
}

// Append appends entries to dst as a name table in the form that Windows writes:
// IndexText if an entry has one, else its Index in decimal. The error is a text with
// a NUL, with characters that the code page lacks, or with invalid UTF-8; then dst
// is returned unchanged. Nothing else is checked, so that damaged tables can be
// made; [New] checks.
func Append(dst []byte, enc Encoding, entries iter.Seq[Entry]) ([]byte, error) {
	page, err := enc.page()
	if err != nil {
		return dst, err
	}
	was, start := dst, len(dst)
	if enc.BOM {
		dst = append(dst, 0xFF, 0xFE)
	}
	n := 0
	var digits [10]byte
	for e := range entries {
		index := e.IndexText
		if index == "" {
			index = string(strconv.AppendUint(digits[:0], uint64(e.Index), 10))
		}
		for _, s := range [2]string{index, e.Text} {
			if dst, err = appendString(dst, page, s); err != nil {
				return was, &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Path: levels.Root().At(0, n).String(), Err: fmt.Errorf("%w: index %s: %w", perfdump.ErrSyntax, index, err)}
			}
		}
		n++
	}
	if page == nil {
		return append(dst, 0, 0), nil
	}
	dst = append(dst, 0)
	if looksUTF16(dst[start:]) {
		dst = append(dst, 0)
	}
	return dst, nil
}

func (e Encoding) page() (*wire.CodePage, error) {
	switch {
	case e.UTF16():
		return nil, nil // UTF-16 needs no page
	case e.BOM:
		return nil, fmt.Errorf("titles: %s has no byte order mark", e)
	}
	return lookUpPage(e.CodePage)
}

// appendString appends s and a NUL in page, nil being UTF-16.
func appendString(dst []byte, page *wire.CodePage, s string) ([]byte, error) {
	switch i := strings.IndexByte(s, 0); {
	case i >= 0:
		return dst, fmt.Errorf("%q holds a NUL", s)
	case strings.ToValidUTF8(s, "") != s:
		return dst, fmt.Errorf("%q is not valid UTF-8", s)
	case page == nil:
		return append(wire.EncodeUTF16(dst, s), 0, 0), nil
	}
	dst, ok := page.Encode(dst, s)
	if !ok {
		return dst, fmt.Errorf("%q has characters that %s lacks", s, page.Name())
	}
	return append(dst, 0), nil
}

// New makes a table of entries: their indexes, texts, and IndexText if it is set.
// The error is a table that would not read back the same or without an anomaly,
// such as one with an index given twice.
func New(enc Encoding, entries ...Entry) (*Table, error) {
	b, err := Append(nil, enc, slices.Values(entries))
	if err != nil {
		return nil, err
	}
	o := perfdump.Options{Mode: perfdump.Strict, CodePage: enc.CodePage}
	if enc.UTF16() {
		o.CodePage = pageUTF16
	}
	t, err := Parse(b, o)
	if err != nil {
		return nil, err
	}
	n := 0
	for got := range t.Entries() {
		if want := entries[n]; got.Index != want.Index || got.Text != want.Text {
			return nil, perfdump.NewError(perfdump.CodeSyntax, -1, levels.Root().At(0, n), "index %d spelled %q reads back as %d", want.Index, want.IndexText, got.Index)
		}
		n++
	}
	return t, nil
}
