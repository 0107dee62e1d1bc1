package perftest

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Field is a run of bytes of an image.
type Field struct{ Off, Size int }

// End returns the offset behind f.
func (f Field) End() int { return f.Off + f.Size }

// Image is a written block, or several, and where its parts stand.
//
// The paths are those that errors print. The header's fields have none before
// them: "TotalByteLength". Then "object[0].NumCounters",
// "object[0].counter[1].CounterType", "object[0].instance[2].NameLength". The
// unnamed instance of a single object is instance[0] too. A counter block
// begins at "object[0].instance[2].block.ByteLength" and has the values
// "object[0].instance[2].value[1]". The structs themselves are there under
// "", "object[0]", "object[0].counter[1]", "object[0].instance[2]" and
// "object[0].instance[2].block", the name of an instance under ".Name".
type Image struct {
	Bytes  []byte
	Fields map[string]Field
	Leaves []string // the paths of integers, in the order of their offsets
}

// At returns where a path stands and panics if there is no such path.
func (m *Image) At(path string) Field {
	f, ok := m.Fields[path]
	if !ok {
		panic(fmt.Sprintf("perftest: no field %q", path))
	}
	return f
}

// Get returns the integer at a path.
func (m *Image) Get(path string) uint64 {
	f := m.At(path)
	b := m.Bytes[f.Off:f.End()]
	switch f.Size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	panic(fmt.Sprintf("perftest: %s is %d bytes, no integer", path, f.Size))
}

// Set writes v, cut to the width of the field, and returns m.
func (m *Image) Set(path string, v int64) *Image {
	f := m.At(path)
	b := m.Bytes[f.Off:f.End()]
	switch f.Size {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, uint64(v))
	default:
		panic(fmt.Sprintf("perftest: %s is %d bytes, no integer", path, f.Size))
	}
	return m
}

// Add adds d to the integer at a path and returns m.
func (m *Image) Add(path string, d int64) *Image {
	return m.Set(path, int64(m.Get(path))+d)
}

// Clone returns a copy of m whose bytes can be damaged alone. The map of the
// fields is shared.
func (m *Image) Clone() *Image {
	c := *m
	c.Bytes = slices.Clone(m.Bytes)
	return &c
}
