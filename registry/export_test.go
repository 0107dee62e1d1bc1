package registry

import "github.com/perfdump/perfdump"

// Header returns the header.
func (h *Hive) Header() any { return h.base }

func (h *Hive) Anomalies() *perfdump.Anomalies { return &h.anomalies }

// Key reads a key by its path below the root; nil where there is none.
func (h *Hive) Key(path string) (*Key, error) {
	w, n, err := h.at(path)
	if n == nil || err != nil {
		return nil, err
	}
	return w.key(n, n.path, "")
}

// Subkeys returns the names of the keys below a path.
func (h *Hive) Subkeys(path string) (names []string, err error) {
	w, n, err := h.at(path)
	if n == nil || err != nil {
		return nil, err
	}
	err = w.subkeys(n, func(child *node) error {
		names = append(names, child.name)
		return nil
	})
	return names, err
}

func (h *Hive) at(path string) (*walker, *node, error) {
	w := h.walker(new(perfdump.Anomalies), new([]*perfdump.FormatError))
	n, err := w.root()
	if err != nil {
		return nil, nil, err
	}
	n, err = w.open(n, path)
	return w, n, err
}

// AddKey opens a key at the end of the file, unless the file has it.
func (e *RegEditor) AddKey(path string) error {
	w := e.speller(func([]byte) {})
	if w.key(path); w.err != nil {
		return w.err
	}
	e.key(path).open = true
	return nil
}
