package symbolh

import (
	"strconv"
	"strings"
)

// ValueKind is the kind of the value of a define.
type ValueKind uint8

// The kinds of values.
const (
	Decimal     ValueKind = iota // 10: what lodctr reads
	Alias                        // the name of another define
	None                         // nothing: a guard
	Unsupported                  // hex, parentheses, expressions, suffixes
)

// String returns the name of the kind: "decimal".
func (k ValueKind) String() string {
	return [...]string{Decimal: "decimal", Alias: "alias", None: "none", Unsupported: "unsupported"}[k]
}

// Define is a #define as it is in the file.
type Define struct {
	Name      string // as spelled
	Value     string // as spelled, without comment, with its semicolon: "10;"
	Kind      ValueKind
	Offset    uint32 // of a Decimal
	Semicolon bool   // a semicolon follows, as .NET's generator writes it
	Line      int    // from 1
	Off       int64  // of the line in the file
	ValueOff  int64  // of the value in the file
}

// Target returns the name that an Alias refers to, and "" for others.
func (d Define) Target() string {
	if d.Kind != Alias {
		return ""
	}
	return d.bare()
}

// bare returns the value without its semicolon.
func (d Define) bare() string {
	v, _ := strings.CutSuffix(d.Value, ";")
	return strings.TrimRight(v, " \t")
}

// classify sets what follows from the value.
func (d *Define) classify() {
	d.Semicolon = strings.HasSuffix(d.Value, ";")
	v := d.bare()
	d.Kind = Unsupported
	switch n, err := strconv.ParseUint(v, 10, 32); {
	case d.Value == "":
		d.Kind = None
	case err == nil:
		d.Kind, d.Offset = Decimal, uint32(n)
	case validName(v):
		d.Kind = Alias
	}
}

// validName reports whether s is a name in C.
func validName(s string) bool {
	other := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return s != "" && (s[0] < '0' || s[0] > '9') && !strings.ContainsFunc(s, other)
}
