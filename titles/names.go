package titles

import "strconv"

// Names finds the name of an index in several tables. The zero Names has the
// base names only. It is safe for concurrent use.
type Names struct{ tables []*Table }

// NewNames returns the names of tables, the first one that has a name giving
// it, and those of [Base] after them. A nil table is passed over.
func NewNames(tables ...*Table) *Names {
	n := &Names{}
	for _, t := range tables {
		if t != nil {
			n.tables = append(n.tables, t)
		}
	}
	return n
}

// Lookup returns the name of an index and whether a table has one. An empty
// text is no name. It allocates nothing.
func (n *Names) Lookup(index uint32) (string, bool) {
	if n != nil {
		for _, t := range n.tables {
			if name, ok := t.Lookup(index); ok && name != "" {
				return name, true
			}
		}
	}
	return Base().Lookup(index)
}

// Name returns the name of an index, or the index in decimal where no table
// has one, which is what Windows' own tools show then. It allocates for such
// a number only; [Names.Append] never does.
func (n *Names) Name(index uint32) string {
	if name, ok := n.Lookup(index); ok {
		return name
	}
	return strconv.FormatUint(uint64(index), 10)
}

// Append appends what [Names.Name] returns to dst.
func (n *Names) Append(dst []byte, index uint32) []byte {
	if name, ok := n.Lookup(index); ok {
		return append(dst, name...)
	}
	return strconv.AppendUint(dst, uint64(index), 10)
}
