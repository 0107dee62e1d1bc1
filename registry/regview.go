package registry

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
)

// View applies the file to an empty registry, deletions in their order, and
// returns what that says of performance counters. CurrentControlSet and
// ControlSet00n are one, wherever they stand: below HKEY_LOCAL_MACHINE\SYSTEM or
// where a hive of another machine was loaded. Of several numbered sets the one
// of Select\Current beside the first is taken, else the lowest.
//
// A key is there if a key below it is. A deletion above control sets, or above
// Perflib, is seen if it is above the first of the file. The errors are a
// *perfdump.FormatError: more providers or values than any machine has, and in
// strict mode an anomaly.
func (r *Reg) View() (*View, error) {
	b := &regViewer{
		r: r, v: &View{anomalies: r.anomalies.Clone()}, left: maxValues,
		services: map[string]*regService{}, languages: map[string]*regKey{},
	}
	if err := b.chooseSet(); err != nil {
		return nil, err
	}
	for e := range r.Entries() {
		if e.Void {
			continue
		}
		if err := b.take(&e); err != nil {
			return nil, err
		}
	}
	return b.finish(), nil
}

type regViewer struct {
	r    *Reg
	v    *View
	set  uint64 // the numbered control set that is taken, 0 for none
	home string // the key that the first control set stands in
	left int    // values that may still be taken

	services  map[string]*regService
	order     []*regService
	perflib   *regKey
	perflibAt string // the path of the first
	languages map[string]*regKey
	spoken    []*regKey // languages in their order
	computer  *regKey

	at *regKey // the key whose values come, nil for one that is of no interest
}

// regService is a service in the making.
type regService struct {
	name                        string
	performance, linkage, names *regKey
}

// regKey is a key in the making. Values that were deleted have line 0.
type regKey struct {
	Key
	index map[string]int // of the values, by their names in lower case
}

// key returns the key made of k, without what was deleted.
func (k *regKey) key() *Key {
	if k == nil {
		return nil
	}
	k.Values = slices.DeleteFunc(k.Values, func(v Value) bool { return v.Line == 0 })
	return &k.Key
}

// chooseSet finds the control set that counts.
func (b *regViewer) chooseSet() error {
	found := false
	for e := range b.r.Entries() {
		if p := findSet(e.Path); !e.Void && e.Key && p.inSet {
			b.home, found = p.home, true
			break
		}
	}
	if !found {
		return nil
	}
	var lowest, want uint64
	var seen [1000]bool
	n, inSelect := 0, false
	for e := range b.r.Entries() {
		if e.Void {
			continue
		}
		if !e.Key { // the path is looked at once a key, since it may be long
			if inSelect && strings.EqualFold(e.Value.Name, current) {
				set, _ := e.Value.Uint32()
				want = uint64(set)
			}
			continue
		}
		name, ok := cutFold(e.Path, b.home)
		inSelect = ok && strings.EqualFold(name, selectKey)
		p := findSet(e.Path)
		if !p.inSet || p.set == 0 {
			continue
		}
		if p.set < uint64(len(seen)) && !seen[p.set] {
			seen[p.set] = true
			n++
		}
		if lowest == 0 || p.set < lowest {
			lowest = p.set
		}
	}
	b.set = lowest
	if want > 0 && want < uint64(len(seen)) && seen[want] {
		b.set = want
	} else if n > 1 {
		b.v.anomalies.Add(perfdump.NewAnomaly(CodeControlSets, -1, at(selectKey), "%d numbered control sets and no Select\\Current of one; set %d is taken", int64(n), int64(lowest)))
		if b.r.mode == perfdump.Strict {
			return b.v.anomalies.Kept()[0].Err()
		}
	}
	return nil
}

// take applies an entry.
func (b *regViewer) take(e *RegEntry) error {
	if !e.Key {
		return b.value(e)
	}
	b.at = nil
	p := findSet(e.Path)
	switch {
	case p.inSet && (p.set == 0 || p.set == b.set):
		return b.systemKey(e, p.rest)
	case p.inSet:
		return nil
	}
	if rest, ok := belowPerflib(e.Path); ok {
		if b.perflibAt == "" {
			b.perflibAt = strings.TrimSuffix(e.Path[:len(e.Path)-len(rest)], `\`)
		}
		return b.perflibKey(e, rest)
	}
	if e.Deleted {
		b.deleteAbove(e.Path)
	}
	return nil
}

// deleteAbove applies a deletion of what holds all that a view is made of.
func (b *regViewer) deleteAbove(path string) {
	if _, above := cutFold(b.home, path); above {
		b.clearServices()
		b.computer = nil
	}
	if _, above := cutFold(b.perflibAt, path); above {
		b.clearPerflib()
	}
}

func (b *regViewer) clearServices() {
	clear(b.services)
	b.order = nil
}

func (b *regViewer) clearPerflib() {
	b.perflib, b.spoken = nil, nil
	clear(b.languages)
}

// systemKey opens or deletes a key of the control set.
func (b *regViewer) systemKey(e *RegEntry, path string) error {
	if e.Deleted {
		if _, above := cutFold(computerKey, path); above || path == "" {
			b.computer = nil
		}
	} else if strings.EqualFold(path, computerKey) {
		b.computer = b.opened(b.computer, e)
		return nil
	}
	rest, ok := cutFold(path, servicesKey)
	if path == "" || ok && rest == "" {
		if e.Deleted {
			b.clearServices()
		}
		return nil
	}
	if !ok {
		return nil
	}
	name, sub, _ := strings.Cut(rest, `\`)
	lower := strings.ToLower(name)
	s := b.services[lower]
	if e.Deleted && sub == "" {
		if s != nil {
			*s = regService{}
			delete(b.services, lower)
		}
		return nil
	}
	sub, below, _ := strings.Cut(sub, `\`)
	part := partOf(sub)
	if part == nil || e.Deleted && below != "" {
		return nil
	}
	if e.Deleted {
		if s != nil {
			*part(s) = nil
		}
		return nil
	}
	if s == nil {
		if len(b.order) == maxProviders {
			return perfdump.NewError(perfdump.CodeLimit, e.Off, lineAt(e.Line), "more than %d services with counters", maxProviders)
		}
		s = &regService{name: name}
		b.services[lower] = s
		b.order = append(b.order, s)
	}
	k := part(s)
	if below == "" {
		*k = b.opened(*k, e)
	} else if *k == nil { // the key is there, and its values are not these
		up := *e
		up.Path = strings.TrimSuffix(e.Path, `\`+below)
		*k = b.opened(nil, &up)
		b.at = nil
	}
	return nil
}

// partOf returns the key of a service by its name, nil for one that is of no
// interest.
func partOf(name string) func(s *regService) **regKey {
	switch {
	case strings.EqualFold(name, performanceKey):
		return func(s *regService) **regKey { return &s.performance }
	case strings.EqualFold(name, linkageKey):
		return func(s *regService) **regKey { return &s.linkage }
	case strings.EqualFold(name, namesKey):
		return func(s *regService) **regKey { return &s.names }
	default:
		return nil
	}
}

// opened makes the key of an entry the one whose values come. One that is
// opened again goes on.
func (b *regViewer) opened(k *regKey, e *RegEntry) *regKey {
	if k == nil {
		k = &regKey{Key: Key{base: e.Path, Line: e.Line, Off: e.Off}, index: map[string]int{}}
	}
	b.at = k
	return k
}

func (b *regViewer) perflibKey(e *RegEntry, rest string) error {
	switch lower := strings.ToLower(rest); {
	case rest == "" && e.Deleted:
		b.clearPerflib()
	case rest == "":
		b.perflib = b.opened(b.perflib, e)
	case !isLanguage(rest):
	case e.Deleted:
		if k := b.languages[lower]; k != nil {
			k.Line = 0
			delete(b.languages, lower)
		}
	default:
		k := b.languages[lower]
		if k == nil {
			if len(b.spoken) == maxProviders {
				return perfdump.NewError(perfdump.CodeLimit, e.Off, lineAt(e.Line), "more than %d languages", maxProviders)
			}
			k = b.opened(nil, e)
			b.languages[lower] = k
			b.spoken = append(b.spoken, k)
		}
		b.at = k
	}
	return nil
}

// value sets or deletes a value of the key that was opened.
func (b *regViewer) value(e *RegEntry) error {
	k := b.at
	if k == nil {
		return nil
	}
	lower := strings.ToLower(e.Value.Name)
	i, ok := k.index[lower]
	switch {
	case e.Deleted:
		if ok {
			k.Values[i] = Value{}
			delete(k.index, lower)
		}
	case ok:
		k.Values[i] = e.Value
	case b.left == 0:
		return perfdump.NewError(perfdump.CodeLimit, e.Off, lineAt(e.Line), "more than %d values", maxValues)
	default:
		b.left--
		k.index[lower] = len(k.Values)
		k.Values = append(k.Values, e.Value)
	}
	return nil
}

// finish makes the view of what is left.
func (b *regViewer) finish() *View {
	for _, s := range b.order {
		if s.performance == nil {
			continue
		}
		p := Provider{Service: s.name, Performance: s.performance.key(), Linkage: s.linkage.key(), Names: s.names.key()}
		if b.v.ControlSet == "" {
			b.v.ControlSet = setName(p.Performance.Path())
		}
		b.v.Providers = append(b.v.Providers, p)
	}
	b.v.Computer, _ = b.computer.key().Value(computerName).Text()
	if b.perflib == nil && len(b.spoken) == 0 {
		return b.v
	}
	b.v.Perflib = &Perflib{Key: b.perflib.key()}
	for _, k := range b.spoken {
		if k.Line > 0 {
			b.v.Perflib.Languages = append(b.v.Perflib.Languages, Language{ID: lastName(k.base), Key: k.key()})
		}
	}
	return b.v
}
