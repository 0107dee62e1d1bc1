package blg

import (
	"bytes"
	"io"
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

// asked notes how many bytes were there and how many more were asked for.
type asked struct {
	r    io.Reader
	have int
	most int // bytes that were asked for beyond as many as had come
}

func (a *asked) Read(p []byte) (int, error) {
	a.most = max(a.most, len(p)-max(a.have, atOnce))
	n, err := a.r.Read(p)
	a.have += n
	return n, err
}

// TestStreamReadsAsManyAsCame wants a stream that speaks of large buffers to
// have memory set aside for them only as its bytes come.
func TestStreamReadsAsManyAsCame(t *testing.T) {
	w := NewWriter(WriterOptions{BufferSize: maxBufferSize})
	w.Items(0, NewItem{Path: pdhpath.Path{Object: "O", Counter: "C"}, Type: 0x00010100})
	log, err := w.Bytes()
	require.NoError(t, err)
	for _, n := range []int{0x400, 300 << 10, len(log)} {
		a := &asked{r: bytes.NewReader(log[:n])}
		r, err := NewReader(a, Options{})
		require.NoError(t, err)
		for range r.Records() {
			continue
		}
		require.LessOrEqual(t, a.most, 0, n)
	}
}
