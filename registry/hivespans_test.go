package registry_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/perftest"
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

func TestHiveSpans(t *testing.T) {
	seen := tiles(t, openHive(t, system(), registry.Options{}))
	for field, n := range map[string]int{
		"CheckSum": 1, "Rest": 1, "FileOffset": 1, "nk.Flags": 20, "nk.Name": 20, "vk.Type": 19, "vk.Name": 19,
		"li.Signature": 2, "li.Key": 3, "lf.Signature": 8, "lh.Signature": 2, "lh.Key": 4, "lh.Hint": 4, "ri.List": 2, "db.List": 2, "free": 1,
	} {
		require.Equal(t, n, seen[field], "%s of %v", field, seen)
	}
	for name := range seen {
		require.NotContains(t, name, "no ")
	}

	// the spans of a key, by what they hold
	b := system()
	var key []string
	for s := range openHive(t, b, registry.Options{}).Spans() {
		if strings.HasPrefix(s.Path.FieldName(), "nk.") && s.Path.FieldName() == "nk.Name" {
			key = append(key, string(b[s.Off:s.Off+s.Size]))
			if key[len(key)-1] == "W\xefde" {
				require.Equal(t, perfdump.KindANSI, s.Kind)
				require.EqualValues(t, 28591, s.CodePage)
				i, ok := s.Path.Index(0)
				require.True(t, ok)
				require.Zero(t, i)
			}
		}
	}
	require.Equal(t, "ROOT", key[0])
	require.Contains(t, key, "W\xefde")
}

// Whatever stands in a hive, its spans tile it and come to an end.
func TestHiveSpansTile(t *testing.T) {
	b, step := systemWith(16345), 4
	if perftest.Race {
		step = 44
	}
	words := []uint32{0, 8, 0x1000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFF6B73}
	for off := 36; off+4 <= len(b); off += step {
		if off > 36 && off < 4096 {
			off = 4096
		}
		if off > 6000 && off < len(b)-6000 && off%512 != 0 {
			continue // the long data
		}
		was := le.Uint32(b[off:])
		for _, w := range words {
			le.PutUint32(b[off:], w)
			tiles(t, openHive(t, b, registry.Options{}))
		}
		le.PutUint32(b[off:], was)
	}
	for n := 4096 + 32; n < len(b); n += 2*step + 1 {
		tiles(t, openHive(t, b[:n], registry.Options{}))
	}
	for range openHive(t, b, registry.Options{}).Spans() {
		break
	}
}

// A cell whose name or list does not fit in it is data, and the others are as
// they were.
func TestHiveSpansMisfits(t *testing.T) {
	b := system()
	whole := tiles(t, openHive(t, b, registry.Options{}))
	for _, row := range []struct {
		kind string
		off  int // of the length, from the signature
		last string
	}{
		{"nk", 72, "nk.Name"},
		{"vk", 2, "vk.Name"},
		{"lf", 2, "lf.Count"},
		{"lh", 2, "lh.Count"},
		{"li", 2, "li.Count"},
		{"ri", 2, "ri.Count"},
	} {
		b := system()
		for s := range openHive(t, system(), registry.Options{}).Spans() {
			if s.Path.FieldName() == row.kind+".Signature" {
				le.PutUint16(b[int(s.Off)+row.off:], 0xFFFF)
				break
			}
		}
		seen := tiles(t, openHive(t, b, registry.Options{}))
		require.Equal(t, whole[row.last]-1, seen[row.last], row.kind)
		require.Equal(t, whole["Size"], seen["Size"], row.kind)
		require.Equal(t, whole["data"]+1, seen["data"], row.kind)
	}
}

// A bin is found again behind what is none.
func TestHiveSpansGaps(t *testing.T) {
	two := append(system(), system()[4096:]...)
	le.PutUint32(two[40:], uint32(len(two)-4096))
	first := tiles(t, openHive(t, system(), registry.Options{}))
	whole := tiles(t, openHive(t, two, registry.Options{}))
	require.Equal(t, 2*first["nk.Name"], whole["nk.Name"])
	two[4096] = 'x'
	require.Equal(t, first["nk.Name"], tiles(t, openHive(t, two, registry.Options{}))["nk.Name"])
	require.Equal(t, 1, tiles(t, openHive(t, two, registry.Options{}))["no bin"])
	le.PutUint32(two[40:], 0)
	require.Equal(t, 1, tiles(t, openHive(t, two, registry.Options{}))["behind the bins"])

	b := system()
	h, err := registry.NewHive(readerFunc(func(p []byte, off int64) (int, error) {
		if off > 0 {
			return 0, errors.New("disk")
		}
		return copy(p, b), nil
	}), int64(len(b)), registry.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, tiles(t, h)["no bin"])
}

// TestHiveSpansOfRealHive holds the cells that look like keys and values
// against those that are referred to.
func TestHiveSpansOfRealHive(t *testing.T) {
	b := realHive(t)
	h := openHive(t, b, registry.Options{})
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
	// The number of bins, by their heads.
	bins := 0
	for off := 4096; off < 4096+int(h.BaseBlock().Length); off += 4096 {
		if bytes.Equal(b[off:off+4], []byte("hbin")) {
			bins++
		}
	}
	require.Equal(t, bins, seen["FileOffset"])
}

// TestSequencesStop breaks off each sequence of a hive and of a .reg file at
// every place.
func TestSequencesStop(t *testing.T) {
	h := openHive(t, hive(hkey{name: "Select", values: []hval{dword("Current", 1)}}, hkey{name: "B", values: []hval{multi("C", "2", "x")}}), registry.Options{})
	formattest.Stops(t, h.Spans())
	r := parseReg(t, v5+"; one\n[HKEY_LOCAL_MACHINE\\SOFTWARE]\n\"a\"=dword:1\n@=\"x\"\n\"b\"=-\n[-HKEY_LOCAL_MACHINE\\X]\n")
	formattest.Stops(t, r.Spans())
	formattest.Stops(t, r.Entries())
}
