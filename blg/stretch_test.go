package blg

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/pdhpath"
)

// TestNextBuffer wants a buffer to be known by a first record that is whole: one
// without the mark of records, or larger than what its buffer holds, begins none.
func TestNextBuffer(t *testing.T) {
	const stride = 0x1000
	w := NewWriter(WriterOptions{BufferSize: stride})
	w.Items(0, NewItem{Path: pdhpath.Path{Object: "O", Counter: "C"}, Type: 0x00010100})
	for i := range int64(60) {
		w.Sample(i, NewSeries{Kind: Single, Local: i, Values: []NewValue{{Multi: 1}}})
	}
	log, err := w.Bytes()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(log), 3*stride)
	require.Equal(t, stride, nextBuffer(log, stride))
	record := stride + bufferHeaderSize
	size := recordSize(log[record:])
	require.Positive(t, size)
	for name, damage := range map[string]func(b []byte){
		"the mark": func(b []byte) { b[record+3] = 0 },
		"the size": func(b []byte) { b[record], b[record+1] = 0xff, 0xff },
		"no size":  func(b []byte) { b[record], b[record+1] = 0, 0 },
		"less filled": func(b []byte) {
			b[stride+0x30], b[stride+0x31] = byte(bufferHeaderSize+size-1), byte((bufferHeaderSize+size-1)>>8)
		},
	} {
		b := bytes.Clone(log)
		damage(b)
		require.Equal(t, 2*stride, nextBuffer(b, stride), name)
	}
}
