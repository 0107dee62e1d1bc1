package formattest

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/lunixbochs/struc"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

// Pattern returns n bytes of which neighbours differ, as a seed for Struc.
func Pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(0xff - 3*i)
	}
	return b
}

// Struc holds a load written by hand against what struc reads by the tags of
// the struct, the struct as struc packs it against the bytes it came from, and
// its layout against the size that the code counts with.
func Struc[T any](t testing.TB, b []byte, size int, load func(*T, []byte)) {
	t.Helper()
	o := &struc.Options{Order: binary.LittleEndian, PtrSize: 32}
	var got, want T
	require.NoError(t, struc.UnpackWithOptions(bytes.NewReader(b), &want, o))
	load(&got, b)
	require.Equal(t, want, got)
	var packed bytes.Buffer
	require.NoError(t, struc.PackWithOptions(&packed, &got, o))
	require.Equal(t, b[:size], packed.Bytes())
	_, n := wire.Layout(got)
	require.Equal(t, size, n)
}
