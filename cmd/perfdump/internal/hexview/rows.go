package hexview

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/cell"
)

// The sequences that colour a terminal.
const (
	sgrReset = "\x1b[0m"
	sgrBold  = "\x1b[1m"
	sgrDim   = "\x1b[2m"
	sgrText  = "\x1b[32m"
	sgrHex   = "\x1b[33m"
	sgrTime  = "\x1b[36m"
	sgrOdd   = "\x1b[31m"
)

// A field of more than maxRows rows is folded to keepRows. Of bytes that were
// shown before, one row is enough: fields that share bytes may be many and long.
const (
	maxRows  = 8
	keepRows = 4
)

// The characters of a text that are shown, folded and not.
const (
	maxText    = 64
	maxAllText = 4096
)

// rows writes a span: the rows of from..head with the meaning, and, where it
// shares bytes with one before it, those of resume..shown.
func (d *dumper) rows(s *perfdump.Span, at *place) {
	d.some = true
	from, to := s.Off, s.Off+s.Size
	if d.ranged {
		from, to = max(from, d.o.Range.From), min(to, d.o.Range.To)
	}
	per := int64(d.cols.bytes)
	head, resume, shown := to, to, to
	again := false
	if s.Overlap && to-from > per {
		if end := min(to, d.covered); end == to || end-from > maxRows*per {
			head, resume, again = from+per, end, true
		}
	}
	d.covered = max(d.covered, to)
	if d.folds {
		switch {
		case resume < to && to-resume > maxRows*per:
			shown = resume + keepRows*per
		case resume == to && head-from > maxRows*per:
			head = from + keepRows*per
		}
	}
	if d.styled {
		d.styledRows(s, at, from, head, to)
	} else {
		off := min(from+per, head)
		d.buf = d.cols.append(d.buf, from, d.src.bytes(from, off))
		d.buf, _ = d.appendTree(d.buf, s, at, to-from)
		d.buf = append(d.buf, '\n')
		d.bare(s, off, head)
	}
	if head < resume {
		d.more(head, resume, again)
	}
	d.bare(s, resume, shown)
	if shown < to {
		d.more(shown, to, false)
	}
}

// bare writes rows without a meaning, since the row above has it.
func (d *dumper) bare(s *perfdump.Span, from, to int64) {
	for per := int64(d.cols.bytes); from < to && d.err == nil && d.src.err == nil; from += per {
		if n := min(per, to-from); d.styled {
			d.colouredColumns(s, from, n)
		} else {
			d.buf = d.cols.append(d.buf, from, d.src.bytes(from, from+n))
		}
		d.buf[len(d.buf)-1] = '\n'
		d.flushSome()
	}
}

// more counts the bytes of a field that are not shown.
func (d *dumper) more(from, to int64, again bool) {
	d.indent()
	d.buf = appendMore(d.buf, to-from, "byte")
	d.buf = append(appendRange(append(d.buf, " ("...), from, to), ')')
	if again {
		d.buf = append(d.buf, ", shown above"...)
	} else {
		d.folded += to - from
		if d.src.allZero(from, to) {
			d.buf = append(d.buf, ", all zero"...)
		}
	}
	d.endLine()
}

// parts are the ends of the parts of the tree column: the path, the value, the
// comment. Remarks follow.
type parts struct{ path, value, comment int }

// appendTree appends what the bytes mean.
func (d *dumper) appendTree(dst []byte, s *perfdump.Span, at *place, shown int64) ([]byte, parts) {
	var ends parts
	field := s.Path.FieldName()
	gap := (s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding) && field == ""
	n := len(dst)
	dst = d.appendPath(dst, at, field)
	if gap {
		if len(dst) > n {
			dst = append(dst, ": "...)
		}
		ends.path, ends.value = len(dst), len(dst)
		dst = appendGap(dst, s)
		if s.Kind == perfdump.KindGap {
			ends.value = len(dst)
		}
	} else {
		dst = append(dst, " = "...)
		ends.path = len(dst)
		most := maxAllText
		if d.folds {
			most = maxText
		}
		b := d.src.bytes(s.Off, s.Off+s.Size)
		if s.Overlap && (s.Kind == perfdump.KindUTF16 || s.Kind == perfdump.KindANSI) {
			// A thousand long texts may share the same bytes.
			b, most = b[:min(len(b), maxText*longestChar)], maxText
		}
		dst = d.doc.Value(dst, s, b, most)
		ends.value = len(dst)
		if s.Overlap {
			dst = append(dst, "  (overlaps)"...)
		}
		n := len(dst)
		dst = append(dst, "  "...)
		if dst = d.doc.Comment(dst, s, b); len(dst) == n+2 {
			dst = dst[:n]
		}
	}
	if shown < s.Size {
		dst = append(dst, "  (part of "...)
		dst = appendCount(dst, s.Size, "byte")
		dst = append(appendHex(append(dst, " at "...), uint64(s.Off)), ')')
	}
	ends.comment = len(dst)
	if len(d.remarks) > 0 && d.remarks[0].Off < s.Off+s.Size {
		dst = d.appendRemarks(dst, s)
	}
	return dst, ends
}

// appendPath appends the path of a field, or the part of it that is not in the
// heading above.
func (d *dumper) appendPath(dst []byte, at *place, field string) []byte {
	n := len(dst)
	if !d.nested {
		if p := &d.prefor; at[2] != p[2] || at[1] != p[1] || at[0] != p[0] {
			d.prefor = *at
			d.prefix = d.prefix[:0]
			for l, i := range at[:3] {
				if i != 0 {
					d.prefix = appendLevel(d.prefix, len(d.prefix) > 0, d.levels[l], i)
				}
			}
		}
		dst = append(dst, d.prefix...)
	}
	if at[3] != 0 && (!d.nested || at[2] != 0) {
		dst = appendLevel(dst, len(dst) > n, d.levels[3], at[3])
	}
	if field != "" {
		if len(dst) > n {
			dst = append(dst, '.')
		}
		dst = append(dst, field...)
	}
	return dst
}

func appendLevel(dst []byte, point bool, name string, i uint32) []byte {
	if point {
		dst = append(dst, '.')
	}
	dst = append(append(dst, name...), '[')
	return append(strconv.AppendUint(dst, uint64(i)-1, 10), ']')
}

func appendGap(dst []byte, s *perfdump.Span) []byte {
	if s.Kind == perfdump.KindPadding {
		dst = append(dst, "padding"...)
	} else {
		dst = appendCount(append(dst, "gap of "...), s.Size, "byte")
	}
	if s.Note != "" {
		dst = append(append(dst, ", "...), s.Note...)
	}
	return dst
}

func (d *dumper) appendRemarks(dst []byte, s *perfdump.Span) []byte {
	for len(d.remarks) > 0 && d.remarks[0].Off < s.Off+s.Size {
		if d.remarks[0].Off >= s.Off && s.Kind != perfdump.KindGap {
			dst = append(append(dst, "  ! "...), d.remarks[0].text()...)
		}
		d.remarks = d.remarks[1:]
	}
	return dst
}

// styledRows writes a span up to head for a terminal: in colour, or in lines
// that fit.
func (d *dumper) styledRows(s *perfdump.Span, at *place, from, head, to int64) {
	text, ends := d.appendTree(d.scratch[:0], s, at, to-from)
	d.scratch = text
	per := int64(d.cols.bytes)
	for done := 0; from < head || done < len(text); {
		n := min(per, head-from)
		if n > 0 {
			d.colouredColumns(s, from, n)
			from += n
		} else {
			for range d.cols.tree {
				d.buf = append(d.buf, ' ')
			}
		}
		if done < len(text) {
			width := d.treeWidth
			if done > 0 {
				d.buf, width = append(d.buf, "  "...), width-2
			}
			end := d.line(text, done, width, ends)
			d.style(text, done, done+len(bytes.TrimRight(text[done:end], " ")), ends)
			for done = end; done < len(text) && text[done] == ' '; {
				done++
			}
		} else {
			d.buf = d.buf[:len(d.buf)-1]
		}
		d.buf = append(d.buf, '\n')
		d.flushSome()
	}
}

func (d *dumper) colouredColumns(s *perfdump.Span, off, n int64) {
	b := d.src.bytes(off, off+n)
	code := ""
	if d.o.Color {
		code = colour(s)
	}
	start := len(d.buf)
	d.buf = d.cols.append(d.buf, off, b)
	if code == "" {
		return
	}
	row := string(d.buf[start+d.cols.hex:])
	d.buf = append(d.buf[:start+d.cols.hex], code...)
	d.buf = append(append(append(d.buf, row[:len(row)-1]...), sgrReset...), ' ')
}

func colour(s *perfdump.Span) string {
	if s.Overlap {
		return sgrDim
	}
	switch s.Kind {
	case perfdump.KindGap, perfdump.KindPadding:
		return sgrDim
	case perfdump.KindUTF16, perfdump.KindANSI:
		return sgrText
	case perfdump.KindHex, perfdump.KindBytes:
		return sgrHex
	case perfdump.KindFiletime, perfdump.KindSystemtime:
		return sgrTime
	default:
		return ""
	}
}

// line returns where a line that begins at from ends so that it fits: before a
// comment or a remark, else at a blank, else anywhere.
func (d *dumper) line(text []byte, from, most int, ends parts) int {
	if d.treeWidth == 0 || len(text)-from <= most {
		return len(text)
	}
	width, blank := 0, -1
	for i := from; i < len(text); {
		_, size := utf8.DecodeRune(text[i:])
		if width += cell.Width(string(text[i : i+size])); width <= most || i == from {
			if text[i] == ' ' && i > from && text[i-1] != ' ' {
				blank = i
			}
			i += size
			continue
		}
		switch {
		case from < ends.comment && ends.comment <= i:
			return ends.comment
		case from < ends.value && ends.value <= i && ends.value > ends.path:
			return ends.value
		case blank > from+(i-from)/3:
			return blank
		default:
			return i
		}
	}
	return len(text)
}

// style appends text[from:to] with the value in bold, the comment dim and
// remarks in red.
func (d *dumper) style(text []byte, from, to int, ends parts) {
	if !d.o.Color {
		d.buf = append(d.buf, text[from:to]...)
		return
	}
	for _, p := range []struct {
		end  int
		code string
	}{{ends.path, ""}, {ends.value, sgrBold}, {ends.comment, sgrDim}, {len(text), sgrOdd}} {
		end := min(p.end, to)
		if end <= from {
			continue
		}
		d.buf = append(append(d.buf, p.code...), text[from:end]...)
		if p.code != "" {
			d.buf = append(d.buf, sgrReset...)
		}
		from = end
	}
}
