package detect

import (
	"bytes"
	"strconv"

	"github.com/perfdump/perfdump/internal/wire"
)

// isMultiString reports whether head begins a table of names: index, NUL, text,
// NUL, and so on. Two thirds of the strings must be pairs of an index and a text,
// in a short table all, and none may hold control characters. One in UTF-16 with
// the high byte first is a table, which its reader refuses.
func isMultiString(head []byte, cut bool) bool {
	wide := true
	switch {
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		head = head[2:]
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		head = swap16(head[2:])
	case len(head) >= 4 && head[0] == 0 && isDigit(head[1]) && head[2] == 0:
		head = swap16(head)
	default:
		wide = len(head) >= 4 && head[1] == 0 && head[3] == 0
	}
	if len(head) < 4 || !isDigit(head[0]) {
		return false
	}
	if wide {
		head = wire.AppendUTF16(nil, head)
	}
	end := bytes.LastIndexByte(head, 0)
	if end < 0 {
		return false
	}
	ended := end == len(head)-1
	if cut { // the last string may go on
		head = head[:end]
	}
	var c pairCounter
	for s := range bytes.SplitSeq(head, []byte{0}) {
		if !c.add(s) {
			return false
		}
	}
	return c.table(wide, wide || cut || ended)
}

type pairCounter struct {
	strings int
	paired  int  // of them in pairs of index and text
	broken  int  // of them not valid in UTF-16
	texts   bool // some text is not empty
	open    bool // the last string was an index
	one     bool // the first string is 1, whose text is a number
}

// add is false for a string that no table has in that place.
func (c *pairCounter) add(s []byte) bool {
	for _, b := range s {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' {
			return false
		}
	}
	index := isIndex(s)
	switch {
	case c.strings == 0 && !index:
		return false
	case c.open && (!index || c.one && c.strings == 1):
		c.strings++
		c.paired += 2
		c.texts = c.texts || len(s) > 0
		c.open = false
	case len(s) > 0:
		c.one = c.one || c.strings == 0 && string(s) == "1"
		c.strings++
		c.open = index
	}
	if bytes.Contains(s, []byte("\uFFFD")) {
		c.broken++
	}
	return true
}

// table reports whether the strings are a table. whole says that a table of few
// strings is possible.
func (c *pairCounter) table(wide, whole bool) bool {
	paired := c.paired
	if c.open {
		paired++ // an index that was cut off its text
	}
	switch {
	case !c.texts, wide && 4*c.broken > c.strings:
		return false
	case c.strings < 6:
		return whole && paired == c.strings
	default:
		return 3*paired >= 2*c.strings
	}
}

// isTitleList reports whether text is a list of names, a line "6 : % Processor
// Time" or "6", TAB and the name. Nine tenths of the lines must be such, and
// their indexes ascend: much other text begins lines with numbers.
func isTitleList(text []byte) bool {
	text, header := bytes.CutPrefix(text, []byte("index\tname"))
	var lines, good, tabs int
	last := int64(-1)
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		index, tab, ok := titleLine(line)
		if lines++; lines == 1 && !ok {
			return false
		}
		if ok && index > last {
			good++
			last = index
		}
		if tab {
			tabs++
		}
	}
	if tabs == 1 && lines == 1 && !header {
		return false
	}
	return lines > 0 && 10*good >= 9*lines
}

// titleLine returns the index of a line of a list. It is stricter than a reader
// of lists: numbered lines are many, "12:30:01 started", "     1<TAB>text",
// "200: OK".
func titleLine(line []byte) (index int64, tab, ok bool) {
	bare := bytes.TrimLeft(line, " ")
	n := 0
	for n < len(bare) && isDigit(bare[n]) {
		n++
	}
	if !isIndex(bare[:n]) || n == len(bare) {
		return 0, false, false
	}
	var name []byte
	switch {
	case bare[n] == '\t' && len(bare) == len(line):
		name, tab = bare[n+1:], true
	case bare[n] == ' ':
		if name, ok = bytes.CutPrefix(bytes.TrimLeft(bare[n:], " \t"), []byte(": ")); !ok {
			return 0, false, false
		}
	default:
		return 0, false, false
	}
	index, _ = strconv.ParseInt(string(bare[:n]), 10, 64) // of 1 to 10 digits
	if bytes.IndexByte(name, '\t') >= 0 || len(name) == 0 || isIndex(name) && index != 1 {
		return 0, false, false
	}
	return index, tab, true
}

// isIndex reports whether s is a number that could be an index.
func isIndex(s []byte) bool {
	if len(s) == 0 || len(s) > 10 {
		return false
	}
	for _, c := range s {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
