package registry_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/registry"
)

// tiles wants the spans of a hive to tile it and returns how often each field
// and each note comes.
func tiles(t *testing.T, h *registry.Hive) map[string]int {
	t.Helper()
	formattest.Tile(t, h.Spans(), 0, h.Size())
	seen := map[string]int{}
	for s := range h.Spans() {
		seen[s.Path.FieldName()+s.Note]++
	}
	return seen
}

// A bin is found again behind what is none.
func TestHiveSpansGaps(t *testing.T) {
	two := append(system(), system()[4096:]...)
	le.PutUint32(two[40:], uint32(len(two)-4096))
	first := tiles(t, openHive(t, system(), perfdump.Options{}))
	require.Equal(t, 2, first["db.List"]) // which the sweep's hive does not have
	for name := range first {
		require.NotContains(t, name, "no ")
	}
	whole := tiles(t, openHive(t, two, perfdump.Options{}))
	require.Equal(t, 2*first["nk.Name"], whole["nk.Name"])
	two[4096] = 'x'
	require.Equal(t, first["nk.Name"], tiles(t, openHive(t, two, perfdump.Options{}))["nk.Name"])
	require.Equal(t, 1, tiles(t, openHive(t, two, perfdump.Options{}))["no bin"])
	le.PutUint32(two[40:], 0)
	require.Equal(t, 1, tiles(t, openHive(t, two, perfdump.Options{}))["behind the bins"])

	b := system()
	h, err := registry.OpenHive(readerFunc(func(p []byte, off int64) (int, error) {
		if off > 0 {
			return 0, errors.New("disk")
		}
		return copy(p, b), nil
	}), int64(len(b)), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, tiles(t, h)["no bin"])
}

// TestHiveSpansOfRealHive holds the cells that look like keys and values
// against those that are referred to.
func TestHiveSpansOfRealHive(t *testing.T) {
	b := realHive(t)
	h := openHive(t, b, perfdump.Options{})
	seen := tiles(t, h)
	for name := range seen {
		require.NotContains(t, name, "no ")
	}
	require.Equal(t, 1, seen["behind the bins"]) // the file grows by more than a bin
	cells := map[int64]string{}
	for s := range h.Spans() {
		if name := s.Path.FieldName(); name == "nk.Signature" || name == "vk.Signature" {
			cells[s.Off-4] = name
		}
	}
	v, err := h.View()
	require.NoError(t, err)
	n := 0
	for i := range v.Providers {
		k := v.Providers[i].Performance
		require.Equal(t, "nk.Signature", cells[k.Off])
		for j := range k.Values {
			require.Equal(t, "vk.Signature", cells[k.Values[j].Off])
			n++
		}
	}
	require.Greater(t, n, 200)
	require.Equal(t, bytes.Count(b[4096:], []byte("hbin")), seen["FileOffset"])
}

// TestSequencesStop breaks off each sequence of a hive and of a .reg file at
// every place.
func TestSequencesStop(t *testing.T) {
	h := openHive(t, hive(hkey{name: "Select", values: []hval{dword("Current", 1)}}, hkey{name: "B", values: []hval{multi("C", "2", "x")}}), perfdump.Options{})
	formattest.Stops(t, h.Spans())
	r := parseReg(t, v5+"; one\n[HKEY_LOCAL_MACHINE\\SOFTWARE]\n\"a\"=dword:1\n@=\"x\"\n\"b\"=-\n[-HKEY_LOCAL_MACHINE\\X]\n")
	formattest.Stops(t, r.Spans())
	formattest.Stops(t, r.Entries())
}
