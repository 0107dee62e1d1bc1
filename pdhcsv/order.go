package pdhcsv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/perfdump/perfdump"
)

// Spreadsheets save times as they show them: 3/26/2015 22:42 or 26.03.2015 22:42:10.
// Only the whole column says which number is the month, so that is read first.
// Where they separate cells by semicolons, numbers may have a decimal comma: 86,93.

// ErrTimeFormat is the cause of the error of a file whose times may be read in
// several ways, or in none; [Options.TimeFormat] says how they are written.
var ErrTimeFormat = errors.New("the format of the times is not known")

type timesError struct{ text string }

func (e *timesError) Error() string   { return e.text }
func (e *timesError) Unwrap() []error { return []error{perfdump.ErrSyntax, ErrTimeFormat} }

// order is that of the numbers in a date.
type order int

const (
	monthDayYear order = iota
	dayMonthYear
	yearMonthDay
	numOrders
)

func (o order) String() string {
	return [...]string{"month/day/year", "day/month/year", "year/month/day"}[o]
}

// read reads a date in that order and a time of day: 3/26/2015 22:42, 26.03.15
// 22:42:10.5, 2015-03-26 10:42 PM.
func (o order) read(cell []byte) (time.Time, bool) {
	rest := bytes.TrimSpace(cell)
	var t clockTime
	var sep byte
	for i := range 3 {
		letter := [numOrders]string{"mdY", "dmY", "Ymd"}[o][i]
		if letter == 'Y' && i == 2 && !begins(rest, 4) {
			letter = 'y'
		}
		var ok bool
		if rest, ok = t.field(letter, rest); !ok || len(rest) == 0 {
			return time.Time{}, false
		}
		switch end := rest[0]; {
		case i == 0 && (end == '/' || end == '-' || end == '.' && o != monthDayYear): // nobody writes 3.26.2015
			sep = end
		case i == 1 && end == sep:
		case i == 2 && (end == ' ' || end == 'T' && o == yearMonthDay):
		default:
			return time.Time{}, false
		}
		rest = rest[1:]
	}
	rest = bytes.TrimLeft(rest, " ")
	rest, ok := t.field('H', rest)
	if !ok || len(rest) < 3 || rest[0] != ':' || !begins(rest[1:], 2) {
		return time.Time{}, false
	}
	rest, _ = t.field('M', rest[1:])
	if len(rest) > 2 && rest[0] == ':' && begins(rest[1:], 2) {
		rest, _ = t.field('S', rest[1:])
		if len(rest) > 1 && rest[0] == '.' {
			rest, _ = t.field('f', rest[1:])
		}
	}
	if rest = bytes.TrimSpace(rest); len(rest) > 0 {
		if rest, ok = t.halfDay(rest); !ok || len(rest) > 0 {
			return time.Time{}, false
		}
	}
	return t.time()
}

// begins reports whether s begins with n digits.
func begins(s []byte, n int) bool {
	_, ok := digits(s[:min(n, len(s))])
	return ok && len(s) >= n
}

// column is what the times of a column have in common.
type column struct {
	windows bool            // all are in the form of Windows
	fits    [numOrders]bool // all can be read in that order
	differ  [numOrders][numOrders]bool
}

// add is false if a cell is no time, which ends the data.
func (c *column) add(cell []byte) bool {
	var fits [numOrders]bool
	var times [numOrders]time.Time
	some := false
	for o := range numOrders {
		times[o], fits[o] = o.read(cell)
		some = some || fits[o]
	}
	if !some {
		return false
	}
	_, ok := parseTime(cell)
	c.windows = c.windows && ok
	for o := range numOrders {
		c.fits[o] = c.fits[o] && fits[o]
		for p := range o {
			c.differ[o][p] = c.differ[o][p] || !times[o].Equal(times[p])
		}
	}
	return true
}

// order returns the one in which the times of the column are read, and an error
// where that is not certain.
func (c *column) order() (order, error) {
	found := numOrders
	for o := range numOrders {
		switch {
		case !c.fits[o]:
		case found == numOrders:
			found = o
		case c.differ[o][found]:
			return 0, &timesError{fmt.Sprintf("the times are not as Windows writes them, and may be %s or %s", found, o)}
		}
	}
	if found == numOrders {
		return 0, &timesError{"the times are not as Windows writes them, and no order of month, day and year fits them all"}
	}
	return found, nil
}

// findForms finds out how times and numbers are written, where the first row does not
// begin with a time as Windows writes it, or semicolons separate the cells. That takes a
// reading of all rows; the source goes back to where it was. A format that was given has
// to fit the first row.
func (r *Reader) findForms(line []byte) error {
	r.open = false
	first, pos := r.cut(line, 0)
	_, windows := parseTime(first)
	known := windows && bytes.IndexByte(first, '.') >= 0 // the form of the times
	if format := r.o.TimeFormat; format != "" {
		if _, ok := r.time(first); !ok && !blank(first) {
			return &perfdump.FormatError{
				Code: perfdump.CodeSyntax, Off: r.off, Path: inRow(0).String(),
				Err: &timesError{fmt.Sprintf("the first time, %.40q, is not written as %q", first, format)},
			}
		}
		known = true
	}
	semicolons := r.header.Separator == ';'
	if known && !semicolons {
		return nil
	}
	c := column{windows: true, fits: [numOrders]bool{true, true, true}}
	if !known && !c.add(first) {
		return nil // nor is it any other time
	}
	r.comma = semicolons && r.decimalComma(line, pos)
	seeker, ok := r.from.(io.Seeker)
	at := int64(0)
	var err error
	if ok {
		at, err = seeker.Seek(0, io.SeekCurrent)
	}
	if !ok || err != nil { // a pipe
		if known {
			return nil
		}
		c.fits = [numOrders]bool{} // what one row says is not enough
		return r.setTimes(&c)
	}
	_, err = seeker.Seek(r.start+r.off, io.SeekStart)
	rest := Reader{header: Header{Separator: r.header.Separator}}
	rest.read(r.text.Continue(r.from))
	for err == nil {
		l, ok := rest.line(false)
		if !ok {
			err = rest.err
			break
		}
		rest.open = false
		cell, pos := rest.cut(trimEnd(l), 0)
		if known {
			if _, ok = r.time(cell); !ok {
				break
			}
		} else if !c.add(cell) {
			break
		}
		r.comma = r.comma || semicolons && rest.decimalComma(trimEnd(l), pos)
		if known && r.comma {
			break
		}
	}
	if err == nil {
		_, err = seeker.Seek(at, io.SeekStart)
	}
	var fe *perfdump.FormatError
	if errors.As(err, &fe) {
		return fe
	} else if err != nil {
		return &perfdump.FormatError{Code: perfdump.CodeIO, Off: r.off, Err: err}
	}
	if known {
		return nil
	}
	return r.setTimes(&c)
}

// setTimes makes r read times as those of a column.
func (r *Reader) setTimes(c *column) error {
	if c.windows {
		return nil
	}
	o, err := c.order()
	if err != nil {
		return &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: r.off, Path: inRow(0).String(), Err: err}
	}
	r.time = o.read
	r.anomaly(CodeTimeFormat, r.off, inRow(0), "the times are not as Windows writes them: read as "+o.String()+", as all of them fit")
	return r.err
}
