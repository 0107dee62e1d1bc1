package titles

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Kind is what the texts of a table are.
type Kind uint8

// The kinds of tables.
const (
	Counter Kind = iota // names of objects and counters; usually with even indexes
	Help                // their explanations; usually with odd indexes
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
	file    []byte // of a list: its entries as strings with their NULs
	text    string // the texts in UTF-8
	items   []item
	byIndex []int32        // the last item of each index, by index
	page    *wire.CodePage // nil for UTF-16 and lists
	enc     Encoding
	list    bool // read from a list
	lossy   bool // some text is not valid in the encoding
	repeats bool // an index occurs twice

	anomalies perfdump.Anomalies
}

// Parse reads a name table: the bytes of the value "Counter 009" or "Help
// 009". It copies what it keeps.
//
// The errors are ErrBigEndian, ErrSyntax if no string is an index, ErrLimit for a
// string above 1 MiB or an input above 1 GiB, and in strict mode the first anomaly.
// Anything else can be read, with anomalies, since damaged tables are common. An
// empty input is an empty table. Salvage mode is the same as tolerant.
func Parse(b []byte, o perfdump.Options) (*Table, error) {
	if len(b) > maxInput {
		return nil, perfdump.NewError(perfdump.CodeLimit, 0, perfdump.Path{}, "a table of %d bytes; the limit is %d", len(b), maxInput)
	}
	t := &Table{}
	if err := t.detect(b, o); err != nil {
		return nil, err
	}
	t.file = bytes.Clone(b)
	if err := t.scan(); err != nil {
		return nil, err
	}
	if len(t.items) > 1 && !slices.ContainsFunc(t.items[:len(t.items)-1], func(it item) bool { return it.kind != skipped }) {
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, perfdump.Path{}, "no name table: of its strings none is an index of 1 to 10 digits")
	}
	t.anomalies.Reset(o.Limits.MaxAnomalies())
	t.check()
	return t.finish(o.Mode)
}

func (t *Table) finish(m perfdump.Mode) (*Table, error) {
	if kept := t.anomalies.Kept(); m == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return t, nil
}

func (t *Table) detect(b []byte, o perfdump.Options) error {
	page := cmp.Or(o.CodePage, pageDefault)
	if page == pageUTF16 || hasBOM(b) || looksUTF16(b) {
		t.enc = Encoding{CodePage: pageUTF16, BOM: hasBOM(b)}
		return nil
	}
	p, err := lookUpPage(page)
	if err != nil {
		return err
	}
	t.enc, t.page = Encoding{CodePage: page}, p
	return checkBigEndian(b)
}

func (t *Table) sort() {
	all := make([]int32, 0, len(t.items))
	for i, it := range t.all() {
		if it.kind == entry {
			all = append(all, int32(i))
		}
	}
	t.byIndex = make([]int32, 0, len(all))
	slices.SortStableFunc(all, func(a, b int32) int { return cmp.Compare(t.items[a].index, t.items[b].index) })
	for _, i := range all {
		if n := len(t.byIndex); n > 0 && t.items[t.byIndex[n-1]].index == t.items[i].index {
			t.byIndex[n-1] = i
			t.repeats = true
			continue
		}
		t.byIndex = append(t.byIndex, i)
	}
}

func (t *Table) start() int {
	if t.enc.BOM && !t.list {
		return 2
	}
	return 0
}

// bodyEnd returns where the strings end: before an odd last byte of UTF-16.
func (t *Table) bodyEnd() int {
	return len(t.file) - (len(t.file)-t.start())%t.unit()
}

func (t *Table) find(index uint32) (int, bool) {
	i, ok := slices.BinarySearchFunc(t.byIndex, index, func(i int32, index uint32) int { return cmp.Compare(t.items[i].index, index) })
	if !ok {
		return 0, false
	}
	return int(t.byIndex[i]), true
}

// replaced reports whether the index of item i comes again further down.
func (t *Table) replaced(i int) bool {
	if !t.repeats {
		return false
	}
	last, _ := t.find(t.items[i].index)
	return last != i
}

// Lookup returns the text of an index, the last one if it has several, and
// whether there is one; it may be empty. Index 1 is not a name, see
// [Table.BaseIndex]. It allocates nothing.
func (t *Table) Lookup(index uint32) (string, bool) {
	i, ok := t.find(index)
	if !ok || index == baseIndex {
		return "", false
	}
	return t.textOf(i), true
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
		return len(t.byIndex) - 1
	}
	return len(t.byIndex)
}

// All yields each index once, in ascending order, with the text that
// [Table.Lookup] gives; index 1 is not among them.
func (t *Table) All() iter.Seq2[uint32, string] {
	return func(yield func(uint32, string) bool) {
		for _, i := range t.byIndex {
			if index := t.items[i].index; index != baseIndex && !yield(index, t.textOf(int(i))) {
				return
			}
		}
	}
}

// Entries yields the entries in the order of the file, repeated ones and index
// 1 too. Strings that belong to no entry are left out; [Table.Spans] has them.
func (t *Table) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for i, it := range t.all() {
			if it.kind != entry {
				continue
			}
			end, _ := t.str(int(it.pos))
			var buf [maxDigits]byte
			if !yield(Entry{it.index, t.textOf(i), t.off(int(it.pos)), string(t.digits(&buf, int(it.pos), end))}) {
				return
			}
		}
	}
}

// off returns the offset of a place in the file, -1 in a list.
func (t *Table) off(pos int) int64 {
	if t.list {
		return -1
	}
	return int64(pos)
}

// BaseIndex returns the highest index of the base counters, which is the text
// of index 1 ("1847"), and false if the table does not have it.
func (t *Table) BaseIndex() (uint32, bool) {
	i, ok := t.find(baseIndex)
	if !ok {
		return 0, false
	}
	return parseIndex(t.textOf(i))
}

// Kind returns the kind of most indexes, by their parity. The table itself does not contain
// it, and a few tables break the rule.
func (t *Table) Kind() Kind {
	odd := 0
	for _, i := range t.byIndex {
		if index := t.items[i].index; index != baseIndex && index%2 == 1 {
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

// Anomalies returns the anomalies of the table. They belong to t.
func (t *Table) Anomalies() *perfdump.Anomalies { return &t.anomalies }
