package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/perfdump/perfdump/derive"
	"github.com/perfdump/perfdump/explain"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// maxWidth is that of lines of text, which longer ones are hard to read.
const maxWidth = 100

type printer struct {
	w     io.Writer
	width int
	style cell.Style
	err   error

	metrics []*derive.Metric // of the next answer
}

// line writes text indented.
func (p *printer) line(indent int, text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, strings.TrimRight(strings.Repeat(" ", indent)+text, " ")+"\n")
	}
}

// text writes text indented and wrapped; first stands in front of it.
func (p *printer) text(indent int, first, text string) {
	for i, line := range cell.Wrap(text, max(p.width-indent-cell.Width(first), 20)) {
		if i == 0 {
			p.line(indent, p.style.Dim(first)+line)
		} else {
			p.line(indent+cell.Width(first), line)
		}
	}
}

func (p *printer) answer(a *explain.Answer) {
	if isSet(a.Word) {
		if _, text := derive.NDIS(); p.err == nil {
			_, p.err = io.WriteString(p.w, text)
		}
		return
	}
	first := true
	for _, known := range []bool{true, false} {
		for _, r := range a.Readings {
			if known != (len(r.Meanings) > 0) {
				continue
			}
			if !first {
				p.line(0, "")
			}
			first = false
			p.reading(a, &r)
		}
	}
	switch {
	case a.Known():
	case len(p.metrics) > 0:
		m := p.metrics[0]
		p.text(2, "", m.About)
		p.text(2, "It is: ", m.Expression)
		p.text(2, "Shown by: ", "perfdump cook --derive '"+m.Name+"', or --derive ndis")
	default:
		p.text(2, "", unknown(&a.Readings[0]))
	}
	if len(a.See) > 0 {
		if a.Readings[0].As == explain.AsWord {
			p.text(2, "", "Did you mean "+strings.Join(a.See, ", ")+"?")
		} else {
			p.text(2, "See also: ", "perfdump explain "+strings.Join(a.See, " "))
		}
	}
}

func (p *printer) reading(a *explain.Answer, r *explain.Reading) {
	word := p.style.Bold(cell.Clean(a.Word))
	switch {
	case len(r.Meanings) == 0 && a.Known():
		p.text(0, "", cell.Clean(a.Word)+how(r)+", means nothing that is known.")
	case len(r.Meanings) == 0 && len(p.metrics) > 0:
		p.line(0, p.style.Bold(p.metrics[0].Name)+p.style.Dim(", a derived metric"))
	case len(r.Meanings) == 0:
		p.line(0, word+how(r))
	case r.As == explain.AsWord || r.As == explain.AsEvent:
		for i, m := range r.Meanings {
			if i > 0 {
				p.line(0, "")
			}
			p.meaning(0, m, m.Number != 0 && r.As == explain.AsWord)
			for _, metric := range using(&m) {
				p.text(2, "Derived: ", metric.String())
			}
		}
	default:
		p.line(0, word+how(r))
		for i, m := range r.Meanings {
			if i > 0 {
				p.line(0, "")
			}
			p.meaning(2, m, false)
		}
	}
}

// how says how a word was read.
func how(r *explain.Reading) string {
	switch r.As {
	case explain.AsEventData:
		return fmt.Sprintf(": bytes of event data, the number %s", both(r.Number))
	case explain.AsNumber:
		return fmt.Sprintf(": the number %s", both(r.Number))
	case explain.AsFlags:
		return fmt.Sprintf(": Configuration Flags %s", both(r.Number))
	default:
		return ""
	}
}

func both(n uint32) string { return fmt.Sprintf("%d (0x%08X)", n, n) }

func unknown(r *explain.Reading) string {
	switch r.As {
	case explain.AsWord:
		return "Not known. Words are codes such as size-mismatch and PDH_NO_DATA, and counters of the network; perfdump explain --help has the forms of numbers and events."
	case explain.AsEvent:
		return "No such event is known."
	default:
		return "Not known as a status of PDH, nor as an error that loading or reading counters gives. On Windows, net helpmsg or certutil -error may know it."
	}
}

func (p *printer) meaning(indent int, m explain.Meaning, withNumber bool) {
	about := ", " + m.Source.Describe()
	if withNumber {
		about += ", " + both(m.Number)
	}
	p.line(indent, p.style.Bold(m.Name)+p.style.Dim(about))
	p.text(indent+2, "", m.Text)
	if len(m.Objects) > 0 {
		p.text(indent+2, "In: ", strings.Join(m.Objects, ", "))
	}
	if m.Beware != "" {
		p.text(indent+2, "Beware: ", m.Beware+".")
	}
	for _, name := range m.Objects {
		if o, ok := explain.OfObject(name); ok && o.Beware != "" {
			p.text(indent+2, "See also: ", `perfdump explain "`+name+`"`)
		}
	}
	for _, d := range m.Data {
		p.line(indent+2, fmt.Sprintf("%s %s", p.style.Dim(d.Name+":"), both(d.Number)))
		for _, sub := range d.Meanings {
			p.meaning(indent+4, sub, false)
		}
	}
	if m.Advice != "" {
		p.text(indent+2, "What to do: ", m.Advice+".")
	}
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
		As explain.As `json:"as"`
		numberKeys
		Meanings []meaningKeys `json:"meanings"`
	}
	// numberKeys are null for what is no number.
	numberKeys struct {
		Number *uint32 `json:"number"`
		Hex    *string `json:"hex"`
	}
	meaningKeys struct {
		Source explain.Source `json:"source"`
		Name   string         `json:"name"`
		Text   string         `json:"text"`
		Advice string         `json:"advice"`
		Data   []datumKeys    `json:"data,omitempty"`

		Objects []string `json:"objects,omitempty"`
		Beware  string   `json:"beware,omitempty"`
	}
	datumKeys struct {
		Name string `json:"name"`
		numberKeys
		Meanings []meaningKeys `json:"meanings"`
	}
)

func (p *printer) json(a *explain.Answer) {
	keys := answerKeys{Word: a.Word, Known: a.Known() || len(p.metrics) > 0, Readings: []readingKeys{}, See: append([]string{}, a.See...)}
	for _, r := range a.Readings {
		k := readingKeys{As: r.As, Meanings: meanings(r.Meanings)}
		if r.As != explain.AsWord {
			k.numberKeys = number(r.Number)
		}
		keys.Readings = append(keys.Readings, k)
	}
	for _, m := range p.metrics {
		keys.Metrics = append(keys.Metrics, metricKeys{m.Name, m.Expression, m.About})
	}
	e := json.NewEncoder(p.w)
	e.SetEscapeHTML(false)
	p.err = e.Encode(keys)
}

func number(n uint32) numberKeys {
	hex := fmt.Sprintf("0x%08X", n)
	return numberKeys{&n, &hex}
}

func meanings(all []explain.Meaning) []meaningKeys {
	keys := []meaningKeys{}
	for _, m := range all {
		k := meaningKeys{Source: m.Source, Name: m.Name, Text: m.Text, Advice: m.Advice, Objects: m.Objects, Beware: m.Beware}
		for _, d := range m.Data {
			k.Data = append(k.Data, datumKeys{d.Name, number(d.Number), meanings(d.Meanings)})
		}
		keys = append(keys, k)
	}
	return keys
}
