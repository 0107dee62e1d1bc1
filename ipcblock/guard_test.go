package ipcblock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/ipcblock"
)

func skipGuard(t *testing.T) {
	t.Helper()
	if perftest.Race {
		t.Skip("a guard of speed or allocations means nothing under the race detector")
	}
}

func TestGuardDecodeAllocs(t *testing.T) {
	skipGuard(t)
	for name, data := range samples(t) {
		var d ipcblock.Decoder
		require.Zero(t, testing.AllocsPerRun(5, func() {
			tab, err := d.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			for c := range tab.Live() {
				for f := range c.Fields() {
					sink += c.Uint64(f)
				}
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
	m := perftest.Turns(40,
		func() {
			for range n {
				copy(to, data)
			}
		},
		func() {
			for range n {
				tab, _ := d.Decode(data)
				sink += tab.Chunk(0).Uint64(field("gc.gcHandles"))
			}
		})
	t.Logf("copy %v, decode %v", m[0].Best/n, m[1].Best/n)
	require.Less(t, m[1].Best/n, max(2*time.Microsecond, 2*m[0].Best/n))
}

// TestGuardScanSpeed wants memory to be searched at 1 GB/s and more, and at every
// byte in less than 16 times the time of steps of 8 bytes.
func TestGuardScanSpeed(t *testing.T) {
	skipGuard(t)
	noise := noiseMemory(4 << 20)
	scan := func(o ipcblock.FindOptions) func() {
		return func() {
			for range ipcblock.ScanBytes(noise, o) {
				sink++
			}
		}
	}
	m := perftest.Turns(15, scan(ipcblock.FindOptions{}), scan(ipcblock.FindOptions{Deep: true}), scan(ipcblock.FindOptions{Anywhere: true}))
	for i, name := range []string{"steps of 2 KB", "steps of 8 bytes", "every byte"} {
		speed := float64(len(noise)) / m[i].Best.Seconds() / 1e9
		t.Logf("%s: %.1f GB/s", name, speed)
		require.True(t, speed > 1 || i == 2, name)
	}
	require.Less(t, m[2].Best, 16*m[1].Best)
}
