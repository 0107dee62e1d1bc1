package capture

import (
	"strings"

	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// RegistryTable returns the names of a language, or its help texts, as the
// registry has them, and nil where it has none. Of what the registry has under
// one name in any case it is the first. The errors are those of [titles.Parse].
func RegistryTable(v *registry.View, language string, kind titles.Kind, o Options) (*titles.Table, error) {
	if v.Perflib == nil {
		return nil, nil //nolint:nilnil // there is no table, and nothing is wrong
	}
	name := valueOf(kind)
	for _, l := range v.Perflib.Languages {
		value := l.Value(name)
		if !strings.EqualFold(l.ID, language) || value == nil || value.Type != registry.MultiSZ {
			continue
		}
		const utf16 = 1200 // whatever the file that the value stands in
		return titles.Parse(value.Data, titles.Options{Mode: o.Mode, Limits: o.Limits, CodePage: utf16})
	}
	return nil, nil //nolint:nilnil // as above
}

// valueOf returns the name of the value that the registry has tables of a kind
// in.
func valueOf(kind titles.Kind) string {
	if kind == titles.Help {
		return "Help"
	}
	return "Counter"
}

// RegistryTables gathers tables of names for a .reg file: what [RegistryTable]
// reads. The zero RegistryTables has none.
type RegistryTables struct {
	keys []registry.Key
	at   map[string]int // of a language, in capital letters
}

// Add adds a table in the form of the registry, which titles.Table.AppendBinary
// gives in UTF-16; data are kept. It returns the name of the table's value, and
// false where the language has one of that name already; nothing is added then.
func (r *RegistryTables) Add(language string, kind titles.Kind, data []byte) (value string, ok bool) {
	l := registry.NewLanguage(language)
	i, met := r.at[l.ID]
	if !met {
		if r.at == nil {
			r.at = map[string]int{}
		}
		i = len(r.keys)
		r.at[l.ID] = i
		r.keys = append(r.keys, *l.Key)
	}
	k := &r.keys[i]
	value = valueOf(kind)
	if k.Value(value) != nil {
		return value, false
	}
	k.Values = append(k.Values, registry.Value{Name: value, Type: registry.MultiSZ, Data: data})
	return value, true
}

// Keys returns a key for each language, in the order in which they came, for
// [registry.AppendReg]. They belong to r until nothing more is added.
func (r *RegistryTables) Keys() []registry.Key { return r.keys }
