package lodctr

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// regEdit changes values of a .reg file.
type regEdit struct {
	*lineEdit
	lines map[int]int // how many lines the value that begins in a line takes
	ends  map[int]int // of the key that begins in a line, the line of its last value
}

func newRegEdit(r *registry.Reg) *regEdit {
	e := &regEdit{lineEdit: newLineEdit(r.Text()), lines: map[int]int{}, ends: map[int]int{}}
	key := 0
	for entry := range r.Entries() {
		if entry.Key {
			key = entry.Line
			e.ends[key] = key
			continue
		}
		e.lines[entry.Line] = entry.Lines
		e.ends[key] = entry.Line + entry.Lines - 1
	}
	return e
}

// put gives a value of a key its data: in the place of the one that is there,
// else behind the last.
func (e *regEdit) put(k *registry.Key, v registry.Value) error {
	lines, err := valueLines(v)
	if err != nil {
		return err
	}
	if was := k.Value(v.Name); was != nil {
		e.set(was.Line, e.lines[was.Line], lines...)
	} else {
		e.add(e.ends[k.Line], lines...)
	}
	return nil
}

func (e *regEdit) drop(v *registry.Value) {
	if v != nil {
		e.set(v.Line, e.lines[v.Line])
	}
}

// valueLines returns the lines of a value as regedit writes them.
func valueLines(v registry.Value) ([]string, error) {
	const head = 3 // the version, a blank line, the key
	b, err := registry.AppendReg(nil, registry.NewKey(`HKEY_LOCAL_MACHINE\x`, v))
	if err != nil {
		return nil, err
	}
	t, err := textlines.New(b, textlines.Options{})
	if err != nil {
		return nil, err
	}
	var lines []string
	for l := range t.From(head + 1) {
		if text := l.Text(); text != "" {
			lines = append(lines, text)
		}
	}
	return lines, nil
}

func dwordValue(name string, n uint32) registry.Value {
	return registry.Value{Name: name, Type: registry.DWORD, Data: binary.LittleEndian.AppendUint32(nil, n)}
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
	return e.bytes()
}

// editService edits the key of the driver. Windows does not make it, so neither
// is it made here.
func (plan *Plan) editService(e *regEdit, v *registry.View) error {
	p := v.Provider(plan.DriverName)
	if p == nil {
		return nil
	}
	numbers := []registry.Value{
		dwordValue(registry.FirstCounter, plan.FirstCounter), dwordValue(registry.FirstHelp, plan.FirstHelp),
		dwordValue(registry.LastCounter, plan.LastCounter), dwordValue(registry.LastHelp, plan.LastHelp),
	}
	if plan.unload {
		for _, n := range numbers {
			e.drop(p.Value(n.Name))
		}
		e.drop(p.ObjectListValue())
		return nil
	}
	for _, n := range numbers {
		if err := e.put(p.Performance, n); err != nil {
			return err
		}
	}
	if len(plan.ObjectList) == 0 {
		return nil
	}
	list := registry.Value{Name: registry.ObjectList, Type: registry.SZ}
	if was := p.ObjectListValue(); was != nil {
		list.Name = was.Name
	}
	list.Data, _ = textlines.UTF16(false).Encode(nil, strings.Trim(fmt.Sprint(plan.ObjectList), "[]")+"\x00")
	return e.put(p.Performance, list)
}

// editPerflib raises or lowers the last indexes, where the file has them.
func (plan *Plan) editPerflib(e *regEdit, p *registry.Perflib) error {
	for _, n := range []registry.Value{
		dwordValue(registry.LastCounter, plan.SystemCounter), dwordValue(registry.LastHelp, plan.SystemHelp),
	} {
		was := p.Value(n.Name)
		if v, ok := was.Uint32(); was == nil || ok && v == binary.LittleEndian.Uint32(n.Data) {
			continue
		}
		if err := e.put(p.Key, n); err != nil {
			return err
		}
	}
	return nil
}

func (plan *Plan) editLanguage(e *regEdit, s *source, l registry.Language, texts newTexts) error {
	for kind, name := range tableValues {
		kind := titles.Kind(kind)
		v := l.Value(name)
		if v == nil {
			continue
		}
		where := func(err error) error { return within(`Perflib\`+l.ID+`\`+name, err) }
		t, err := titles.Parse(v.Data, titles.Options{Limits: s.o.Limits, CodePage: 1200})
		if err != nil {
			return where(err)
		}
		data, err := plan.editTable(t, v.Data, texts[tableKey{fold(l.ID), kind}])
		switch {
		case err != nil:
			return where(err)
		case string(data) == string(v.Data):
			continue
		case s.reg.Version() == registry.Regedit4:
			return where(syntax("the .reg file is of the old version, REGEDIT4, whose tables are in a code page; export it as version 5.00"))
		}
		if err := e.put(l.Key, registry.Value{Name: v.Name, Type: registry.MultiSZ, Data: data}); err != nil {
			return where(err)
		}
	}
	return nil
}
