package lodctr

import (
	"cmp"
	"fmt"
	"slices"
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
	e := newLineEdit(t)
	number := func(n perfstrings.Number, to uint32) {
		if n.Given && n.Value != to {
			key, _, _ := strings.Cut(t.Line(n.Line).Text(), "=")
			e.set(n.Line, 1, fmt.Sprintf("%s=%d", key, to))
		}
	}
	number(b.Perflib().LastCounter, plan.SystemCounter)
	number(b.Perflib().LastHelp, plan.SystemHelp)
	plan.editSections(e, b)
	for _, l := range b.Languages() {
		var add []titles.Entry
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			add = append(add, texts[tableKey{fold(l.ID), kind}]...)
		}
		if err := plan.editStrings(e, b, l, add); err != nil {
			return nil, fmt.Errorf("[PerfStrings_%s]: %w", l.ID, err)
		}
	}
	return e.bytes()
}

// editSections adds the section of the driver behind the last one of a driver,
// or removes it.
func (plan *Plan) editSections(e *lineEdit, b *perfstrings.File) {
	last := b.Perflib().Line
	for p := range b.Providers() {
		last = max(last, p.Line)
		if plan.unload && strings.EqualFold(p.Name, plan.DriverName) {
			from, to := p.Line, sectionEnd(e.text, p.Line)
			if next := e.text.Line(to + 1); next.Number > 0 && strings.TrimSpace(next.Text()) == "" {
				to++ // the line that parts it from the next one
			}
			e.set(from, to-from+1)
		}
	}
	if !plan.unload {
		e.add(sectionEnd(e.text, max(last, 1)), "", "[PERF_"+plan.DriverName+"]",
			fmt.Sprintf("First Counter=%d", plan.FirstCounter), fmt.Sprintf("First Help=%d", plan.FirstHelp),
			fmt.Sprintf("Last Counter=%d", plan.LastCounter), fmt.Sprintf("Last Help=%d", plan.LastHelp))
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
func (plan *Plan) editStrings(e *lineEdit, b *perfstrings.File, l perfstrings.Language, add []titles.Entry) error {
	order := func(a, b uint32) int { return cmp.Compare(a, b) }
	var is []perfstrings.Entry
	up, down, head := true, true, l.Line
	for entry := range b.Strings(l.ID) {
		if plan.owns(entry.Index) {
			if !plan.unload {
				return syntax("the index %d has a text already, %q; another first counter is needed", entry.Index, clip(entry.Text))
			}
			e.set(entry.Line, 1)
		}
		if entry.Index == 1 {
			head = entry.Line
		}
		if entry.Index == 1 || len(add) == 0 {
			continue
		}
		entry.Text = ""
		if n := len(is); n > 0 {
			up, down = up && is[n-1].Index < entry.Index, down && is[n-1].Index > entry.Index
		}
		is = append(is, entry)
	}
	switch {
	case len(add) == 0:
		return nil
	case !up && !down:
		return syntax("the strings are in no order; restore them before anything is changed")
	case !up:
		head = l.Line
		order = func(a, b uint32) int { return cmp.Compare(b, a) }
	}
	slices.SortFunc(add, func(a, b titles.Entry) int { return order(a.Index, b.Index) })
	for _, a := range add {
		n, _ := slices.BinarySearchFunc(is, a.Index, func(e perfstrings.Entry, index uint32) int { return order(e.Index, index) })
		behind := head
		if n > 0 {
			behind = is[n-1].Line
		}
		e.add(behind, fmt.Sprintf("%d=%s", a.Index, a.Text))
	}
	return nil
}
