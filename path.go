package perfdump

import "strconv"

// Levels names the indexed levels of a format's paths, outermost first, for
// example "block", "object", "instance", "counter".
type Levels [4]string

// Path is a position in a document: object[3].instance[2].NameLength. It is formatted only
// when requested, so that decoders can carry one without allocating. The zero Path is the
// whole document.
type Path struct {
	levels *Levels
	at     [4]uint32 // index + 1; 0 means that the path does not have the level
	field  string
}

// Root returns the empty path of a format with the given levels.
func (l *Levels) Root() Path { return Path{levels: l} }

// At returns p with index i at the given level.
func (p Path) At(level, i int) Path {
	p.at[level] = uint32(i) + 1
	return p
}

// Field returns p with a field name at its end.
func (p Path) Field(name string) Path {
	p.field = name
	return p
}

// FieldName returns the field at the end of p, or "".
func (p Path) FieldName() string { return p.field }

// Index returns the index at a level, and whether p has that level.
func (p Path) Index(level int) (i int, ok bool) { return int(p.at[level]) - 1, p.at[level] != 0 }

// Within reports whether p is q or below it.
func (p Path) Within(q Path) bool {
	for level, at := range q.at {
		if at != 0 && at != p.at[level] {
			return false
		}
	}
	return q.field == "" || q.field == p.field
}

// Append appends the text of p to dst.
func (p Path) Append(dst []byte) []byte {
	start := len(dst)
	for level, at := range p.at {
		if at == 0 || p.levels == nil {
			continue
		}
		if len(dst) > start {
			dst = append(dst, '.')
		}
		dst = append(dst, p.levels[level]...)
		dst = append(dst, '[')
		dst = strconv.AppendUint(dst, uint64(at)-1, 10)
		dst = append(dst, ']')
	}
	if p.field != "" {
		if len(dst) > start {
			dst = append(dst, '.')
		}
		dst = append(dst, p.field...)
	}
	return dst
}

// String returns the text of p, "" for the whole document.
func (p Path) String() string { return string(p.Append(nil)) }
