package perfstrings

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
)

// The codes of anomalies; docs/perfstrings.md has an example of each.
const (
	// CodeLineEnds: no line ends in CR LF. LF is taken for the end of a line.
	CodeLineEnds = perfdump.Code("line-ends")
	// CodeNoValue: a line without = in it.
	CodeNoValue = perfdump.Code("no-value")
	// CodeUnknownSection: a section that is none of a backup, a language that is no hexadecimal
	// number, or a key before the first section.
	CodeUnknownSection = perfdump.Code("unknown-section")
	// CodeUnknownKey: a key that does not belong to Perflib or a provider.
	CodeUnknownKey = perfdump.Code("unknown-key")
	// CodeDuplicateSection: Perflib, or a provider, has more than one section.
	CodeDuplicateSection = perfdump.Code("duplicate-section")
	// CodeDuplicateKey: a key stands in its section a second time.
	CodeDuplicateKey = perfdump.Code("duplicate-key")
	// CodeMissingKey: Perflib or a provider lacks a key, or the file lacks Perflib.
	CodeMissingKey = perfdump.Code("missing-key")
	// CodeNumber: a value of Perflib or a provider is not a decimal number below 2^32.
	CodeNumber = perfdump.Code("number")
	// CodeIndexText: a key among the strings is no index.
	CodeIndexText = perfdump.Code("index-text")
	// CodeEmptyName: the text of an index is empty.
	CodeEmptyName = perfdump.Code("empty-name")
	// CodeDuplicateIndex: an index stands in its language more than once.
	CodeDuplicateIndex = perfdump.Code("duplicate-index")
	// CodeEncoding: a line is not valid in the file's encoding.
	CodeEncoding = perfdump.Code("encoding")
)

var levels = perfdump.Levels{"line"}

// judge finds out what a file has and what is odd about it. It goes over the
// lines more than once, so that it need keep only what is repeated.
type judge struct {
	f       *File
	seed    maphash.Seed
	indexes []uint64 // language<<32 | index of those that are repeated
	names   []uint64 // the hashes of providers that are repeated
}

// collect fills in what the file has, and reports whether it is a backup.
func (j *judge) collect() bool {
	f := j.f
	j.seed = maphash.MakeSeed()
	at := map[uint32]int{} // at most one for each language there can be
	entries, sections, known := 0, 0, false
	f.walk(func(w *walker, p piece) bool {
		known = known || p.section == sectionPerflib || p.section == sectionProvider || p.section == sectionStrings
		switch {
		case p.kind == lineSection && p.section == sectionPerflib && f.perflib.Line == 0:
			f.perflib.Line = p.Number
		case p.kind == lineSection && p.section == sectionProvider:
			f.providers++
		case p.kind == lineSection && p.section == sectionStrings:
			sections++
			if _, ok := at[p.lang]; !ok {
				at[p.lang] = len(f.languages)
				f.languages = append(f.languages, Language{ID: p.name, Line: p.Number})
			}
		case p.kind != linePair:
		case p.section == sectionPerflib:
			if n := f.perflib.field(string(w.keyText(p))); n != nil && n.Line == 0 {
				*n, _ = w.number(p)
			}
		case p.section == sectionStrings:
			if _, ok := w.index(p); ok {
				f.languages[at[p.lang]].Count++
				entries++
			}
		}
		return true
	})
	if !known {
		return false
	}
	f.strings = make([]section, 0, sections)
	j.indexes, j.names = make([]uint64, 0, entries), make([]uint64, 0, f.providers)
	f.walk(func(w *walker, p piece) bool {
		switch {
		case p.kind == lineSection && p.section == sectionProvider:
			j.names = append(j.names, j.hash(p.name))
		case p.kind == lineSection && p.section == sectionStrings:
			f.strings = append(f.strings, section{lang: p.lang, line: uint32(p.Number), off: uint32(p.Off)})
		case p.kind == linePair && p.section == sectionStrings:
			if n, ok := w.index(p); ok {
				j.indexes = append(j.indexes, uint64(p.lang)<<32|uint64(n))
			}
		}
		return true
	})
	slices.SortStableFunc(f.strings, func(a, b section) int { return cmp.Compare(a.lang, b.lang) })
	j.indexes, j.names = repeated(j.indexes), repeated(j.names)
	return true
}

func (j *judge) hash(name string) uint64 { return maphash.String(j.seed, strings.ToLower(name)) }

// repeated returns what stands in all more than once, sorted, in its memory.
func repeated(all []uint64) []uint64 {
	slices.Sort(all)
	kept := all[:0]
	for i := 1; i < len(all); i++ {
		if v := all[i]; v == all[i-1] && (len(kept) == 0 || kept[len(kept)-1] != v) {
			// The place that is written lies before the ones yet to be read.
			kept = append(kept, v)
		}
	}
	return kept
}

func has(sorted []uint64, v uint64) bool {
	_, ok := slices.BinarySearch(sorted, v)
	return ok
}

// tell tells what is odd, in the order of the file.
func (j *judge) tell() {
	f := j.f
	if f.loose {
		f.note(CodeLineEnds, 0, perfdump.Path{}, "no line ends in CR LF; LF is taken for the end of a line")
	}
	if f.perflib.Line == 0 {
		f.note(CodeMissingKey, -1, perfdump.Path{}, "there is no section [Perflib]")
	}
	var keys keySet
	perflib := false
	f.walk(func(w *walker, p piece) bool {
		path := levels.Root().At(0, p.Number-1)
		off := int64(p.Off)
		if !w.valid(p) {
			f.note(CodeEncoding, off, path, "not valid in the file's encoding; U+FFFD stands for what is not")
		}
		switch p.kind {
		case lineBlank, lineComment:
		case lineOther:
			if p.section != sectionUnknown {
				f.note(CodeNoValue, off, path, "a line of %d bytes without = in it", int64(len(p.Raw)))
			}
		case lineSection:
			keys.end(f)
			keys = keySet{}
			switch {
			case p.section == sectionUnknown:
				f.note(CodeUnknownSection, off, path, "no section of a backup; its lines are kept and not read")
			case p.section == sectionProvider && has(j.names, j.hash(p.name)):
				f.note(CodeDuplicateSection, off, path, "the provider has more than one section")
			case p.section == sectionPerflib && perflib:
				f.note(CodeDuplicateSection, off, path, "a second section [Perflib]; the first value of a key counts")
			}
			perflib = perflib || p.section == sectionPerflib
			keys.begin(p, off, path)
		case linePair:
			j.tellPair(w, p, &keys, off, path)
		}
		return true
	})
	keys.end(f)
	// What a section lacks is known at its end only.
	slices.SortStableFunc(f.anomalies.Kept(), func(a, b perfdump.Anomaly) int { return cmp.Compare(a.Off, b.Off) })
}

func (j *judge) tellPair(w *walker, p piece, keys *keySet, off int64, path perfdump.Path) {
	f := j.f
	value := off + int64(p.value)
	switch p.section {
	case sectionNone:
		f.note(CodeUnknownSection, off, path, "a key before the first section")
	case sectionStrings:
		index, ok := w.index(p)
		switch {
		case !ok:
			f.note(CodeIndexText, off, path.Field("Index"), "the key is no index; the line is not read")
		case p.value == len(p.Raw):
			f.note(CodeEmptyName, value, path.Field("Text"), "index %d has an empty text", int64(index))
		}
		if ok && has(j.indexes, uint64(p.lang)<<32|uint64(index)) {
			f.note(CodeDuplicateIndex, off, path.Field("Index"), "index %d stands in the language more than once; its last text counts", int64(index))
		}
	case sectionPerflib, sectionProvider:
		switch known, again := keys.add(p.section, string(w.keyText(p))); {
		case !known:
			f.note(CodeUnknownKey, off, path.Field("Key"), "the key does not belong to a section of this kind")
			return
		case again:
			f.note(CodeDuplicateKey, off, path.Field("Key"), "the key stands here a second time; its first value counts")
		}
		if _, ok := w.number(p); !ok {
			f.note(CodeNumber, value, path.Field("Value"), "the value is not a decimal number below 2^32")
		}
	case sectionUnknown:
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

// keySet is the keys that a section has.
type keySet struct {
	section sectionKind
	off     int64
	path    perfdump.Path
	seen    [5]bool
}

func (k *keySet) begin(p piece, off int64, path perfdump.Path) {
	k.section, k.off, k.path = p.section, off, path
}

// add notes a key.
func (k *keySet) add(section sectionKind, key string) (known, again bool) {
	for i, name := range keysOf(section) {
		if strings.EqualFold(name, key) {
			again, k.seen[i] = k.seen[i], true
			return true, again
		}
	}
	return false, false
}

// end tells which keys a section lacks.
func (k *keySet) end(f *File) {
	missing := int64(0)
	for i, name := range keysOf(k.section) {
		if !k.seen[i] && name != keyDisable {
			missing++
		}
	}
	if missing > 0 {
		f.note(CodeMissingKey, k.off, k.path, "the section lacks %d of the keys that belong there", missing)
	}
}
