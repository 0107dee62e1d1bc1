package titles

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	pageUTF16   = 1200
	pageDefault = 1252
	pageUTF8    = 65001
)

// Encoding is how the strings of a table are written. The zero Encoding is
// UTF-16LE without a byte order mark, as RegQueryValueExW gives it.
type Encoding struct {
	CodePage uint32 // 0 and 1200 are UTF-16LE; else the page of RegQueryValueExA
	BOM      bool   // the file begins with FF FE; UTF-16LE only
}

// UTF16 reports whether e is UTF-16LE.
func (e Encoding) UTF16() bool { return e.CodePage == 0 || e.CodePage == pageUTF16 }

// String returns the name of e: "utf-16", "windows-1252".
func (e Encoding) String() string {
	if e.UTF16() {
		return "utf-16"
	}
	if p, ok := wire.LookupCodePage(e.CodePage); ok {
		return p.Name()
	}
	return fmt.Sprintf("code page %d", e.CodePage)
}

// lookUpPage returns a page that names can be split in before they are
// decoded.
func lookUpPage(n uint32) (*wire.CodePage, error) {
	p, ok := wire.LookupCodePage(n)
	switch {
	case !ok:
		return nil, fmt.Errorf("titles: code page %d is not known", n)
	case !p.ASCII():
		return nil, fmt.Errorf("titles: code page %d (%s) does not contain ASCII, so no name table is written in it", n, p.Name())
	}
	return p, nil
}

// looksUTF16 is the rule that distinguishes the two forms: the first index has
// at least one digit and a NUL or a second digit.
func looksUTF16(b []byte) bool {
	return len(b) >= 4 && b[1] == 0 && b[3] == 0 && (len(b)%2 == 0 || cutUTF16(b))
}

// cutUTF16 is the rule for an odd length: the first index ends in two NULs and a
// text follows. Strings of one character in a code page also have a NUL in every
// second byte, but never two.
func cutUTF16(b []byte) bool {
	end := wire.IndexNUL16(b[:min(len(b)&^1, 2*(maxDigits+1))])
	if end <= 0 || end+4 > len(b) {
		return false
	}
	for i := 0; i < end; i += 2 {
		if !isDigit(b[i]) || b[i+1] != 0 {
			return false
		}
	}
	return b[end+2] != 0 || b[end+3] != 0
}

func hasBOM(b []byte) bool { return len(b) >= 2 && b[0] == 0xFF && b[1] == 0xFE }

// checkBigEndian refuses UTF-16BE, which would decode to rubbish in a page.
func checkBigEndian(b []byte) error {
	bom := len(b) >= 2 && b[0] == 0xFE && b[1] == 0xFF
	bare := len(b) >= 4 && b[0] == 0 && isDigit(b[1]) && b[2] == 0 && (b[3] == 0 || isDigit(b[3]))
	if bom || bare {
		return perfdump.NewError(perfdump.CodeBigEndian, 0, perfdump.Path{}, "the table is UTF-16 with the high byte first; only UTF-16LE and code pages are read")
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
