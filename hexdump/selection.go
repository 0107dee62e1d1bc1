package hexdump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

// place is where a span lies: the index at each level plus 1, 0 for none.
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

// selection is a path that what is shown must begin with.
type selection struct {
	text  string
	at    place
	depth int // levels of at that are said, those left out among them
	field string
}

// parseSelection reads a path: object[3].instance[2].NameLength. A level
// without an index, or with [*], stands for all its elements.
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
				return s, &PathError{text, fmt.Sprintf("%q is no index: want one such as %s[0]", digits, name)}
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

// isField reports whether want is a field's name or what stands before a
// point in it.
func isField(name, want string) bool {
	return len(name) >= len(want) && want != "" && strings.EqualFold(name[:len(want)], want) && (len(name) == len(want) || name[len(want)] == '.')
}

// PathError says that nothing is shown because nothing has the path, or that
// the path cannot be read.
type PathError struct {
	Path string
	Text string // which paths there are
}

func (e *PathError) Error() string { return fmt.Sprintf("path %q: %s", e.Path, e.Text) }

// missing returns the error for a selection that nothing matches: it goes up
// to the nearest path that there is and tells what lies below it.
func (s *selection) missing(d Document) error {
	levels := d.Levels()
	up := *s
	up.field = ""
	for {
		below := children{indexes: map[string][2]uint32{}}
		for span := range d.Spans() {
			if at := placeOf(&span.Path); up.match(&at, &span.Path) {
				below.add(&at, up.depth, levels, span.Path.FieldName())
			}
		}
		if below.found {
			name := "here are"
			if up.depth > 0 {
				name = up.String(levels) + " has"
			}
			return &PathError{s.text, name + " " + below.String()}
		}
		if up.depth == 0 {
			return &PathError{s.text, "nothing in this input has a path"}
		}
		for up.depth--; up.depth > 0 && up.at[up.depth-1] == 0; {
			up.depth--
		}
	}
}

func (s *selection) String(levels *perfdump.Levels) string {
	var names []string
	for level, at := range s.at[:s.depth] {
		switch at {
		case 0:
		case anyIndex:
			names = append(names, levels[level])
		default:
			names = append(names, levels[level]+"["+strconv.FormatUint(uint64(at)-1, 10)+"]")
		}
	}
	return strings.Join(names, ".")
}

// children collects what lies right below a path.
type children struct {
	found   bool
	names   []string
	indexes map[string][2]uint32 // the first and the last element of a level
}

func (c *children) add(at *place, depth int, levels *perfdump.Levels, field string) {
	for level := depth; level < len(at); level++ {
		i := at[level]
		if i == 0 {
			continue
		}
		name := levels[level]
		ends, ok := c.indexes[name]
		if !ok {
			ends = [2]uint32{i, i}
			c.names = append(c.names, name)
		}
		c.indexes[name] = [2]uint32{min(ends[0], i), max(ends[1], i)}
		c.found = true
		return
	}
	if field == "" {
		return
	}
	c.found = true
	if len(c.names) < 100 {
		for _, name := range c.names {
			if name == field {
				return
			}
		}
		c.names = append(c.names, field)
	}
}

func (c *children) String() string {
	var all []string
	for _, name := range c.names {
		if ends, ok := c.indexes[name]; ok {
			name += "[" + strconv.FormatUint(uint64(ends[0])-1, 10) + "]"
			if ends[1] > ends[0] {
				name += " to [" + strconv.FormatUint(uint64(ends[1])-1, 10) + "]"
			}
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}
