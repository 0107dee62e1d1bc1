package types

import (
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

type printer struct {
	w     io.Writer
	width int
	style cell.Style
	err   error
}

func (p *printer) line(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, strings.TrimRight(s, " ")+"\n")
	}
}

// The widths from which on the table has full names, and texts.
const (
	fullWidth = 104
	docWidth  = 140
)

// table lists all types, a line each. Where there is room for it, what a type
// is stands behind it, wrapped if need be.
func (p *printer) table() {
	head := []string{"number", "name", "unit", "formula"}
	if p.width >= docWidth {
		head = append(head, "what it is")
	}
	rows := [][]string{head}
	for info := range countertypes.All() {
		rows = append(rows, p.row(info)[:len(head)])
	}
	widths := make([]int, len(head))
	left := p.width
	for i := range head {
		for _, r := range rows {
			widths[i] = max(widths[i], cell.Width(r[i]))
		}
		if i < len(head)-1 {
			left -= widths[i] + 2
		}
	}
	for i, r := range rows {
		var line []byte
		for j, text := range r[:len(r)-1] {
			line = append(line, text...)
			line = cell.PadRight(line, cell.Width(text), widths[j]+2)
		}
		last := []string{r[len(r)-1]}
		if len(head) > 4 {
			last = cell.Wrap(last[0], max(left, 20))
		}
		for j, text := range last {
			switch {
			case i == 0:
				p.line(p.style.Bold(string(line) + text))
			case j == 0:
				p.line(string(line) + text)
			default:
				p.line(strings.Repeat(" ", p.width-left) + text)
			}
		}
	}
	p.line("")
	p.paragraph("", "In formulas "+legend("")+". perfdump types NAME takes a type apart.")
}

func (p *printer) row(info countertypes.Info) []string {
	name, formula := info.Name, info.Formula
	if formula == "" {
		formula = "- " + without(info.Type)
	}
	if p.width < fullWidth {
		name = strings.TrimPrefix(name, prefix)
		formula = difference.ReplaceAllString(formula, "$1-$2")
		if len(formula) > narrowFormula {
			formula = strings.ReplaceAll(formula, " ", "")
		}
	}
	return []string{hex(uint32(info.Type)), name, info.Type.Suffix(), formula, info.Doc}
}

// narrowFormula is how long a formula may be in 80 columns.
const narrowFormula = 30

// difference is that of a value in two samples.
var difference = regexp.MustCompile(`([A-Z]1) - ([A-Z]0)`)

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

// symbols are those of the formulas, in the order in which they are told.
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

// maxWidth is that of lines of text, which longer ones are hard to read.
const maxWidth = 120

// paragraph writes text wrapped behind what stands in its first line.
func (p *printer) paragraph(first, text string) {
	indent := cell.Width(first)
	for i, line := range cell.Wrap(text, max(min(p.width, maxWidth)-indent, 30)) {
		if i == 0 {
			p.line(p.style.Dim(first) + line)
		} else {
			p.line(strings.Repeat(" ", indent) + line)
		}
	}
}

// list takes one type apart.
func (p *printer) list(t countertypes.Type) {
	d := describe(t)
	title := d.Hex
	if d.Name != nil {
		title = *d.Name + "  " + title
	}
	p.line(p.style.Bold(title))
	switch {
	case d.Doc != "":
		p.paragraph("  ", d.Doc)
	case !d.Supported && !t.Defined():
		p.paragraph("  ", "It has no name and bits that nobody defines; it is not computed.")
	case !d.Supported:
		p.paragraph("  ", "It has no name and is not computed.")
	default:
		p.paragraph("  ", "It has no name; its value is computed by its bits.")
	}
	p.line("")
	fact := func(name, text string) {
		if text != "" {
			p.paragraph("  "+name+strings.Repeat(" ", 10-len(name)), text)
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
	p.line("")
	p.line("  " + p.style.Dim("bits   in place    field       meaning"))
	for _, f := range d.Fields {
		p.line("  " + pad(f.Bits, 7) + pad(f.Value, 12) + pad(f.Name, 12) + f.Meaning)
	}
}

func pad(s string, n int) string { return string(cell.PadRight([]byte(s), cell.Width(s), n)) }

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

func (p *printer) json(t countertypes.Type) {
	if p.err != nil {
		return
	}
	e := json.NewEncoder(p.w)
	e.SetEscapeHTML(false)
	p.err = e.Encode(describe(t))
}
