package capture

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/english"
	"github.com/perfdump/perfdump/titles"
)

// Names returns the names of title indexes: those of the tables it was made from, otherwise
// those of Windows' own counters, otherwise the index in decimal. It caches names, and
// counts the indexes without a name. Unlike [titles.Names] it is not safe for concurrent
// use.
type Names struct {
	counters  *titles.Names
	local     []*titles.Table // the tables it was made from
	given     []*titles.Table // of English names, see SetEnglish
	help      []*titles.Table
	numbers   map[uint32]string // indexes without a name
	to        *translator
	inEnglish bool // English names are shown
	done      *translations
}

// NewNames returns the names of tables. Tables of help texts give the help, the others the
// names; the first table that has an index is used.
func NewNames(tables ...*titles.Table) *Names {
	n := &Names{numbers: map[uint32]string{}, done: newTranslations()}
	n.local, n.help = sorted(tables)
	n.counters = titles.NewNames(n.local...)
	n.to = newTranslator(n.local, nil)
	return n
}

// sorted returns the tables of names and those of help texts.
func sorted(tables []*titles.Table) (names, help []*titles.Table) {
	for _, t := range tables {
		switch {
		case t == nil:
		case t.Kind() == titles.Help:
			help = append(help, t)
		default:
			names = append(names, t)
		}
	}
	return names, help
}

// maxName is the maximum length of a name in bytes. PDH has no names above 1,024
// characters; a damaged table may have one of a megabyte, which would be in every row.
const maxName = 4096

func cut(name string) string {
	if len(name) <= maxName {
		return name
	}
	for n := maxName; n > maxName-utf8.UTFMax; n-- { // do not split a character
		if utf8.RuneStart(name[n]) {
			return name[:n]
		}
	}
	return name[:maxName] // not UTF-8
}

// cutClone is cut for a text that is not shared: it does not keep the whole text in memory.
func cutClone(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.Clone(cut(name))
}

// cutText is cut for a text that may not be UTF-8.
func cutText(name string) string { return strings.ToValidUTF8(cut(name), "\ufffd") }

// Name returns the name of an index, the same string each time. If English names are shown,
// it is the translation only if that is unambiguous for all objects.
func (n *Names) Name(index uint32) string {
	if name, ok := n.counters.Lookup(index); ok {
		if n.inEnglish {
			name, _ = n.to.name(name, index, english.Any)
		}
		return cut(name)
	}
	name, ok := n.numbers[index]
	if !ok {
		name = strconv.FormatUint(uint64(index), 10)
		n.numbers[index] = name
	}
	return name
}

// Fork returns names with separate counts, for another goroutine or purpose.
func (n *Names) Fork() *Names {
	f := *n
	f.numbers, f.done = map[uint32]string{}, newTranslations()
	return &f
}

// with returns n with the table of a machine instead of its own. It counts with n.
func (n *Names) with(table *titles.Table) *Names {
	own := NewNames(table)
	own.SetEnglish(n.inEnglish, n.given...)
	own.done = n.done
	return own
}

// uncounted is Name without counting.
func (n *Names) uncounted(index uint32) string { return cut(n.counters.Name(index)) }

// has reports whether an index has a name.
func (n *Names) has(index uint32) bool {
	_, ok := n.counters.Lookup(index)
	return ok
}

// recorded returns the names of an object and its counter.
func (n *Names) recorded(object, counter uint32) naming {
	return naming{n.uncounted(object), n.uncounted(counter)}
}

// object returns the shown name of an object.
func (n *Names) object(index uint32) string {
	return n.shown(naming{object: n.uncounted(index)}, index, 0).object
}

// counter returns the shown name of a counter of an object.
func (n *Names) counter(object, index uint32) string {
	return n.shown(n.recorded(object, index), object, index).counter
}

// Help returns the help text of an index, or "".
func (n *Names) Help(index uint32) string {
	for _, t := range n.help {
		if text, ok := t.Lookup(index); ok && text != "" {
			return cut(text)
		}
	}
	return ""
}

// Missing returns how many indexes were requested that have no name.
func (n *Names) Missing() int { return len(n.numbers) }

// BuiltIn reports whether n only uses the built-in table.
func (n *Names) BuiltIn() bool { return len(n.local)+len(n.given) == 0 }
