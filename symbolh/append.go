package symbolh

import (
	"slices"
	"strconv"
	"strings"
)

// Symbol is an object or a counter of a provider.
type Symbol struct {
	Name   string // as in the .ini file, a name in C
	Offset uint32 // even
	Title  string // what users see; for comments, may be empty
	Help   string // for comments, may be empty
}

// AppendHeader appends a new symbol file to dst, in ASCII with CRLF, with a
// guard unless that is empty. [Parse] reads it back without anomalies. Titles
// are not in it, since a .h file does not say its code page.
//
// The errors, of this and of AppendEnum, have code "syntax" and
// Off -1: a name that is not one in C or comes twice in any case, an offset
// that is odd or comes twice. dst is returned as it was then.
func AppendHeader(dst []byte, guard string, symbols []Symbol) ([]byte, error) {
	if err := checkSymbols(symbols); err != nil {
		return dst, err
	}
	if guard != "" {
		if !validName(guard) || slices.ContainsFunc(symbols, func(s Symbol) bool { return strings.EqualFold(s.Name, guard) }) {
			return dst, misfit("the guard %.40q; a name in C that no symbol has is expected", guard)
		}
		dst = append(dst, "#ifndef "+guard+"\r\n#define "+guard+"\r\n\r\n"...)
	}
	for _, s := range symbols {
		dst = append(dst, s.define()+"\r\n"...)
	}
	if guard != "" {
		dst = append(dst, "\r\n#endif\r\n"...)
	}
	return dst, nil
}

// AppendEnum appends an enum of C to dst, in UTF-8 with LF, for the provider's
// code: lodctr does not read enums. Besides what [AppendHeader] refuses, a name
// that is none in C and an enum without symbols are errors.
func AppendEnum(dst []byte, name string, symbols []Symbol) ([]byte, error) {
	if !validName(name) {
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

func (s Symbol) define() string { return define + " " + s.Name + " " + s.number() }

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

func checkSymbols(symbols []Symbol) error {
	names, offsets := map[string]bool{}, map[uint32]string{}
	for _, s := range symbols {
		folded := strings.ToLower(s.Name)
		other, taken := offsets[s.Offset]
		switch {
		case !validName(s.Name):
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
