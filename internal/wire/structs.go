package wire

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/perfdump/perfdump"
)

// A struct on disk is declared once, as a Go struct of fixed-size members. Its
// struc tags give the byte order, its span tags say how a field is shown, its
// name tags how a path names it, its doc tags what it means. LoadStruct,
// AppendStruct, [Layout] and [Tiler.Struct] work from that declaration. They
// cost about 10 ns a field and an allocation: hot structs are loaded by hand.

// LoadStruct fills v from the first bytes of b. It panics like an index
// expression where b is too short, and on a type that [Layout] panics on.
func LoadStruct[T any](v *T, b []byte) {
	if _, err := binary.Decode(b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
}

// AppendStruct appends the bytes of the struct that v points to. It panics on a type that
// [Layout] panics on.
func AppendStruct(dst []byte, v any) []byte {
	dst, err := binary.Append(dst, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return dst
}

// Field is a member of an on-disk struct.
type Field struct {
	Name string
	Path string // the name tag or else the name; "" where the tag is "-"
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

var layouts sync.Map // []Field by the reflect.Type of the struct

// Layout returns the fields of a struct in the order of their offsets, and its
// size. The fields are computed once for each type and shared. Layout panics
// on a type with a field that has no fixed size, no byte order or an unknown
// span tag.
func Layout(v any) (fields []Field, size int) {
	t := reflect.TypeOf(v)
	found, ok := layouts.Load(t)
	if !ok {
		found, _ = layouts.LoadOrStore(t, newLayout(t))
	}
	fields = found.([]Field)
	last := &fields[len(fields)-1]
	return fields, last.Off + last.Size
}

func newLayout(t reflect.Type) (fields []Field) {
	off := 0
	for i := range t.NumField() {
		f := t.Field(i)
		kind, ok := kinds[f.Tag.Get("span")]
		if !ok {
			panic(fmt.Sprintf("wire: %s.%s has span tag %q", t, f.Name, f.Tag.Get("span")))
		}
		size := binary.Size(reflect.Zero(f.Type).Interface())
		if size < 0 || !strings.Contains(f.Tag.Get("struc"), "little") {
			panic(fmt.Sprintf("wire: %s.%s has no fixed size or no byte order", t, f.Name))
		}
		if f.Type.Kind() >= reflect.Int && f.Type.Kind() <= reflect.Int64 && kind == perfdump.KindUint {
			kind = perfdump.KindInt
		}
		path := f.Name
		if name, ok := f.Tag.Lookup("name"); ok {
			path = strings.TrimSuffix(name, "-")
		}
		fields = append(fields, Field{Name: f.Name, Path: path, Off: off, Size: size, Kind: kind, Doc: f.Tag.Get("doc")})
		off += size
	}
	return fields
}
