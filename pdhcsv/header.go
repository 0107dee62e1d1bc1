package pdhcsv

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhpath"
)

// Header is the first line of a file.
type Header struct {
	First     string // the first cell as it stands
	Zone      Zone   // what it says
	Separator byte   // comma, TAB or semicolon

	described bool // the last column is the description, not a counter

	text  string  // the names of all columns, one after the other
	ends  []int   // where each of them ends
	first []int32 // of each column: the first of its name; nil where none repeats
}

// Len returns how many columns there are, the times not counted.
func (h *Header) Len() int { return len(h.ends) }

// Column returns the name of column i, a counter path in a sound file.
func (h *Header) Column(i int) string {
	from := 0
	if i > 0 {
		from = h.ends[i-1]
	}
	return h.text[from:h.ends[i]]
}

// Columns yields the names in their order.
func (h *Header) Columns() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range h.ends {
			if !yield(h.Column(i)) {
				return
			}
		}
	}
}

// FirstOf returns the first column that has the name
// of column i without regard to case, which is i itself but for repeats. A
// repeat holds the same counter again.
func (h *Header) FirstOf(i int) int {
	if h.first == nil {
		return i
	}
	return int(h.first[i])
}

// maxColumns bounds the columns of a header: beyond 65,536 they need 32 bytes
// of it each, so that a header of separators alone does not cost a multiple of
// its size. A path with its quotes is longer than that.
func maxColumns(size int) int { return max(65_536, size/32) }

// parseHeader takes a header line apart. is says how it is to be read, at gives
// the offset in the input of a place in it.
func (r *Reader) parseHeader(line []byte, is headerText, at func(int) int64) error {
	h := &r.header
	limit := maxColumns(len(line))
	var text strings.Builder
	sep, sepAt := separator(line)
	h.Separator = sep
	cell, next, err := r.headerCell(line, 0, sepAt, at)
	if err != nil {
		return err
	}
	var first strings.Builder
	first.Grow(is.len(cell))
	is.write(&first, cell)
	h.First = first.String()
	text.Grow(is.len(line[next:])) // a header may be the whole file: not twice
	for n := 0; next < len(line); n++ {
		start := next + 1
		if n == limit {
			return perfdump.NewError(perfdump.CodeLimit, at(start), inHeader(), "more than %d columns in a header of %d bytes", limit, len(line))
		}
		cell, next, err = r.headerCell(line, start, -1, at)
		if err != nil {
			return err
		}
		from := text.Len()
		is.write(&text, cell)
		h.ends = append(h.ends, text.Len())
		if _, err := pdhpath.Parse(text.String()[from:]); err != nil {
			if next < len(line) {
				r.noPath(n, text.String()[from:], at(start))
			} else {
				r.lastAt, r.lastOdd = at(start), true
			}
		}
	}
	h.text = text.String()

	var known bool
	if h.Zone, known = parseZone(h.First); !known {
		if h.Len() == 0 || !strings.HasPrefix(h.Column(0), `\\`) {
			return perfdump.NewError(perfdump.CodeSignature, at(0), inHeader(), `the first line is no header: want "(PDH-CSV 4.0) (zone)(minutes)", or counter paths from the second cell on`)
		}
		r.anomaly(perfdump.NewAnomaly(CodeHeaderCell, at(0), inHeader(), "the first cell does not say what the file is; its columns do"))
	}
	if !h.Zone.HasBias {
		r.anomaly(perfdump.NewAnomaly(CodeNoBias, at(0), inHeader(), "the first cell does not say how far the times are from UTC: they are taken for UTC"))
	}
	h.findRepeats()
	return nil
}

// separator returns the separator of a header, and where it stands first: it
// is followed by a path, quoted or not, since names of zones in a cell without
// quotes may hold it.
func separator(line []byte) (sep byte, at int) {
	sep, at = 0, -1
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '"':
			quoted = !quoted
		case ',', '\t', ';':
			if quoted {
				continue
			}
			if rest := line[i+1:]; bytes.HasPrefix(rest, []byte(`"\`)) || bytes.HasPrefix(rest, []byte(`\`)) {
				return c, i
			}
			if at < 0 {
				sep, at = c, i
			}
		}
	}
	switch {
	case at >= 0:
	case bytes.Contains(line, []byte("(PDH-TSV ")):
		sep = TSV
	default:
		sep = CSV
	}
	return sep, at
}

// headerCell returns the cell that begins at start, and where it ends: at a
// separator or the end of the line. A first cell without quotes ends at until.
func (r *Reader) headerCell(line []byte, start, until int, at func(int) int64) (cell []byte, end int, err error) {
	sep := r.header.Separator
	if start >= len(line) || line[start] != '"' {
		if until >= 0 {
			return line[start:until], until, nil
		}
		end = bytes.IndexByte(line[start:], sep)
		if end < 0 {
			return line[start:], len(line), nil
		}
		return line[start : start+end], start + end, nil
	}
	from, pos := start+1, start+1
	var whole []byte
	for {
		i := bytes.IndexByte(line[pos:], '"')
		if i < 0 {
			return nil, 0, perfdump.NewError(perfdump.CodeSyntax, at(start), inHeader(), "the quote that opens a cell of the header is not closed")
		}
		pos += i
		if pos+1 < len(line) && line[pos+1] == '"' {
			whole = append(whole, line[from:pos+1]...)
			pos += 2
			from = pos
			continue
		}
		break
	}
	cell = line[from:pos]
	if whole != nil {
		cell = append(whole, cell...)
	}
	rest := line[pos+1:]
	end = bytes.IndexByte(rest, sep)
	if end < 0 {
		end = len(rest)
	}
	if len(bytes.TrimSpace(rest[:end])) > 0 {
		r.anomaly(perfdump.NewAnomaly(CodeQuote, at(pos+1), inHeader(), "text stands behind the quote that closes a cell: it is passed over"))
	}
	return cell, pos + 1 + end, nil
}

// findRepeats finds columns that have the name of an earlier one.
func (h *Header) findRepeats() {
	seen := make(map[uint64]int32, h.Len())
	for i := range h.ends {
		name := h.Column(i)
		key := foldHash(name)
		j, ok := seen[key]
		if !ok {
			seen[key] = int32(i)
			continue
		}
		if !strings.EqualFold(name, h.Column(int(j))) {
			continue
		}
		if h.first == nil {
			h.first = make([]int32, h.Len())
			for k := range h.first {
				h.first[k] = int32(k)
			}
		}
		h.first[i] = j
	}
}

// repeats returns, of each column, the next one of its name, 0 where there is
// none.
func (h *Header) repeats() []int32 {
	next, last := make([]int32, len(h.first)), make([]int32, len(h.first))
	for i, j := range h.first {
		if int(j) != i {
			next[last[j]] = int32(i)
		}
		last[j] = int32(i)
	}
	return next
}

// foldHash is FNV-1a over the runes of a name without regard to case.
func foldHash(s string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		case c >= utf8.RuneSelf:
			for f := unicode.SimpleFold(c); ; f = unicode.SimpleFold(f) {
				if f <= c {
					c = f
					break
				}
			}
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
