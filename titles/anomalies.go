package titles

import "github.com/perfdump/perfdump"

// The codes of anomalies; docs/titles.md has an example of each.
const (
	CodeEmpty          = perfdump.CodeEmpty               // no bytes at all
	CodeIndexText      = perfdump.Code("index-text")      // a string in the place of an index is no number
	CodeEmptyName      = perfdump.Code("empty-name")      // the text of an index is empty
	CodeOddCount       = perfdump.Code("odd-count")       // an index at the end has no text
	codeNoTerminator   = perfdump.Code("no-terminator")   // the last string has no NUL, or no empty string ends the table
	CodeDuplicateIndex = perfdump.Code("duplicate-index") // an index comes again
	CodeDigitsText     = perfdump.Code("digits-text")     // a text is a number; its own text may be missing
	CodeOddLength      = perfdump.Code("odd-length")      // one byte is left over at the end of a table in UTF-16
	codeEncoding       = perfdump.Code("encoding")        // a text is not valid in the table's encoding
)

var levels = perfdump.Levels{"entry", "line"}

// check collects the anomalies of t in the order of their offsets.
func (t *Table) check() {
	if len(t.file) == 0 {
		t.note(CodeEmpty, 0, perfdump.Path{}, "no bytes, not even a terminator")
		return
	}
	n := 0
	for i, it := range t.all() {
		switch {
		case it.kind == entry:
			t.checkEntry(i, levels.Root().At(0, n))
			n++
		case it.kind == lone:
			t.note(CodeOddCount, int(it.pos), levels.Root().At(0, n), "index %d has no text", int64(it.index))
		case t.emptySkipped(i):
			for k := range int(it.index) + 1 {
				t.note(CodeIndexText, int(it.pos)+k*t.unit(), perfdump.Path{}, "an empty string in place of an index; skipped")
			}
		default:
			t.note(CodeIndexText, int(it.pos), perfdump.Path{}, "a string of %d bytes in place of an index; skipped", t.size(it))
		}
	}
	end := int(t.items[len(t.items)-1].pos)
	switch left := t.bodyEnd() - end; {
	case t.bodyEnd() == t.start():
		t.note(CodeEmpty, end, perfdump.Path{}, "nothing after the byte order mark")
	case left == 0 && !t.terminated():
		t.note(codeNoTerminator, end, perfdump.Path{}, "the last string has no NUL")
	case left == 0:
		t.note(codeNoTerminator, end, perfdump.Path{}, "no empty string ends the table")
	}
	if len(t.file) > t.bodyEnd() {
		t.note(CodeOddLength, t.bodyEnd(), perfdump.Path{}, "one byte after the last UTF-16 unit")
	}
}

func (t *Table) size(it item) int64 {
	end, _ := t.str(int(it.pos))
	return int64(end) - int64(it.pos)
}

func (t *Table) terminated() bool {
	return t.bodyEnd() > t.start() && t.isNUL(t.bodyEnd()-t.unit())
}

func (t *Table) checkEntry(i int, path perfdump.Path) {
	it, text := t.items[i], t.textOf(i)
	index := int64(it.index)
	switch {
	case text == "":
		t.note(CodeEmptyName, int(it.textPos), path.Field("Text"), "index %d has an empty text", index)
	case it.index != baseIndex && allDigits(text):
		t.note(CodeDigitsText, int(it.textPos), path.Field("Text"), "the text of index %d is a number; its own may be missing", index)
	}
	if it.bad {
		t.note(codeEncoding, int(it.textPos), path.Field("Text"), "the text of index %d is not valid in the table's encoding", index)
	}
	if t.replaced(i) {
		t.note(CodeDuplicateIndex, int(it.pos), path.Field("Index"), "index %d comes again further down; its last text counts", index)
	}
}

func (t *Table) note(code perfdump.Code, off int, path perfdump.Path, text string, args ...int64) {
	t.anomalies.Add(perfdump.NewAnomaly(code, int64(off), path, text, args...))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
