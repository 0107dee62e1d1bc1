package registry

import (
	"maps"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
)

// View applies the file to an empty registry, deletions included, and returns what
// that says about performance counters. CurrentControlSet and ControlSet00n are
// the same key, below HKEY_LOCAL_MACHINE\SYSTEM or where the hive of another machine
// was loaded. Of several numbered sets it takes that of Select\Current, else the
// lowest.
//
// A key exists if a key below it does. A deletion above control sets, or above
// Perflib, is applied if it is above the first of the file. The errors are a
// *perfdump.FormatError: more providers or values than any machine has, and in
// strict mode an anomaly.
func (r *Reg) View() (*View, error) {
	b := &regViewer{r: r, v: &View{anomalies: r.anomalies.Clone()}, left: maxValues}
	if err := b.chooseSet(); err != nil {
		return nil, err
	}
	values := false
	for e := range r.selected(&values) {
		if e.Void {
			values = false
			continue
		}
		if err := b.take(&e); err != nil {
			return nil, err
		}
		values = b.at != nil
	}
	return b.finish(), nil
}

type regViewer struct {
	r    *Reg
	v    *View
	set  uint64 // the numbered control set that is taken, 0 for none
	home string // the key that the first control set is in
	left int    // values that may still be taken

	services  regGroup
	languages regGroup
	perflib   *regKey
	perflibAt string // the path of the first
	computer  *regKey

	at *regKey // the key that the next values belong to, nil for one that no view has
}

// regGroup is the services, or the languages, in their order.
type regGroup struct {
	byName map[string]*regItem // by the name in lower case
	order  []*regItem          // those that were deleted have no keys
}

type regItem struct {
	name string
	keys [len(serviceKeys)]*regKey // of a language the first only
}

// serviceKeys are the keys of a service that a view has.
var serviceKeys = [...]string{performanceKey, linkageKey, namesKey}

// open returns the item of a name, a new one if it does not exist yet.
func (g *regGroup) open(name string, e *RegEntry) (*regItem, error) {
	lower := strings.ToLower(name)
	if it := g.byName[lower]; it != nil {
		return it, nil
	}
	if len(g.order) == maxProviders {
		return nil, perfdump.NewError(perfdump.CodeLimit, e.Off, lineAt(e.Line), "more than %d services with counters, or languages", maxProviders)
	}
	if g.byName == nil {
		g.byName = map[string]*regItem{}
	}
	it := &regItem{name: name}
	g.byName[lower] = it
	g.order = append(g.order, it)
	return it, nil
}

func (g *regGroup) remove(name string) {
	lower := strings.ToLower(name)
	if it := g.byName[lower]; it != nil {
		*it = regItem{}
		delete(g.byName, lower)
	}
}

// regKey is a key under construction. Deleted values have line 0.
type regKey struct {
	Key
	index map[string]int // of the values, by their names in lower case
}

// key returns the key of k, without deleted values.
func (k *regKey) key() *Key {
	if k == nil {
		return nil
	}
	k.Values = slices.DeleteFunc(k.Values, func(v Value) bool { return v.Line == 0 })
	return &k.Key
}

func (b *regViewer) chooseSet() error {
	found, inSelect := false, false
	for e := range b.r.selected(&inSelect) {
		if p := findSet(e.Path); !e.Void && p.inSet {
			b.home, found = p.home, true
			break
		}
	}
	if !found {
		return nil
	}
	want, sets := uint32(0), map[uint64]bool{}
	for e := range b.r.selected(&inSelect) {
		switch {
		case e.Void:
			inSelect = false
		case e.Key:
			name, ok := cutFold(e.Path, b.home)
			inSelect = ok && strings.EqualFold(name, selectKey)
			if p := findSet(e.Path); p.inSet && p.set > 0 {
				sets[p.set] = true
			}
		case inSelect && strings.EqualFold(e.Value.Name, current):
			want, _ = e.Value.Uint32()
		}
	}
	switch {
	case len(sets) == 0:
	case sets[uint64(want)]:
		b.set = uint64(want)
	default:
		b.set = slices.Min(slices.Collect(maps.Keys(sets)))
		if len(sets) > 1 {
			a := perfdump.NewAnomaly(codeControlSets, -1, at(selectKey), "%d numbered control sets, and none in Select\\Current of one; set %d is taken", int64(len(sets)), int64(b.set))
			b.v.anomalies.Add(a)
			if b.r.mode == perfdump.Strict {
				return a.Err()
			}
		}
	}
	return nil
}

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
	if e.Deleted { // perhaps a key above all that a view is made of
		if _, above := cutFold(b.home, e.Path); above {
			b.services, b.computer = regGroup{}, nil
		}
		if _, above := cutFold(b.perflibAt, e.Path); above {
			b.languages, b.perflib = regGroup{}, nil
		}
	}
	return nil
}

// systemKey opens or deletes a key of the control set.
func (b *regViewer) systemKey(e *RegEntry, path string) error {
	if _, above := cutFold(computerKey, path); e.Deleted && (above || path == "") {
		b.computer = nil
	} else if !e.Deleted && strings.EqualFold(path, computerKey) {
		b.computer = b.opened(b.computer, e)
		return nil
	}
	rest, ok := cutFold(path, servicesKey)
	if e.Deleted && (path == "" || ok && rest == "") {
		b.services = regGroup{}
	}
	if !ok || rest == "" {
		return nil
	}
	name, sub, _ := strings.Cut(rest, `\`)
	if e.Deleted && sub == "" {
		b.services.remove(name)
		return nil
	}
	sub, below, _ := strings.Cut(sub, `\`)
	i := slices.IndexFunc(serviceKeys[:], func(key string) bool { return strings.EqualFold(key, sub) })
	switch {
	case i < 0 || e.Deleted && below != "":
		return nil
	case e.Deleted:
		if s := b.services.byName[strings.ToLower(name)]; s != nil {
			s.keys[i] = nil
		}
		return nil
	}
	s, err := b.services.open(name, e)
	switch {
	case err != nil:
		return err
	case below == "":
		s.keys[i] = b.opened(s.keys[i], e)
	case s.keys[i] == nil: // the key is there, and its values are not these
		up := *e
		up.Path = strings.TrimSuffix(e.Path, `\`+below)
		s.keys[i] = b.opened(nil, &up)
		b.at = nil
	}
	return nil
}

// opened makes the key of an entry the current one. A key that is opened again is
// continued.
func (b *regViewer) opened(k *regKey, e *RegEntry) *regKey {
	if k == nil {
		k = &regKey{Key: Key{base: e.Path, Line: e.Line, Off: e.Off}, index: map[string]int{}}
	}
	b.at = k
	return k
}

func (b *regViewer) perflibKey(e *RegEntry, rest string) error {
	switch {
	case rest == "" && e.Deleted:
		b.languages, b.perflib = regGroup{}, nil
	case rest == "":
		b.perflib = b.opened(b.perflib, e)
	case !isLanguage(rest):
	case e.Deleted:
		b.languages.remove(rest)
	default:
		l, err := b.languages.open(rest, e)
		if err != nil {
			return err
		}
		l.keys[0] = b.opened(l.keys[0], e)
	}
	return nil
}

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

func (b *regViewer) finish() *View {
	for _, s := range b.services.order {
		if s.keys[0] == nil {
			continue
		}
		p := Provider{Service: s.name, Performance: s.keys[0].key(), Linkage: s.keys[1].key(), Names: s.keys[2].key()}
		if b.v.ControlSet == "" {
			b.v.ControlSet = setName(p.Performance.Path())
		}
		b.v.Providers = append(b.v.Providers, p)
	}
	b.v.Computer, _ = b.computer.key().Value(computerName).Text()
	if b.perflib == nil && len(b.languages.order) == 0 {
		return b.v
	}
	b.v.Perflib = &Perflib{Key: b.perflib.key()}
	for _, l := range b.languages.order {
		if l.keys[0] != nil {
			b.v.Perflib.Languages = append(b.v.Perflib.Languages, Language{ID: l.name, Key: l.keys[0].key()})
		}
	}
	return b.v
}
