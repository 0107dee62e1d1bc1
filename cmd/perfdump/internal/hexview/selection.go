package hexview

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

// place is where a span is: the index at each level plus 1, 0 for none.
type place [len(perfdump.Levels{})]uint32

func placeOf(p *perfdump.Path) (at place) {
	for level := range at {
		if i, ok := p.Index(level); ok {
			at[level] = uint32(i) + 1
		}
	}
	return at
}

// anyIndex selects all elements of a level.
const anyIndex = ^uint32(0)

// selection is a path. What is shown begins with it.
type selection struct {
	text  string
	at    place
	depth int // levels of at that are said, those left out among them
	field string
}

// parseSelection reads a path: object[3].instance[2].NameLength. A level
// without an index, or with [*], means all its elements.
func parseSelection(text string, levels *perfdump.Levels) (s selection, err error) {
	s.text = text
	rest := strings.Trim(strings.TrimSpace(text), ".")
	for rest != "" {
		head, tail, _ := strings.Cut(rest, ".")
		name, index, indexed := strings.Cut(head, "[")
		level := s.depth
		for level < len(levels) && (levels[level] == "" || !strings.EqualFold(levels[level], name)) {
			level++
		}
		if level == len(levels) {
			s.field = rest
			return s, nil
		}
		s.at[level] = anyIndex
		if indexed {
			digits, closed := strings.CutSuffix(index, "]")
			n, err := strconv.ParseUint(digits, 10, 31)
			switch {
			case !closed:
				return s, &PathError{text, fmt.Sprintf("%q has no ]", head)}
			case err == nil:
				s.at[level] = uint32(n) + 1
			case digits != "*":
				return s, &PathError{text, fmt.Sprintf("%q is no index, expected one such as %s[0]", digits, name)}
			}
		}
		s.depth, rest = level+1, tail
	}
	return s, nil
}

func (s *selection) all() bool { return s.depth == 0 && s.field == "" }

func (s *selection) match(at *place, p *perfdump.Path) bool {
	for level := range s.depth {
		if want := s.at[level]; want != at[level] && (want != anyIndex || at[level] == 0) {
			return false
		}
	}
	if s.field == "" {
		return true
	}
	for level := s.depth; level < len(at); level++ {
		if at[level] != 0 {
			return false
		}
	}
	return isField(p.FieldName(), s.field)
}

// isField reports whether want is the name of a field, or the part of the name
// before a point.
func isField(name, want string) bool {
	return len(name) >= len(want) && want != "" && strings.EqualFold(name[:len(want)], want) && (len(name) == len(want) || name[len(want)] == '.')
}

// PathError says that nothing has the path, or that the path cannot be read.
type PathError struct {
	Path string
	Text string // which paths there are
}

func (e *PathError) Error() string { return fmt.Sprintf("path %q: %s", e.Path, e.Text) }

// missing returns the error for a selection that nothing matches: it lists what
// is below the nearest existing path.
func (s *selection) missing(d *Document) error {
	up := *s
	for up.field = ""; ; {
		names, ends := []string{}, map[string]place{} // the first and the last element of a level
		for span := range d.Spans {
			at := placeOf(&span.Path)
			name, i := up.below(&at, d.Levels, span.Path.FieldName())
			e, known := ends[name]
			if name == "" || !known && len(names) == maxNames || !up.match(&at, &span.Path) {
				continue
			}
			if !known {
				names, e = append(names, name), place{i, i}
			}
			ends[name] = place{min(e[0], i), max(e[1], i)}
		}
		for k, name := range names {
			if e := ends[name]; e[0] > 0 {
				names[k] += fmt.Sprintf("[%d]", e[0]-1)
				if e[1] > e[0] {
					names[k] += fmt.Sprintf(" to [%d]", e[1]-1)
				}
			}
		}
		switch {
		case len(names) > 0 && up.depth > 0:
			return &PathError{s.text, up.String(d.Levels) + " has " + strings.Join(names, ", ")}
		case len(names) > 0:
			return &PathError{s.text, "here are " + strings.Join(names, ", ")}
		case up.depth == 0:
			return &PathError{s.text, "nothing in this input has a path"}
		}
		for up.depth--; up.depth > 0 && up.at[up.depth-1] == 0; {
			up.depth--
		}
	}
}

// maxNames bounds the names in an error.
const maxNames = 100

// below returns what comes next in a path: an element of a level, or a field.
func (s *selection) below(at *place, levels *perfdump.Levels, field string) (name string, i uint32) {
	for level := s.depth; level < len(at); level++ {
		if at[level] != 0 {
			return levels[level], at[level]
		}
	}
	return field, 0
}

func (s *selection) String(levels *perfdump.Levels) string {
	var names []string
	for level, at := range s.at[:s.depth] {
		switch at {
		case 0:
		case anyIndex:
			names = append(names, levels[level])
		default:
			names = append(names, fmt.Sprintf("%s[%d]", levels[level], at-1))
		}
	}
	return strings.Join(names, ".")
}
