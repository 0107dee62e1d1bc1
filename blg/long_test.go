package blg_test

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
)

// longLog is a log of any size that is computed as it is read: the first
// buffers of a written log, and then its samples again and again, each round
// later than the one before. It holds no more than one round.
type longLog struct {
	head  []byte // header and items
	round []byte // buffers of samples
	times []int  // places in round of the times of events
	span  int64  // how much later a round is
	size  int64
	at    int64 // of Read
}

const longStride = 0x10000

// newLongLog makes a log of whole rounds of about size bytes.
func newLongLog(t testing.TB, size int64) *longLog {
	t.Helper()
	const records = 200
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(noon-10, sampleItems()...)
	for i := range int64(records) {
		if i%50 == 0 {
			w.NextBuffer()
		}
		w.Sample(noon+i*second, sampleSeries(t, noon+i*second, 60)...)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	l := &longLog{head: b[:2*longStride], round: b[2*longStride:], span: records * second}
	for _, p := range extents(b) {
		if p.typ == 0x22 {
			l.times = append(l.times, p.from+0x10-len(l.head))
		}
	}
	l.size = int64(len(l.head)) + size/int64(len(l.round))*int64(len(l.round))
	return l
}

func (l *longLog) records() int64 {
	return (l.size - int64(len(l.head))) / int64(len(l.round)) * 200
}

// ReadAt computes what is asked for. Whoever reads must not cut a time in two,
// as no reader of whole buffers does.
func (l *longLog) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < l.size {
		if off < int64(len(l.head)) {
			k := copy(p[n:], l.head[off:])
			n, off = n+k, off+int64(k)
			continue
		}
		round, at := (off-int64(len(l.head)))/int64(len(l.round)), int((off-int64(len(l.head)))%int64(len(l.round)))
		k := copy(p[n:], l.round[at:])
		for _, i := range l.times {
			if i >= at && i+8 <= at+k {
				b := p[n+i-at:]
				binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+uint64(round*l.span))
			}
		}
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (l *longLog) Read(p []byte) (int, error) {
	n, err := l.ReadAt(p, l.at)
	l.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

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
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
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
		f, err := blg.NewFile(l, l.size, blg.Options{})
		require.NoError(t, err)
		require.False(t, f.Lost().Any())
		require.Equal(t, l.records(), f.NumRecords())
		look()
		read(f.Reader(), look)
		r, err := blg.NewReader(l, blg.Options{})
		require.NoError(t, err)
		read(r, look)
	})
	t.Logf("%d MB of log, %d records, %d MB of memory", l.size>>20, l.records(), grown>>20)
	require.Less(t, grown, limit)
}

var sink uint64

// TestMemoryOfLongLogs reads a log of 64 MB, and with PERFDUMP_LONG=1 one of
// 4 GB, which is computed as it is read.
func TestMemoryOfLongLogs(t *testing.T) {
	if raceEnabled {
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
	if raceEnabled {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	l := newLongLog(t, 64<<20)
	r, err := blg.NewReader(l, blg.Options{})
	require.NoError(t, err)
	next := func() {
		rec, err := r.Next()
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
		next()
	}
	require.Zero(t, testing.AllocsPerRun(1000, next))
}

func BenchmarkRecords(b *testing.B) {
	l := newLongLog(b, 16<<20)
	data := make([]byte, l.size)
	_, _ = l.ReadAt(data, 0)
	mem := readerAt(data)
	b.Run("File", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(l.size)
		f, err := blg.NewFile(mem, l.size, blg.Options{})
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
		b.SetBytes(l.size)
		for b.Loop() {
			_, err := blg.NewFile(mem, l.size, blg.Options{})
			require.NoError(b, err)
		}
	})
	b.Run("Memmove", func(b *testing.B) {
		b.SetBytes(l.size)
		buf := make([]byte, 1<<20)
		for b.Loop() {
			for off := int64(0); off < l.size; off += int64(len(buf)) {
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
