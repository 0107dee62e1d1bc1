package blg_test

import (
	"bytes"
	"math/rand"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/perftest"
)

// moved is a log with bytes missing from an offset on, or bytes too many
// there.
type moved struct {
	from, missing int
	extra         []byte
}

func (m moved) of(b []byte) []byte {
	return slices.Concat(b[:m.from], m.extra, b[m.from+m.missing:])
}

// touches reports whether a stretch is not whole any more.
func (m moved) touches(from, to int) bool {
	return from < m.from+m.missing && to > m.from || len(m.extra) > 0 && from < m.from && to > m.from
}

// TestMovedBytesLoseNothingElse takes bytes out of logs, or puts some in, and
// wants each record that is still whole to come out as it was, wherever the
// buffers behind begin now.
func TestMovedBytesLoseNothingElse(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for _, s := range []shape{
		{o: blg.WriterOptions{BufferSize: 0x1000}, records: 60, instances: 2},
		{o: blg.WriterOptions{BufferSize: 0x4000}, records: 200, instances: 1},
		{o: blg.WriterOptions{BufferSize: 0x10000}, records: 12, instances: 500},
	} {
		b := s.bytes(t)
		want := byRecord(dump(t, open(t, b).Records()))
		require.Len(t, want, s.records)
		parts := extents(b)
		list := parts[slices.IndexFunc(parts, func(p extent) bool { return p.typ == 0x20 })]
		for n := range 60 {
			m := moved{from: list.to + rnd.Intn(len(b)-list.to)}
			size := 1 + rnd.Intn(1<<(1+rnd.Intn(11)))
			if n%2 == 0 {
				m.missing = min(size, len(b)-m.from)
			} else {
				m.extra = make([]byte, size)
				if n%4 == 1 {
					rnd.Read(m.extra)
				}
			}
			checkMoved(t, m.of(b), want, func(local string) bool {
				return slices.ContainsFunc(parts, func(p extent) bool { return stamp(p.time) == local && m.touches(p.from, p.to) })
			}, m)
		}
	}
}

func checkMoved(t *testing.T, b []byte, want map[string]string, hit func(local string) bool, m moved) {
	t.Helper()
	f := open(t, b)
	text := dump(t, f.Records())
	got := byRecord(text)
	for local, r := range want {
		if !hit(local) {
			require.True(t, r == got[local], "the record at %s, with %d bytes less and %d more at 0x%x: %v", local, m.missing, len(m.extra), m.from, f.Anomalies().Kept())
		}
	}
	if len(got) < len(want) {
		require.NotZero(t, f.Anomalies().Len())
	}
	if f.InOrder() {
		r, err := blg.NewReader(iotest.HalfReader(bytes.NewReader(b)), blg.Options{})
		require.NoError(t, err)
		require.True(t, text == dump(t, r.Records()))
		require.Equal(t, f.Lost(), r.Lost())
	}
	at := int64(0)
	for s := range f.Spans() {
		require.Equal(t, at, s.Off)
		at += s.Size
	}
	require.EqualValues(t, len(b), at)
}

// TestSpansOfAHeaderThatIsCut wants the spans of a log to tile it wherever in the
// first header the next buffer begins.
func TestSpansOfAHeaderThatIsCut(t *testing.T) {
	const stride = 0x1000
	b := shape{o: blg.WriterOptions{BufferSize: stride}, records: 60, instances: 2}.bytes(t)
	cut := 0
	for from := 1; from < 0x300; from++ {
		m := moved{from: from, missing: stride - from}.of(b)
		f, err := blg.NewFile(bytes.NewReader(m), int64(len(m)), blg.Options{})
		if err != nil {
			continue
		}
		cut++
		at := int64(0)
		for s := range f.Spans() {
			require.Equal(t, at, s.Off, "cut at 0x%x", from)
			at += s.Size
		}
		require.EqualValues(t, len(m), at, "cut at 0x%x", from)
	}
	require.Greater(t, cut, 0x100)
}

// TestMovedBytesAreTold: 512 bytes that are missing in the middle of a buffer
// are told where it begins, with the length that it has, and nothing behind it
// is.
func TestMovedBytesAreTold(t *testing.T) {
	b := shape{o: blg.WriterOptions{BufferSize: 0x4000}, records: 200, instances: 1}.bytes(t)
	whole := open(t, b)
	for _, m := range []moved{
		{from: 0x4000*2 + 0x2000, missing: 512},
		{from: 0x4000*2 + 0x2001, missing: 511},
		{from: 0x4000*2 + 0x2000, extra: make([]byte, 512)},
	} {
		f := open(t, m.of(b))
		require.GreaterOrEqual(t, f.NumRecords(), whole.NumRecords()-3)
		require.True(t, f.Lost().Any())
		var told []string
		for _, a := range f.Anomalies().Kept() {
			require.True(t, a.Off >= 0x8000 && a.Off < 0x4000*3+0x200, a)
			if a.Code == blg.CodeBufferMoved {
				told = append(told, a.String())
			}
		}
		require.Len(t, told, 1)
		require.Contains(t, told[0], "buffer[2]")
		gap := false
		for s := range f.Spans() {
			gap = gap || s.Kind == perfdump.KindGap && s.Off >= 0x8000 && s.Off < 0xC200
		}
		require.True(t, gap)
	}
}

// TestDisorderBehindMovedBytes reads the buffers where they are, not where they
// should be.
func TestDisorderBehindMovedBytes(t *testing.T) {
	const stride = 0x1000
	b := shape{o: blg.WriterOptions{BufferSize: stride}, records: 60, instances: 2}.bytes(t)
	want := dump(t, open(t, b).Records())
	turned := permuted(b, stride, func(i, n int) int { return (i + 5) % n })
	f := open(t, moved{from: 2*stride - 100, missing: 77}.of(turned)) // of what no record has
	require.False(t, f.InOrder())
	require.True(t, want == dump(t, f.Records()))
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
				f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
				if err == nil {
					for range f.Spans() {
						continue
					}
				}
				if r, err := blg.NewReader(bytes.NewReader(b), blg.Options{}); err == nil {
					for range r.Records() {
						continue
					}
				}
				best = min(best, time.Since(began))
			}
			return best
		}
		small, large := took(1<<19), took(1<<22)
		require.Less(t, large, 8*4*small+20*time.Millisecond, name)
	}
}

// TestBufferSizeOfTheFirstBuffer: where the two places that say the size of the
// buffers differ, it is the one behind which a buffer begins.
func TestBufferSizeOfTheFirstBuffer(t *testing.T) {
	for _, size := range []int{0x1000, 0x10000} {
		good := shape{o: blg.WriterOptions{BufferSize: size}, records: 30, instances: 1}.bytes(t)
		want := dump(t, open(t, good).Records())
		for _, at := range []int{0, 0x48 + 0x20} {
			for bit := range 32 {
				b := bytes.Clone(good)
				b[at+bit/8] ^= 1 << (bit % 8)
				f := open(t, b)
				require.True(t, want == dump(t, f.Records()), "bit %d at 0x%x", bit, at)
				r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
				require.NoError(t, err)
				require.True(t, want == dump(t, r.Records()), "bit %d at 0x%x", bit, at)
				if at == 0 {
					require.EqualValues(t, 1, f.Lost()[blg.LostBuffers])
				}
			}
		}
	}
}

// TestMovedUnusedBytes: where what is missing, or too much, was not in use, no
// byte is lost.
func TestMovedUnusedBytes(t *testing.T) {
	w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x1000, Header: blg.LogHeader{EndTime: noon}})
	w.Items(noon-10, sampleItems()...)
	w.NextBuffer()
	for i := range int64(3) {
		w.Sample(noon+i*second, sampleSeries(t, noon+i*second, 1)...)
		w.NextBuffer()
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	want := dump(t, open(t, b).Records())
	for _, m := range []moved{{from: 0x3000 - 200, missing: 100}, {from: 0x3000 - 200, extra: bytes.Repeat([]byte{0xFF}, 300)}} {
		f := open(t, m.of(b))
		require.True(t, want == dump(t, f.Records()))
		require.False(t, f.Lost().Any())
		require.Equal(t, 1, f.Anomalies().Len())
		require.Equal(t, blg.CodeBufferMoved, f.Anomalies().Kept()[0].Code)
		require.EqualValues(t, 0x2000, f.Anomalies().Kept()[0].Off)
	}
}
