package pdhpath

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

// Path is a counter path taken apart. Its strings may hold wildcards; only
// [Compile] gives them a meaning.
type Path struct {
	Machine     string // without \\; "" when unknown
	Object      string
	Parent      string // "" without one
	Instance    string // without parent and number
	Index       int    // which of several equal names, 0 being the first
	HasInstance bool   // false for objects that have one unnamed set of counters
	Counter     string
}

// Parse takes a path apart. The machine ends at the third backslash. If ")\"
// occurs, the last one ends the instance and the first "(" starts it; else the
// last backslash starts the counter. In the instance, the first "/" ends the
// parent, and a final "#" with a number is the index; "#0" is as if it was not
// there.
//
// The error is a *perfdump.FormatError of code "syntax" whose offset is where
// s goes wrong. The strings of the path are parts of s; nothing is allocated.
func Parse(s string) (Path, error) {
	var p Path
	machine, rest, off, err := cutMachine(s)
	if err != nil {
		return Path{}, err
	}
	p.Machine = machine
	sp := split{rest: rest}
	sp.end = strings.LastIndex(rest, `)\`)
	if sp.end >= 0 {
		sp.open = strings.IndexByte(rest[:sp.end], '(')
	}
	if sp.end < 0 || sp.open < 0 {
		sp.open, sp.end = -1, strings.LastIndexByte(rest, '\\')
	}
	if sp.end < 0 {
		return Path{}, syntax(s, off+len(rest), `no counter: want \object(instance)\counter`)
	}
	object, instance, has, counter := sp.parts()
	switch {
	case object == "":
		return Path{}, syntax(s, off, `no object between "\" and the instance or the counter: want \object(instance)\counter`)
	case counter == "":
		return Path{}, syntax(s, len(s), `no counter behind the last "\": want \object(instance)\counter`)
	}
	p.Object, p.Counter, p.HasInstance = object, counter, has
	p.Parent, p.Instance, p.Index = SplitInstance(instance)
	return p, nil
}

// cutMachine returns the machine, and what follows the backslash in front of
// the object with its offset.
func cutMachine(s string) (machine, rest string, off int, err error) {
	switch {
	case s == "":
		return "", "", 0, syntax(s, 0, `empty: want \object(instance)\counter, or \\host in front of it`)
	case s[0] != '\\':
		return "", "", 0, syntax(s, 0, `it does not begin with "\": want \object(instance)\counter, or \\host in front of it`)
	case !strings.HasPrefix(s, `\\`):
		return "", s[1:], 1, nil
	}
	machine, rest, ok := strings.Cut(s[2:], `\`)
	switch {
	case machine == "":
		return "", "", 0, syntax(s, 2, `no host behind "\\": want \\host\object(instance)\counter`)
	case !ok:
		return "", "", 0, syntax(s, len(s), `a host only: want \\host\object(instance)\counter`)
	}
	return machine, rest, 2 + len(machine) + 1, nil
}

func syntax(s string, off int, text string) error {
	const shown = 80
	if len(s) > shown {
		s = s[:shown] + "..."
	}
	return perfdump.NewError(perfdump.CodeSyntax, int64(off), perfdump.Path{}, "counter path %q: %s", s, text)
}

// split is a way to take a path without its machine apart.
type split struct {
	rest string
	open int // the "(", or -1
	end  int // the ")" of the instance, or the backslash of the counter
}

func (sp split) parts() (object, instance string, has bool, counter string) {
	if sp.open < 0 {
		return sp.rest[:sp.end], "", false, sp.rest[sp.end+1:]
	}
	return sp.rest[:sp.open], sp.rest[sp.open+1 : sp.end], true, sp.rest[sp.end+2:]
}

// SplitInstance takes the text between the brackets of a path apart: a parent
// and "/" if there is one, the name, and "#" with a number. Numbers with
// leading zeros or more than nine digits are part of the name.
func SplitInstance(s string) (parent, name string, index int) {
	if i := strings.IndexByte(s, '/'); i > 0 {
		parent, s = s[:i], s[i+1:]
	}
	for strings.HasSuffix(s, "#0") {
		s = s[:len(s)-2]
	}
	if name, index, ok := cutNumber(s); ok {
		return parent, name, index
	}
	return parent, s, 0
}

// cutNumber cuts a final #n, n from 1.
func cutNumber(s string) (name string, n int, ok bool) {
	i := len(s)
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	digits := s[i:]
	if digits == "" || len(digits) > 9 || digits[0] == '0' || i == 0 || s[i-1] != '#' {
		return s, 0, false
	}
	n, _ = strconv.Atoi(digits)
	return s[:i-1], n, true
}

// AppendInstance appends parent/name#index to dst, without the parent and its
// slash where it is empty, and without the number where it is below 1.
func AppendInstance(dst []byte, parent, name string, index int) []byte {
	if parent != "" {
		dst = append(dst, parent...)
		dst = append(dst, '/')
	}
	dst = append(dst, name...)
	if index > 0 {
		dst = append(dst, '#')
		dst = strconv.AppendInt(dst, int64(index), 10)
	}
	return dst
}

// Append appends p to dst as a path. It is canonical: [Parse] gives p again
// if p came from there. Names that hold the signs of the form are written as
// they are, as Windows does, so that other paths need not come back.
func (p Path) Append(dst []byte) []byte {
	if p.Machine != "" {
		dst = append(dst, `\\`...)
		dst = append(dst, p.Machine...)
	}
	dst = append(dst, '\\')
	dst = append(dst, p.Object...)
	if p.HasInstance {
		dst = append(dst, '(')
		dst = AppendInstance(dst, p.Parent, p.Instance, p.Index)
		dst = append(dst, ')')
	}
	dst = append(dst, '\\')
	return append(dst, p.Counter...)
}

// AppendText is [Path.Append] as encoding.TextAppender wants it; the error is
// always nil.
func (p Path) AppendText(dst []byte) ([]byte, error) { return p.Append(dst), nil }

// String returns p as a path; see [Path.Append].
func (p Path) String() string {
	var room [128]byte
	return string(p.Append(room[:0]))
}
