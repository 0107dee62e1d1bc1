package registry

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/internal/wire"
)

// Value is a value of a key. Its methods may be called on nil, a missing value.
type Value struct {
	Name string // "" is the default value
	Type Type
	// Data is as in the registry: text is UTF-16LE and numbers are little-endian, even if
	// an old .reg file has them in a code page.
	Data []byte
	Line int   // in a .reg file, from 1; 0 in a hive
	Off  int64 // of the line, or of the value's cell
}

// NewSZ returns a REG_SZ, for writing.
func NewSZ(name, text string) Value {
	return Value{Name: name, Type: SZ, Data: append(wire.EncodeUTF16(nil, text), 0, 0)}
}

// NewMultiSZ returns a REG_MULTI_SZ, for writing.
func NewMultiSZ(name string, members ...string) Value {
	var b []byte
	for _, m := range members {
		b = append(wire.EncodeUTF16(b, m), 0, 0)
	}
	return Value{Name: name, Type: MultiSZ, Data: append(b, 0, 0)}
}

// NewDWORD returns a REG_DWORD, for writing.
func NewDWORD(name string, n uint32) Value {
	return Value{Name: name, Type: DWORD, Data: binary.LittleEndian.AppendUint32(nil, n)}
}

// Uint32 returns a number of 32 bits. ok is false for every other type and for
// data that do not have exactly 4 bytes.
func (v *Value) Uint32() (n uint32, ok bool) {
	switch {
	case v == nil || len(v.Data) != 4:
		return 0, false
	case v.Type == DWORD:
		return binary.LittleEndian.Uint32(v.Data), true
	case v.Type == DWORDBigEndian:
		return binary.BigEndian.Uint32(v.Data), true
	default:
		return 0, false
	}
}

// Uint64 returns a number of 64 or 32 bits. ok is false for every other type
// and for data of another length.
func (v *Value) Uint64() (n uint64, ok bool) {
	if v != nil && v.Type == QWORD && len(v.Data) == 8 {
		return binary.LittleEndian.Uint64(v.Data), true
	}
	small, ok := v.Uint32()
	return uint64(small), ok
}

// Text returns the text of a REG_SZ or REG_EXPAND_SZ up to its first NUL:
// WmiApRpl's PerfIniFile has 12 characters in 98 bytes. ok is false for every
// other type.
func (v *Value) Text() (s string, ok bool) {
	if v == nil || v.Type != SZ && v.Type != ExpandSZ {
		return "", false
	}
	return untilNUL(v.Data), true
}

// Strings returns the members of a REG_MULTI_SZ. Empty ones, which other readers
// drop, are included: they show a damaged table. The last member may lack its NUL.
// ok is false for every other type.
func (v *Value) Strings() (members []string, ok bool) {
	if v == nil || v.Type != MultiSZ {
		return nil, false
	}
	return split(v.Data), true
}

// List returns the members of a list: of a REG_MULTI_SZ, and of Counter Names and
// Counter Types of a .NET category, which are a REG_BINARY of the same form.
func (v *Value) List() (members []string, ok bool) {
	if v != nil && v.Type == Binary && (strings.EqualFold(v.Name, CounterNames) || strings.EqualFold(v.Name, CounterTypes)) {
		return split(v.Data), true
	}
	return v.Strings()
}

// Time returns a FILETIME. ok is false if the value is not a 64-bit number.
func (v *Value) Time() (t time.Time, ok bool) {
	if v == nil || v.Type != QWORD || len(v.Data) != 8 {
		return time.Time{}, false
	}
	return filetime(binary.LittleEndian.Uint64(v.Data)), true
}

func filetime(ticks uint64) time.Time {
	const second = 1e7
	return time.Unix(int64(ticks/second)-wire.Filetime1970/second, int64(ticks%second)*100).UTC()
}

func untilNUL(b []byte) string {
	if n := wire.IndexNUL16(b); n >= 0 {
		b = b[:n]
	}
	return wire.UTF16(b)
}

// split splits text at its NULs. The empty string after the last member is left out.
func split(b []byte) []string {
	var members []string
	b = b[:len(b)&^1]
	for len(b) > 0 {
		n := wire.IndexNUL16(b)
		if n < 0 {
			return append(members, wire.UTF16(b))
		}
		if n == 0 && len(b) == 2 {
			break
		}
		members = append(members, wire.UTF16(b[:n]))
		b = b[n+2:]
	}
	return members
}

// Type is the type of a value of the registry.
type Type uint32

// The types of winnt.h.
const (
	None           Type = 0
	SZ             Type = 1
	ExpandSZ       Type = 2
	Binary         Type = 3
	DWORD          Type = 4
	DWORDBigEndian Type = 5
	Link           Type = 6
	MultiSZ        Type = 7
	QWORD          Type = 11
)

var typeNames = [...]string{
	"REG_NONE", "REG_SZ", "REG_EXPAND_SZ", "REG_BINARY", "REG_DWORD", "REG_DWORD_BIG_ENDIAN", "REG_LINK", "REG_MULTI_SZ",
	"REG_RESOURCE_LIST", "REG_FULL_RESOURCE_DESCRIPTOR", "REG_RESOURCE_REQUIREMENTS_LIST", "REG_QWORD",
}

// String returns the name in winnt.h, or the number if it has none.
func (t Type) String() string {
	if int64(t) < int64(len(typeNames)) {
		return typeNames[t]
	}
	return "0x" + strconv.FormatUint(uint64(t), 16)
}

func (t Type) text() bool { return t == SZ || t == ExpandSZ || t == MultiSZ || t == Link }
