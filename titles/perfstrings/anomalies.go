package perfstrings

import (
	"slices"
	"sort"
	"strings"

	"github.com/perfdump/perfdump"
)

// The codes of anomalies; docs/titles.md has an example of each.
const (
	codeLineEnds         = perfdump.Code("line-ends")         // no line ends in CR LF; LF is taken for the end of a line
	codeNoValue          = perfdump.Code("no-value")          // a line without =
	codeUnknownSection   = perfdump.Code("unknown-section")   // a section that no backup has, a language that is not hexadecimal, or a key before the first section
	codeUnknownKey       = perfdump.Code("unknown-key")       // a key that does not belong to Perflib or a provider
	codeDuplicateSection = perfdump.Code("duplicate-section") // Perflib, or a provider, has more than one section
	codeDuplicateKey     = perfdump.Code("duplicate-key")     // a key occurs twice in its section
	codeMissingKey       = perfdump.Code("missing-key")       // Perflib or a provider lacks a key, or the file lacks Perflib
	codeNumber           = perfdump.Code("number")            // a value of Perflib or a provider is not a decimal number below 2^32
	CodeIndexText        = perfdump.Code("index-text")        // a key among the strings is not an index
	CodeEmptyName        = perfdump.Code("empty-name")        // the text of an index is empty
	CodeDuplicateIndex   = perfdump.Code("duplicate-index")   // an index occurs in its language more than once
	codeEncoding         = perfdump.Code("encoding")          // a line is not valid in the file's encoding
)

var levels = perfdump.Levels{"line"}

// checker collects the anomalies of a file in the order of its lines.
type checker struct {
	f         *File
	providers map[string]int // sections, by the name in lower case
	indexes   map[uint64]int // entries, by language<<32 | index

	section sectionKind // that the lines are in
	off     int64
	path    perfdump.Path
	seen    map[string]bool // its keys
	perflib bool            // there was one
}

func (c *checker) check() {
	f := c.f
	if f.loose {
		f.note(codeLineEnds, 0, perfdump.Path{}, "no line ends in CR LF; LF is taken for the end of a line")
	}
	if f.perflib.Line == 0 {
		f.note(codeMissingKey, -1, perfdump.Path{}, "there is no section [Perflib]")
	}
	for w, p := range f.lines() {
		c.line(w, p)
	}
	c.end()
	// What a section lacks is known at its end only.
	all := f.anomalies.Kept()
	sort.SliceStable(all, func(i, j int) bool { return all[i].Off < all[j].Off })
}

func (c *checker) line(w *walker, p piece) {
	f, off, path := c.f, int64(p.Off), levels.Root().At(0, p.Number-1)
	if !w.valid(p) {
		f.note(codeEncoding, off, path, "not valid in the file's encoding; U+FFFD replaces what is not")
	}
	switch p.kind {
	case lineBlank, lineComment:
	case lineOther:
		if p.section != sectionUnknown {
			f.note(codeNoValue, off, path, "a line of %d bytes without = in it", int64(len(p.Raw)))
		}
	case lineSection:
		c.end()
		c.section, c.off, c.path = p.section, off, path
		clear(c.seen)
		switch {
		case p.section == sectionUnknown:
			f.note(codeUnknownSection, off, path, "not a section of a backup; its lines are not read")
		case p.section == sectionProvider && c.providers[strings.ToLower(p.name)] > 1:
			f.note(codeDuplicateSection, off, path, "the provider has more than one section")
		case p.section == sectionPerflib && c.perflib:
			f.note(codeDuplicateSection, off, path, "a second section [Perflib]; the first value of a key counts")
		}
		c.perflib = c.perflib || p.section == sectionPerflib
	case linePair:
		c.pair(w, p, off, path)
	}
}

func (c *checker) pair(w *walker, p piece, off int64, path perfdump.Path) {
	f, value := c.f, off+int64(p.value)
	switch p.section {
	case sectionNone:
		f.note(codeUnknownSection, off, path, "a key before the first section")
	case sectionStrings:
		index, ok := w.index(p)
		switch {
		case !ok:
			f.note(CodeIndexText, off, path.Field("Index"), "the key is not an index; the line is not read")
		case p.value == len(p.Raw):
			f.note(CodeEmptyName, value, path.Field("Text"), "index %d has an empty text", int64(index))
		}
		if ok && c.indexes[uint64(p.lang)<<32|uint64(index)] > 1 {
			f.note(CodeDuplicateIndex, off, path.Field("Index"), "index %d is in the language more than once; its last text counts", int64(index))
		}
	case sectionPerflib, sectionProvider:
		keys, key := keysOf[p.section], w.keyText(p)
		i := slices.IndexFunc(keys, func(name string) bool { return strings.EqualFold(name, key) })
		if i < 0 {
			f.note(codeUnknownKey, off, path.Field("Key"), "the key does not belong to a section of this kind")
			return
		}
		if c.seen[keys[i]] {
			f.note(codeDuplicateKey, off, path.Field("Key"), "the key is here a second time; its first value counts")
		}
		c.seen[keys[i]] = true
		if _, ok := w.number(p); !ok {
			f.note(codeNumber, value, path.Field("Value"), "the value is not a decimal number below 2^32")
		}
	case sectionUnknown:
	}
}

// end reports how many keys the section lacks.
func (c *checker) end() {
	missing := int64(0)
	for _, key := range keysOf[c.section] {
		if !c.seen[key] && key != keyDisable {
			missing++
		}
	}
	if missing > 0 {
		c.f.note(codeMissingKey, c.off, c.path, "the section lacks %d of the keys that belong there", missing)
	}
}

// valid reports whether a line is text in the encoding of the file.
func (w *walker) valid(p piece) bool {
	for _, c := range p.Raw {
		if c >= 0x80 || w.enc.IsUTF16() && len(p.Raw)%2 == 1 {
			var ok bool
			w.buf, ok = w.enc.Append(w.buf[:0], p.Raw)
			return ok && (!w.enc.IsUTF16() || len(p.Raw)%2 == 0)
		}
	}
	return true
}

func (f *File) note(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	f.anomalies.Add(perfdump.NewAnomaly(code, off, path, text, args...))
}
