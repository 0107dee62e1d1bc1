package pdhcsv

import (
	"bytes"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/decimal"
)

// The separators. The first cell of a header names the form.
const (
	CSV byte = ','
	TSV byte = '\t'
)

// RowEnd ends the header and every row, the last included.
const RowEnd = "\r\n"

// AppendHeader appends the header of a file with the given columns, its end
// included. A quote in a name is doubled; bytes that are no UTF-8 become U+FFFD,
// since the text of the header decides how the whole file is read.
func AppendHeader(dst []byte, sep byte, z Zone, columns iter.Seq[string]) []byte {
	dst = AppendZone(dst, sep, z)
	for name := range columns {
		dst = AppendColumn(dst, sep, name)
	}
	return append(dst, RowEnd...)
}

// AppendZone appends the cell that begins a header. With [AppendColumn] and
// [RowEnd] a header is written bit by bit.
func AppendZone(dst []byte, sep byte, z Zone) []byte {
	dst = append(dst, '"')
	dst = z.append(dst, sep)
	return append(dst, '"')
}

// AppendColumn appends the name of the next column to a header.
func AppendColumn[T string | []byte](dst []byte, sep byte, name T) []byte {
	dst = append(dst, sep, '"')
	dst = appendText(dst, name)
	return append(dst, '"')
}

func appendText[T string | []byte](dst []byte, s T) []byte {
	from := len(dst)
	dst = append(dst, s...)
	if utf8.Valid(dst[from:]) && bytes.IndexByte(dst[from:], '"') < 0 {
		return dst
	}
	text := bytes.ToValidUTF8(dst[from:], []byte("\ufffd"))
	return append(dst[:from], bytes.ReplaceAll(text, []byte{'"'}, []byte(`""`))...)
}

// AppendTime appends the cell that begins a row: the date and time that the
// clock on the wall showed, which t has as if it was UTC. What is finer than a
// millisecond is cut off. Years are 0000 to 9999.
func AppendTime(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, `"01/02/2006 15:04:05.000"`)
}

// AppendValue appends a separator and the cell of a value, in the 17 digits
// that Windows writes. What is no number is a missing value. It allocates
// nothing if dst has capacity.
func AppendValue(dst []byte, sep byte, v float64) []byte {
	if v-v != 0 { // NaN or infinite
		return AppendMissing(dst, sep)
	}
	dst = append(dst, sep, '"')
	dst = decimal.Append(dst, v)
	return append(dst, '"')
}

// AppendMissing appends a separator and the cell of a value that is not there.
func AppendMissing(dst []byte, sep byte) []byte { return append(dst, sep, '"', ' ', '"') }
