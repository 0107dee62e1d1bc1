package registration

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

// Edited is a file as it is once a plan is carried out.
type Edited struct {
	Name string // of the file that was given
	Data []byte
}

// Apply carries out a plan of these files. It returns each file of the database
// that changes, with no other bytes changed. Tables keep their
// order and get the texts between those that are there. A .reg file gets the
// values of the range and of Perflib, and each table that changes is rewritten. A
// backup gets the section of the driver and its strings. perfd and perfi files,
// which are as Windows was installed, stay as they are.
//
// The errors are a *perfdump.FormatError whose message names the file: a hive or
// a list of text, which cannot be written (ErrReadOnly); a table with the
// faults of E20 or E21, texts that a table cannot hold, an index that has a text
// already, a .reg file of the old version with tables (ErrSyntax).
func (f *Files) Apply(plan *Plan) ([]Edited, error) {
	if plan.Nothing {
		return nil, nil
	}
	if plan.noKey {
		return nil, syntax(`the key Services\%[1]s\Performance is not there, and lodctr does not make it: install %[1]s first, or add the key to the .reg`, plan.DriverName)
	}
	texts, err := plan.texts()
	if err != nil {
		return nil, err
	}
	var all []Edited
	for i := range f.sources {
		var data []byte
		s := &f.sources[i]
		switch {
		case s.reg != nil:
			data, err = plan.editReg(s, texts)
		case s.backup != nil:
			data, err = plan.editBackup(s, texts)
		case s.table != nil:
			data, err = plan.editFile(s, texts)
		default:
			err = perfdump.NewError(perfdump.CodeReadOnly, -1, perfdump.Path{}, "a hive cannot be written; export its keys as .reg")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.in.Name, err)
		}
		if data != nil && string(data) != string(s.in.Data) {
			all = append(all, Edited{s.in.Name, data})
		}
	}
	return all, nil
}

// newTexts are the texts that tables get, by their indexes; none where a driver
// is unloaded.
type newTexts map[tableKey][]titles.Entry

func syntax(format string, args ...any) error {
	return perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
}

// texts sorts the entries of a plan by tables and refuses those that would
// damage one.
func (plan *Plan) texts() (newTexts, error) {
	all := newTexts{}
	if plan.unload {
		return all, nil
	}
	add := func(e *Entry, kind titles.Kind, index uint32, text string) error {
		k := tableKey{fold(e.Language), kind}
		switch n := len(all[k]); {
		case text == "":
			return syntax("the text of %s in %s is empty, which would damage the table (E09)", e.Symbol, e.Language)
		case index%2 != uint32(kind):
			return syntax("the offset %d of %s is odd, which would damage the table (E05)", e.Offset, e.Symbol)
		case strings.Contains(text, "\x00"):
			return syntax("the text of %s in %s has a NUL, which would damage the table", e.Symbol, e.Language)
		case n > 0 && all[k][n-1].Index == index:
			return syntax("two symbols have the index %d, the second is %s (E07)", index, e.Symbol)
		}
		all[k] = append(all[k], titles.Entry{Index: index, Text: text})
		return nil
	}
	for i := range plan.Entries {
		var err error
		e := &plan.Entries[i]
		if e.HasName {
			err = add(e, titles.Counter, e.CounterIndex, e.Name)
		}
		if e.HasHelp && err == nil {
			err = add(e, titles.Help, e.HelpIndex, e.Help)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// editFile edits a table that is a file.
func (plan *Plan) editFile(s *source, texts newTexts) ([]byte, error) {
	base := fold(baseName(s.in.Name))
	if strings.HasPrefix(base, "perfd") || strings.HasPrefix(base, "perfi") {
		return nil, nil
	}
	if s.table.origin == fromList {
		return nil, perfdump.NewError(perfdump.CodeReadOnly, -1, perfdump.Path{}, "a list of names cannot be written; make a table of it with perfdump titles -o dat")
	}
	return plan.editTable(s.table.t, s.in.Data, texts[tableKey{s.table.language, s.table.kind}])
}

// editTable adds texts to a table, or removes those of the range.
func (plan *Plan) editTable(t *titles.Table, data []byte, add []titles.Entry) ([]byte, error) {
	if all := t.Anomalies(); all.Len() > 0 {
		return nil, syntax("the table is damaged (%s); restore it before anything is changed", all.Kept()[0])
	}
	enc := t.Encoding()
	unit := 1
	if enc.UTF16() {
		unit = 2
	}
	enc.BOM = false
	var out []byte
	from := 0 // what precedes it is in out, or is dropped
	put := func(to, n int) error {
		out = append(out, data[from:to]...)
		from = to
		if n == 0 {
			return nil
		}
		b, err := titles.Append(nil, enc, slices.Values(add[:n]))
		add = add[n:]
		for len(b) >= unit && !slices.ContainsFunc(b[len(b)-unit:], func(c byte) bool { return c != 0 }) {
			b = b[:len(b)-unit] // the NULs that end a table
		}
		out = append(append(out, b...), make([]byte, unit)...)
		return err
	}
	gone := false // the entry before
	for e := range t.Entries() {
		off := int(e.Off)
		if gone {
			from, gone = off, false
		}
		if plan.owns(e.Index) {
			if !plan.unload {
				return nil, syntax("the index %d has a text already, %q; another first counter is needed", e.Index, clip(e.Text))
			}
			gone = true
			_ = put(off, 0)
			continue
		}
		n, _ := slices.BinarySearchFunc(add, e.Index, func(a titles.Entry, index uint32) int { return cmp.Compare(a.Index, index) })
		if n > 0 && e.Index != 1 {
			if err := put(off, n); err != nil {
				return nil, err
			}
		}
	}
	end := len(data) - unit // the NUL that ends the table
	if gone {
		from = end
	}
	if err := put(end, len(add)); err != nil {
		return nil, err
	}
	return append(out, data[end:]...), nil
}
