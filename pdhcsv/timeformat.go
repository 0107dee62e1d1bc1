package pdhcsv

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// timeReader reads the first cell of a row. It is false if that is no time.
type timeReader func(cell []byte) (time.Time, bool)

// CheckTimeFormat says what is wrong with an [Options.TimeFormat], nil for nothing.
func CheckTimeFormat(format string) error {
	_, err := newTimeFormat(format)
	return err
}

// newTimeFormat returns the reader of times that are written in a format, as strftime
// knows it. Numbers may have fewer digits than strftime writes.
func newTimeFormat(format string) (timeReader, error) {
	met := map[byte]bool{}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		if i++; i == len(format) || strings.IndexByte("YymdHIMSfp%", format[i]) < 0 {
			return nil, fmt.Errorf("%q: expected %%Y or %%y, %%m, %%d, %%H or %%I with %%p, %%M, %%S, %%f (the fraction of a second) and %%%%", format)
		}
		met[format[i]] = true
	}
	if !(met['Y'] || met['y']) || !met['m'] || !met['d'] || !(met['H'] || met['I'] && met['p']) || !met['M'] {
		return nil, fmt.Errorf("%q: expected at least a year, a month, a day, an hour and minutes, such as %%d.%%m.%%Y %%H:%%M", format)
	}
	return func(cell []byte) (time.Time, bool) {
		var t clockTime
		rest := bytes.TrimSpace(cell)
		for i := 0; i < len(format); i++ {
			ok := false
			switch c := format[i]; c {
			case '%':
				i++
				rest, ok = t.field(format[i], rest)
			case ' ':
				ok = len(rest) > 0 && rest[0] == ' '
				rest = bytes.TrimLeft(rest, " ")
			default:
				ok = len(rest) > 0 && rest[0] == c
				rest = rest[min(1, len(rest)):]
			}
			if !ok {
				return time.Time{}, false
			}
		}
		at, ok := t.time()
		return at, ok && len(rest) == 0
	}, nil
}

// clockTime is a local time, part by part.
type clockTime struct {
	year, month, day, hour, minute, second, ns int

	half byte // 'a' for AM, 'p' for PM, 0 for 24 hours
}

// field reads what a letter of a format means, and returns what follows it.
func (t *clockTime) field(letter byte, s []byte) (rest []byte, ok bool) {
	switch letter {
	case '%':
		return s[min(1, len(s)):], len(s) > 0 && s[0] == '%'
	case 'p':
		return t.halfDay(s)
	case 'f':
		n := 0
		for n < len(s) && n < 7 && s[n]-'0' <= 9 {
			n++
		}
		t.ns, _ = digits(s[:n])
		for range 9 - n {
			t.ns *= 10
		}
		return s[n:], n > 0
	}
	most := 2
	if letter == 'Y' {
		most = 4
	}
	n := 0
	for n < len(s) && n < most && s[n]-'0' <= 9 {
		n++
	}
	v, _ := digits(s[:n])
	switch letter {
	case 'Y':
		t.year = v
		return s[n:], n == 4
	case 'y':
		t.year = fullYear(v)
		return s[n:], n == 2
	case 'm':
		t.month = v
	case 'd':
		t.day = v
	case 'H', 'I':
		t.hour = v
	case 'M':
		t.minute = v
	case 'S':
		t.second = v
	}
	return s[n:], n > 0
}

// halfDay reads AM or PM.
func (t *clockTime) halfDay(s []byte) (rest []byte, ok bool) {
	if len(s) < 2 || s[1]|0x20 != 'm' {
		return s, false
	}
	t.half = s[0] | 0x20
	return s[2:], t.half == 'a' || t.half == 'p'
}

// fullYear is the year of two digits, as POSIX has it: 69 to 99 are of the last
// century.
func fullYear(n int) int {
	if n >= 69 {
		return 1900 + n
	}
	return 2000 + n
}

// time is false if there is no such time.
func (t *clockTime) time() (time.Time, bool) {
	hour := t.hour
	if t.half != 0 {
		if hour < 1 || hour > 12 {
			return time.Time{}, false
		}
		if hour %= 12; t.half == 'p' {
			hour += 12
		}
	}
	at := time.Date(t.year, time.Month(t.month), t.day, hour, t.minute, t.second, t.ns, time.UTC)
	// A 31st of April would be a 1st of May.
	return at, t.year > 0 && t.month >= 1 && t.month <= 12 && at.Day() == t.day && hour < 24 && t.minute < 60 && t.second < 60
}
