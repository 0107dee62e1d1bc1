package titles

import "github.com/perfdump/perfdump"

// The codes of anomalies; docs/titles.md has an example of each.
const (
	CodeEmpty = perfdump.CodeEmpty // no bytes at all
	// CodeIndexText: a string in the place of an index is no number.
	CodeIndexText = perfdump.Code("index-text")
	// CodeEmptyName: the text of an index is empty.
	CodeEmptyName = perfdump.Code("empty-name")
	// CodeOddCount: an index at the end has no text.
	CodeOddCount = perfdump.Code("odd-count")
	// CodeNoTerminator: the last string has no NUL, or no empty string ends the table.
	CodeNoTerminator = perfdump.Code("no-terminator")
	// CodeDuplicateIndex: an index comes again.
	CodeDuplicateIndex = perfdump.Code("duplicate-index")
	// CodeDigitsText: a text is a number; its own text may be missing.
	CodeDigitsText = perfdump.Code("digits-text")
	// CodeOddLength: one byte is left over at the end of a table in UTF-16.
	CodeOddLength = perfdump.Code("odd-length")
	// CodeEncoding: a text is not valid in the table's encoding.
	CodeEncoding = perfdump.Code("encoding")
)

var levels = perfdump.Levels{"entry", "line"}

// judge tells what is odd about t. It is a second walk, so that anomalies come
// in the order of their offsets though repeats are known only at the end.
func (t *Table) judge() {
	if t.size == 0 {
		t.note(CodeEmpty, 0, perfdump.Path{}, "no bytes, not even a terminator")
		return
	}
	n := 0
	var buf []byte
	end := t.start()
	t.walk(func(it item, at place) bool {
		path := levels.Root().At(0, n)
		switch it.kind {
		case skipped:
			t.noteSkipped(it, at)
		case lone:
			t.note(CodeOddCount, at.index, path, "index %d has no text", int64(it.index))
		case entry:
			buf = t.judgeEntry(it, at, path, buf)
			n++
		}
		end = at.end
		return true
	})
	switch left := t.bodyEnd() - end; {
	case t.bodyEnd() == t.start():
		t.note(CodeEmpty, end, perfdump.Path{}, "nothing after the byte order mark")
	case left == 0 && !t.terminated():
		t.note(CodeNoTerminator, end, perfdump.Path{}, "the last string has no NUL")
	case left == 0:
		t.note(CodeNoTerminator, end, perfdump.Path{}, "no empty string ends the table")
	}
	if t.size > t.bodyEnd() {
		t.note(CodeOddLength, t.bodyEnd(), perfdump.Path{}, "one byte after the last UTF-16 unit")
	}
}

func (t *Table) noteSkipped(it item, at place) {
	if it.indexEnd == it.pos {
		t.note(CodeIndexText, at.index, perfdump.Path{}, "an empty string where an index belongs; skipped")
		return
	}
	t.note(CodeIndexText, at.index, perfdump.Path{}, "a string of %d bytes that is no index where one belongs; skipped", at.indexEnd-at.index)
}

func (t *Table) judgeEntry(it item, at place, path perfdump.Path, buf []byte) []byte {
	text := t.text[it.textPos:it.textEnd]
	switch {
	case text == "":
		t.note(CodeEmptyName, at.text, path.Field("Text"), "index %d has an empty text", int64(it.index))
	case it.index != baseIndex && allDigits(text):
		t.note(CodeDigitsText, at.text, path.Field("Text"), "the text of index %d is a number; its own may be missing", int64(it.index))
	}
	if t.lossy { // only where the text is not the file itself
		var ok bool
		if buf, ok = t.src.valid(buf, t.raw[at.text:at.textEnd]); !ok {
			t.note(CodeEncoding, at.text, path.Field("Text"), "the text of index %d is not valid in the table's encoding", int64(it.index))
		}
	}
	if t.repeats {
		if p, _ := t.find(it.index); p != it.pos {
			t.note(CodeDuplicateIndex, at.index, path.Field("Index"), "index %d comes again further down; its last text counts", int64(it.index))
		}
	}
	return buf
}

func (t *Table) note(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	t.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
