package capture

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump/titles"
)

// Names gives the words for title indexes: those of the tables it was made
// from, else those of Windows' own counters, else the index in decimal. It
// remembers what it has told, and counts the indexes without a name. Unlike a
// [titles.Names] it is for one goroutine at a time.
type Names struct {
	counters *titles.Names
	help     []*titles.Table
	numbers  map[uint32]string // the indexes that have no name
	tables   int
}

// NewNames returns the names of tables. Those of help texts among them
// explain, the others name; the first one that has an index gives its text.
func NewNames(tables ...*titles.Table) *Names {
	n := &Names{numbers: map[uint32]string{}}
	var counters []*titles.Table
	for _, t := range tables {
		switch {
		case t == nil:
		case t.Kind() == titles.Help:
			n.help = append(n.help, t)
		default:
			counters = append(counters, t)
		}
	}
	n.counters = titles.NewNames(counters...)
	n.tables = len(counters)
	return n
}

// maxName is how much of a name is given, in bytes. PDH has no names above
// 1,024 characters; a damaged table may have one of a megabyte, which would
// stand in every row.
const maxName = 4096

func cut(name string) string {
	if len(name) <= maxName {
		return name
	}
	for n := maxName; n > maxName-utf8.UTFMax; n-- { // no half of a character
		if utf8.RuneStart(name[n]) {
			return name[:n]
		}
	}
	return name[:maxName] // which is no UTF-8
}

// cutOwn is cut for a text that nothing else has, of which nothing else is
// kept.
func cutOwn(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.Clone(cut(name))
}

// cutText is cut for a text of which nobody has seen to it that it is UTF-8.
func cutText(name string) string { return strings.ToValidUTF8(cut(name), "\ufffd") }

// cutParts is cut for a text in parts.
func cutParts(parts iter.Seq[[]byte]) string {
	var b []byte
	for part := range parts {
		if b = append(b, part...); len(b) > maxName {
			break
		}
	}
	return cutOwn(string(b))
}

// Name returns the name of an index, which is the same string each time.
func (n *Names) Name(index uint32) string {
	if name, ok := n.counters.Lookup(index); ok {
		return cut(name)
	}
	name, ok := n.numbers[index]
	if !ok {
		name = strconv.FormatUint(uint64(index), 10)
		n.numbers[index] = name
	}
	return name
}

// Fork returns names for another goroutine or another purpose, which count for
// themselves.
func (n *Names) Fork() *Names {
	f := *n
	f.numbers = map[uint32]string{}
	return &f
}

// quiet is Name without counting.
func (n *Names) quiet(index uint32) string { return cut(n.counters.Name(index)) }

// has reports whether an index has a name.
func (n *Names) has(index uint32) bool {
	_, ok := n.counters.Lookup(index)
	return ok
}

// Help returns the help text of an index, "" where no table has one.
func (n *Names) Help(index uint32) string {
	for _, t := range n.help {
		if text, ok := t.Lookup(index); ok && text != "" {
			return cut(text)
		}
	}
	return ""
}

// Missing returns how many indexes were asked for that have no name.
func (n *Names) Missing() int { return len(n.numbers) }

// BuiltIn reports whether there is no table but the built-in one.
func (n *Names) BuiltIn() bool { return n.tables == 0 }
