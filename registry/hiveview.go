package registry

import (
	"strings"

	"github.com/perfdump/perfdump"
)

// View reads what a SYSTEM or SOFTWARE hive says about performance counters; the
// view of any other hive is empty.
//
// The error is a *perfdump.FormatError with the path of a key. Salvage mode drops damaged
// keys and values, see [View.Faults]; in strict mode an anomaly is an error. View reads no
// more bytes than the hive has, plus a constant.
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
	n, k, err := b.keyAt(root, perflibKey)
	if n == nil || err != nil {
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
		b.v.Perflib.Languages = append(b.v.Perflib.Languages, Language{ID: child.name, Key: k})
		return err
	})
}

// keyAt returns the key at a path below n and its values, or nil.
func (b *hiveViewer) keyAt(n *node, path string) (*node, *Key, error) {
	n, err := b.open(n, path)
	if n == nil || err != nil {
		return nil, nil, err
	}
	k, err := b.key(n, n.path, "")
	return n, k, err
}

// system finds the current control set and reads its services.
func (b *hiveViewer) system(root *node) error {
	_, k, err := b.keyAt(root, selectKey)
	if err != nil {
		return err
	}
	want, _ := k.Value(current).Uint32() // 0 where it is missing
	var chosen *node
	best := uint64(0)
	err = b.subkeys(root, func(child *node) error {
		n, ok := controlSet(child.name)
		if ok && n > 0 && (chosen == nil || n == uint64(want) || best != uint64(want) && n < best) {
			chosen, best = child, n
		}
		return nil
	})
	if chosen == nil || err != nil {
		return err
	}
	if uint64(want) != best {
		b.anomaly(codeControlSets, root.off, selectKey, "Select\\Current is %d, 0 if it is missing; set %d is used", int64(want), int64(best))
	}
	b.v.ControlSet = chosen.name
	if _, k, err = b.keyAt(chosen, computerKey); err != nil {
		return err
	}
	b.v.Computer, _ = k.Value(computerName).Text()
	n, err := b.open(chosen, servicesKey)
	if n == nil || err != nil {
		return err
	}
	return b.subkeys(n, b.service)
}

func (b *hiveViewer) service(n *node) error {
	var parts [len(serviceKeys)]*node
	err := b.subkeys(n, func(child *node) error {
		for i, name := range serviceKeys {
			if strings.EqualFold(child.name, name) {
				parts[i] = child
			}
		}
		return nil
	})
	if parts[0] == nil || err != nil {
		return err
	}
	if len(b.v.Providers) == maxProviders {
		return perfdump.NewError(perfdump.CodeLimit, n.off, at(n.path), "more than %d providers", maxProviders)
	}
	// The path is made once for all keys of the service.
	p := Provider{Service: n.path[len(n.path)-len(n.name):]}
	for i, to := range []**Key{&p.Performance, &p.Linkage, &p.Names} {
		if part := parts[i]; part != nil {
			if *to, err = b.key(part, n.path, part.path[len(n.path):]); err != nil {
				return err
			}
		}
	}
	b.v.Providers = append(b.v.Providers, p)
	return nil
}
