package registry_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/registry"
)

// check opens and reads b in all modes: an error or a view, never both, and
// salvage refuses nothing but the header and the root.
func check(t *testing.T, b []byte) {
	t.Helper()
	for _, mode := range []perfdump.Mode{perfdump.Strict, perfdump.Tolerant, perfdump.Salvage} {
		h, err := registry.NewHive(bytes.NewReader(b), int64(len(b)), registry.Options{Mode: mode})
		if err == nil {
			var v *registry.View
			v, err = h.View()
			require.Equal(t, err == nil, v != nil)
		}
		var fe *perfdump.FormatError
		if err != nil && (!errors.As(err, &fe) || fe.Off > int64(len(b))+1<<32) {
			t.Fatalf("%v: %v", mode, err)
		}
	}
}

func TestHiveTruncation(t *testing.T) {
	b := systemWith(16345)
	step := 3
	if perftest.Race {
		step = 31
	}
	for n := 0; n < len(b); n += step {
		check(t, b[:n])
	}
}

func TestHiveMutation(t *testing.T) {
	b := systemWith(16345) // two segments
	step := 2
	if perftest.Race {
		step = 22
	}
	words := []uint32{0, 1, 0x20, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFFFFFF}
	for off := 0; off+4 <= len(b); off += step {
		if off > 512 && off < 4096 || off > 6000 && off < len(b)-6000 && off%512 != 0 {
			continue // the header's rest, and the long data
		}
		was := le.Uint32(b[off:])
		for _, w := range words {
			le.PutUint32(b[off:], w)
			check(t, b)
		}
		le.PutUint32(b[off:], was)
	}
}

// TestSharedCells makes keys and values that all refer to the same cells. What
// that costs stays in proportion to the hive.
func TestSharedCells(t *testing.T) {
	const n = 20_000
	services := hkey{name: "Services", list: "li"}
	for range n {
		services.keys = append(services.keys, hkey{name: "S"})
	}
	// One service with much to read, in the place of each.
	services.keys[n-1] = hkey{name: "Long", keys: []hkey{{name: "Performance", values: []hval{{"Data", registry.Binary, make([]byte, 15<<10)}}}}}
	b := hive(hkey{name: "ControlSet001", keys: []hkey{services}})
	list := int(le.Uint32(b[bytes.Index(b, []byte("Services"))-48:])) + 4096 + 8
	last := le.Uint32(b[list+4*(n-1):])
	for i := range n {
		le.PutUint32(b[list+4*i:], last)
	}
	var v *registry.View
	start := time.Now()
	used := perftest.Allocated(func() { v = viewHive(t, b, registry.Options{Mode: perfdump.Salvage}) })
	require.Less(t, used, uint64(64<<20+4*len(b)))
	require.Less(t, time.Since(start), 10*time.Second)
	require.NotEmpty(t, v.Faults())
	require.Equal(t, perfdump.CodeLimit, v.Faults()[0].Code)
	_, err := openHive(t, b, registry.Options{}).View()
	require.ErrorIs(t, err, perfdump.ErrLimit)
}
