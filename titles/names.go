package titles

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/once"
	"github.com/perfdump/perfdump/internal/wire"
)

//go:embed base.tsv
var baseList []byte

var base = sync.OnceValue(func() *Table {
	t, err := ParseText(baseList, perfdump.Options{})
	if err != nil {
		panic(err) // TestBase reads the list
	}
	return t
})

// Base returns the English names of the base counters, whose indexes mean the
// same on every Windows since XP. 546, 638 and 658 are IPv4, TCPv4 and UDPv4, as
// since Vista. The table is shared.
func Base() *Table { return base() }

// Names finds the name of an index in several tables. The zero Names has the
// base names only. It is safe for concurrent use.
type Names struct {
	// OnlyTables leaves out the names of [Base], so that what the tables of a machine
	// lack has no name.
	OnlyTables bool

	tables []*Table
}

// NewNames returns the names of tables, the first one that has a name giving
// it, and those of [Base] after them. A nil table is skipped.
func NewNames(tables ...*Table) *Names {
	n := &Names{}
	for _, t := range tables {
		if t != nil {
			n.tables = append(n.tables, t)
		}
	}
	return n
}

// Lookup returns the name of an index and whether a table has one. An empty text does not
// count as a name. It allocates nothing.
func (n *Names) Lookup(index uint32) (string, bool) {
	if n != nil {
		for _, t := range n.tables {
			if name, ok := t.Lookup(index); ok && name != "" {
				return name, true
			}
		}
	}
	if n != nil && n.OnlyTables {
		return "", false
	}
	return Base().Lookup(index)
}

// Name returns the name of an index, or the index in decimal if no table has one, as
// Windows' own tools do. It only allocates for such a number; [Names.Append] never does.
func (n *Names) Name(index uint32) string {
	if name, ok := n.Lookup(index); ok {
		return name
	}
	return strconv.FormatUint(uint64(index), 10)
}

// Append appends what [Names.Name] returns to dst.
func (n *Names) Append(dst []byte, index uint32) []byte {
	if name, ok := n.Lookup(index); ok {
		return append(dst, name...)
	}
	return strconv.AppendUint(dst, uint64(index), 10)
}

// Match is [Table.Indexes] for a name in which * matches any characters, also
// none. An empty text is never found.
func (t *Table) Match(name string) []uint32 {
	if !strings.Contains(name, "*") {
		return t.Indexes(name)
	}
	var found []uint32
	for index, text := range t.All() {
		if MatchText(name, text) {
			found = append(found, index)
		}
	}
	return found
}

// MatchText reports whether text is name without regard to case, where * matches
// any characters, also none.
func MatchText(name, text string) bool {
	name, text = strings.Map(wire.Fold, name), strings.Map(wire.Fold, text)
	if !strings.Contains(name, "*") {
		return name == text
	}
	return text != "" && matches(strings.Split(name, "*"), text)
}

// matches reports whether s is parts, in this order, with anything in between.
func matches(parts []string, s string) bool {
	first, last := parts[0], parts[len(parts)-1]
	if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, rest, ok := strings.Cut(s, part)
		if !ok {
			return false
		}
		s = rest
	}
	return true
}

// perfc and perfh are the tables in use, perfd and perfi those of the names
// and help texts that Windows was installed with.
var datName = once.Regexp(`(?i)^perf([chdi])([0-9a-f]{3,4})\.dat$`)

// ParseDatName returns the language, in lower case, and the kind that a file name
// of the database gives, with or without a path: perfc009.dat, perfh009.dat,
// perfd009.dat and perfi009.dat. It is false for other names.
func ParseDatName(name string) (language string, kind Kind, ok bool) {
	m := datName().FindStringSubmatch(name[strings.LastIndexAny(name, `/\`)+1:])
	if m == nil {
		return "", Counter, false
	}
	if strings.ContainsAny(m[1], "hHiI") {
		kind = Help
	}
	return strings.ToLower(m[2]), kind, true
}

// DatName returns the name of the file of the database that has a language's
// table: perfc009.dat, perfh009.dat.
func DatName(language string, kind Kind) string {
	return "perf" + kind.String()[:1] + language + ".dat"
}
