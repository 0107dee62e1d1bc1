package manifest

import "strings"

// localized takes a string of a string table. Those of English count, else those of
// the first culture.
func (p *parser) localized(a attributes) {
	english := strings.HasPrefix(strings.ToLower(p.culture), "en")
	if p.strings == nil || english && !p.english {
		p.strings, p.english, p.table = map[string]string{}, english, p.culture
	}
	if p.culture == p.table {
		p.strings[a.get("id")] = a.get("value")
	}
}

// resolve puts the strings in the place of names and descriptions that are
// $(string.ID). One that no table has stays as it is: its table may be in another
// file.
func (p *parser) resolve() {
	if len(p.strings) == 0 {
		return
	}
	put := func(texts ...*string) {
		for _, text := range texts {
			id, ok := strings.CutPrefix(*text, "$(string.")
			if !ok || !strings.HasSuffix(id, ")") {
				continue
			}
			if value, ok := p.strings[strings.TrimSuffix(id, ")")]; ok {
				*text = value
			}
		}
	}
	for i := range p.m.Providers {
		v := &p.m.Providers[i]
		put(&v.Name)
		for j := range v.CounterSets {
			s := &v.CounterSets[j]
			put(&s.Name, &s.Description)
			for k := range s.Counters {
				put(&s.Counters[k].Name, &s.Counters[k].Description)
			}
		}
	}
}
