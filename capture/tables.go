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
	name := "Counter"
	if kind == titles.Help {
		name = "Help"
	}
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
