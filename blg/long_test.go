package blg_test

import (
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/perftest"
)

const longRecords = 200 // of a round

// longLog is a log of whole rounds of about a size.
type longLog struct{ *perftest.LongLog }

func newLongLog(t testing.TB, size int64) longLog {
	t.Helper()
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(noon-10, sampleItems()...)
	for i := range int64(longRecords) {
		if i%50 == 0 {
			w.NextBuffer()
		}
		w.Sample(noon+i*second, sampleSeries(t, noon+i*second, 60)...)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return longLog{perftest.NewLongLog(b, 2, longRecords*second, size)}
}

func (l longLog) records() int64 { return l.Rounds * longRecords }

// peak runs f and returns the most that the heap grew by, looked at whenever
// f says so.
func peak(f func(look func())) uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.Sys, uint64(0)
	f(func() {
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys-min(m.Sys, before))
	})
	return most
}

// readLong reads a long log both ways.
func readLong(t *testing.T, size int64, limit uint64) {
	t.Helper()
	l := newLongLog(t, size)
	read := func(r *blg.Reader, look func()) {
		n := int64(0)
		for rec, err := range r.Records() {
			require.NoError(t, err)
			if want := noon + n*second; rec.Local != want {
				t.Fatalf("record %d at %d, not at %d", n, rec.Local, want)
			}
			for _, s := range rec.All() {
				for _, v := range s.Values() {
					sink += v.Sample.First
				}
			}
			if n++; n%50_000 == 0 {
				look()
			}
		}
		require.Equal(t, l.records(), n)
		look()
	}
	grown := peak(func(look func()) {
		f, err := blg.NewFile(l, l.Size, blg.Options{})
		require.NoError(t, err)
		require.False(t, f.Lost().Any())
		require.Equal(t, l.records(), f.NumRecords())
		look()
		read(f.Reader(), look)
		r, err := blg.NewReader(l, blg.Options{})
		require.NoError(t, err)
		read(r, look)
	})
	t.Logf("%d MB of log, %d records, %d MB of memory", l.Size>>20, l.records(), grown>>20)
	require.Less(t, grown, limit)
}

var sink uint64

// TestMemoryOfLongLogs reads a log of 64 MB, and with PERFDUMP_LONG=1 one of
// 4 GB, which is computed as it is read.
func TestMemoryOfLongLogs(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	readLong(t, 64<<20, 32<<20)
	if os.Getenv("PERFDUMP_LONG") != "" {
		readLong(t, 4<<30, 200<<20)
	}
}

// TestAllocOfRecords reads records without allocating once the largest has
// been met.
func TestAllocOfRecords(t *testing.T) {
	if perftest.Race {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	l := newLongLog(t, 64<<20)
	r, err := blg.NewReader(l, blg.Options{})
	require.NoError(t, err)
	one := func() {
		rec, err := next(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range rec.All() {
			for _, v := range s.Values() {
				sink += v.Sample.First + uint64(len(v.RawName))
			}
			if s.Kind == blg.Object {
				blk, err := s.Block()
				if err != nil {
					t.Fatal(err)
				}
				sink += uint64(blk.NumObjects())
			}
		}
	}
	for range 300 {
		one()
	}
	require.Zero(t, testing.AllocsPerRun(1000, one))
}

func BenchmarkRecords(b *testing.B) {
	l := newLongLog(b, 16<<20)
	data := make([]byte, l.Size)
	_, _ = l.ReadAt(data, 0)
	mem := readerAt(data)
	b.Run("File", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(l.Size)
		f, err := blg.NewFile(mem, l.Size, blg.Options{})
		require.NoError(b, err)
		for b.Loop() {
			for rec, err := range f.Records() {
				require.NoError(b, err)
				for _, s := range rec.All() {
					for _, v := range s.Values() {
						sink += v.Sample.First
					}
				}
			}
		}
	})
	b.Run("Index", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(l.Size)
		for b.Loop() {
			_, err := blg.NewFile(mem, l.Size, blg.Options{})
			require.NoError(b, err)
		}
	})
	b.Run("Memmove", func(b *testing.B) {
		b.SetBytes(l.Size)
		buf := make([]byte, 1<<20)
		for b.Loop() {
			for off := int64(0); off < l.Size; off += int64(len(buf)) {
				_, _ = mem.ReadAt(buf, off)
			}
		}
	})
}

// readerAt is bytes that are read at any place.
type readerAt []byte

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(r)) {
		return 0, io.EOF
	}
	n := copy(p, r[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
