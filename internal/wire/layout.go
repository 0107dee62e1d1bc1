package wire

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/perfdump/perfdump"
)

// Field is a member of an on-disk struct.
type Field struct {
	Name string
	Off  int
	Size int
	Kind perfdump.Kind
	Doc  string // the text of the field's doc tag
}

var kinds = map[string]perfdump.Kind{
	"":           perfdump.KindUint,
	"hex":        perfdump.KindHex,
	"pad":        perfdump.KindPadding,
	"utf16":      perfdump.KindUTF16,
	"filetime":   perfdump.KindFiletime,
	"systemtime": perfdump.KindSystemtime,
}

// Layout returns the fields of a struct of fixed-size members in the order of
// their offsets, and its size. The struct is one that struc can pack: its
// struc tags give the byte order, its span tags say how a field is shown, its
// doc tags what it means. Layout panics on any other type; it is meant for
// package variables.
func Layout(v any) (fields []Field, size int) {
	t := reflect.TypeOf(v)
	for i := range t.NumField() {
		f := t.Field(i)
		if !strings.Contains(f.Tag.Get("struc"), "little") {
			panic(fmt.Sprintf("wire: %s.%s has no byte order", t, f.Name))
		}
		kind, ok := kinds[f.Tag.Get("span")]
		if !ok {
			panic(fmt.Sprintf("wire: %s.%s has span tag %q", t, f.Name, f.Tag.Get("span")))
		}
		n := fixedSize(f.Type)
		if kind == perfdump.KindUint && isSigned(f.Type) {
			kind = perfdump.KindInt
		}
		fields = append(fields, Field{Name: f.Name, Off: size, Size: n, Kind: kind, Doc: f.Tag.Get("doc")})
		size += n
	}
	return fields, size
}

func fixedSize(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Uint8, reflect.Int8, reflect.Uint16, reflect.Int16,
		reflect.Uint32, reflect.Int32, reflect.Uint64, reflect.Int64:
		return int(t.Size())
	case reflect.Array:
		return t.Len() * fixedSize(t.Elem())
	default:
		panic("wire: no fixed size: " + t.String())
	}
}

func isSigned(t reflect.Type) bool {
	k := t.Kind()
	return k == reflect.Int8 || k == reflect.Int16 || k == reflect.Int32 || k == reflect.Int64
}
