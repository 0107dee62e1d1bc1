package explain

import (
	"fmt"
	"slices"
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
	when := "at an unknown time"
	if !v.frame.Time.IsZero() {
		when = v.frame.Offset.Format(v.frame.Time, v.zone, table.TimeLayout)
	}
	fact("sample", fmt.Sprintf("%s, record %d of %s", when, v.frame.Record, cell.Clean(v.frame.Source)))
	if s.HasType {
		info, _ := countertypes.Lookup(s.Type)
		fact("type", s.Type.String()+prefixed(": ", info.Doc))
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
	status := v.cell.EffectiveStatus()
	if status == countertypes.StatusOK {
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
		fact("recorded", fmt.Sprintf("with the status 0x%08X of PDH; perfdump explain 0x%08X says what it is", v.cell.PDH, v.cell.PDH))
	}
	if !v.raw {
		fact("note", "the file holds values that are computed already, and no raw samples")
	}
}

// samples writes both samples and what is between them: only the newer one where
// the formula does without the older.
func (p *printer) samples(v *value) {
	f := v.formula()
	two := v.samples.HasOlder && strings.Contains(f, "N0")
	tab := &table.Table{Indent: 2, Columns: []table.Column{{}, {}}}
	for _, head := range []string{"older", "newer", "difference"} {
		if two || head == "newer" {
			tab.Columns = append(tab.Columns, table.Column{Head: []string{head}, Align: table.Right})
		}
	}
	var rows []*table.Row
	add := func(sign, name, older, newer, between string) {
		r := new(table.Row).Texts(sign, name, newer)
		if two {
			r = new(table.Row).Texts(sign, name, older, newer, between)
		}
		rows = append(rows, r)
	}
	if !v.frame.Time.IsZero() {
		clock := func(t time.Time) string { return v.frame.Offset.In(t, v.zone).Format("15:04:05.000") }
		add("", "time", clock(v.older), clock(v.frame.Time), fmt.Sprintf("%.3f s", v.frame.Time.Sub(v.older).Seconds()))
	}
	for _, s := range symbols {
		older, newer, between := s.sign+"0", s.sign+"1", ""
		if !strings.Contains(f, newer) && (f != "" || s.sign != "N") {
			continue
		}
		if strings.Contains(f, older) {
			between = grouped(difference(v.of(newer), v.of(older)))
		}
		add(s.sign, s.text, grouped(v.number(older)), grouped(v.number(newer)), between)
	}
	p.Table(tab, slices.Values(rows))
	for _, sign := range []string{"OF", "F"} {
		if strings.Contains(f, sign) {
			p.Text(2, table.Pad(sign, 3), table.Grouped(v.samples.Newer.TimeBase)+" ticks of the clock a second")
			break
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

// prefixed returns text after a prefix, "" for no text.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// why returns what a status means.
func why(s countertypes.Status) string {
	for _, m := range reference.Words(s.String())[0].Readings[0].Meanings {
		if m.Source == reference.Status {
			return m.Text
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
	status := v.cell.EffectiveStatus()
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
	if status == countertypes.StatusOK {
		k.Shown = v.shown()
	}
	if x, ok := v.cell.Number(); ok {
		k.Value = x
	}
	if n, ok := v.cell.Whole(); ok {
		k.Value = n
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
