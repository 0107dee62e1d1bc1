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
		// cell behind it is closed either, so that looking for it again would
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
	cell = bytes.TrimSpace(cell)
	if len(cell) < 19 || cell[2] != '/' || cell[5] != '/' || cell[10] != ' ' || cell[13] != ':' || cell[16] != ':' {
		return time.Time{}, false
	}
	var ok [6]bool
	var n [6]int
	n[0], ok[0] = digits(cell[0:2])
	n[1], ok[1] = digits(cell[3:5])
	n[2], ok[2] = digits(cell[6:10])
	n[3], ok[3] = digits(cell[11:13])
	n[4], ok[4] = digits(cell[14:16])
	n[5], ok[5] = digits(cell[17:19])
	if ok != [6]bool{true, true, true, true, true, true} || n[3] > 23 || n[4] > 59 || n[5] > 59 {
		return time.Time{}, false
	}
	ns := 0
	if rest := cell[19:]; len(rest) > 0 {
		if rest[0] != '.' || len(rest) < 2 || len(rest) > 8 {
			return time.Time{}, false
		}
		f, fine := digits(rest[1:])
		if !fine {
			return time.Time{}, false
		}
		for range 10 - len(rest) {
			f *= 10
		}
		ns = f
	}
	t := time.Date(n[2], time.Month(n[0]), n[1], n[3], n[4], n[5], ns, time.UTC)
	// A 31st of April would be a 1st of May.
	return t, n[2] > 0 && n[0] >= 1 && n[0] <= 12 && t.Day() == n[1]
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
