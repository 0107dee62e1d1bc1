package lodctr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/titles"
)

// Edited is a file as it is once a plan is carried out.
type Edited struct {
	Name string // of the file that was given
	Data []byte
}

// Apply carries a plan of these files out: it returns each file of the database
// that changes, byte by byte as it was but for what changes. Tables keep their
// order and get the texts between those that are there; a .reg file gets the
// values of the range and of Perflib, each value of a table that changes written
// anew; a backup the section of the driver and its strings. perfd and perfi
// files, which are as Windows was installed, stay as they are.
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
		s := &f.sources[i]
		var data []byte
		var err error
		switch {
		case s.in.Format == detect.Hive:
			err = perfdump.NewError(perfdump.CodeReadOnly, -1, perfdump.Path{}, "a hive can be planned with and not written; export its keys as .reg")
		case s.reg != nil:
			data, err = plan.editReg(s, texts)
		case s.backup != nil:
			data, err = plan.editBackup(s, texts)
		default:
			data, err = plan.editFile(s, texts)
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
	for _, e := range plan.Entries {
		add := func(kind titles.Kind, index uint32, text string, has bool) error {
			switch {
			case !has:
				return nil
			case text == "":
				return syntax("the text of %s in %s is empty, which would damage the table (E09)", e.Symbol, e.Language)
			case index%2 != uint32(kind):
				return syntax("the offset %d of %s is odd, which would damage the table (E05)", e.Offset, e.Symbol)
			case strings.ContainsAny(text, "\x00"):
				return syntax("the text of %s in %s has a NUL, which would damage the table", e.Symbol, e.Language)
			}
			k := tableKey{fold(e.Language), kind}
			if n := len(all[k]); n > 0 && all[k][n-1].Index == index {
				return syntax("two symbols have the index %d, the second is %s (E07)", index, e.Symbol)
			}
			all[k] = append(all[k], titles.Entry{Index: index, Text: text})
			return nil
		}
		if err := add(titles.Counter, e.CounterIndex, e.Name, e.HasName); err != nil {
			return nil, err
		}
		if err := add(titles.Help, e.HelpIndex, e.Help, e.HasHelp); err != nil {
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
		return nil, perfdump.NewError(perfdump.CodeReadOnly, -1, perfdump.Path{}, "a list of names is not written; perfdump titles -o dat makes a table of it")
	}
	return plan.editTable(s.table.t, s.in.Data, texts[tableKey{s.table.language, s.table.kind}])
}

// editTable puts texts into a table, or takes those of the range out.
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
	from := 0 // what stands before it has been taken
	take := func(to int) { out = append(out, data[from:to]...); from = to }
	put := func(n int) error {
		b, err := titles.Append(nil, enc, slices.Values(add[:n]))
		if err != nil {
			return err
		}
		for len(b) >= unit && !slices.ContainsFunc(b[len(b)-unit:], func(c byte) bool { return c != 0 }) {
			b = b[:len(b)-unit]
		}
		out = append(append(out, b...), make([]byte, unit)...)
		add = add[n:]
		return nil
	}
	for e := range t.Entries() {
		off := int(e.Off)
		if from < 0 { // the entry before goes
			from = off
		}
		if plan.unload && plan.owns(e.Index) {
			take(off)
			from = -1
			continue
		}
		if plan.owns(e.Index) {
			return nil, syntax("the index %d has a text already, %q; another first counter is needed", e.Index, clip(e.Text))
		}
		n, _ := slices.BinarySearchFunc(add, e.Index, func(a titles.Entry, index uint32) int { return cmp.Compare(a.Index, index) })
		if n > 0 && e.Index != 1 {
			take(off)
			if err := put(n); err != nil {
				return nil, err
			}
		}
	}
	end := len(data) - unit // the NUL that ends the table
	if from < 0 {
		from = end
	}
	take(end)
	if len(add) > 0 {
		if err := put(len(add)); err != nil {
			return nil, err
		}
	}
	return append(out, data[end:]...), nil
}
