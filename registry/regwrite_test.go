package registry_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

// narrowOut takes so many writes, and knows the longest.
type narrowOut struct {
	bytes.Buffer
	left, longest int
}

var errFull = errors.New("full")

func (o *narrowOut) Write(b []byte) (int, error) {
	if o.left--; o.left < 0 {
		return 0, errFull
	}
	o.longest = max(o.longest, len(b))
	return o.Buffer.Write(b)
}

// TestWriteReg holds it against AppendReg.
func TestWriteReg(t *testing.T) {
	var keys []registry.Key
	for i := range 5 {
		data := bytes.Repeat([]byte{byte(i), 7}, i*30_000)
		keys = append(keys, registry.NewKey(fmt.Sprint(`HKEY_USERS\`, i), registry.Value{Name: "Counter", Type: registry.MultiSZ, Data: data}, registry.Value{Name: "x", Type: registry.SZ, Data: []byte{0, 0}}))
	}
	for n := range len(keys) + 1 {
		want, err := registry.AppendReg(nil, keys[:n]...)
		require.NoError(t, err)
		out := narrowOut{left: 1000}
		require.NoError(t, registry.WriteReg(&out, keys[:n]...))
		require.True(t, bytes.Equal(want, out.Bytes()), n)
		require.Less(t, out.longest, 80<<10)
	}
	for left := range 3 {
		require.ErrorIs(t, registry.WriteReg(&narrowOut{left: left}, keys...), errFull)
	}
	for _, bad := range []registry.Key{registry.NewKey("HKLM"), registry.NewKey("HKEY_USERS\nx"), registry.NewKey("HKEY_USERS", registry.Value{Name: "a\nb"})} {
		out := narrowOut{left: 1000}
		require.ErrorIs(t, registry.WriteReg(&out, append(keys[:len(keys):len(keys)], bad)...), perfdump.ErrSyntax)
		require.Zero(t, out.Len())
	}
}
