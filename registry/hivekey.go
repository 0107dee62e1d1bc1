package registry

import (
	"errors"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	maxKeyName   = 510   // bytes of 255 characters
	maxValueName = 32766 // bytes of 16,383 characters

	rootAt    = 0x24 // RootCell in the header
	subKeysAt = 28   // SubKeys in a key
	valuesAt  = 40   // Values in a key
	dataAt    = 8    // Data in a value
)

type node struct {
	keyNode
	ref  uint32
	off  int64 // of the cell
	name string
	path string // "" for the root
}

// root reads the root key, whose path is empty.
func (w *walker) root() (*node, error) { return w.node(link{w.h.base.RootCell, rootAt}, nil) }

// node reads a key. up is the key whose list refers to it, nil for the root.
func (w *walker) node(to link, up *node) (*node, error) {
	path := ""
	if up != nil {
		path = up.path
	}
	off, have, err := w.cell(to, keyNodeSize, path, "key")
	if err != nil {
		return nil, err
	}
	b, err := w.read(off, min(have, keyNodeSize+maxKeyName), path)
	if err != nil {
		return nil, err
	}
	n := &node{ref: to.ref, off: off - 4}
	wire.LoadStruct(&n.keyNode, b)
	size := int(n.NameLength)
	switch {
	case n.Signature != sigKey:
		return nil, perfdump.NewError(perfdump.CodeSignature, off, at(path), "a key begins with 0x%x instead of \"nk\"", n.Signature)
	case size > maxKeyName:
		return nil, perfdump.NewError(perfdump.CodeLimit, off+72, at(path), "the name of a key has 0x%x bytes, more than 0x%x", size, maxKeyName)
	case size > len(b)-keyNodeSize:
		return nil, perfdump.NewError(perfdump.CodeLength, off+72, at(path), "the name of a key has 0x%x bytes, but its cell 0x%x", size, len(b)-keyNodeSize)
	}
	n.name = hiveName(b[keyNodeSize:keyNodeSize+size], n.Flags&flagCompressed != 0)
	if up == nil {
		return n, nil
	}
	n.path = n.name
	if up.path != "" {
		n.path = up.path + `\` + n.name
	}
	if n.Parent != up.ref {
		w.anomaly(codeKeyParent, off+16, n.path, "the parent of the key is 0x%x, but it is listed by 0x%x", int64(n.Parent), int64(up.ref))
	}
	return n, nil
}

// hiveName decodes a name in Latin-1 or UTF-16.
func hiveName(b []byte, narrow bool) string {
	if !narrow {
		return wire.UTF16(b)
	}
	var s strings.Builder
	s.Grow(len(b))
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String()
}

var errStop = errors.New("stop")

func (w *walker) subkeys(n *node, do func(*node) error) error {
	if n.NumSubKeys == 0 {
		return nil
	}
	found := uint32(0)
	err := w.list(n, link{n.SubKeys, n.off + 4 + subKeysAt}, false, func(to link) error {
		found++
		child, err := w.node(to, n)
		if err != nil {
			return w.fault(err)
		}
		return do(child)
	})
	if err == nil && found != n.NumSubKeys {
		w.anomaly(codeSubkeyCount, n.off+4+20, n.path, "the key has %d subkeys, but lists %d", int64(n.NumSubKeys), int64(found))
	}
	return err
}

// list reads a list of keys. inner is set for a list in a list; Windows nests no
// deeper, and a deeper one could be a cycle.
func (w *walker) list(n *node, to link, inner bool, do func(to link) error) error {
	off, have, err := w.cell(to, listHeadSize, n.path, "list of subkeys")
	if err != nil {
		return w.fault(err)
	}
	b, err := w.read(off, listHeadSize, n.path)
	if err != nil {
		return w.fault(err)
	}
	var head listHead
	wire.LoadStruct(&head, b)
	stride := int64(8)
	switch head.Signature {
	case sigFast, sigHash:
	case sigLeaf, sigRoot:
		stride = 4
	default:
		return w.fault(perfdump.NewError(perfdump.CodeSignature, off, at(n.path), "a list of subkeys begins with 0x%x instead of \"lf\", \"lh\", \"li\" or \"ri\"", head.Signature))
	}
	if head.Signature == sigRoot && inner {
		return w.fault(perfdump.NewError(perfdump.CodeLimit, off, at(n.path), "a list of lists within a list of lists, which Windows does not write"))
	}
	count := int64(head.Count)
	if fit := (have - listHeadSize) / stride; count > fit {
		if err := w.fault(perfdump.NewError(perfdump.CodeCount, off+2, at(n.path), "a list of %d subkeys needs 0x%x bytes, but its cell has 0x%x", count, count*stride, have-listHeadSize)); err != nil {
			return err
		}
		count = fit
	}
	if b, err = w.read(off+listHeadSize, count*stride, n.path); err != nil {
		return w.fault(err)
	}
	for i := 0; i < len(b); i += int(stride) {
		to := linkIn(b, i, off+listHeadSize)
		if head.Signature == sigRoot {
			err = w.list(n, to, true, do)
		} else {
			err = do(to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find returns the subkey of n with the given name, or nil.
func (w *walker) find(n *node, name string) (*node, error) {
	var found *node
	err := w.subkeys(n, func(child *node) error {
		if !strings.EqualFold(child.name, name) {
			return nil
		}
		found = child
		return errStop
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	return found, err
}

// open returns the key at a path below n, or nil.
func (w *walker) open(n *node, path string) (*node, error) {
	for name := range strings.SplitSeq(path, `\`) {
		if name == "" {
			continue
		}
		var err error
		if n, err = w.find(n, name); n == nil || err != nil {
			return nil, err
		}
	}
	return n, nil
}
