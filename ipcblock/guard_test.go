package ipcblock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/ipcblock"
)

func skipGuard(t *testing.T) {
	t.Helper()
	if perftest.Race {
		t.Skip("a guard of speed or allocations means nothing under the race detector")
	}
}

// fastest returns the shortest time that f took, alternating the functions so
// that a busy machine meets all of them.
func fastest(rounds int, fs ...func()) []time.Duration {
	best := make([]time.Duration, len(fs))
	for round := range rounds {
		for i, f := range fs {
			start := time.Now()
			f()
			if d := time.Since(start); round == 0 || d < best[i] {
				best[i] = d
			}
		}
	}
	return best
}

func TestGuardDecodeAllocs(t *testing.T) {
	skipGuard(t)
	values := make([]uint64, 0, ipcblock.NumFields*32)
	for name, data := range samples(t) {
		var d ipcblock.Decoder
		require.Zero(t, testing.AllocsPerRun(5, func() {
			tab, err := d.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			for c := range tab.Live() {
				values = c.AppendUint64s(values[:0])
				for k := range c.Cook(nil, 0, nil) {
					sink += uint64(k.Status)
				}
			}
		}), name)
	}
}

// TestGuardDecodeSpeed wants a table with one live chunk in less than 2 µs, or,
// on a machine whose memory is slower than that, in the time of two copies.
func TestGuardDecodeSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	data := oneLive(t, ipcblock.X64)
	to := make([]byte, len(data))
	var d ipcblock.Decoder
	const n = 20
	m := fastest(500,
		func() {
			for range n {
				copy(to, data)
			}
		},
		func() {
			for range n {
				tab, _ := d.Decode(data)
				sink += tab.Chunk(0).Uint64(ipcblock.GCHandles)
			}
		})
	t.Logf("copy %v, decode %v", m[0]/n, m[1]/n)
	require.Less(t, m[1]/n, max(2*time.Microsecond, 2*m[0]/n))
}

// TestGuardScanSpeed wants memory to be searched at 1 GB/s and more, and at every
// byte in less than 16 times the time of steps of 8 bytes.
func TestGuardScanSpeed(t *testing.T) {
	skipGuard(t)
	noise := noiseMemory(4 << 20)
	m := fastest(100,
		func() {
			for range ipcblock.ScanBytes(noise, ipcblock.FindOptions{}) {
				sink++
			}
		},
		func() {
			for range ipcblock.ScanBytes(noise, ipcblock.FindOptions{Deep: true}) {
				sink++
			}
		},
		func() {
			for range ipcblock.ScanBytes(noise, ipcblock.FindOptions{Anywhere: true}) {
				sink++
			}
		})
	for i, name := range []string{"steps of 2 KB", "steps of 8 bytes", "every byte"} {
		speed := float64(len(noise)) / m[i].Seconds() / 1e9
		t.Logf("%s: %.1f GB/s", name, speed)
		require.True(t, speed > 1 || i == 2, name)
	}
	require.Less(t, m[2], 16*m[1])
}
