package capture

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

// toldWhole is valueText by the texts that a value has.
func toldWhole(v *registry.Value) string {
	text := v.Type.String()
	ended := func(s string) bool { return bytes.Equal(v.Data, wire.EncodeUTF16(nil, s+"\x00")) }
	if s, ok := v.Text(); ok && ended(s) {
		return text + " " + strconv.Quote(s)
	}
	if members, ok := v.Strings(); ok && ended(strings.Join(append(members, ""), "\x00")) {
		return fmt.Sprintf("%s %q", text, members)
	}
	return text + " " + hex.EncodeToString(v.Data)
}

// Values are told as their texts are, by parts: those that end well, and those
// that have a NUL too many, too few, half of a unit, half of a pair.
func TestValuesAreToldByParts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	units := []string{"a\x00", "\"\x00", "\\\x00", "\x01\x00", "\x00\x4e", "\x3d\xd8\x00\xde", "\x3d\xd8", "\xfd\xff", "\x00\x00", "\x00\x00", "x"}
	kinds := []registry.Type{registry.SZ, registry.ExpandSZ, registry.MultiSZ, registry.Binary, registry.None}
	seen := map[byte]int{}
	for i := range 40_000 {
		var data []byte
		for range random.IntN(6) {
			data = append(data, strings.Repeat(units[random.IntN(len(units))], 1+random.IntN(3))...)
		}
		if i%100 == 0 {
			data = append(bytes.Repeat([]byte("\x00\x4e\x3d\xd8\x00\xde"), 6000), data...)
		}
		if i%2 == 0 {
			data = append(data, 0, 0)
		}
		v := &registry.Value{Type: kinds[random.IntN(len(kinds))], Data: data}
		want := toldWhole(v)
		require.True(t, want == valueText(v), "%s of % .300x", v.Type, data)
		_, told, _ := strings.Cut(want, " ")
		seen[(told + " ")[0]]++
	}
	for _, kind := range []byte{'"', '['} {
		assert.Greater(t, seen[kind], 1000)
	}
}
