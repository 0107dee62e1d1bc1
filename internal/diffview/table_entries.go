package diffview

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

func (t *table) Tables(header []capture.FieldChange) {
	t.listed = t.lister(maxEntries)
	for _, f := range header {
		t.titlesHead()
		t.fact(strings.ReplaceAll(f.Field, "_", " "), fieldText(f.Older)+arrow+fieldText(f.Newer))
	}
}

func (t *table) titlesHead() {
	if !t.begun {
		t.begun = true
		t.line(t.style.Bold(cell.Clean(t.o.Older) + arrow + cell.Clean(t.o.Newer)))
	}
}

func (t *table) Entry(e capture.TitleDiff) {
	t.titlesHead()
	if !t.listed.show() {
		return
	}
	text := cell.Clean(e.Older)
	switch e.Change {
	case capture.New:
		text = cell.Clean(e.Newer)
	case capture.Changed:
		text = `"` + text + `"` + arrow + `"` + cell.Clean(e.Newer) + `"`
	default:
	}
	if t.o.Truncate {
		text = cell.Cut(text, max(t.o.Width-12, 16))
	}
	t.line(fmt.Sprintf("  %s %6d  %s", t.sign(e.Change), e.Index, text))
}

func (t *table) Said(e *capture.TextDiff) {
	t.titlesHead()
	if !t.listed.show() {
		return
	}
	text := cell.Clean(e.Key)
	switch {
	case e.Change == capture.Changed:
		text += "  " + shorten(e.Older) + arrow + shorten(e.Newer)
	case e.Older+e.Newer != "":
		text += "  " + shorten(e.Older+e.Newer)
	}
	if t.o.Truncate {
		text = cell.Cut(text, max(t.o.Width-4, 16))
	}
	t.line("  " + t.sign(e.Change) + " " + text)
}

// shorten makes a text of the registry fit: the names of all counters are one.
func shorten(s string) string {
	if s == "" {
		return `""`
	}
	return cell.Cut(cell.Clean(s[:min(len(s), 2000)]), 400)
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
