package explain

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

type printer struct{ *table.Printer }

func (p *printer) word(w *word) {
	if isSet(w.Word) {
		_, text := derive.NDIS()
		p.Raw(text)
		return
	}
	// The readings with a meaning come first.
	readings := slices.Clone(w.Readings)
	sort.SliceStable(readings, func(i, j int) bool { return len(readings[i].Meanings) > 0 && len(readings[j].Meanings) == 0 })
	for i, r := range readings {
		if i > 0 {
			p.Line("")
		}
		p.reading(w, &r)
	}
	switch {
	case w.Known():
	case len(w.metrics) > 0:
		m := w.metrics[0]
		p.Text(2, "", m.About)
		p.Text(2, "It is: ", m.Expression)
		p.Text(2, "Shown by: ", "perfdump cook --derive '"+m.Name+"', or --derive ndis")
	default:
		p.Text(2, "", unknown(w.Readings[0].As))
	}
	switch {
	case len(w.See) == 0:
	case w.Readings[0].As == reference.AsWord:
		p.Text(2, "", "Did you mean "+strings.Join(w.See, ", ")+"?")
	default:
		p.Text(2, "See also: ", "perfdump explain "+strings.Join(w.See, " "))
	}
}

func (p *printer) reading(w *word, r *reference.Reading) {
	title := cell.Clean(w.Word)
	named := r.As == reference.AsWord || r.As == reference.AsEvent
	switch {
	case len(r.Meanings) > 0 && named:
	case len(r.Meanings) > 0:
		p.Line(p.Style.Bold(title) + how(r))
	case w.Known():
		p.Text(0, "", title+how(r)+", has no known meaning.")
	case len(w.metrics) > 0:
		p.Line(p.Style.Bold(w.metrics[0].Name) + p.Style.Dim(", a derived metric"))
	default:
		p.Line(p.Style.Bold(title) + how(r))
	}
	short := len(r.Meanings) > 1 // a counter that several objects have with different meanings
	for i, m := range r.Meanings {
		if i > 0 {
			p.Line("")
		}
		switch {
		case !named:
			p.meaning(2, m, false)
			continue
		case short && len(m.Paths) > 0:
			p.brief(m)
			continue
		}
		p.meaning(0, m, m.Number != 0 && r.As == reference.AsWord)
		for _, metric := range using(&m) {
			p.Text(2, "Derived: ", metric.String())
		}
	}
}

// how says how a word was read.
func how(r *reference.Reading) string {
	switch r.As {
	case reference.AsEventData:
		return fmt.Sprintf(": bytes of event data, the number %s", both(r.Number))
	case reference.AsNumber:
		return fmt.Sprintf(": the number %s", both(r.Number))
	case reference.AsFlags:
		return fmt.Sprintf(": Configuration Flags %s", both(r.Number))
	default:
		return ""
	}
}

func both(n uint32) string { return fmt.Sprintf("%d (0x%08X)", n, n) }

func unknown(as reference.As) string {
	switch as {
	case reference.AsWord:
		return "Not known. Words are codes such as size-mismatch and PDH_NO_DATA, and the counters that people meet most; perfdump explain --help has the forms of numbers and events."
	case reference.AsEvent:
		return "No such event is known."
	default:
		return "Not known as a status of PDH, nor as an error that loading or reading counters gives. On Windows, net helpmsg or certutil -error may know it."
	}
}

func (p *printer) meaning(indent int, m reference.Meaning, withNumber bool) {
	about := ", " + m.Source.Describe()
	if withNumber {
		about += ", " + both(m.Number)
	}
	p.Line(strings.Repeat(" ", indent) + p.Style.Bold(m.Name) + p.Style.Dim(about))
	p.Text(indent+2, "", m.Text)
	if len(m.Objects) > 0 {
		p.Text(indent+2, "In: ", strings.Join(m.Objects, ", "))
	}
	p.known(indent+2, m)
	if m.Beware != "" {
		p.Text(indent+2, "Beware: ", m.Beware+".")
	}
	label := "Look at: "
	for _, path := range together(m) {
		p.Text(indent+2, label, path)
		label = strings.Repeat(" ", len(label))
	}
	for _, name := range m.Objects {
		if o, ok := reference.OfObject(name); ok && o.Beware != "" {
			p.Text(indent+2, "See also: ", `perfdump explain "`+name+`"`)
		}
	}
	for _, d := range m.Data {
		p.Line(strings.Repeat(" ", indent+2) + fmt.Sprintf("%s %s", p.Style.Dim(d.Name+":"), both(d.Number)))
		for _, sub := range d.Meanings {
			p.meaning(indent+4, sub, false)
		}
	}
	if m.Advice != "" {
		p.Text(indent+2, "What to do: ", m.Advice+".")
	}
}

// known writes what is known of a counter that people meet often.
func (p *printer) known(indent int, m reference.Meaning) {
	if m.Unit != "" {
		p.Text(indent, "Unit: ", m.Unit)
	}
	var types []string
	for i, t := range m.Types {
		text := t.String()
		if i == len(m.Types)-1 || formula(m.Types[i+1]) != formula(t) {
			text += ", " + formula(t)
		}
		types = append(types, text)
	}
	if len(types) > 0 {
		p.Text(indent, "Type: ", strings.Join(types, " or "))
	}
	if m.Normal != "" {
		p.Text(indent, "Normal: ", m.Normal)
	}
}

func formula(t countertypes.Type) string {
	info, _ := countertypes.Lookup(t)
	return info.Formula
}

// brief writes what a counter is that several objects have, and how to ask for more.
func (p *printer) brief(m reference.Meaning) {
	p.Line(p.Style.Bold(strings.Join(m.Objects, ", ")+": "+m.Name) + p.Style.Dim(", "+m.Source.Describe()+", "+m.Unit))
	p.Text(2, "", m.Text)
	p.Text(2, "See also: ", "perfdump explain '"+m.Paths[0]+"'")
}

// together returns the paths of the counters to look at with a counter.
func together(m reference.Meaning) []string {
	var paths []string
	for _, name := range m.See {
		if !strings.HasPrefix(name, `\`) {
			name = strings.TrimSuffix(m.Paths[0], m.Name) + name
		}
		paths = append(paths, name)
	}
	return paths
}

// The keys of -o json.
type (
	answerKeys struct {
		Word     string        `json:"word"`
		Known    bool          `json:"known"`
		Readings []readingKeys `json:"readings"`
		See      []string      `json:"see"`
		Metrics  []metricKeys  `json:"metrics,omitempty"`
	}
	metricKeys struct {
		Name       string `json:"name"`
		Expression string `json:"expression"`
		About      string `json:"about"`
	}
	readingKeys struct {
		As reference.As `json:"as"`
		numberKeys
		Meanings []meaningKeys `json:"meanings"`
	}
	// numberKeys are null for what is no number.
	numberKeys struct {
		Number *uint32 `json:"number"`
		Hex    *string `json:"hex"`
	}
	meaningKeys struct {
		Source reference.Source `json:"source"`
		Name   string           `json:"name"`
		Text   string           `json:"text"`
		Advice string           `json:"advice"`
		Data   []datumKeys      `json:"data,omitempty"`

		Objects []string `json:"objects,omitempty"`
		Beware  string   `json:"beware,omitempty"`
		Unit    string   `json:"unit,omitempty"`
		Types   []string `json:"types,omitempty"`
		Normal  string   `json:"normal,omitempty"`
		Paths   []string `json:"paths,omitempty"`
		Look    []string `json:"look_at,omitempty"`
	}
	datumKeys struct {
		Name string `json:"name"`
		numberKeys
		Meanings []meaningKeys `json:"meanings"`
	}
)

func (p *printer) json(w *word) {
	keys := answerKeys{Word: w.Word, Known: w.known(), Readings: []readingKeys{}, See: append([]string{}, w.See...)}
	for _, r := range w.Readings {
		k := readingKeys{As: r.As, Meanings: meanings(r.Meanings)}
		if r.As != reference.AsWord {
			k.numberKeys = number(r.Number)
		}
		keys.Readings = append(keys.Readings, k)
	}
	for _, m := range w.metrics {
		keys.Metrics = append(keys.Metrics, metricKeys{m.Name, m.Expression, m.About})
	}
	p.JSON(keys)
}

func number(n uint32) numberKeys {
	hex := fmt.Sprintf("0x%08X", n)
	return numberKeys{&n, &hex}
}

func meanings(all []reference.Meaning) []meaningKeys {
	keys := []meaningKeys{}
	for _, m := range all {
		k := meaningKeys{
			Source: m.Source, Name: m.Name, Text: m.Text, Advice: m.Advice, Objects: m.Objects, Beware: m.Beware,
			Unit: m.Unit, Normal: m.Normal, Paths: m.Paths, Look: together(m),
		}
		for _, t := range m.Types {
			k.Types = append(k.Types, t.String())
		}
		for _, d := range m.Data {
			k.Data = append(k.Data, datumKeys{d.Name, number(d.Number), meanings(d.Meanings)})
		}
		keys = append(keys, k)
	}
	return keys
}
