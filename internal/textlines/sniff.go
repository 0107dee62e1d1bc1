package textlines

import (
	"bytes"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
)

// sniffed is how much of a file without a byte order mark is looked at to see
// whether it is UTF-16. The formats begin in ASCII in every language.
const sniffed = 512

// Sniff finds the encoding of a file. A byte order mark decides. Without one it
// is UTF-16LE where at least half of the units at its start are ASCII or
// Latin-1 by their high byte, and UTF-8 where it is valid and not ASCII. All
// else is in an ANSI code page, which no file names: codePage, or 1252 where
// that is 0. A codePage other than 0 rules out a guess of UTF-8, and 1200 and
// 65001 force UTF-16LE and UTF-8.
//
// The errors are ErrBigEndian for UTF-16 with the high byte first, and that the
// code page is not known or not one for text files. It costs one look at the
// bytes at most.
func Sniff(data []byte, codePage uint32) (Encoding, error) {
	page := codePage
	if page == 0 {
		page = pageDefault
	}
	enc, err := CodePage(page)
	if err != nil {
		return Encoding{}, err
	}
	low, high := zeros(data)
	units := min(len(data), sniffed) / 2
	switch {
	case bytes.HasPrefix(data, []byte(bomUTF16)):
		return UTF16(true), nil
	case bytes.HasPrefix(data, []byte(bomUTF8)):
		return UTF8(true), nil
	case codePage == pageUTF16 || codePage == pageUTF8:
		return enc, nil
	case bytes.HasPrefix(data, []byte("\xFE\xFF")), low > high && low*2 >= units:
		return Encoding{}, perfdump.NewError(perfdump.CodeBigEndian, 0, perfdump.Path{}, "the text is big-endian UTF-16; save it as UTF-16LE or UTF-8")
	case high > low && high*2 >= units:
		return UTF16(false), nil
	case codePage == 0 && !isASCII(data) && utf8.Valid(data):
		return UTF8(false), nil
	}
	return enc, nil
}

// zeros counts the units at the start of data whose low or high byte, as
// little-endian has them, is zero.
func zeros(data []byte) (low, high int) {
	data = data[:min(len(data), sniffed)&^1]
	for i := 0; i < len(data); i += 2 {
		if data[i] == 0 {
			low++
		}
		if data[i+1] == 0 {
			high++
		}
	}
	return low, high
}
