// Package derive computes metrics that no counter has, by expressions over
// counters of one instance: packets a call, cycles a packet, the share of the
// requests that failed. docs/cookbook.md has the grammar, and the set that is
// built in.
//
//	set, err := derive.ParseString("Bytes per packet = [Bytes Total/sec] / [Packets/sec]")
//	if err != nil {
//		return err
//	}
//	columns, err := recording.Columns()
//	if err != nil {
//		return err
//	}
//	b, err := derive.Bind(set, columns)
//	if err != nil {
//		return err
//	}
//	for f, err := range b.Apply(recording.Frames()) {
//		... // cells of recorded series, then those of derived ones
//	}
//
// A derived series looks like a recorded one, so that all writers take it: it
// has the host, the object and the instance of its counters, and an ID after
// theirs. It has no type and no raw tuple.
//
// No text makes Parse panic or take memory beyond a multiple of its length, and
// nesting is limited (FuzzDerive, TestSyntax). Errors are a
// *perfdump.FormatError of code syntax with the offset of the place, and says
// what was expected there. A Set and a Binding may be used concurrently.
package derive

import (
	_ "embed" // the built-in set is a file
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/expression"
	"github.com/perfdump/perfdump/internal/textlines"
)

// maxMetrics is how many metrics a set may have.
const maxMetrics = 1000

// Set is a list of metrics whose names differ.
type Set struct {
	metrics []*Metric
	byName  map[string]int
}

var levels = perfdump.Levels{"line"}

// Parse reads a file of metrics: name = expression, one a line. Blank lines and
// those that begin with # are skipped; the comment right above a metric
// describes it. The text may be UTF-8 or UTF-16 with or without a mark,
// or windows-1252.
//
// The error is a *perfdump.FormatError: syntax for what is no such line, with
// the offset of the place, and for a name that occurs twice; limit for
// more than 1,000 metrics, a line of more than 64 KiB, or more than 64
// nested parentheses; big-endian for UTF-16 of that order.
func Parse(data []byte) (*Set, error) {
	text, err := textlines.New(data, textlines.Options{})
	if err != nil {
		return nil, err
	}
	return read(text)
}

// ParseString is [Parse] for text that is known to be UTF-8.
func ParseString(s string) (*Set, error) {
	text, err := textlines.NewIn([]byte(s), textlines.UTF8(false), textlines.Options{})
	if err != nil {
		return nil, err
	}
	return read(text)
}

func read(text *textlines.Text) (*Set, error) {
	s := &Set{}
	about := ""
	for l := range text.All() {
		line := l.Text()
		trimmed := strings.TrimSpace(line)
		if comment, ok := strings.CutPrefix(trimmed, "#"); ok {
			about = strings.TrimSpace(about + " " + strings.Trim(comment, "# \t"))
			continue
		}
		if trimmed == "" {
			about = ""
			continue
		}
		fail := func(pos int, code perfdump.Code, format string, args ...any) error {
			before, _ := text.Encoding().Encode(nil, line[:pos])
			return perfdump.NewError(code, int64(l.Off+len(before)), levels.Root().At(0, l.Number-1), format, args...)
		}
		m, err := expression.Parse(line, fail)
		if err != nil {
			return nil, err
		}
		if _, ok := s.Find(m.Name); ok {
			return nil, fail(0, perfdump.CodeSyntax, "%q is defined twice", m.Name)
		}
		if len(s.metrics) == maxMetrics {
			return nil, fail(0, perfdump.CodeLimit, "more than %d metrics", maxMetrics)
		}
		m.About, about = about, ""
		s.Add(m)
	}
	return s, nil
}

// Add adds a metric and replaces the one of that name.
func (s *Set) Add(m *Metric) {
	if i, ok := s.byName[fold(m.Name)]; ok {
		s.metrics[i] = m
		return
	}
	if s.byName == nil {
		s.byName = map[string]int{}
	}
	s.byName[fold(m.Name)] = len(s.metrics)
	s.metrics = append(s.metrics, m)
}

// Len returns how many metrics there are.
func (s *Set) Len() int { return len(s.metrics) }

// All yields the metrics in their order.
func (s *Set) All() iter.Seq[*Metric] { return slices.Values(s.metrics) }

// Find returns the metric of a name, ignoring case.
func (s *Set) Find(name string) (*Metric, bool) {
	i, ok := s.byName[fold(name)]
	if !ok {
		return nil, false
	}
	return s.metrics[i], true
}

// Using yields the metrics that a counter is a part of.
func (s *Set) Using(counter string) iter.Seq[*Metric] {
	return func(yield func(*Metric) bool) {
		for _, m := range s.metrics {
			named := slices.ContainsFunc(m.Parts(), func(p Part) bool { return fold(p.Counter) == fold(counter) })
			if named && !yield(m) {
				return
			}
		}
	}
}

// Paths returns the counter paths that all parts of the metrics match.
func (s *Set) Paths() []string {
	var paths []string
	for _, m := range s.metrics {
		for _, p := range m.Parts() {
			object := p.Object
			if object == "" {
				object = "*"
			}
			paths = append(paths, `\`+object+`(*)\`+p.Counter)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

//go:embed ndis.txt
var ndis string

// NDIS returns the built-in set: ratios of the network counters of NDIS that
// are useful. Its text is a file for [Parse], to copy and to change.
func NDIS() (set *Set, text string) {
	set, err := ParseString(ndis)
	if err != nil {
		panic(err) // TestNDIS reads it
	}
	return set, ndis
}
