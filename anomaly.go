package perfdump

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Anomaly is something unusual that can still be read. It is compact: its message and path
// are formatted on request.
type Anomaly struct {
	Code Code
	Off  int64
	Path Path

	text string
	args [2]int64
}

// NewAnomaly returns an anomaly whose message is made from text, a format
// with at most two verbs for integers.
func NewAnomaly(code Code, off int64, path Path, text string, args ...int64) Anomaly {
	a := Anomaly{Code: code, Off: off, Path: path, text: text}
	copy(a.args[:], args)
	return a
}

// Message returns what is unusual, without the position.
func (a Anomaly) Message() string {
	switch strings.Count(a.text, "%") {
	case 0:
		return a.text
	case 1:
		return fmt.Sprintf(a.text, a.args[0])
	default:
		return fmt.Sprintf(a.text, a.args[0], a.args[1])
	}
}

// String returns the anomaly in the form of an error.
func (a Anomaly) String() string { return a.Err().Error() }

// Err returns the anomaly as an error, as in strict mode.
func (a Anomaly) Err() *FormatError { return NewError(a.Code, a.Off, a.Path, "%s", a.Message()) }

// Anomalies collects the anomalies of a document up to a limit and counts the
// rest by code. The zero value keeps none; Reset sets the limit.
type Anomalies struct {
	kept    []Anomaly
	dropped map[Code]int
	limit   int
	total   int
}

// Reset empties s, keeping its memory, and sets how many anomalies it keeps.
func (s *Anomalies) Reset(limit int) {
	s.kept, s.limit, s.total = s.kept[:0], limit, 0
	clear(s.dropped)
}

// Add keeps a, or only counts it if the limit has been reached.
func (s *Anomalies) Add(a Anomaly) {
	s.total++
	if len(s.kept) < s.limit {
		s.kept = append(s.kept, a)
		return
	}
	if s.dropped == nil {
		s.dropped = make(map[Code]int)
	}
	s.dropped[a.Code]++
}

// Len returns how many anomalies were added, kept or not.
func (s *Anomalies) Len() int { return s.total }

// Kept returns the anomalies that were kept, in order of Add. The slice belongs to s.
func (s *Anomalies) Kept() []Anomaly { return s.kept }

// Dropped yields how many anomalies of each code were counted but not kept,
// in the order of the codes.
func (s *Anomalies) Dropped() iter.Seq2[Code, int] {
	return func(yield func(Code, int) bool) {
		codes := make([]Code, 0, len(s.dropped))
		for c := range s.dropped {
			codes = append(codes, c)
		}
		slices.Sort(codes)
		for _, c := range codes {
			if !yield(c, s.dropped[c]) {
				return
			}
		}
	}
}

// Clone returns a copy of s that shares nothing with it.
func (s *Anomalies) Clone() Anomalies {
	c := *s
	c.kept = slices.Clone(s.kept)
	c.dropped = nil
	for code, n := range s.dropped {
		if c.dropped == nil {
			c.dropped = make(map[Code]int, len(s.dropped))
		}
		c.dropped[code] = n
	}
	return c
}
