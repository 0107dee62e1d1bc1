package symbolh

import (
	"strconv"
	"strings"
)

// ValueKind says what stands behind the name of a define.
type ValueKind uint8

// The kinds of values.
const (
	Decimal     ValueKind = iota // 10: what lodctr reads
	Alias                        // the name of another define
	None                         // nothing: a guard
	Unsupported                  // hex, parentheses, expressions, suffixes
)

var valueNames = [...]string{Decimal: "decimal", Alias: "alias", None: "none", Unsupported: "unsupported"}

// String returns the name of the kind: "decimal".
func (k ValueKind) String() string {
	if int(k) < len(valueNames) {
		return valueNames[k]
	}
	return "unknown"
}

// Define is a #define as it stands in the file.
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

// Target returns the name that an Alias stands for, and "" for others.
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

// judge fills what the value tells.
func (d *Define) judge() {
	d.Semicolon = strings.HasSuffix(d.Value, ";")
	v := d.bare()
	switch n, err := strconv.ParseUint(v, 10, 32); {
	case v == "":
		d.Kind = None
		if d.Semicolon {
			d.Kind = Unsupported
		}
	case err == nil:
		d.Kind, d.Offset = Decimal, uint32(n)
	case plainName(v):
		d.Kind = Alias
	default:
		d.Kind = Unsupported
	}
}

// plainName reports whether s is a name in C.
func plainName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c == '_':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}
