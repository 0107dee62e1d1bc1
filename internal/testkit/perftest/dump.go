package perftest

import "encoding/binary"

// Uint16s appends numbers in little-endian order.
func Uint16s(b []byte, v ...uint16) []byte {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

// Uint32s appends numbers in little-endian order.
func Uint32s(b []byte, v ...uint32) []byte {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// Uint64s appends numbers in little-endian order.
func Uint64s(b []byte, v ...uint64) []byte {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// Dump is a dump of a process as its streams, whose bodies get the offset at
// which they will stand.
type Dump struct {
	Version uint32 // 0xA793 and what stands above it
	Time    uint32
	Flags   uint64
	Streams []DumpStream
}

// DumpStream is a stream of a dump.
type DumpStream struct {
	Kind uint32
	Body func(at uint32) []byte
}

// DumpHeader is how long the header and the directory of n streams are.
func DumpHeader(n int) int { return 32 + 12*n }

// Bytes returns the header, the directory and the streams, with nothing between
// them.
func (d *Dump) Bytes() []byte {
	n := len(d.Streams)
	b := Uint64s(Uint32s(nil, 0x504D444D, d.Version, uint32(n), 32, 0, d.Time), d.Flags)
	b = append(b, make([]byte, 12*n)...)
	for i, s := range d.Streams {
		off := uint32(len(b))
		body := s.Body(off)
		copy(b[32+12*i:], Uint32s(nil, s.Kind, uint32(len(body)), off))
		b = append(b, body...)
	}
	return b
}
