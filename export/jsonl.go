package export

import (
	"bufio"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
)

// jsonRows writes raw rows as JSON, one object a line. Integers are exact, up to
// 2^64-1.
type jsonRows struct {
	w       *bufio.Writer
	columns []int
	keys    [numColumns]string
	types   typeNames
	line    []byte
}

// newJSONL returns a writer of JSON Lines with some columns on request.
func newJSONL(w io.Writer, columns ...string) *jsonRows {
	j := &jsonRows{w: newBuffer(w), columns: columnsOf(columns), types: typeNames{}}
	for c, name := range columnNames {
		j.keys[c] = `,"` + name + `":`
	}
	j.keys[colTime] = `{"time":`
	return j
}

// Write writes the rows of a snapshot.
func (j *jsonRows) Write(s *capture.Snapshot) error {
	return j.WriteRows(s.Rows())
}

// WriteRows writes rows.
func (j *jsonRows) WriteRows(rows iter.Seq[*capture.Row]) error {
	for row := range rows {
		line := j.line[:0]
		for _, c := range j.columns {
			line = append(line, j.keys[c]...)
			line = appendJSON(line, row, c, j.types)
		}
		line = append(line, '}', '\n')
		j.line = line
		if _, err := j.w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is left.
func (j *jsonRows) Flush() error { return j.w.Flush() }

const null = "null"

func appendJSON(dst []byte, r *capture.Row, column int, types typeNames) []byte {
	text, number, is := field(r, column, types)
	switch {
	case is == isNull:
		return append(dst, null...)
	case column == colTime:
		return append(appendTime(append(dst, '"'), r.Time), '"')
	case column == colTimeLocal:
		return append(appendLocal(append(dst, '"'), r.Local()), '"')
	case is == isText:
		return AppendJSONString(dst, text)
	case is == isSigned:
		return strconv.AppendInt(dst, int64(number), 10)
	default:
		return strconv.AppendUint(dst, number, 10)
	}
}

// AppendJSONString appends s as a JSON string. Bytes that are no UTF-8 become
// U+FFFD; control characters are escaped.
func AppendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), "\ufffd"...)
				from = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}
