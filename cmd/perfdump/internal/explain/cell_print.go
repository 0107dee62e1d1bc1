package explain

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/unit"
)

// symbols are those of the formulas, and what they are.
var symbols = []struct{ sign, text string }{
	{"N", "value"},
	{"B", "base"},
	{"T", "clock, ticks"},
	{"S", "clock, 100 ns"},
	{"O", "clock of object"},
	{"C", "count"},
}

const cellLabel = 9 // the width of the names before the facts

func (p *printer) value(v *value) {
	s := v.cell.Series
	p.Line(p.Style.Bold(cell.Clean(s.Path())))
	fact := func(name, text string) {
		if text != "" {
			p.Text(2, table.Pad(name, cellLabel), text)
		}
	}
	fact("sample", fmt.Sprintf("%s, record %d of %s", v.when(v.frame.Time), v.frame.Record, cell.Clean(v.frame.Source)))
	if s.HasType {
		fact("type", typeText(s.Type))
	}
	p.Line("")
	if v.raw && v.samples.Newer.Status == countertypes.StatusOK {
		p.samples(v)
		p.Line("")
	}
	if f := v.formula(); f != "" {
		fact("formula", f)
		numbers, steps := v.numbers()
		fact("numbers", numbers)
		fact("", prefixed("= ", steps))
	}
	status, ok := v.status()
	if ok {
		result := v.shown()
		if u := unit.Of(s.Counter, s.Type, s.HasType); u != unit.Number && u != unit.Percent {
			result += ", that is " + u.Format(v.cell.Value)
		}
		fact("result", result)
		if shown, _ := v.cell.Shown(); shown > v.cell.Value {
			fact("", "Tables and pictures show 0: it is below 0 by no more than a tick of the clock, 15.6 ms of a second, in which idle time is counted.")
		}
	} else {
		fact("result", "none")
	}
	fact("status", status.String()+prefixed(": ", why(status)))
	fact("text", cell.Clean(v.text))
	if v.cell.PDH > 1 {
		fact("recorded", fmt.Sprintf("with the status 0x%08X of PDH", v.cell.PDH)+prefixed(": ", nameOf(v.cell.PDH)))
	}
	if !v.raw {
		fact("note", "the file holds values that are computed already, and no raw samples")
	}
}

// samples writes both samples and what is between them.
func (p *printer) samples(v *value) {
	f := v.formula()
	two := v.samples.HasOlder && strings.Contains(f, "N0")
	tab := &table.Table{Indent: 2, Columns: []table.Column{{Head: []string{""}}, {Head: []string{""}}}}
	for _, head := range []string{"older", "newer", "difference"} {
		if two || head == "newer" {
			tab.Columns = append(tab.Columns, table.Column{Head: []string{head}, Align: table.Right})
		}
	}
	p.Table(tab, func(yield func(*table.Row) bool) {
		if v.frame.Time.IsZero() {
			v.rows(f, two)(yield)
			return
		}
		layout := "15:04:05.000"
		r := new(table.Row).Text("").Text("time")
		if two {
			r.Text(v.frame.Offset.In(v.older, v.zone).Format(layout))
		}
		r.Text(v.frame.Offset.In(v.frame.Time, v.zone).Format(layout))
		if two {
			r.Text(strconv.FormatFloat(v.frame.Time.Sub(v.older).Seconds(), 'f', 3, 64) + " s")
		}
		if yield(r) {
			v.rows(f, two)(yield)
		}
	})
	for _, sign := range []string{"OF", "F"} {
		if strings.Contains(f, sign) {
			p.Text(2, table.Pad(sign, 3), table.Grouped(v.samples.Newer.TimeBase)+" ticks of the clock a second")
			break
		}
	}
}

// rows yields the raw numbers that the formula uses.
func (v *value) rows(formula string, two bool) iter.Seq[*table.Row] {
	return func(yield func(*table.Row) bool) {
		for _, s := range symbols {
			if !strings.Contains(formula, s.sign+"1") && !(formula == "" && s.sign == "N") {
				continue
			}
			r := new(table.Row).Text(s.sign).Text(s.text)
			if two {
				r.Text(grouped(v.number(s.sign + "0")))
			}
			r.Text(grouped(v.number(s.sign + "1")))
			if two && strings.Contains(formula, s.sign+"0") {
				r.Text(grouped(difference(v.of(s.sign+"1"), v.of(s.sign+"0"))))
			} else if two {
				r.Text("")
			}
			if !yield(r) {
				return
			}
		}
	}
}

// grouped returns a whole number with its digits in groups, unless it is a clock
// that is too long for that.
func grouped(digits string) string {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && len(digits) < 17 {
		return table.Grouped(n)
	}
	return digits
}

// when returns a time as tables show it.
func (v *value) when(t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	return v.frame.Offset.Format(t, v.zone, table.TimeLayout)
}

func typeText(t countertypes.Type) string {
	text := fmt.Sprintf("0x%08X", uint32(t))
	if name, ok := t.Name(); ok {
		text = name
	}
	info, _ := countertypes.Lookup(t)
	return text + prefixed(": ", info.Doc)
}

// prefixed returns text after a prefix, "" for no text.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// why returns what a status means.
func why(s countertypes.Status) string {
	for _, r := range reference.Words(s.String())[0].Readings {
		for _, m := range r.Meanings {
			if m.Source == reference.Status {
				return m.Text
			}
		}
	}
	return ""
}

// nameOf returns the name of a status of PDH.
func nameOf(code uint32) string {
	for _, m := range reference.Number(code) {
		if m.Source == reference.PDH {
			return m.Name
		}
	}
	return ""
}

// The keys of -o json for a value.
type (
	valueKeys struct {
		File    string      `json:"file"`
		Record  int         `json:"record"`
		Path    string      `json:"path"`
		Time    *time.Time  `json:"time"`
		Type    *string     `json:"type"`
		Older   *sampleKeys `json:"older"`
		Newer   *sampleKeys `json:"newer"`
		Formula string      `json:"formula"`
		Numbers string      `json:"numbers"`
		Steps   string      `json:"steps"`
		Value   any         `json:"value"`
		Shown   string      `json:"shown"`
		Text    string      `json:"text"`
		Status  string      `json:"status"`
		Why     string      `json:"why"`
		PDH     uint32      `json:"pdh_status"`
	}
	sampleKeys struct {
		Time     *time.Time `json:"time"`
		First    uint64     `json:"first"`
		Second   uint64     `json:"second"`
		Multi    uint32     `json:"multi"`
		TimeBase int64      `json:"time_base"`
		Status   string     `json:"status"`
	}
)

func (v *value) keys() *valueKeys {
	s := v.cell.Series
	status, ok := v.status()
	k := &valueKeys{
		File: v.frame.Source, Record: v.frame.Record, Path: s.Path(), Time: instant(v.frame.Time),
		Formula: v.formula(), Text: v.text, Status: status.String(), Why: why(status), PDH: v.cell.PDH,
	}
	k.Numbers, k.Steps = v.numbers()
	if s.HasType {
		name := s.Type.String()
		k.Type = &name
	}
	if v.raw {
		k.Newer = sample(&v.samples.Newer, v.frame.Time)
	}
	if v.raw && v.samples.HasOlder {
		k.Older = sample(&v.samples.Older, v.older)
	}
	if n, whole := v.cell.Whole(); ok && whole {
		k.Value = n
	} else if x, finite := v.cell.Number(); finite {
		k.Value = x
	}
	if ok {
		k.Shown = v.shown()
	}
	return k
}

func sample(s *countertypes.Sample, t time.Time) *sampleKeys {
	return &sampleKeys{instant(t), s.First, s.Second, s.Multi, s.TimeBase, s.Status.String()}
}

func instant(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
