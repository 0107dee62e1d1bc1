package titles

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
)

// Options says how to read a table. The zero Options is for tables as Windows
// gives them.
type Options struct {
	Mode   perfdump.Mode
	Limits perfdump.Limits
	// CodePage is the page of tables that are not UTF-16; 0 means 1252. A
	// table does not tell its page. 1200 forces UTF-16LE.
	CodePage uint32
}

// Kind says what the texts of a table are.
type Kind uint8

// The kinds of tables.
const (
	Counter Kind = iota // names of objects and counters; even indexes as a rule
	Help                // their explanations; odd indexes as a rule
)

// String returns "counter" or "help".
func (k Kind) String() string {
	if k == Help {
		return "help"
	}
	return "counter"
}

// Entry is an index and its text as the table has them.
type Entry struct {
	Index     uint32
	Text      string
	Off       int64  // of the index in the file; -1 in a table made from a list
	IndexText string // the index as spelled: "007"
}

// Table is a name table. It never changes and shares nothing with the bytes
// it was read from; all its methods are safe for concurrent use.
type Table struct {
	raw  []byte // the file; nil where text is the file byte by byte
	text string // all strings decoded, each with its NUL
	size int64  // of the file
	// last has, for each index, the offset in text of its last entry, as
	// index<<32 | offset in ascending order: the table in eight bytes a name.
	last    []uint64
	src     source
	enc     Encoding
	list    bool // made from a list: there is no file in this form
	lossy   bool // something was not valid in the encoding
	repeats bool // an index occurs twice

	anomalies perfdump.Anomalies
}

// Parse reads a name table: the bytes of the value "Counter 009" or "Help
// 009". It copies what it keeps.
//
// The errors are ErrBigEndian, ErrSyntax where no string is an index,
// ErrLimit for a string above 1 MiB or an input above 1 GiB, and in strict
// mode the first anomaly. Anything else is readable, with anomalies: corrupt
// tables are common, and half a table is better than numbers. No bytes at all
// are an empty table with the anomaly "empty". Salvage mode is as tolerant.
//
// It costs the time of two passes over the bytes and memory for a copy of
// them, the decoded text, and eight bytes a name.
func Parse(b []byte, o Options) (*Table, error) {
	if len(b) > maxInput {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "a table of %d bytes; the limit is %d", len(b), maxInput)
	}
	t := &Table{size: int64(len(b))}
	if err := t.detect(b, o); err != nil {
		return nil, err
	}
	if err := t.decode(b); err != nil {
		return nil, err
	}
	if !t.index() && strings.Trim(t.text, "\x00") != "" {
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, perfdump.Path{}, "no name table: of its strings none is an index of 1 to 10 digits")
	}
	t.anomalies.Reset(o.Limits.MaxAnomalies())
	t.judge()
	return t.finish(o.Mode)
}

// finish makes the first anomaly an error in strict mode.
func (t *Table) finish(m perfdump.Mode) (*Table, error) {
	if kept := t.anomalies.Kept(); m == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return t, nil
}

func (t *Table) detect(b []byte, o Options) error {
	page := cmp.Or(o.CodePage, pageDefault)
	if page == pageUTF16 || hasBOM(b) || looksUTF16(b) {
		t.enc = Encoding{CodePage: pageUTF16, BOM: hasBOM(b)}
		return nil
	}
	p, err := lookUpPage(page)
	if err != nil {
		return err
	}
	t.enc, t.src.page = Encoding{CodePage: page}, p
	return checkBigEndian(b)
}

func (t *Table) decode(b []byte) error {
	body := b[t.start():t.bodyEnd()]
	if t.src.verbatim(body) {
		t.text = string(body)
		return nil
	}
	// Twice, so that the text is allocated once and at its size.
	n := 0
	lossy, err := t.src.each(body, 0, t.start(), func(p []byte) { n += len(p) })
	if err != nil {
		return err
	}
	var text strings.Builder
	text.Grow(n)
	if _, err := t.src.each(body, 0, t.start(), func(p []byte) { text.Write(p) }); err != nil {
		return err
	}
	t.raw, t.text, t.lossy = bytes.Clone(b), text.String(), lossy
	return nil
}

// index fills last and reports whether any string is an index.
func (t *Table) index() (found bool) {
	n, size := 0, 0
	for w := newWalker(t.text); ; {
		it, ok := w.next()
		if !ok {
			break
		}
		found = found || it.kind != skipped
		if it.kind == entry {
			n++
			size += it.indexEnd - it.pos + 2
		}
	}
	// There are 10^5 indexes of up to five digits; each further one takes
	// eight bytes with its NUL and that of its text. Tables that repeat
	// indexes need no more room than that, with a half on top so that
	// compacting pays.
	t.last = make([]uint64, 0, min(n, (100_000+size/8)*3/2))
	for w := newWalker(t.text); ; {
		it, ok := w.next()
		if !ok {
			break
		}
		if it.kind != entry {
			continue
		}
		if len(t.last) == cap(t.last) {
			t.compact()
		}
		t.last = append(t.last, uint64(it.index)<<32|uint64(it.pos))
	}
	t.compact()
	return found
}

// compact sorts last and keeps the last entry of each index.
func (t *Table) compact() {
	if !slices.IsSorted(t.last) {
		slices.Sort(t.last)
	}
	kept := t.last[:0]
	for _, e := range t.last {
		if n := len(kept); n > 0 && kept[n-1]>>32 == e>>32 {
			kept[n-1] = e
			t.repeats = true
			continue
		}
		kept = append(kept, e)
	}
	t.last = kept
}

// start returns where the strings begin in the file.
func (t *Table) start() int64 {
	if t.enc.BOM {
		return 2
	}
	return 0
}

// bodyEnd returns where the strings end: before an odd last byte of UTF-16.
func (t *Table) bodyEnd() int64 {
	if t.enc.UTF16() {
		return t.start() + (t.size-t.start())&^1
	}
	return t.size
}

func (t *Table) terminated() bool { return strings.HasSuffix(t.text, "\x00") }

// find returns the offset in text of the last entry of an index.
func (t *Table) find(index uint32) (int, bool) {
	i, _ := slices.BinarySearch(t.last, uint64(index)<<32)
	if i == len(t.last) || uint32(t.last[i]>>32) != index {
		return 0, false
	}
	return int(t.last[i] & 0xFFFFFFFF), true
}

// textAt returns the text of the entry at pos.
func (t *Table) textAt(pos int) string {
	w := walker{s: t.text}
	_, pos = w.str(pos)
	end, _ := w.str(pos)
	return t.text[pos:end]
}

// Lookup returns the text of an index, the last one where it has several, and
// whether there is one; it may be empty. Index 1 is not a name and never
// found: see [Table.BaseIndex]. The string shares the table's memory; nothing
// is allocated, and the time grows with the logarithm of the entries.
func (t *Table) Lookup(index uint32) (string, bool) {
	if index == baseIndex {
		return "", false
	}
	pos, ok := t.find(index)
	if !ok {
		return "", false
	}
	return t.textAt(pos), true
}

// Indexes returns every index whose text is name, in ascending order and
// without regard to case; names are not unique. No index has the empty name.
// It looks at each entry.
func (t *Table) Indexes(name string) []uint32 {
	if name == "" {
		return nil
	}
	var found []uint32
	for index, text := range t.All() {
		if strings.EqualFold(text, name) {
			found = append(found, index)
		}
	}
	return found
}

// Len returns how many indexes [Table.All] yields.
func (t *Table) Len() int {
	if _, ok := t.find(baseIndex); ok {
		return len(t.last) - 1
	}
	return len(t.last)
}

// All yields each index once, in ascending order, with the text that
// [Table.Lookup] gives; index 1 is not among them.
func (t *Table) All() iter.Seq2[uint32, string] {
	return func(yield func(uint32, string) bool) {
		for _, e := range t.last {
			if index := uint32(e >> 32); index != baseIndex && !yield(index, t.textAt(int(e&0xFFFFFFFF))) {
				return
			}
		}
	}
}

// Entries yields the entries as they stand in the file, repeated ones and
// index 1 too. Strings that belong to no entry are left out; [Table.Spans]
// has them.
func (t *Table) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		t.walk(func(it item, at place) bool {
			if it.kind != entry {
				return true
			}
			e := Entry{Index: it.index, Text: t.text[it.textPos:it.textEnd], Off: at.index, IndexText: t.text[it.pos:it.indexEnd]}
			if t.list {
				e.Off = -1
			}
			return yield(e)
		})
	}
}

// BaseIndex returns the highest index of the base counters, which stands as
// the text of index 1 ("1847"), and false if the table does not say it.
func (t *Table) BaseIndex() (uint32, bool) {
	pos, ok := t.find(baseIndex)
	if !ok {
		return 0, false
	}
	return parseIndex(t.textAt(pos))
}

// Kind tells by their parity what most indexes are for. Nothing in a table
// says so, and a few tables break the rule.
func (t *Table) Kind() Kind {
	odd := 0
	for _, e := range t.last {
		if index := e >> 32; index != baseIndex && index%2 == 1 {
			odd++
		}
	}
	if odd*2 > t.Len() {
		return Help
	}
	return Counter
}

// Encoding returns how the table is written; a table made from a list would
// be written in UTF-16.
func (t *Table) Encoding() Encoding { return t.enc }

// Anomalies returns what is odd about the table. It belongs to t.
func (t *Table) Anomalies() *perfdump.Anomalies { return &t.anomalies }
