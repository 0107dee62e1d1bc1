package perfdata

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/lunixbochs/struc"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

var strucOptions = &struc.Options{Order: binary.LittleEndian, PtrSize: 32}

// FuzzHandEqualsStruc holds the hand-written loads against what struc reads by
// the tags, and the packed headers against the bytes they came from.
func FuzzHandEqualsStruc(f *testing.F) {
	seed := make([]byte, blockSize)
	for i := range seed {
		seed[i] = byte(0xff - 3*i)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < blockSize {
			return
		}
		checkStruc(t, b, &DataBlock{}, func(h *DataBlock) { h.load(b) })
		checkStruc(t, b, &ObjectType{}, func(h *ObjectType) { h.load(b) })
		checkStruc(t, b, &CounterDefinition{}, func(h *CounterDefinition) { h.load(b) })
		checkStruc(t, b, &InstanceDefinition{}, func(h *InstanceDefinition) { h.load(b) })
	})
}

func checkStruc[T any](t *testing.T, b []byte, want *T, load func(*T)) {
	t.Helper()
	require.NoError(t, struc.UnpackWithOptions(bytes.NewReader(b), want, strucOptions))
	var got T
	load(&got)
	require.Equal(t, *want, got)
	var packed bytes.Buffer
	require.NoError(t, struc.PackWithOptions(&packed, &got, strucOptions))
	require.Equal(t, b[:packed.Len()], packed.Bytes())
	_, size := wire.Layout(got)
	require.Equal(t, packed.Len(), size)
}
