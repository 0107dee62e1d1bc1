package pdhcsv

import (
	"bytes"
	"time"
)

// cut returns the cell of a row that begins at start, and where it ends: at a
// separator or the end of the line. Cells of rows hold times and numbers, so
// doubled quotes in them stay.
func (r *Reader) cut(line []byte, start int) (cell []byte, end int) {
	sep := r.header.Separator
	rest := line[min(start, len(line)):]
	if len(rest) > 0 && rest[0] == '"' && !r.open {
		for i := 1; i < len(rest); i++ {
			switch {
			case rest[i] != '"':
			case i+1 == len(rest) || rest[i+1] == sep:
				return rest[1:i], start + i + 1
			case rest[i+1] == '"':
				i++
			}
		}
		// The quote is a sign like any other, in a cell that is no number. No
		// cell after it is closed either, so that looking for it again would
		// cost the square of the line.
		r.open = true
	}
	i := bytes.IndexByte(rest, sep)
	if i < 0 {
		return rest, len(line)
	}
	return rest[:i], start + i
}

// blank reports whether a cell holds nothing.
func blank(cell []byte) bool {
	for _, c := range cell {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// parseTime reads MM/DD/YYYY HH:MM:SS, with up to seven digits of a fraction.
func parseTime(cell []byte) (time.Time, bool) {
	const form = "00/00/0000 00:00:00"
	cell = bytes.TrimSpace(cell)
	if len(cell) < len(form) {
		return time.Time{}, false
	}
	var n [6]int
	k := 0
	for i, c := range []byte(form) {
		switch d := cell[i] - '0'; {
		case c != '0' && cell[i] != c, c == '0' && d > 9:
			return time.Time{}, false
		case c == '0':
			n[k] = 10*n[k] + int(d)
		default:
			k++
		}
	}
	t := clockTime{month: n[0], day: n[1], year: n[2], hour: n[3], minute: n[4], second: n[5]}
	if rest := cell[len(form):]; len(rest) > 0 {
		if rest, ok := t.field('f', rest[1:]); cell[len(form)] != '.' || !ok || len(rest) > 0 {
			return time.Time{}, false
		}
	}
	return t.time()
}

func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
