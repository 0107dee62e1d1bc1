package perfstrings

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/titles"
)

// Backup is the content of a new file.
type Backup struct {
	// Perflib has the values of the machine. Missing ones are derived from the strings:
	// 1847, and the highest indexes.
	Perflib   Perflib
	Providers []Provider
	Strings   []Strings
}

// Strings is the texts of a language.
type Strings struct {
	Language string          // "009"
	Tables   []*titles.Table // of names and of help texts; the last one counts where two have an index
}

// Append appends a new file to dst as lodctr /S writes it: UTF-16LE without a
// byte order mark, two empty lines first, an empty line between sections, none at
// the end, and names and help texts together, by index. The error has code
// "syntax": a text with CR LF, a name that no section can have, or a language that
// is not three or four hex digits. Then dst is returned unchanged.
func Append(dst []byte, b *Backup) ([]byte, error) {
	a := appender{out: dst, enc: textlines.UTF16(false)}
	p := b.perflib()
	a.line("")
	a.section("", perflibName)
	a.numbers(sectionPerflib, p.numbers())
	for i := range b.Providers {
		a.section(providerPrefix, b.Providers[i].Name)
		a.numbers(sectionProvider, b.Providers[i].numbers())
	}
	for _, s := range b.Strings {
		if _, ok := languageOf(s.Language); !ok {
			a.fail(fmt.Errorf("language %q is not three or four hex digits, as 009", s.Language))
		}
		a.section(stringsPrefix, s.Language)
		a.pair("1", strconv.FormatUint(uint64(p.BaseIndex.Value), 10))
		texts := map[uint32]string{}
		for _, t := range s.Tables {
			maps.Insert(texts, t.All())
		}
		for _, index := range slices.Sorted(maps.Keys(texts)) {
			a.pair(strconv.FormatUint(uint64(index), 10), texts[index])
		}
	}
	if a.err != nil {
		return dst, a.err
	}
	return a.out[:len(a.out)-4], nil // the last CR LF
}

func (b *Backup) perflib() Perflib {
	p := b.Perflib
	counter, help := uint32(titles.LastBase-1), uint32(titles.LastBase)
	for _, s := range b.Strings {
		for _, t := range s.Tables {
			for index := range t.All() {
				if index%2 == 0 {
					counter = max(counter, index)
				} else {
					help = max(help, index)
				}
			}
		}
	}
	// A name whose help text is missing has its index all the same.
	help = max(help, counter+1)
	fill := func(n *Number, v uint32) {
		if !n.Given {
			*n = Number{Value: v, Given: true}
		}
	}
	fill(&p.BaseIndex, titles.LastBase)
	fill(&p.LastCounter, help-1)
	fill(&p.LastHelp, help)
	return p
}

// appender writes lines until the first error.
type appender struct {
	out []byte
	enc textlines.Encoding
	err error
}

func (a *appender) fail(err error) {
	if a.err == nil {
		a.err = &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: fmt.Errorf("%w: %w", perfdump.ErrSyntax, err)}
	}
}

func (a *appender) line(s string) {
	if a.err != nil {
		return
	}
	var err error
	if a.out, err = a.enc.AppendLine(a.out, s, "\r\n"); err != nil {
		a.err = err
	}
}

func (a *appender) section(prefix, name string) {
	if strings.ContainsAny(name, "\r\n\x00") || name == "" {
		a.fail(fmt.Errorf("%q cannot be the name of a section", name))
	}
	a.line("")
	a.line("[" + prefix + name + "]")
}

func (a *appender) numbers(s sectionKind, all []*Number) {
	for i, key := range keysOf[s] {
		if n := all[i]; n.Given {
			a.pair(key, strconv.FormatUint(uint64(n.Value), 10))
		}
	}
}

func (a *appender) pair(key, value string) {
	if strings.Contains(value, "\r\n") || strings.IndexByte(value, 0) >= 0 {
		a.fail(fmt.Errorf("the text of index %s holds CR LF or NUL, which would end it", key))
	}
	a.line(key + "=" + value)
}
