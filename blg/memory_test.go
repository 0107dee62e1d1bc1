package blg_test

import (
	"iter"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/perftest"
)

// TestAllocOfASecondPass wants a log to be read again in the memory of the pass
// before.
func TestAllocOfASecondPass(t *testing.T) {
	if perftest.Race {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	l := newLongLog(t, 1<<20)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would take it away
	var f *blg.File
	first := allocated(func() {
		var err error
		f, err = blg.NewFile(l, l.Size, blg.Options{})
		require.NoError(t, err)
	})
	pass := func() {
		for rec, err := range f.Records() {
			require.NoError(t, err)
			sink += uint64(rec.Local)
		}
	}
	for range 2 {
		require.Less(t, allocated(pass), first/4)
	}
}

func allocated(f func()) uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.TotalAlloc
	f()
	runtime.ReadMemStats(&m)
	return m.TotalAlloc - before
}

// TestTwoPassesAtOnce wants two that read side by side to have memory of their
// own.
func TestTwoPassesAtOnce(t *testing.T) {
	l := newLongLog(t, 4<<20)
	f, err := blg.NewFile(l, l.Size, blg.Options{})
	require.NoError(t, err)
	a, stopA := iter.Pull2(f.Records())
	defer stopA()
	const ahead = 150
	require.Greater(t, l.records(), int64(ahead))
	for range ahead {
		_, err, ok := a()
		require.NoError(t, err)
		require.True(t, ok)
	}
	b, stopB := iter.Pull2(f.Records())
	defer stopB()
	for n := range l.records() {
		if n+ahead < l.records() {
			rec, err, ok := a()
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, noon+(n+ahead)*second, rec.Local)
		}
		rec, err, ok := b()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, noon+n*second, rec.Local)
	}
}
