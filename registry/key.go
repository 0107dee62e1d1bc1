package registry

import "strings"

// Key is a key and its values. Its methods may be called on nil, which is a
// key that is not there.
type Key struct {
	base, rel string

	Values []Value
	// Predefined says that the key stands for a handle, which an application
	// reads elsewhere: Perflib\009 is served from the perfc009.dat and
	// perfh009.dat files and has no values in a hive.
	Predefined bool
	Line       int   // in a .reg file, from 1; 0 in a hive
	Off        int64 // of the line, or of the key's cell
}

// Path returns the path of the key as the file spells it, in a hive without
// the name of its root.
func (k *Key) Path() string {
	if k == nil {
		return ""
	}
	return k.base + k.rel
}

// Value returns the value of a name, whatever its case; nil where there is
// none.
func (k *Key) Value(name string) *Value {
	if k == nil {
		return nil
	}
	for i := range k.Values {
		if strings.EqualFold(k.Values[i].Name, name) {
			return &k.Values[i]
		}
	}
	return nil
}
