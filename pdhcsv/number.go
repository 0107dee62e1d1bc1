package pdhcsv

import (
	"bytes"
	"math"
	"strconv"
)

// number returns the number in a cell. In a file of decimal commas a point is no
// decimal point, and what it is instead, the cell does not say.
func (r *Reader) number(cell []byte) (float64, bool) {
	if !r.comma {
		return parseNumber(cell)
	}
	if bytes.IndexByte(cell, '.') >= 0 {
		return 0, false
	}
	return parseComma(cell)
}

// parseComma returns the number in a cell whose decimal mark is a comma.
func parseComma(cell []byte) (float64, bool) {
	i := bytes.IndexByte(cell, ',')
	if i < 0 {
		return parseNumber(cell)
	}
	cell[i] = '.'
	v, ok := parseNumber(cell)
	cell[i] = ','
	return v, ok
}

// decimalComma reports whether a cell of a row, from pos on, has a decimal comma.
func (r *Reader) decimalComma(line []byte, pos int) bool {
	for pos < len(line) {
		var cell []byte
		cell, pos = r.cut(line, pos+1)
		if bytes.IndexByte(cell, ',') >= 0 {
			if _, ok := parseComma(cell); ok {
				return true
			}
		}
	}
	return false
}

// parseNumber returns the number in a cell. It is false if there is none.
func parseNumber(cell []byte) (float64, bool) {
	if len(cell) > 0 && (cell[0] == ' ' || cell[len(cell)-1] == ' ') {
		cell = bytes.TrimSpace(cell)
	}
	if len(cell) == 0 {
		return 0, false
	}
	if v, ok := parseDecimal(cell); ok {
		return v, true
	}
	// strconv takes words, hexadecimal digits and underscores, too.
	for _, c := range cell {
		if c-'0' > 9 && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	return v, err == nil
}

// parseDecimal returns the number of up to 18 digits that may have a point among
// them, as nearly all cells do; it is what strconv would return. It is false
// for other cells, and where it is not sure.
func parseDecimal(cell []byte) (float64, bool) {
	const most = 18 // so many digits are an int64
	if len(cell) > most+1 {
		return 0, false
	}
	n, point := int64(0), -1
	for i, c := range cell {
		d := c - '0'
		switch {
		case d <= 9:
			n = n*10 + int64(d)
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	switch {
	case point >= 0 && len(cell) > 1:
		return quotient(n, len(cell)-1-point)
	case point < 0 && len(cell) > 0 && len(cell) <= most:
		return float64(n), true // the conversion rounds as strconv does
	}
	return 0, false
}

// powers are those of ten that a float64 holds exactly.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// quotient returns the float64 nearest to n / 10^k, of n from 0 to 10^18. It
// is false if it is not sure which that is.
func quotient(n int64, k int) (float64, bool) {
	high, ten := float64(n), powers[k]
	q := high / ten
	if n <= 1<<53 {
		return q, true // both are exact, so it is the nearest
	}
	// What q lacks: the rest of the division, which is exact, and what n has
	// beyond 53 bits, by ten. Of its own the correction is wrong by less than
	// a part in 2^51; where a part in 2^50 more or less of it gives the same
	// sum, that is the nearest to the true one, too.
	rest := math.FMA(-q, ten, high) + float64(n-int64(high))
	c := rest / ten
	const part = 1.0 / (1 << 50)
	low, up := q+c*(1-part), q+c*(1+part)
	return low, low == up
}
