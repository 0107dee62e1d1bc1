package registry_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/registry"
)

// check opens and reads b in all modes: an error or a view, never both. The
// spans tile what is opened.
func check(t *testing.T, b []byte) {
	t.Helper()
	for _, mode := range []perfdump.Mode{perfdump.Strict, perfdump.Tolerant, perfdump.Salvage} {
		h, err := registry.OpenHive(bytes.NewReader(b), int64(len(b)), perfdump.Options{Mode: mode})
		if err == nil {
			if mode == perfdump.Tolerant {
				tiles(t, h)
			}
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

// TestHiveMutation damages and cuts a hive with data in segments, which that of
// the sweep does not have.
func TestHiveMutation(t *testing.T) {
	b, step := systemWith(16345), 4
	if perftest.Race {
		step = 44
	}
	for off := 36; off+4 <= len(b); off += step {
		if off > 512 && off < 4096 || off > 6000 && off < len(b)-6000 && off%512 != 0 {
			continue // the header's rest, and the long data
		}
		was := le.Uint32(b[off:])
		for _, w := range []uint32{0, 8, 0x1000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFF6B73, 0xFFFFFFFF} {
			le.PutUint32(b[off:], w)
			check(t, b)
		}
		le.PutUint32(b[off:], was)
	}
	for n := 0; n < len(b); n += 4*step + 1 {
		check(t, b[:n])
	}
}

// TestSegmentsThatAreMissing: data in segments need as many as they are long, in
// a list that has room for all.
func TestSegmentsThatAreMissing(t *testing.T) {
	good := systemWith(16345)
	db := bytes.Index(good, []byte("db\x02\x00"))
	require.Positive(t, db)
	list := 4096 + 4 + int(le.Uint32(good[db+4:]))
	second := 4096 + 4 + int(le.Uint32(good[list+4:]))
	for name, c := range map[string]struct {
		off   int
		value uint32
		want  error
		at    int64
	}{
		"too few":             {db, 'd' | 'b'<<8 | 1<<16, perfdump.ErrCount, int64(db) + 2},
		"a list of one":       {list - 4, 0xFFFFFFF8, perfdump.ErrCount, int64(db) + 2},
		"no list":             {db + 4, 0xFFFFFFFF, perfdump.ErrLength, int64(db) + 4},
		"no segment":          {list + 4, 0xFFFFFFFF, perfdump.ErrLength, int64(list) + 4},
		"a list past the end": {db + 4, 0x7FFFFFF8, perfdump.ErrLength, int64(db) + 4},
		"a segment of no use": {second - 4, 0, perfdump.ErrLength, int64(second) - 4},
	} {
		b := bytes.Clone(good)
		le.PutUint32(b[c.off:], c.value)
		_, err := openHive(t, b, perfdump.Options{}).View()
		require.ErrorIs(t, err, c.want, name)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		require.EqualValues(t, c.at, fe.Off, "%s: %v", name, err)
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
	used := perftest.Allocated(func() { v = viewHive(t, b, perfdump.Options{Mode: perfdump.Salvage}) })
	require.Less(t, used, uint64(64<<20+4*len(b)))
	require.Less(t, time.Since(start), 10*time.Second)
	require.NotEmpty(t, slices.Collect(v.Faults()))
	require.Equal(t, perfdump.CodeLimit, slices.Collect(v.Faults())[0].Code)
	_, err := openHive(t, b, perfdump.Options{}).View()
	require.ErrorIs(t, err, perfdump.ErrLimit)
}
