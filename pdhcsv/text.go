package pdhcsv

import (
	"bytes"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// readHeader reads the first line.
func (r *Reader) readHeader() error {
	line, err := r.headerLine()
	if err != nil {
		return err
	}
	text, err := r.decoder(line)
	if err != nil {
		return err
	}
	if err := r.parseHeader(line, text); err != nil {
		return err
	}
	if cap(r.whole) > bufferSize {
		r.whole = nil
	}
	return nil
}

// headerLine returns the first line that is not blank, and what is before it. It
// may span several lines: a name in quotes may hold their ends.
func (r *Reader) headerLine() ([]byte, error) {
	for blanks := false; ; blanks = true {
		all, ok := r.line(false)
		if ok && blank(trimEnd(all)) {
			if !blanks {
				r.anomaly(codeBlankLine, r.off, inHeader(), "a blank line before the header, as typeperf prints one")
			}
			continue
		}
		for quotes, seen := 0, 0; ok; ok = ok && len(all) > seen {
			quotes += bytes.Count(all[seen:], []byte(`"`))
			if quotes%2 == 0 {
				break
			}
			seen = len(all)
			all, ok = r.line(true)
		}
		switch {
		case r.err != nil:
			return nil, r.err
		case len(all) == 0 && !blanks && r.text.Mark() == 0:
			return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes: expected a header")
		case len(all) == 0:
			return nil, perfdump.NewError(perfdump.CodeSignature, 0, inHeader(), "nothing but blank lines: expected a header")
		}
		return trimEnd(all), nil
	}
}

// decoder returns how the header is read: as UTF-8 if it is valid, else by the
// code page.
func (r *Reader) decoder(line []byte) (func([]byte) string, error) {
	if utf8.Valid(line) {
		return func(b []byte) string { return string(b) }, nil
	}
	number := r.o.CodePage
	if number == 0 {
		number = 1252
	}
	page, ok := wire.LookupCodePage(number)
	if !ok || !page.ASCII() {
		return nil, perfdump.NewError(perfdump.CodeSyntax, r.text.Mark(), inHeader(), "code page %d is none that text like this may be in", number)
	}
	if page.Valid(line) {
		return func(b []byte) string {
			text, _ := page.Append(nil, b)
			return string(text)
		}, nil
	}
	r.anomaly(codeCodePage, r.text.Mark(), inHeader(), "the header is neither UTF-8 nor text in code page %d: U+FFFD replaces what is not", int64(number))
	return func(b []byte) string { return string(bytes.ToValidUTF8(b, []byte("\ufffd"))) }, nil
}
