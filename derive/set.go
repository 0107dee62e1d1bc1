package derive

import (
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
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
// those that begin with # are passed over; the comment right above a metric is
// what tells about it. The text may be UTF-8 or UTF-16 with or without a mark,
// or windows-1252.
//
// The error is a *perfdump.FormatError: syntax for what is no such line, with
// the offset of the place, and for a name that stands there twice; limit for
// more than 1,000 metrics, a line of more than 64 KiB, or more than 64
// parentheses in each other; big-endian for UTF-16 of that order.
func Parse(data []byte) (*Set, error) {
	text, err := textlines.New(data, textlines.Options{})
	if err != nil {
		return nil, err
	}
	return read(text)
}

// ParseString is [Parse] for text that is UTF-8 for sure.
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
		m, err := parse(line, fail)
		if err != nil {
			return nil, err
		}
		if _, ok := s.Find(m.Name); ok {
			return nil, fail(0, perfdump.CodeSyntax, "%q stands there a second time", m.Name)
		}
		if len(s.metrics) == maxMetrics {
			return nil, fail(0, perfdump.CodeLimit, "more than %d metrics", maxMetrics)
		}
		m.About, about = about, ""
		s.Add(m)
	}
	return s, nil
}

// Add adds a metric, in the place of the one of that name if there is one.
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

// Find returns the metric of a name, whatever its case.
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
			named := slices.ContainsFunc(m.parts, func(p Part) bool { return fold(p.Counter) == fold(counter) })
			if named && !yield(m) {
				return
			}
		}
	}
}

// Paths returns the counter paths that let all parts of the metrics through a
// filter.
func (s *Set) Paths() []string {
	var paths []string
	for _, m := range s.metrics {
		for _, p := range m.parts {
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
