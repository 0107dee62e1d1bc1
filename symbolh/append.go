package symbolh

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

// Symbol is an object or a counter for whoever writes a provider.
type Symbol struct {
	Name   string // as in the .ini file, a name in C
	Offset uint32 // even
	Title  string // what users see; for comments, may be empty
	Help   string // for comments, may be empty
}

// AppendHeader appends a new symbol file to dst, in ASCII with CRLF, with a
// guard unless that is empty. [Parse] reads it back without anomalies. Titles
// are not in it, since nothing tells the code page of a .h file.
//
// The errors, of this and of AppendGo and AppendEnum, have code "syntax" and
// Off -1: a name that is none in C or comes twice, in whatever case, an offset
// that is odd or comes twice. dst is returned as it was then.
func AppendHeader(dst []byte, guard string, symbols []Symbol) ([]byte, error) {
	names := symbols
	if guard != "" {
		names = append(slices.Clone(symbols), Symbol{Name: guard, Offset: unused(symbols)})
	}
	if err := checkSymbols(names); err != nil {
		return dst, err
	}
	if guard != "" {
		dst = append(dst, "#ifndef "+guard+"\r\n#define "+guard+"\r\n\r\n"...)
	}
	for _, s := range symbols {
		dst = append(dst, define+" "+s.Name+" "+s.number()+"\r\n"...)
	}
	if guard != "" {
		dst = append(dst, "\r\n#endif\r\n"...)
	}
	return dst, nil
}

// AppendGo appends a file of Go to dst, as gofmt has it: a package with a
// constant for each symbol, which add to First Counter and First Help of the
// provider's registry key. A name that Go cannot have, and symbols that
// [AppendHeader] refuses, are errors, and then dst stays as it is.
func AppendGo(dst []byte, pkg string, symbols []Symbol) ([]byte, error) {
	if !token.IsIdentifier(pkg) || pkg == "_" {
		return dst, misfit("the package %.40q; a name in Go is expected", pkg)
	}
	for _, s := range symbols {
		if token.IsKeyword(s.Name) || s.Name == "_" {
			return dst, misfit("the symbol %q, which is no name in Go", s.Name)
		}
	}
	if err := checkSymbols(symbols); err != nil {
		return dst, err
	}
	dst = append(dst, "package "+pkg+"\n"...)
	if len(symbols) == 0 {
		return dst, nil
	}
	dst = append(dst, "\n// Offsets of the objects and counters: the index of a name is First Counter\n// plus its offset, that of its explanation First Help plus its offset.\nconst (\n"...)
	for i, s := range symbols {
		if i > 0 {
			dst = append(dst, '\n')
		}
		if c := s.comment(); c != "" {
			dst = append(dst, "\t// "+s.Name+" is "+c+"\n"...)
		}
		dst = append(dst, "\t"+s.Name+" = "+s.number()+"\n"...)
	}
	return append(dst, ")\n"...), nil
}

// AppendEnum appends an enum of C to dst, in UTF-8 with LF. lodctr does not
// read enums: it is for the provider's code, beside the symbol file. A name that
// C cannot have, symbols that [AppendHeader] refuses, and none of them are errors, and
// then dst stays as it is.
func AppendEnum(dst []byte, name string, symbols []Symbol) ([]byte, error) {
	if !plainName(name) {
		return dst, misfit("the enum %.40q; a name in C is expected", name)
	}
	if err := checkSymbols(symbols); err != nil {
		return dst, err
	}
	if len(symbols) == 0 {
		return dst, misfit("an enum without symbols, which C does not have")
	}
	dst = append(dst, "enum "+name+" {\n"...)
	for _, s := range symbols {
		dst = append(dst, "\t"+s.Name+" = "+s.number()+","...)
		if c := s.comment(); c != "" {
			dst = append(dst, " /* "+strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(c)+" */"...)
		}
		dst = append(dst, '\n')
	}
	return append(dst, "};\n"...), nil
}

func (s Symbol) number() string { return strconv.FormatUint(uint64(s.Offset), 10) }

// comment returns title and help on one line.
func (s Symbol) comment() string {
	c := s.Title
	if s.Help != "" {
		c = strings.TrimPrefix(c+": "+s.Help, ": ")
	}
	c = strings.ToValidUTF8(c, "\uFFFD")
	return strings.Join(strings.FieldsFunc(c, func(r rune) bool { return r <= ' ' || r == 0x7F || r == 0xFEFF }), " ")
}

// unused returns an even offset that no symbol has.
func unused(symbols []Symbol) uint32 {
	used := map[uint32]bool{}
	for _, s := range symbols {
		used[s.Offset] = true
	}
	n := uint32(0)
	for used[n] {
		n += 2
	}
	return n
}

func checkSymbols(symbols []Symbol) error {
	names, offsets := map[string]bool{}, map[uint32]string{}
	for _, s := range symbols {
		folded := string(textlines.AppendFold(nil, []byte(s.Name)))
		other, taken := offsets[s.Offset]
		switch {
		case !plainName(s.Name):
			return misfit("the symbol %.40q; a name in C is expected", s.Name)
		case names[folded]:
			return misfit("the symbol %q comes twice", s.Name)
		case s.Offset%2 != 0:
			return misfit("%s has the odd offset %d; even offsets are for names", s.Name, s.Offset)
		case taken:
			return misfit("%s has the offset %d of %s", s.Name, s.Offset, other)
		}
		names[folded], offsets[s.Offset] = true, s.Name
	}
	return nil
}
