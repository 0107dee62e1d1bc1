package capture

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/english"
	"github.com/perfdump/perfdump/titles"
)

// Names gives the words for title indexes: those of the tables it was made
// from, else those of Windows' own counters, else the index in decimal. It
// remembers names, and counts the indexes without a name. Unlike a
// [titles.Names] it is for one goroutine at a time.
type Names struct {
	counters  *titles.Names
	local     []*titles.Table // those that it was made from
	given     []*titles.Table // of English names, see SetEnglish
	help      []*titles.Table
	numbers   map[uint32]string // the indexes that have no name
	to        *translator
	inEnglish bool // English names are shown
	done      *translations
}

// NewNames returns the names of tables. Those of help texts among them
// explain, the others name; the first one that has an index gives its text.
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

// maxName is how much of a name is given, in bytes. PDH has no names above
// 1,024 characters; a damaged table may have one of a megabyte, which would
// be in every row.
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

// cutText is cut for a text that may not be UTF-8.
func cutText(name string) string { return strings.ToValidUTF8(cut(name), "\ufffd") }

// Name returns the name of an index, which is the same string each time. Where
// English names are shown it is the only one that the name may mean, whatever
// the object.
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

// Fork returns names for another goroutine or another purpose, which count for
// themselves.
func (n *Names) Fork() *Names {
	f := *n
	f.numbers, f.done = map[uint32]string{}, newTranslations()
	return &f
}

// with returns n with other tables of names, those of a machine. It counts with n.
func (n *Names) with(table *titles.Table) *Names {
	own := NewNames(table)
	own.SetEnglish(n.inEnglish, n.given...)
	own.done = n.done
	return own
}

// quiet is Name without counting.
func (n *Names) quiet(index uint32) string { return cut(n.counters.Name(index)) }

// has reports whether an index has a name.
func (n *Names) has(index uint32) bool {
	_, ok := n.counters.Lookup(index)
	return ok
}

// recorded returns the names of a counter of an object by their indexes.
func (n *Names) recorded(object, counter uint32) naming {
	return naming{n.quiet(object), n.quiet(counter)}
}

// object returns the name that is shown for the index of an object.
func (n *Names) object(index uint32) string {
	return n.shown(naming{object: n.quiet(index)}, index, 0).object
}

// counter returns the name that is shown for the index of a counter of an object.
func (n *Names) counter(object, index uint32) string {
	return n.shown(n.recorded(object, index), object, index).counter
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

// Missing returns how many requested indexes have no name.
func (n *Names) Missing() int { return len(n.numbers) }

// BuiltIn reports whether there is no table but the built-in one.
func (n *Names) BuiltIn() bool { return len(n.local)+len(n.given) == 0 }
