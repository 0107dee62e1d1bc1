package page

import (
	"bufio"
	"encoding/base64"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
)

// maxValueText is how many characters of a text the byte map shows.
const maxValueText = 120

// writeByteMap writes the bytes of a document and its spans, each [offset,
// size, element, field, value, comment], with "gap" in place of the field
// where none explains the bytes. Elements are the paths that fields are in,
// each with its heading.
func writeByteMap(b *bufio.Writer, d *hexview.Document) {
	_, _ = b.WriteString(`{"bytes":"` + base64.StdEncoding.EncodeToString(d.Bytes) + "\"")
	var elements [][]string
	known := map[string]int{}
	writeList(b, ",\n\"spans\":", ",\n", func(yield func(any) bool) {
		for s := range d.Spans {
			in := s.Path.Field("")
			path := string(in.Append(nil))
			n, ok := known[path]
			if !ok {
				n = len(elements)
				known[path] = n
				heading := ""
				if path != "" { // the whole document has none
					heading = string(d.Heading(nil, in))
				}
				elements = append(elements, []string{path, cell.Clean(heading)})
			}
			if !yield(span(d, &s, n)) {
				return
			}
		}
	})
	writeList(b, ",\n\"elements\":", ",", valuesOf(elements, func(_ int, e []string) any { return e }))
	_, _ = b.WriteString("}")
}

func span(d *hexview.Document, s *perfdump.Span, element int) []any {
	bytes := d.Bytes[s.Off : s.Off+s.Size]
	field, value, comment := s.Path.FieldName(), "", ""
	if field == "" && (s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding) {
		field, value, comment = "gap", strconv.FormatInt(s.Size, 10)+" bytes", s.Note
		if s.Kind == perfdump.KindPadding {
			field = "padding"
		}
	} else {
		value = string(d.Value(nil, s, bytes, maxValueText))
		comment = string(d.Comment(nil, s, bytes))
	}
	row := []any{s.Off, s.Size, element, field, cell.Clean(value)}
	if comment != "" {
		row = append(row, cell.Clean(comment))
	}
	return row
}
