package registry

import (
	"bytes"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
)

// RegEntry is a line of a .reg file, or several where data continue: a key that
// is opened or deleted, or a value of the key before.
type RegEntry struct {
	Key     bool   // a key, else a value
	Path    string // of the key, or of the key that the value belongs to
	Value   Value  // of a value; one that is deleted has a name and a place alone
	Deleted bool
	// Void says that Windows skips the entry, although it is complete: the key
	// does not begin with the full name of a root.
	Void  bool
	Line  int   // from 1
	Lines int   // how many it takes
	Off   int64 // of the first
}

// Entries yields the keys and values of the file in order, except the skipped ones reported
// by anomalies. Each entry has separate memory.
func (r *Reg) Entries() iter.Seq[RegEntry] { return r.entries(nil) }

// entries yields the entries. With anomalies it finds these, and the entries say no
// more than where they are.
func (r *Reg) entries(anomalies *perfdump.Anomalies) iter.Seq[RegEntry] {
	return func(yield func(RegEntry) bool) {
		p := &parser{r: r, anomalies: anomalies, next: r.header + 1}
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

// selected yields the keys, and after each of them its values if values is then true.
func (r *Reg) selected(values *bool) iter.Seq[RegEntry] {
	return func(yield func(RegEntry) bool) {
		p := &parser{r: r}
		for i, line := range r.keys {
			end := r.text.Len() + 1
			if i+1 < len(r.keys) {
				end = int(r.keys[i+1])
			}
			for p.next = int(line); p.next < end; {
				l, _ := p.line()
				if e, ok := p.entry(&l); ok && !yield(e) {
					return
				}
				if l.Number == int(line) && !*values {
					break
				}
			}
		}
	}
}

type parser struct {
	r         *Reg
	anomalies *perfdump.Anomalies // nil where they are known
	next      int                 // the line that is read next
	buf       []byte
	key       RegEntry // that the values belong to
	inKey     bool     // false before the first and after an invalid one
	data      []byte   // of hex
}

// string returns b as a string, unless only anomalies are looked for.
func (p *parser) string(b []byte) string {
	if p.anomalies != nil {
		return ""
	}
	return string(b)
}

// utf16 appends b as UTF-16, unless only anomalies are looked for.
func (p *parser) utf16(dst, b []byte) []byte {
	if p.anomalies != nil {
		return nil
	}
	return wire.EncodeUTF16(dst, string(b))
}

func (p *parser) note(code perfdump.Code, l *textlines.Line, text string) {
	if p.anomalies != nil {
		p.anomalies.Add(l.Anomaly(code, 0, text, 0))
	}
}

func (p *parser) line() (l textlines.Line, ok bool) {
	l = p.r.text.Line(p.next)
	p.next++
	return l, l.Number > 0
}

func (p *parser) entry(l *textlines.Line) (RegEntry, bool) {
	text := trim(l.Decode(&p.buf))
	if rest, ok := bytes.CutSuffix(text, []byte{textlines.CtrlZ}); ok {
		p.note(codeCtrlZ, l, "Ctrl-Z, the end-of-file mark of DOS")
		text = trim(rest)
	}
	switch {
	case len(text) == 0 || text[0] == ';' || text[0] == '#':
		return RegEntry{}, false
	case text[0] == '[':
		return p.keyEntry(l, text)
	case text[0] != '"' && text[0] != '@':
		p.note(codeLineUnknown, l, "the line is not a key, a value or a comment")
		return RegEntry{}, false
	case !p.inKey:
		p.note(codeValueOutside, l, "the value belongs to no key")
		return RegEntry{}, false
	default:
		return p.valueEntry(l, text)
	}
}

func (p *parser) keyEntry(l *textlines.Line, text []byte) (RegEntry, bool) {
	p.inKey = false
	end := bytes.LastIndexByte(text, ']')
	name, deleted := text[1:max(1, end)], false
	if len(name) > 0 && name[0] == '-' {
		name, deleted = name[1:], true
	}
	if end < 0 || len(name) == 0 || isBlank(name[0]) {
		p.note(codeKeyLine, l, "the key has no name or no ]; its values are skipped")
		return RegEntry{}, false
	}
	if !onlyComment(text[end+1:]) {
		p.note(codeKeyLine, l, "text after the ] of a key")
	}
	e := RegEntry{Key: true, Path: p.string(name), Deleted: deleted, Line: l.Number, Lines: 1, Off: int64(l.Off)}
	if e.Void = !fullRoot(name); e.Void {
		p.note(codeRootName, l, "the key does not begin with the full name of a root such as HKEY_LOCAL_MACHINE; Windows skips it")
	}
	if !deleted { // values below a deletion belong to nothing
		p.key, p.inKey = e, true
	}
	return e, true
}

var roots = [...]string{
	"HKEY_LOCAL_MACHINE", "HKEY_USERS", "HKEY_CLASSES_ROOT", "HKEY_CURRENT_USER", "HKEY_CURRENT_CONFIG", "HKEY_DYN_DATA", "HKEY_PERFORMANCE_DATA",
}

func fullRoot(path []byte) bool {
	root, _, _ := bytes.Cut(path, []byte(`\`))
	for _, name := range roots {
		if len(root) >= len(name) && bytes.EqualFold(root, []byte(name)) {
			return true
		}
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trim(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// onlyComment reports whether nothing but a comment is left of a line.
func onlyComment(b []byte) bool {
	b = trim(b)
	return len(b) == 0 || b[0] == ';'
}
