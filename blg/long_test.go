package blg_test

import (
	"bytes"
	"io"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

const longRecords = 200 // of a round

var sink uint64

// newLongLog is a log of whole rounds of about a size, and its records.
func newLongLog(t testing.TB, size int64) (l *perftest.LongLog, records int64) {
	t.Helper()
	l = perftest.NewLongLog(written(t, blgwriter.Options{}, func(w *blgwriter.Writer) {
		w.Items(noon-10, sampleItems()...)
		for i := range int64(longRecords) {
			if i%50 == 0 {
				w.NextBuffer()
			}
			sample(t, w, 60, noon+i*second)
		}
	}), 2, longRecords*second, size)
	return l, l.Rounds * longRecords
}

// walk reads all values of a record.
func walk(rec *blg.Record) {
	for _, s := range rec.All() {
		for _, v := range s.Values() {
			sink += v.Sample.First + uint64(len(v.RawName))
		}
	}
}

// readLong reads a long log both ways and returns how much the memory grew.
func readLong(t *testing.T, size int64, limit uint64) {
	t.Helper()
	l, records := newLongLog(t, size)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, grown := m.Sys, uint64(0)
	look := func() {
		runtime.ReadMemStats(&m)
		grown = max(grown, m.Sys-min(m.Sys, before))
	}
	read := func(r *blg.Reader) {
		n := int64(0)
		for rec, err := range r.Records() {
			require.NoError(t, err)
			if want := noon + n*second; rec.Local != want {
				t.Fatalf("record %d at %d, not at %d", n, rec.Local, want)
			}
			walk(rec)
			if n++; n%50_000 == 0 {
				look()
			}
		}
		require.Equal(t, records, n)
		look()
	}
	f, err := blg.Open(l, l.Size, blg.Options{})
	require.NoError(t, err)
	require.False(t, f.Lost().Any())
	require.Equal(t, records, f.NumRecords())
	look()
	read(f.Reader())
	r, err := blg.NewReader(l, blg.Options{})
	require.NoError(t, err)
	read(r)
	t.Logf("%d MB of log, %d records, %d MB of memory", l.Size>>20, records, grown>>20)
	require.Less(t, grown, limit)
}

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
// been read.
func TestAllocOfRecords(t *testing.T) {
	if perftest.Race {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	l, _ := newLongLog(t, 64<<20)
	r, err := blg.NewReader(l, blg.Options{})
	require.NoError(t, err)
	one := func() {
		rec, err := next(r)
		if err != nil {
			t.Fatal(err)
		}
		walk(rec)
		blk, err := rec.Series(2).Block()
		if err != nil {
			t.Fatal(err)
		}
		sink += uint64(blk.NumObjects())
	}
	for range 300 {
		one()
	}
	require.Zero(t, testing.AllocsPerRun(1000, one))
}

// TestAllocOfASecondPass: a log is read again in the memory of the pass before.
func TestAllocOfASecondPass(t *testing.T) {
	if perftest.Race {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	l, _ := newLongLog(t, 1<<20)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would take it away
	var f *blg.File
	first := perftest.Allocated(func() {
		var err error
		f, err = blg.Open(l, l.Size, blg.Options{})
		require.NoError(t, err)
	})
	for range 2 {
		require.Less(t, perftest.Allocated(func() {
			for rec, err := range f.Records() {
				require.NoError(t, err)
				sink += uint64(rec.Local)
			}
		}), first/4)
	}
}

// TestTwoPassesAtOnce: two that read at the same time have memory of their own.
func TestTwoPassesAtOnce(t *testing.T) {
	l, records := newLongLog(t, 4<<20)
	f, err := blg.Open(l, l.Size, blg.Options{})
	require.NoError(t, err)
	pass := func() (check func(n int64), stop func()) {
		next, stop := iter.Pull2(f.Records())
		return func(n int64) {
			rec, err, ok := next()
			require.True(t, ok)
			require.NoError(t, err)
			require.Equal(t, noon+n*second, rec.Local)
		}, stop
	}
	a, stopA := pass()
	defer stopA()
	const ahead = 150
	for n := range int64(ahead) {
		a(n)
	}
	b, stopB := pass()
	defer stopB()
	for n := range records {
		if n+ahead < records {
			a(n + ahead)
		}
		b(n)
	}
}

// asked notes how many bytes came and how many more were requested.
type asked struct {
	r    io.Reader
	have int
	most int // bytes that were requested beyond as many as had come
}

func (a *asked) Read(p []byte) (int, error) {
	a.most = max(a.most, len(p)-max(a.have, blg.AtOnce))
	n, err := a.r.Read(p)
	a.have += n
	return n, err
}

// TestStreamReadsAsManyAsCame: a stream that speaks of large buffers has memory
// set aside for them only as its bytes come.
func TestStreamReadsAsManyAsCame(t *testing.T) {
	log := written(t, blgwriter.Options{BufferSize: etl.MaxBufferSize}, func(w *blgwriter.Writer) { w.Items(0, sampleItems()...) })
	for _, n := range []int{0x400, 300 << 10, len(log)} {
		a := &asked{r: bytes.NewReader(log[:n])}
		r, err := blg.NewReader(a, blg.Options{})
		require.NoError(t, err)
		for range r.Records() {
			continue
		}
		require.LessOrEqual(t, a.most, 0, n)
	}
}

// TestGuardBuffersAreLinear: a log of which no buffer is in its place, or
// that has nothing but starts of buffers, takes time in proportion to it.
func TestGuardBuffersAreLinear(t *testing.T) {
	perftest.GuardSpeed(t)
	good := shape{records: 2, instances: 1}.bytes(t)
	const head = 0x48 + 48 + 24
	one := bytes.Clone(good[0x10000 : 0x10000+head])
	one[0x30], one[0x31] = head, 0 // FilledBytes
	copy(one[0x48:], []byte{72, 0})
	for name, part := range map[string][]byte{
		"starts of buffers":          one,
		"starts, one byte too short": one[:head-1],
		"starts, far apart":          append(bytes.Clone(one), make([]byte, 0x10000)...),
		"records alone":              one[0x48:],
		"providers":                  one[0x60:0x70],
	} {
		took := func(n int) time.Duration {
			b := append(bytes.Clone(good[:0x10000]), bytes.Repeat(part, n/len(part))...)
			best := time.Hour
			for range 3 {
				began := time.Now()
				if f, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{}); err == nil {
					for range f.Spans() {
						continue
					}
				}
				for range streamed(t, b).Records() {
					continue
				}
				best = min(best, time.Since(began))
			}
			return best
		}
		small, large := took(1<<19), took(1<<22)
		require.Less(t, large, 8*4*small+20*time.Millisecond, name)
	}
}

func BenchmarkRecords(b *testing.B) {
	l, _ := newLongLog(b, 16<<20)
	data, _ := io.ReadAll(l)
	f := open(b, data)
	b.ReportAllocs()
	b.SetBytes(l.Size)
	for b.Loop() {
		for rec, err := range f.Records() {
			require.NoError(b, err)
			walk(rec)
		}
	}
}
