package registry

import (
	"bytes"
	"iter"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// RegEntry is what a line of a .reg file says, or several where data go on: a
// key that is opened or deleted, or a value of the key before.
type RegEntry struct {
	Key     bool   // a key, else a value
	Path    string // of the key, or of the key that the value belongs to
	Value   Value  // of a value; one that is deleted has a name and a place alone
	Deleted bool
	// Void says that Windows passes the entry over, although it is complete:
	// the key does not begin with the name of a root in full.
	Void  bool
	Line  int   // from 1
	Lines int   // how many it takes
	Off   int64 // of the first
}

// Entries yields the keys and values of the file in their order. What the
// anomalies tell of as not taken is left out. Each entry has memory of its own.
func (r *Reg) Entries() iter.Seq[RegEntry] {
	return r.parser().entries()
}

// parser goes through the lines.
type parser struct {
	r    *Reg
	told *perfdump.Anomalies // nil where they have been told
	buf  []byte
	key  *RegEntry // that the values belong to, nil before the first and behind one that is none
	data []byte    // of hex

	off, number int  // of the next line
	back        bool // the line before is to be read once more
	last        textlines.Line
}

func (r *Reg) parser() *parser { return &parser{r: r} }

func (p *parser) note(code perfdump.Code, l *textlines.Line, text string) {
	if p.told != nil {
		p.told.Add(perfdump.NewAnomaly(code, int64(l.Off), lineAt(l.Number), text))
	}
}

// line returns the next line. It goes from offset to offset, which costs no
// memory a line.
func (p *parser) line() (l textlines.Line, ok bool) {
	switch {
	case p.back:
		p.back = false
	case p.off == len(p.r.text.Bytes()):
		return l, false
	default:
		p.last = p.r.text.At(p.off)
		p.last.Number = p.number
		p.off, p.number = p.off+p.last.Size(), p.number+1
	}
	return p.last, true
}

func (p *parser) entries() iter.Seq[RegEntry] {
	return func(yield func(RegEntry) bool) {
		header := p.r.text.Line(p.r.first)
		p.off, p.number = header.Off+header.Size(), p.r.first+1
		p.back, p.key = false, nil
		for {
			l, ok := p.line()
			if !ok {
				return
			}
			if e, ok := p.entry(&l); ok && !yield(e) {
				return
			}
		}
	}
}

// entry reads the entry that begins in a line.
func (p *parser) entry(l *textlines.Line) (RegEntry, bool) {
	text := trim(l.Decode(&p.buf))
	if rest, ok := bytes.CutSuffix(text, []byte{textlines.CtrlZ}); ok {
		p.note(CodeCtrlZ, l, "Ctrl-Z, the end of a file of DOS")
		text = trim(rest)
	}
	switch {
	case len(text) == 0 || text[0] == ';' || text[0] == '#':
		return RegEntry{}, false
	case text[0] == '[':
		return p.keyEntry(l, text)
	case text[0] != '"' && text[0] != '@':
		p.note(CodeLineUnknown, l, "a line that is no key, value or comment")
		return RegEntry{}, false
	case p.key == nil:
		p.note(CodeValueOutside, l, "a value that belongs to no key")
		return RegEntry{}, false
	default:
		return p.valueEntry(l, text)
	}
}

func (p *parser) keyEntry(l *textlines.Line, text []byte) (RegEntry, bool) {
	p.key = nil
	end := bytes.LastIndexByte(text, ']')
	name, deleted := text[1:max(1, end)], false
	if len(name) > 0 && name[0] == '-' {
		name, deleted = name[1:], true
	}
	if end < 0 || len(name) == 0 || isBlank(name[0]) {
		p.note(CodeKeyLine, l, "a key without its name or its ]; its values are not taken")
		return RegEntry{}, false
	}
	if !onlyComment(text[end+1:]) {
		p.note(CodeKeyLine, l, "text behind the ] of a key")
	}
	e := RegEntry{Key: true, Path: string(name), Deleted: deleted, Line: l.Number, Lines: 1, Off: int64(l.Off)}
	if e.Void = !fullRoot(e.Path); e.Void {
		p.note(CodeRootName, l, "a key that does not begin with the full name of a root, as HKEY_LOCAL_MACHINE; Windows passes it over")
	}
	if !deleted { // values below a deletion belong to nothing
		p.key = &e
	}
	return e, true
}

var roots = [...]string{
	"HKEY_LOCAL_MACHINE", "HKEY_USERS", "HKEY_CLASSES_ROOT", "HKEY_CURRENT_USER", "HKEY_CURRENT_CONFIG", "HKEY_DYN_DATA", "HKEY_PERFORMANCE_DATA",
}

func fullRoot(path string) bool {
	root, _, _ := strings.Cut(path, `\`)
	for _, name := range roots {
		if strings.EqualFold(root, name) {
			return true
		}
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trim(b []byte) []byte { return bytes.Trim(b, " \t") }

// onlyComment reports whether nothing but a comment is left of a line.
func onlyComment(b []byte) bool {
	b = trim(b)
	return len(b) == 0 || b[0] == ';'
}
