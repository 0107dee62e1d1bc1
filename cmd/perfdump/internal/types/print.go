package types

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/once"
	"github.com/perfdump/perfdump/internal/table"
)

type printer struct{ *table.Printer }

// The widths from which on the table has full names, and texts.
const (
	fullWidth = 104
	docWidth  = 140
)

// all lists all types, a line each. On a wide page a description follows,
// wrapped if necessary.
func (p *printer) all() {
	tab := &table.Table{Columns: []table.Column{
		{Head: []string{"number"}}, {Head: []string{"name"}}, {Head: []string{"unit"}}, {Head: []string{"formula"}},
	}}
	if p.Width >= docWidth {
		tab.Columns = append(tab.Columns, table.Column{Head: []string{"what it is"}, Wrap: true})
	}
	p.Table(tab, func(yield func(*table.Row) bool) {
		for info := range countertypes.All() {
			if !yield(new(table.Row).Texts(p.row(info)...)) {
				return
			}
		}
	})
	p.Line("")
	p.Text(0, "", "In formulas "+legend("")+". perfdump types NAME explains one type.")
}

func (p *printer) row(info countertypes.Info) []string {
	name, formula := info.Name, info.Formula
	if formula == "" {
		formula = "- " + without(info.Type)
	}
	if p.Width < fullWidth {
		name = strings.TrimPrefix(name, prefix)
		formula = difference().ReplaceAllString(formula, "$1-$2")
		if len(formula) > narrowFormula {
			formula = strings.ReplaceAll(formula, " ", "")
		}
	}
	return []string{hex(uint32(info.Type)), name, info.Type.Suffix(), formula, info.Doc}
}

// narrowFormula is how long a formula may be in 80 columns.
const narrowFormula = 30

// difference is that of a value in two samples.
var difference = once.Regexp(`([A-Z]1) - ([A-Z]0)`)

// without says why a type has no formula.
func without(t countertypes.Type) string {
	switch {
	case t.Multi() && t.IsBase():
		return "(count)"
	case t.IsBase():
		return "(base)"
	case t.Kind() == countertypes.KindText:
		return "(text)"
	case t.Size() == countertypes.SizeZero:
		return "(label)"
	default:
		return "(not supported)"
	}
}

// symbols are those of the formulas, in the order of the legend.
var symbols = []struct{ sign, text string }{
	{"N", "N is the value"},
	{"B", "B the value of the base"},
	{"C", "C the count"},
	{"T", "T the time of the block in ticks"},
	{"F", "F the ticks a second"},
	{"S", "S the time in 100 ns"},
	{"O", "O the time of the object"},
	{"OF", "OF its ticks a second"},
}

// legend says what the symbols of a formula mean; of all for "".
func legend(formula string) string {
	used := map[string]bool{}
	for _, word := range strings.FieldsFunc(formula, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		used[word] = true
	}
	var parts []string
	for _, s := range symbols {
		if formula == "" || used[s.sign] {
			parts = append(parts, s.text)
		}
	}
	text := strings.Join(parts, ", ")
	switch {
	case formula == "" || strings.ContainsRune(formula, '0') && strings.Contains(formula, "N0"):
		text += "; 0 is the older sample, 1 the newer"
	case strings.ContainsRune(formula, '1'):
		text += "; 1 is the latest sample"
	}
	return text
}

// list takes one type apart.
func (p *printer) list(t countertypes.Type) {
	d := describe(t)
	title := d.Hex
	if d.Name != nil {
		title = *d.Name + "  " + title
	}
	p.Line(p.Style.Bold(title))
	switch {
	case d.Doc != "":
		p.Text(2, "", d.Doc)
	case !d.Supported && !t.Defined():
		p.Text(2, "", "It has no name and undefined bits; it is not computed.")
	case !d.Supported:
		p.Text(2, "", "It has no name and is not computed.")
	default:
		p.Text(2, "", "It has no name; its value is computed by its bits.")
	}
	p.Line("")
	fact := func(name, text string) {
		if text != "" {
			p.Text(2, table.Pad(name, 10), text)
		}
	}
	fact("formula", d.Formula)
	if d.Formula != "" {
		fact("", legend(d.Formula))
	}
	fact("base", d.Base)
	switch d.Samples {
	case 1:
		fact("samples", "one")
	case 2:
		fact("samples", "two")
	}
	fact("shown as", shown(t, d))
	fact("aliases", strings.Join(d.Aliases, ", "))
	fact("decimal", strconv.FormatUint(uint64(d.Number), 10))
	p.Line("")
	bits := &table.Table{Indent: 2, Columns: []table.Column{{Head: []string{"bits"}}, {Head: []string{"in place"}}, {Head: []string{"field"}}, {Head: []string{"meaning"}}}}
	p.Table(bits, func(yield func(*table.Row) bool) {
		for _, f := range d.Fields {
			if !yield(new(table.Row).Texts(f.Bits, f.Value, f.Name, f.Meaning)) {
				return
			}
		}
	})
}

// shown is an example of how a value is shown.
func shown(t countertypes.Type, d *keys) string {
	switch {
	case !d.Supported:
		return ""
	case t.IsBase():
		return "nothing: the counter before it uses it, and lists leave it out"
	case t.Hidden():
		return "nothing: lists leave it out"
	case t.Kind() == countertypes.KindText:
		return "text"
	case t.Kind() == countertypes.KindNumber && t != countertypes.PERF_DOUBLE_RAW:
		return countertypes.FormatInt(1234, t, 0)
	case t.Kind() == countertypes.KindCounter && t.Subtype() == countertypes.CounterValue:
		return countertypes.FormatInt(1234, t, 0)
	default:
		return countertypes.Format(12.5, t)
	}
}

// keys are those of -o json.
type keys struct {
	Name      *string     `json:"name"`
	Hex       string      `json:"hex"`
	Number    uint32      `json:"number"`
	Aliases   []string    `json:"aliases"`
	Doc       string      `json:"doc"`
	Formula   string      `json:"formula"`
	Base      string      `json:"base"`
	Suffix    string      `json:"suffix"`
	Samples   int         `json:"samples"`
	Supported bool        `json:"supported"`
	Hidden    bool        `json:"hidden"`
	Fields    []fieldKeys `json:"fields"`
}

type fieldKeys struct {
	Bits    string `json:"bits"`
	Mask    string `json:"mask"`
	Value   string `json:"value"`
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

func describe(t countertypes.Type) *keys {
	d := &keys{Hex: hex(uint32(t)), Number: uint32(t), Aliases: []string{}, Suffix: t.Suffix(), Hidden: t.Hidden()}
	if info, ok := countertypes.Lookup(t); ok {
		d.Name, d.Doc, d.Formula, d.Base = &info.Name, info.Doc, info.Formula, info.Base
		d.Aliases = append(d.Aliases, info.Aliases...)
	}
	// What it is not computed for, it is not computed for either sample.
	one := countertypes.Sample{Type: t, Size: 8, TimeBase: 1}
	_, status := countertypes.Cook(nil, &one, nil)
	d.Supported = status != countertypes.StatusUnsupported
	switch status {
	case countertypes.StatusUnsupported, countertypes.StatusText, countertypes.StatusNoValue, countertypes.StatusBaseOnly:
	case countertypes.StatusNeedsSecondSample:
		d.Samples = 2
	default:
		d.Samples = 1
	}
	if d.Base == "" && t.NeedsBase() && d.Samples > 0 {
		d.Base = "the next definition, which must be a base"
	}
	for _, f := range t.Fields() {
		d.Fields = append(d.Fields, fieldKeys{f.Bits, hex(f.Mask), hex(f.Value), f.Name, f.Meaning})
	}
	return d
}
