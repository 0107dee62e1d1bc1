package etl

import (
	"bytes"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Buffers packs records into the buffers of a log, after the first one, which
// is for the log header alone.
type Buffers struct {
	size int
	all  [][]byte
	err  error
}

// NewBuffers returns buffers of a size that is a multiple of 0x400 up to 16 MiB.
func NewBuffers(size int) *Buffers {
	b := &Buffers{size: size}
	if size < MinBufferSize || size > MaxBufferSize || size%MinBufferSize != 0 {
		b.fail("buffers of %d bytes: expected a multiple of 0x400 up to 0x%x", size, MaxBufferSize)
		b.size = 0x10000
	}
	b.Next()
	return b
}

func (b *Buffers) fail(format string, args ...any) {
	if b.err == nil {
		b.err = perfdump.NewError(perfdump.CodeLength, -1, perfdump.Path{}, format, args...)
	}
}

// Size returns the size of a buffer.
func (b *Buffers) Size() int { return b.size }

// Len returns how many buffers there are, the first one included.
func (b *Buffers) Len() int { return 1 + len(b.all) }

// Next starts another buffer, as a flush does.
func (b *Buffers) Next() { b.all = append(b.all, make([]byte, BufferHeaderSize, b.size)) }

// Add appends a record, in the last buffer or a new one.
func (b *Buffers) Add(record []byte) {
	if BufferHeaderSize+len(record) > b.size {
		b.fail("a record of %d bytes does not fit into a buffer of %d", len(record), b.size)
		return
	}
	if (len(b.all[len(b.all)-1])+7)&^7+len(record) > b.size {
		b.Next()
	}
	last := &b.all[len(b.all)-1]
	*last = append(Align(*last), record...)
}

// Align appends zeros up to a multiple of 8.
func Align(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// Bytes returns the log: all buffers, filled up with 0xFF. The first has the
// record of the log header. The error is one of the size or of a record that
// does not fit into a buffer.
func (b *Buffers) Bytes(header []byte, flushed int64) ([]byte, error) {
	if BufferHeaderSize+len(header) > b.size {
		b.fail("a log header of %d bytes does not fit into a buffer of %d", BufferHeaderSize+len(header), b.size)
	}
	if b.err != nil {
		return nil, b.err
	}
	out := make([]byte, 0, b.Len()*b.size)
	add := func(h BufferHeader, records []byte) {
		h.BufferSize, h.FlushTime, h.FilledBytes = uint32(b.size), flushed, uint32(BufferHeaderSize+len(records))
		out = append(wire.AppendStruct(out, &h), records...)
		out = append(out, bytes.Repeat([]byte{0xFF}, b.size-BufferHeaderSize-len(records))...)
	}
	add(BufferHeader{BufferFlag: 1, BufferType: 4}, header)
	for _, records := range b.all {
		add(BufferHeader{}, records[BufferHeaderSize:])
	}
	return out, nil
}
