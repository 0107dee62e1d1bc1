package registration

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// regEdit changes values of a .reg file. A key of a view may be opened more than
// once, by other names of its control set, so a value is changed under the path
// where it is.
type regEdit struct {
	*registry.RegEditor
	paths map[int]string // of the values, by their lines
}

func newRegEdit(r *registry.Reg) *regEdit {
	e := &regEdit{r.Edit(), map[int]string{}}
	for entry := range r.Entries() {
		if !entry.Key {
			e.paths[entry.Line] = entry.Path
		}
	}
	return e
}

// put gives a key a value.
func (e *regEdit) put(k *registry.Key, v registry.Value) error {
	if was := k.Value(v.Name); was != nil {
		return e.Set(e.paths[was.Line], v)
	}
	return e.Set(k.Path(), v)
}

func (e *regEdit) drop(v *registry.Value) {
	if v != nil {
		e.Delete(e.paths[v.Line], v.Name)
	}
}

// editReg edits a .reg file.
func (plan *Plan) editReg(s *source, texts newTexts) ([]byte, error) {
	e := newRegEdit(s.reg)
	if err := plan.editService(e, s.view); err != nil {
		return nil, err
	}
	if p := s.view.Perflib; p != nil {
		if err := plan.editPerflib(e, p); err != nil {
			return nil, err
		}
		for _, l := range p.Languages {
			if err := plan.editLanguage(e, s, l, texts); err != nil {
				return nil, err
			}
		}
	}
	return e.AppendBinary(nil)
}

// editService edits the key of the driver. Like Windows,
// it does not create the key.
func (plan *Plan) editService(e *regEdit, v *registry.View) error {
	p := v.Provider(plan.DriverName)
	if p == nil {
		return nil
	}
	for _, n := range plan.rangeValues() {
		if plan.unload {
			e.drop(p.Value(n.name))
		} else if err := e.put(p.Performance, registry.NewDWORD(n.name, n.v)); err != nil {
			return err
		}
	}
	if plan.unload {
		e.drop(p.ObjectListValue())
		return nil
	}
	if len(plan.ObjectList) == 0 {
		return nil
	}
	list := registry.ObjectList
	if was := p.ObjectListValue(); was != nil {
		list = was.Name
	}
	return e.put(p.Performance, registry.NewSZ(list, strings.Trim(fmt.Sprint(plan.ObjectList), "[]")))
}

// editPerflib raises or lowers the last indexes, where the file has them.
func (plan *Plan) editPerflib(e *regEdit, p *registry.Perflib) error {
	for _, n := range []planned{{registry.LastCounter, plan.SystemCounter}, {registry.LastHelp, plan.SystemHelp}} {
		was := p.Value(n.name)
		if v, ok := was.Uint32(); was == nil || ok && v == n.v {
			continue
		}
		if err := e.put(p.Key, registry.NewDWORD(n.name, n.v)); err != nil {
			return err
		}
	}
	return nil
}

func (plan *Plan) editLanguage(e *regEdit, s *source, l registry.Language, texts newTexts) error {
	for kind, name := range tableValues {
		t, err := parseTable(l, name, s.o)
		if err != nil {
			return err
		}
		if t == nil {
			continue
		}
		v := l.Value(name)
		data, err := plan.editTable(t, v.Data, texts[tableKey{fold(l.ID), titles.Kind(kind)}])
		switch {
		case err != nil || string(data) == string(v.Data):
		case s.reg.Version() == registry.Regedit4:
			err = syntax("the .reg file is of the old version, REGEDIT4, whose tables are in a code page; export it as version 5.00")
		default:
			err = e.put(l.Key, registry.Value{Name: v.Name, Type: registry.MultiSZ, Data: data})
		}
		if err != nil {
			return within(tablePath(l, name), err)
		}
	}
	return nil
}
