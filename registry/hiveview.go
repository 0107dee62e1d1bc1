package registry

import (
	"strings"

	"github.com/perfdump/perfdump"
)

// View reads what the hive says of performance counters. It takes a SYSTEM hive
// or a SOFTWARE hive; of another there is nothing to see.
//
// The error is a *perfdump.FormatError with the path of a key: a cell that is
// none, a list that its cell cannot hold, or what the hive's reader returned.
// In salvage mode what is damaged is left out, see [View.Faults]; in strict
// mode an anomaly is an error. It reads no more bytes than the hive has, and a
// constant, however its cells refer to each other.
func (h *Hive) View() (*View, error) {
	v := &View{anomalies: h.anomalies.Clone()}
	b := &hiveViewer{walker: h.walker(&v.anomalies, &v.faults), v: v}
	if err := b.run(); err != nil {
		return nil, err
	}
	if h.mode == perfdump.Strict && v.anomalies.Len() > 0 {
		return nil, v.anomalies.Kept()[0].Err()
	}
	return v, nil
}

// Key reads a key by its path below the root, whatever its case; nil where
// there is none. Errors are as those of [Hive.View]; in salvage mode what is
// damaged on the way is passed over.
func (h *Hive) Key(path string) (*Key, error) {
	w := h.anyWalker()
	n, err := w.at(path)
	if n == nil || err != nil {
		return nil, err
	}
	return w.key(n, n.path, "")
}

// Subkeys returns the names of the keys below a path, in the order of the
// hive; nil where there is no such key. Errors are as those of [Hive.Key].
func (h *Hive) Subkeys(path string) ([]string, error) {
	w := h.anyWalker()
	n, err := w.at(path)
	if n == nil || err != nil {
		return nil, err
	}
	var names []string
	err = w.subkeys(n, func(child *node) error {
		names = append(names, child.name)
		return nil
	})
	return names, err
}

// anyWalker returns a walker for reading apart from a view.
func (h *Hive) anyWalker() *walker {
	return h.walker(new(perfdump.Anomalies), new([]*perfdump.FormatError))
}

type hiveViewer struct {
	*walker
	v *View
}

func (b *hiveViewer) run() error {
	root, err := b.root()
	if err != nil {
		return err
	}
	if err := b.system(root); err != nil {
		return err
	}
	n, err := b.open(root, perflibKey)
	if n == nil || err != nil {
		return err
	}
	return b.perflib(n)
}

// system finds the control set that counts and goes through its services.
func (b *hiveViewer) system(root *node) error {
	var chosen *node
	best, want := uint64(0), b.current(root)
	if want.err != nil {
		return want.err
	}
	err := b.subkeys(root, func(child *node) error {
		n, ok := controlSet(child.name)
		if !ok || n == 0 {
			return nil
		}
		if chosen == nil || n == want.n || best != want.n && n < best {
			chosen, best = child, n
		}
		return nil
	})
	if chosen == nil || err != nil {
		return err
	}
	if want.n != best {
		b.anomaly(CodeControlSets, root.off, selectKey, "Select\\Current is %d, 0 if it is missing; set %d is taken", int64(want.n), int64(best))
	}
	b.v.ControlSet = chosen.name
	n, err := b.open(chosen, computerKey)
	if err != nil {
		return err
	}
	if n != nil {
		k, err := b.key(n, n.path, "")
		if err != nil {
			return err
		}
		b.v.Computer, _ = k.Value(computerName).Text()
	}
	if n, err = b.open(chosen, servicesKey); n == nil || err != nil {
		return err
	}
	return b.subkeys(n, b.service)
}

type selected struct {
	n   uint64
	err error
}

// current returns Select\Current, 0 where it is missing.
func (b *hiveViewer) current(root *node) selected {
	n, err := b.find(root, selectKey)
	if n == nil || err != nil {
		return selected{err: err}
	}
	k, err := b.key(n, n.path, "")
	if err != nil {
		return selected{err: err}
	}
	set, _ := k.Value(current).Uint32()
	return selected{n: uint64(set)}
}

// service adds a service that has a Performance key.
func (b *hiveViewer) service(n *node) error {
	var performance, linkage, names *node
	err := b.subkeys(n, func(child *node) error {
		switch {
		case strings.EqualFold(child.name, performanceKey):
			performance = child
		case strings.EqualFold(child.name, linkageKey):
			linkage = child
		case strings.EqualFold(child.name, namesKey):
			names = child
		}
		return nil
	})
	if performance == nil || err != nil {
		return err
	}
	if len(b.v.Providers) == maxProviders {
		return perfdump.NewError(perfdump.CodeLimit, n.off, at(n.path), "more than %d providers", maxProviders)
	}
	// The path is made once for all keys of the service.
	p := Provider{Service: n.path[len(n.path)-len(n.name):]}
	for _, part := range []struct {
		from *node
		to   **Key
	}{{performance, &p.Performance}, {linkage, &p.Linkage}, {names, &p.Names}} {
		if part.from == nil {
			continue
		}
		if *part.to, err = b.key(part.from, n.path, part.from.path[len(n.path):]); err != nil {
			return err
		}
	}
	b.v.Providers = append(b.v.Providers, p)
	return nil
}

func (b *hiveViewer) perflib(n *node) error {
	k, err := b.key(n, n.path, "")
	if err != nil {
		return err
	}
	b.v.Perflib = &Perflib{Key: k}
	if k.Predefined {
		return nil
	}
	return b.subkeys(n, func(child *node) error {
		if !isLanguage(child.name) {
			return nil
		}
		k, err := b.key(child, n.path, child.path[len(n.path):])
		if err != nil {
			return err
		}
		b.v.Perflib.Languages = append(b.v.Perflib.Languages, Language{ID: child.name, Key: k})
		return nil
	})
}
