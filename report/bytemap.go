package report

import (
	"bufio"
	"encoding/base64"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/hexdump"
)

// maxValueText is how many characters of a text the byte map shows.
const maxValueText = 120

// writeByteMap writes the bytes of a document and its spans, each [offset,
// size, element, field, value, comment], with "gap" in the place of the field
// where none explains the bytes. Elements are the paths that fields lie in,
// each with its heading.
func writeByteMap(b *bufio.Writer, d hexdump.Document) {
	w := printer{b}
	w.raw(`{"bytes":"`)
	e := base64.NewEncoder(base64.StdEncoding, b)
	_, _ = e.Write(d.Bytes())
	_ = e.Close()
	w.raw("\",\n\"spans\":[")
	var elements []string
	numbers := map[string]int{}
	var headings []string
	var text []byte
	first := true
	for s := range d.Spans() {
		if !first {
			w.raw(",\n")
		}
		first = false
		in := s.Path.Field("")
		text = in.Append(text[:0])
		n, known := numbers[string(text)]
		if !known {
			n = len(elements)
			numbers[string(text)] = n
			elements = append(elements, string(text))
			heading := ""
			if len(text) > 0 { // the whole document has none
				heading = string(d.AppendHeading(nil, in))
			}
			headings = append(headings, heading)
		}
		w.span(d, &s, n)
	}
	w.raw("],\n\"elements\":[")
	for i, path := range elements {
		if i > 0 {
			w.raw(",")
		}
		w.raw("[")
		w.text(path)
		w.raw(",")
		w.text(clean(headings[i]))
		w.raw("]")
	}
	w.raw("]}")
}

func (w printer) span(d hexdump.Document, s *perfdump.Span, element int) {
	bytes := d.Bytes()[s.Off : s.Off+s.Size]
	field, value, comment := s.Path.FieldName(), "", ""
	if field == "" && (s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding) {
		field, value, comment = "gap", strconv.FormatInt(s.Size, 10)+" bytes", s.Note
		if s.Kind == perfdump.KindPadding {
			field = "padding"
		}
	} else {
		value = string(d.AppendValue(nil, s, bytes, maxValueText))
		comment = string(d.AppendComment(nil, s, bytes))
	}
	w.raw("[" + strconv.FormatInt(s.Off, 10) + "," + strconv.FormatInt(s.Size, 10) + "," + strconv.Itoa(element) + ",")
	w.text(field)
	w.raw(",")
	w.text(clean(value))
	if comment != "" {
		w.raw(",")
		w.text(clean(comment))
	}
	w.raw("]")
}
