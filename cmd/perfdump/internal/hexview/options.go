package hexview

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Options says what is shown and how. The zero Options is for a pipe: arrays
// folded, 16 bytes a row, lines as long as they get.
type Options struct {
	All   bool   // nothing is folded
	Path  string // only what is at or below this path
	Range Range  // only these bytes; they are not folded
	Width int    // the columns to lay rows out for, 0 for any number
	Color bool
}

// Range is a range of bytes, To excluded. The zero Range is all bytes.
type Range struct{ From, To int64 }

func (r Range) all() bool { return r == Range{} }

// ParseRange reads a range of an input of size bytes: 0x100..0x200, the end
// excluded, or 0x100+32; an end left out is that of the input, a lone offset
// one byte. Numbers are decimal, or hex with 0x. Both ends must be in the
// input, else the error says how long it is.
func ParseRange(s string, size int64) (Range, error) {
	r := Range{To: size}
	var err error
	if from, to, ok := strings.Cut(s, ".."); ok {
		if from != "" {
			r.From, err = parseOffset(from)
		}
		if to != "" && err == nil {
			r.To, err = parseOffset(to)
		}
	} else if from, n, ok := strings.Cut(s, "+"); ok {
		var length int64
		if r.From, err = parseOffset(from); err == nil {
			length, err = parseOffset(n)
		}
		r.To = r.From + length
	} else {
		r.From, err = parseOffset(s)
		r.To = r.From + 1
	}
	switch {
	case err != nil:
		return Range{}, err
	case r.From >= size:
		return Range{}, fmt.Errorf("0x%x is past the end: the input has 0x%x bytes", r.From, size)
	case r.To > size:
		return Range{}, fmt.Errorf("0x%x..0x%x ends past the input's 0x%x bytes", r.From, r.To, size)
	case r.To <= r.From:
		return Range{}, fmt.Errorf("0x%x..0x%x has no bytes", r.From, r.To)
	}
	return r, nil
}

var errRange = errors.New("expected a range such as 0x100..0x200 or 0x100+32")

func parseOffset(s string) (int64, error) {
	s = strings.TrimSpace(s)
	base := 10
	if digits, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		s, base = digits, 16
	}
	// A sum of two cannot overflow.
	n, err := strconv.ParseUint(s, base, 62)
	if err != nil {
		return 0, errRange
	}
	return int64(n), nil
}
