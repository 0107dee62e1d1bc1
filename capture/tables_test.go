package capture_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// TestRegistryTables wants tables that were added to come back from a .reg file,
// which has them where Windows does, and no second one of a name.
func TestRegistryTables(t *testing.T) {
	data := func(text string) []byte {
		var b []byte
		for _, c := range []byte(text) {
			b = append(b, c, 0)
		}
		return b
	}
	names, help := data("1\x001847\x002\x00System\x00\x00"), data("3\x00The System object\x00\x00")
	var all capture.RegistryTables
	for _, c := range []struct {
		language string
		kind     titles.Kind
		data     []byte
		value    string
		ok       bool
	}{
		{"00c", titles.Counter, names, "Counter", true},
		{"009", titles.Counter, names, "Counter", true},
		{"00C", titles.Help, help, "Help", true},
		{"00C", titles.Counter, help, "Counter", false},
	} {
		value, ok := all.Add(c.language, c.kind, c.data)
		require.Equal(t, c.value, value)
		require.Equal(t, c.ok, ok)
	}
	var b strings.Builder
	require.NoError(t, registry.WriteReg(&b, all.Keys()...))
	_, v, err := capture.ParseReg([]byte(b.String()), capture.Options{})
	require.NoError(t, err)
	require.Len(t, v.Perflib.Languages, 2)
	require.Equal(t, "00C", v.Perflib.Languages[0].ID)
	require.Equal(t, `HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\00C`, all.Keys()[0].Path())
	for _, c := range []struct {
		language string
		kind     titles.Kind
		index    uint32
		want     string
	}{{"00C", titles.Counter, 2, "System"}, {"00C", titles.Help, 3, "The System object"}, {"009", titles.Counter, 2, "System"}} {
		table, err := capture.RegistryTable(v, c.language, c.kind, capture.Options{})
		require.NoError(t, err)
		text, ok := table.Lookup(c.index)
		require.True(t, ok)
		require.Equal(t, c.want, text)
	}
}
