package registry

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/lunixbochs/struc"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

// TestHandEqualsStruc holds the hand-written loads against what struc reads by
// the tags.
func TestHandEqualsStruc(t *testing.T) {
	b := make([]byte, baseBlockSize)
	for i := range b {
		b[i] = byte(0xff - 3*i)
	}
	checkStruc(t, b, baseBlockSize, func(h *BaseBlock) { h.load(b) })
	checkStruc(t, b, binSize, func(h *bin) { h.load(b) })
	checkStruc(t, b, keyNodeSize, func(h *keyNode) { h.load(b) })
	checkStruc(t, b, keyValueSize, func(h *keyValue) { h.load(b) })
	checkStruc(t, b, listHeadSize, func(h *listHead) { h.load(b) })
}

func checkStruc[T any](t *testing.T, b []byte, size int, load func(*T)) {
	t.Helper()
	var want, got T
	require.NoError(t, struc.UnpackWithOptions(bytes.NewReader(b), &want, &struc.Options{Order: binary.LittleEndian, PtrSize: 32}))
	load(&got)
	require.Equal(t, want, got)
	_, n := wire.Layout(got)
	require.Equal(t, size, n)
}
