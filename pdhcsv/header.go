package pdhcsv

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhpath"
)

// Header is the first line of a file.
type Header struct {
	First     string // the first cell as it is
	Zone      Zone   // what it says
	Separator byte   // comma, TAB or semicolon

	described bool // the last column is the description, not a counter

	names []string
	first []int32 // of each column: the first of its name; nil if none repeats
	next  []int32 // of each column: the next one of its name, 0 if there is none
}

// Len returns how many columns there are, the times not counted.
func (h *Header) Len() int { return len(h.names) }

// Column returns the name of column i, a counter path in a valid file.
func (h *Header) Column(i int) string { return h.names[i] }

// Columns yields the names in their order.
func (h *Header) Columns() iter.Seq[string] { return slices.Values(h.names) }

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

// parseHeader parses a header line; text decodes its cells.
func (r *Reader) parseHeader(line []byte, text func([]byte) string) error {
	h := &r.header
	limit := maxColumns(len(line))
	sep, sepAt := separator(line)
	h.Separator = sep
	cell, next, err := r.headerCell(line, 0, sepAt)
	if err != nil {
		return err
	}
	h.First = text(cell)
	for next < len(line) {
		start, n := next+1, h.Len()
		if n == limit {
			return perfdump.NewError(perfdump.CodeLimit, r.at(start), inHeader(), "more than %d columns in a header of %d bytes", limit, len(line))
		}
		if cell, next, err = r.headerCell(line, start, -1); err != nil {
			return err
		}
		h.names = append(h.names, text(cell))
		if _, err := pdhpath.Parse(h.names[n]); err != nil {
			if next < len(line) {
				r.noPath(n, r.at(start))
			} else {
				r.lastAt, r.lastOdd = r.at(start), true
			}
		}
	}

	var known bool
	if h.Zone, known = parseZone(h.First); !known {
		if h.Len() == 0 || !strings.HasPrefix(h.Column(0), `\\`) {
			return perfdump.NewError(perfdump.CodeSignature, r.at(0), inHeader(), `the first line is no header: expected "(PDH-CSV 4.0) (zone)(minutes)", or counter paths from the second cell on`)
		}
		r.anomaly(codeHeaderCell, r.at(0), inHeader(), "the first cell does not say what the file is; its columns do")
	}
	if !h.Zone.HasBias {
		r.anomaly(codeNoBias, r.at(0), inHeader(), "the first cell does not say how far the times are from UTC: they are read as UTC")
	}
	h.findRepeats()
	return nil
}

// separator returns the separator of a header, and where it is first: it
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
func (r *Reader) headerCell(line []byte, start, until int) (cell []byte, end int, err error) {
	pos := start // from where on the separator is looked for
	quoted := start < len(line) && line[start] == '"'
	if quoted {
		for pos++; ; pos += 2 {
			i := bytes.IndexByte(line[pos:], '"')
			if i < 0 {
				return nil, 0, perfdump.NewError(perfdump.CodeSyntax, r.at(start), inHeader(), "the quote that opens a cell of the header is not closed")
			}
			if pos += i; pos+1 == len(line) || line[pos+1] != '"' {
				break
			}
		}
		cell = bytes.ReplaceAll(line[start+1:pos], []byte(`""`), []byte(`"`))
		pos++
	} else if until >= 0 {
		return line[start:until], until, nil
	}
	end = len(line)
	if i := bytes.IndexByte(line[pos:], r.header.Separator); i >= 0 {
		end = pos + i
	}
	if !quoted {
		return line[start:end], end, nil
	}
	if len(bytes.TrimSpace(line[pos:end])) > 0 {
		r.anomaly(codeQuote, r.at(pos), inHeader(), "text after the quote that closes a cell is skipped")
	}
	return cell, end, nil
}

// findRepeats finds columns that have the name of an earlier one.
func (h *Header) findRepeats() {
	seen := make(map[uint64]int32, h.Len())
	var last []int32 // of each first column: the last of its name so far
	for i, name := range h.names {
		key := foldHash(name)
		j, ok := seen[key]
		if !ok {
			seen[key] = int32(i)
			continue
		}
		if !strings.EqualFold(name, h.names[j]) {
			continue
		}
		if h.first == nil {
			h.first, h.next, last = make([]int32, h.Len()), make([]int32, h.Len()), make([]int32, h.Len())
			for k := range h.first {
				h.first[k], last[k] = int32(k), int32(k)
			}
		}
		h.first[i] = j
		h.next[last[j]], last[j] = int32(i), int32(i)
	}
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
