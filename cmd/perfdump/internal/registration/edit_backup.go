package registration

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// editBackup edits a PerfStringBackup.INI.
func (plan *Plan) editBackup(s *source, texts newTexts) ([]byte, error) {
	b := s.backup
	t, err := textlines.New(s.in.Data, textlines.Options{CodePage: b.CodePage(), OnlyCRLF: b.OnlyCRLF()})
	if err != nil {
		return nil, err
	}
	e := t.Edit()
	e.Open = true // as lodctr /S writes it
	number := func(n perfstrings.Number, to uint32) {
		if n.Given && n.Value != to {
			key, _, _ := strings.Cut(t.Line(n.Line).Text(), "=")
			e.Replace(n.Line, 1, e.Encode(fmt.Sprintf("%s=%d", key, to))...)
		}
	}
	number(b.Perflib().LastCounter, plan.SystemCounter)
	number(b.Perflib().LastHelp, plan.SystemHelp)
	plan.editSections(e, t, b)
	for _, l := range b.Languages() {
		var add []titles.Entry
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			add = append(add, texts[tableKey{fold(l.ID), kind}]...)
		}
		if err := plan.editStrings(e, b, l, add); err != nil {
			return nil, fmt.Errorf("[PerfStrings_%s]: %w", l.ID, err)
		}
	}
	return e.AppendBinary(nil)
}

// editSections adds the section of the driver after the last one of a driver,
// or removes it.
func (plan *Plan) editSections(e *textlines.Editor, t *textlines.Text, b *perfstrings.File) {
	last := b.Perflib().Line
	for p := range b.Providers() {
		last = max(last, p.Line)
		if plan.unload && strings.EqualFold(p.Name, plan.DriverName) {
			from, to := p.Line, sectionEnd(t, p.Line)
			if next := t.Line(to + 1); next.Number > 0 && strings.TrimSpace(next.Text()) == "" {
				to++ // the line that separates it from the next one
			}
			e.Replace(from, to-from+1)
		}
	}
	if !plan.unload {
		lines := []string{"", "[PERF_" + plan.DriverName + "]"}
		for _, n := range plan.rangeValues() {
			lines = append(lines, fmt.Sprintf("%s=%d", n.name, n.v))
		}
		e.Insert(sectionEnd(t, max(last, 1)), e.Encode(lines...)...)
	}
}

// sectionEnd returns the last line of the section that begins in a line, blank
// ones at its end left out.
func sectionEnd(t *textlines.Text, line int) int {
	end := line
	for l := range t.From(line + 1) {
		text := strings.TrimSpace(l.Text())
		if strings.HasPrefix(text, "[") {
			break
		}
		if text != "" {
			end = l.Number
		}
	}
	return end
}

// editStrings edits the strings of a language, which are in ascending or in
// descending order.
func (plan *Plan) editStrings(e *textlines.Editor, b *perfstrings.File, l perfstrings.Language, add []titles.Entry) error {
	var is []perfstrings.Entry // without their texts
	up, down, head := true, true, l.Line
	for entry := range b.Strings(l.ID) {
		if plan.owns(entry.Index) {
			if !plan.unload {
				return syntax("the index %d has a text already, %q; another first counter is needed", entry.Index, clip(entry.Text))
			}
			e.Replace(entry.Line, 1)
		}
		if entry.Index == 1 {
			head = entry.Line
		} else if len(add) > 0 {
			if n := len(is); n > 0 {
				up, down = up && is[n-1].Index < entry.Index, down && is[n-1].Index > entry.Index
			}
			entry.Text = ""
			is = append(is, entry)
		}
	}
	order := cmp.Compare[uint32]
	if !up {
		head = l.Line
		order = func(a, b uint32) int { return cmp.Compare(b, a) }
		if !down {
			return syntax("the strings are in no order; restore them before anything is changed")
		}
	}
	sort.Slice(add, func(i, j int) bool { return order(add[i].Index, add[j].Index) < 0 })
	for _, a := range add {
		n, _ := slices.BinarySearchFunc(is, a.Index, func(e perfstrings.Entry, index uint32) int { return order(e.Index, index) })
		after := head
		if n > 0 {
			after = is[n-1].Line
		}
		e.Insert(after, e.Encode(fmt.Sprintf("%d=%s", a.Index, a.Text))...)
	}
	return nil
}
