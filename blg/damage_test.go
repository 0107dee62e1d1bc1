package blg_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/pdhpath"
)

// extent is where a part of an event lies.
type extent struct {
	from, to, buffer int
	typ              byte
	time             int64
}

// extents walks the records of a whole log.
func extents(b []byte) (out []extent) {
	stride := int(binary.LittleEndian.Uint32(b))
	for at := stride; at < len(b); at += stride {
		end := at + int(binary.LittleEndian.Uint32(b[at+0x30:]))
		for p := at + 0x48; p+8 <= end; {
			size := int(binary.LittleEndian.Uint16(b[p:]))
			out = append(out, extent{p, p + size, at, b[p+4], int64(binary.LittleEndian.Uint64(b[p+0x10:]))})
			p += (size + 7) &^ 7
		}
	}
	return out
}

// byRecord splits a dump.
func byRecord(s string) map[string]string {
	out := map[string]string{}
	for _, r := range strings.Split(s, "record ") {
		if len(r) > 23 {
			out[r[:23]] = r
		}
	}
	return out
}

// edit damages a log: it takes bytes away, and puts others there.
type edit struct {
	from, gone int
	put        []byte
}

func (e edit) of(b []byte) []byte { return slices.Concat(b[:e.from], e.put, b[e.from+e.gone:]) }

// hits reports whether a part is not whole any more. A buffer whose header is
// overwritten is lost; one that has moved is not.
func (e edit) hits(p extent) bool {
	touches := func(from, to int) bool {
		return from < e.from+e.gone && to > e.from || len(e.put) > 0 && from < e.from && to > e.from
	}
	return touches(p.from, p.to) || e.gone == len(e.put) && touches(p.buffer, p.buffer+0x48)
}

// editing is a log to be damaged.
type editing struct {
	b     []byte
	parts []extent
	want  map[string]string
	list  extent
}

func newEditing(t *testing.T, s shape) *editing {
	t.Helper()
	x := &editing{b: s.bytes(t)}
	x.parts, x.want = extents(x.b), byRecord(dump(t, open(t, x.b).Records()))
	x.list = x.parts[slices.IndexFunc(x.parts, func(p extent) bool { return p.typ == 0x20 })]
	require.Len(t, x.want, s.records)
	return x
}

// check requires each record that an edit does not hit to come out as it was.
func (x *editing) check(t *testing.T, e edit) {
	t.Helper()
	b := e.of(x.b)
	cut := e.from+e.gone == len(x.b) && e.put == nil
	whole := map[string]bool{}
	for _, p := range x.parts {
		if p.typ == 0x22 {
			at := stamp(p.time)
			hit, seen := whole[at]
			whole[at] = (hit || !seen) && !e.hits(p)
		}
	}
	f, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})
	if cut && err != nil {
		require.Less(t, e.from, x.list.to)
		return
	}
	require.NoError(t, err)
	text := dump(t, f.Records())
	got := byRecord(text)
	for at, r := range x.want {
		if whole[at] {
			require.True(t, r == got[at], "the record at %s, %d bytes less and %d more at 0x%x: %v", at, e.gone, len(e.put), e.from, f.Anomalies().Kept())
		} else if cut {
			require.NotContains(t, got, at)
		}
	}
	if len(got) < len(x.want) {
		require.NotZero(t, f.Anomalies().Len())
		require.True(t, cut || e.gone != len(e.put) || f.Lost().Any())
	}
	if f.InOrder() {
		r, err := blg.NewReader(iotest.HalfReader(bytes.NewReader(b)), blg.Options{})
		require.NoError(t, err)
		require.True(t, text == dump(t, r.Records()))
		require.Equal(t, f.Lost(), r.Lost())
	}
	formattest.Tile(t, f.Spans(), 0, int64(len(b)))
}

// TestDamageLosesNothingElse overwrites stretches of logs, takes some out or
// puts some in, wherever the buffers behind begin then, and cuts logs off.
func TestDamageLosesNothingElse(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for _, s := range []shape{
		{size: 0x1000, records: 60, instances: 2},
		{size: 0x4000, records: 60, instances: 1},
		{size: 0x10000, records: 12, instances: 500},
	} {
		x := newEditing(t, s)
		for n := range 60 {
			e := edit{from: x.list.to + rnd.Intn(len(x.b)-x.list.to)}
			size := 1 + rnd.Intn(1<<(1+rnd.Intn(11)))
			if n%5 < 4 {
				e.gone = min(size, len(x.b)-e.from)
			}
			switch n % 5 {
			case 0:
				e.put = make([]byte, e.gone)
			case 1:
				e.put = bytes.Repeat([]byte{0xFF}, e.gone)
			case 2:
				e.put = make([]byte, e.gone)
				rnd.Read(e.put)
			case 4:
				e.put = make([]byte, size)
				rnd.Read(e.put[:size*(n&1)])
			}
			x.check(t, e)
		}
	}
	for _, s := range []shape{{size: 0x1000, records: 6, instances: 1}, {size: 0x1000, records: 3, instances: 100}} {
		x := newEditing(t, s)
		for n := 0; n < len(x.b); n += 23 { // records begin at multiples of 8
			x.check(t, edit{from: n, gone: len(x.b) - n})
		}
	}
}

// TestMovedBuffers: the anomaly is where the buffer begins that bytes are
// missing in, or too many, and nothing behind it is lost; nothing at all where
// the bytes were not in use.
func TestMovedBuffers(t *testing.T) {
	b := shape{size: 0x4000, records: 200, instances: 1}.bytes(t)
	whole := open(t, b).NumRecords()
	for _, e := range []edit{{from: 0xA000, gone: 512}, {from: 0xA001, gone: 511}, {from: 0xA000, put: make([]byte, 512)}} {
		f := open(t, e.of(b))
		require.GreaterOrEqual(t, f.NumRecords(), whole-3)
		require.True(t, f.Lost().Any())
		told := 0
		for _, a := range f.Anomalies().Kept() {
			require.True(t, a.Off >= 0x8000 && a.Off < 0xC200, a)
			if a.Code == "buffer-moved" {
				require.Contains(t, a.String(), "buffer[2]")
				told++
			}
		}
		require.Equal(t, 1, told)
		gap := func(s perfdump.Span) bool { return s.Kind == perfdump.KindGap && s.Off >= 0x8000 && s.Off < 0xC200 }
		require.True(t, slices.ContainsFunc(slices.Collect(f.Spans()), gap))
	}

	b = written(t, closed(), func(w *blgwriter.Writer) {
		w.Items(noon-10, sampleItems()...)
		w.NextBuffer()
		for i := range int64(3) {
			sample(t, w, 1, noon+i*second)
			w.NextBuffer()
		}
	})
	want := dump(t, open(t, b).Records())
	for _, e := range []edit{{from: 0x3000 - 200, gone: 100}, {from: 0x3000 - 200, put: bytes.Repeat([]byte{0xFF}, 300)}} {
		f := open(t, e.of(b))
		require.Equal(t, want, dump(t, f.Records()))
		require.False(t, f.Lost().Any())
		require.Equal(t, []perfdump.Code{"buffer-moved"}, codes(f.Anomalies()))
		require.EqualValues(t, 0x2000, f.Anomalies().Kept()[0].Off)
	}

	// In disorder, buffers are read where they are, not where they should be.
	const stride = 0x1000
	b = shape{size: stride, records: 60, instances: 2}.bytes(t)
	turned := permuted(b, stride, func(i, n int) int { return (i + 5) % n })
	f := open(t, edit{from: 2*stride - 100, gone: 77}.of(turned)) // of what no record has
	require.False(t, f.InOrder())
	require.True(t, dump(t, open(t, b).Records()) == dump(t, f.Records()))
}

// TestDamageByReason makes one thing wrong at a time, of what no change of a
// single field makes, and requires what testdata/damage.txt has.
func TestDamageByReason(t *testing.T) {
	series := func(change func(s []blgwriter.Series) []blgwriter.Series) func(w *blgwriter.Writer) {
		return func(w *blgwriter.Writer) { w.Sample(noon, change(sampleSeries(t, noon, 1))...) }
	}
	second1 := func(s blgwriter.Series) func(w *blgwriter.Writer) {
		return series(func(all []blgwriter.Series) []blgwriter.Series { all[1] = s; return all })
	}
	event := func(typ uint8, data []byte) func(w *blgwriter.Writer) {
		return func(w *blgwriter.Writer) { w.Event(typ, noon, data) }
	}
	partsOf := func(all int, parts ...int) func(w *blgwriter.Writer) {
		return func(w *blgwriter.Writer) {
			for _, part := range parts {
				w.Part(0x22, noon, part, all, make([]byte, 8))
			}
		}
	}
	foreign := append([]byte{80, 0, 0x14, 0xC0}, make([]byte, 76)...)
	unmarked := append(make([]byte, 24), foreign...) // 0xC0 is in every record
	unmarked[24+3] = 0x40
	copy(unmarked[24+24:], etl.Provider[:])
	cutName := append([]byte{48, 0, 0, 0, 1}, make([]byte, 19+24)...)
	cutName[24] = 48
	var out strings.Builder
	for _, c := range []struct {
		name string
		make func(w *blgwriter.Writer)
		edit func(b []byte)
	}{
		{name: "two foreign records", make: func(w *blgwriter.Writer) { w.Record(foreign); w.Record(foreign) }},
		{name: "no record", make: func(w *blgwriter.Writer) { w.Record(make([]byte, 24)) }},
		{name: "no record, but like one", make: func(w *blgwriter.Writer) { w.Record(unmarked) }},
		{name: "a part out of turn", make: partsOf(3, 1, 3)},
		{name: "parts without the first", make: partsOf(4, 2, 3, 4)},
		{name: "an incomplete event", make: partsOf(2, 1)},
		{name: "a kind of series", make: second1(blgwriter.Series{Kind: 9, Body: make([]byte, 24)})},
		{name: "a kind of series, without a body, at the end", make: series(func(s []blgwriter.Series) []blgwriter.Series { return append(s[:3], blgwriter.Series{Kind: 9}) })},
		{name: "too many series", make: series(func(s []blgwriter.Series) []blgwriter.Series { return append(s, s...) })},
		{name: "too few series", make: series(func(s []blgwriter.Series) []blgwriter.Series { return s[:2] })},
		{name: "a series cut off", make: event(0x22, blgwriter.AppendSample(nil, sampleSeries(t, noon, 1)...)[:80])},
		{name: "a count past the body", make: second1(blgwriter.Series{Kind: blg.Instances, Body: append([]byte{24, 0, 0, 0, 2}, make([]byte, 19+24)...)})},
		{name: "a name outside of the body", make: second1(blgwriter.Series{Kind: blg.Instances, Body: cutName})},
		{name: "no sample", make: event(0x22, []byte("BL\x03\x01\x08\x00\x00\x00"))},
		{name: "an item past the end", make: event(0x20, append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 60, 0, 0, 0}, make([]byte, 48)...))},
		{name: "another list", make: func(w *blgwriter.Writer) { w.Items(noon, sampleItems()...) }},
		{name: "a long text of an item", make: func(w *blgwriter.Writer) {
			w.Items(noon, blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "o" + strings.Repeat("\U0001f600", 8192), Counter: "c"}})
		}},
		{name: "titles of no number", make: func(w *blgwriter.Writer) { w.Titles(noon, `\\ONE`, "4", "Memory", "x", "y") }},
		{name: "a short catalogue", make: event(0x23, make([]byte, 8))},
		{name: "a catalogue of another length", make: event(0x23, catalogueHeader(0x000005FF, 33))},
		{name: "a catalogue without its marker", make: event(0x23, catalogueHeader(0x000006FF, 32))},
		{name: "time goes back", make: func(w *blgwriter.Writer) { sample(t, w, 1, noon+2*second, noon-second) }},
		{
			name: "a record that swallows another",
			make: func(w *blgwriter.Writer) { sample(t, w, 1, noon) },
			edit: func(b []byte) {
				p := extents(b)[1]
				binary.LittleEndian.PutUint16(b[p.from:], uint16(2*(p.to-p.from)))
			},
		},
		{name: "no header", edit: func(b []byte) { b[0x4A] = 5 }},
		{name: "pointers of 5", edit: func(b []byte) { b[0x48+0x20+0x2C] = 5 }},
	} {
		b := written(t, blgwriter.Options{Header: etl.LogHeader{EndTime: noon}}, func(w *blgwriter.Writer) {
			w.Items(noon-10, sampleItems()...)
			sample(t, w, 1, noon)
			if c.make != nil {
				c.make(w)
			}
			sample(t, w, 1, noon+second)
		})
		if c.edit != nil {
			c.edit(b)
		}
		r := streamed(t, b)
		fmt.Fprintf(&out, "%s: %d records\n", c.name, len(stamps(t, r.Records())))
		for _, a := range r.Anomalies().Kept() {
			fmt.Fprintf(&out, "\t%s: %s\n", a.Code, a)
		}
		for reason, n := range r.Lost().All() {
			fmt.Fprintf(&out, "\tlost %s: %d\n", reason, n)
		}
		checkPlaces(t, b, r)
		strict, err := blg.NewReader(bytes.NewReader(b), strictly)
		for err == nil {
			_, err = next(strict)
		}
		require.ErrorIs(t, err, perfdump.ErrAnomaly, c.name)
	}
	golden.File(t, "testdata/damage.txt", []byte(out.String()))
}

// catalogueHeader is all of a catalogue without objects.
func catalogueHeader(marker, length uint32) []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 24), length)
	return binary.LittleEndian.AppendUint32(b, marker)
}

// TestNoLog refuses what is none.
func TestNoLog(t *testing.T) {
	good := shape{records: 2, instances: 1}.bytes(t)
	for _, c := range []struct {
		b    []byte
		want error
	}{
		{nil, perfdump.ErrEmpty},
		{good[:60], perfdump.ErrTruncated},
		{[]byte(strings.Repeat("text", 100)), perfdump.ErrSignature},
		{bytes.ReplaceAll(good, etl.Provider[:4], []byte{1, 2, 3, 4}), perfdump.ErrSignature},
		{good[:0x10000], perfdump.ErrSignature},
	} {
		_, err := blg.Open(bytes.NewReader(c.b), int64(len(c.b)), blg.Options{})
		require.ErrorIs(t, err, c.want)
		r, err := blg.NewReader(bytes.NewReader(c.b), blg.Options{})
		if err == nil {
			_, err = next(r)
		}
		require.ErrorIs(t, err, c.want)
	}
	for size, want := range map[int64]error{int64(len(good)) + 1: io.ErrUnexpectedEOF, 0: perfdump.ErrEmpty, -1: perfdump.ErrEmpty} {
		_, err := blg.Open(bytes.NewReader(good), size, blg.Options{})
		require.ErrorIs(t, err, want)
	}
}

// TestBufferSize: of the two places that say the size of the buffers, the one
// holds that can be, or behind whose size a buffer begins.
func TestBufferSize(t *testing.T) {
	for _, size := range []int{0x1000, 0x10000} {
		good := shape{size: size, records: 30, instances: 1}.bytes(t)
		want := dump(t, open(t, good).Records())
		check := func(at int, n uint32) {
			b := bytes.Clone(good)
			binary.LittleEndian.PutUint32(b[at:], n)
			f := open(t, b)
			require.True(t, want == dump(t, f.Records()), "0x%x at 0x%x", n, at)
			require.True(t, want == dump(t, streamed(t, b).Records()), "0x%x at 0x%x", n, at)
			if at == 0 {
				require.EqualValues(t, 1, lostOf(f.Lost(), "buffers"))
			}
		}
		for bit := range 32 {
			check(0, uint32(size)^1<<bit)
			check(0x48+0x20, uint32(size)^1<<bit)
		}
		for _, n := range []uint32{0, 1, 0x3FF, 0x401, 0x1000400, 0x2000000, 0x80000000, 0xFFFFFC00, 0xFFFFFFFF} {
			check(0, n)
			both := bytes.Clone(good)
			binary.LittleEndian.PutUint32(both, n)
			binary.LittleEndian.PutUint32(both[0x48+0x20:], n)
			_, err := blg.Open(bytes.NewReader(both), int64(len(both)), blg.Options{})
			require.ErrorIs(t, err, perfdump.ErrSignature, "%#x", n)
		}
	}
}

// TestNextBuffer: a buffer is known by a first record that is whole. One without
// the mark of records, or larger than what its buffer holds, begins none.
func TestNextBuffer(t *testing.T) {
	const stride, record = 0x1000, 0x1000 + 0x48
	log := shape{size: stride, records: 60, instances: 1}.bytes(t)
	require.Equal(t, stride, blg.NextBuffer(log, stride))
	filled := 0x48 + blg.RecordSize(log[record:]) - 1
	require.Greater(t, filled, 0x48)
	for at, n := range map[int]uint16{record + 2: 0x14, record: 0, stride + 0x30: uint16(filled)} {
		b := bytes.Clone(log)
		binary.LittleEndian.PutUint16(b[at:], n)
		require.Equal(t, 2*stride, blg.NextBuffer(b, stride), "0x%x", at)
		binary.LittleEndian.PutUint16(b[record:], 0xFFFF)
		require.Equal(t, 2*stride, blg.NextBuffer(b, stride), "0x%x", at)
	}
}

// TestResync: behind damage the log goes on with the next that can be a record
// of PDH: at a multiple of 8, with the mark, of a kind of event, as long as its
// headers at least, and within what is filled.
func TestResync(t *testing.T) {
	const headers = 0x48
	for _, c := range []struct {
		name string
		data int // bytes that the record behind the damage holds
		at   int // a byte of that record that becomes another, 0 where none does
		to   byte
		ok   bool
	}{
		{name: "a record without data", at: 4, to: 0x24, ok: true},
		{name: "a record", data: 8, at: 4, to: 0x24, ok: true},
		{name: "no mark", data: 8, at: 3, to: 0x80},
		{name: "no event", data: 8, at: 2, to: 0x12},
		{name: "a system's", data: 8, at: 2, to: 1},
		{name: "of 32 bits", data: 8, at: 2, to: 0x0A, ok: true},
		{name: "shorter than its headers", data: 8, to: headers - 1},
		{name: "longer than what is there", data: 8, to: headers + 9},
	} {
		b := written(t, blgwriter.Options{BufferSize: 0x400}, func(w *blgwriter.Writer) {
			w.Items(noon-10, sampleItems()...)
			w.NextBuffer()
			w.Event(0x24, noon, make([]byte, 16))
			w.Part(0x24, noon, 1, 1, make([]byte, c.data))
		})
		at := bytes.LastIndex(b, etl.Provider[:]) - 24
		first := at - headers - 16
		binary.LittleEndian.PutUint16(b[first:], 0) // the record before it
		b[at+c.at] = c.to
		end := at + headers + c.data
		if c.ok {
			end = at
		}
		r := streamed(t, b)
		stamps(t, r.Records())
		require.Equal(t, int64(end-first), lostOf(r.Lost(), "bytes"), c.name)
		require.Equal(t, 1, strings.Count(fmt.Sprint(r.Anomalies().Kept()), fmt.Sprintf("no record: 0x%x bytes are skipped up to 0x%x", end-first, end)), c.name)
	}
}

// TestRecordsInsideOfRecords: another record is looked for in what has not the
// length that it says, which of whole events samples alone do say.
func TestRecordsInsideOfRecords(t *testing.T) {
	inner := written(t, blgwriter.Options{BufferSize: 0x400}, func(w *blgwriter.Writer) { w.Part(0x24, noon, 1, 1, make([]byte, 8)) })
	for _, c := range []struct {
		typ   uint8
		parts int
		size  int  // of the data
		said  bool // in the data, as samples say it
		split bool
	}{
		{0x20, 1, 0x60, true, false},
		{0x22, 1, 0x60, true, false},
		{0x22, 1, 0x60, false, true},
		{0x23, 1, 0x60, false, false},
		{0x23, 2, 0x60, true, true},
		{0x23, 2, 8000, false, false}, // as long as parts are that others follow
	} {
		data := make([]byte, c.size)
		copy(data[16:], inner[0x448:][:0x50])
		if c.said {
			binary.LittleEndian.PutUint32(data[4:], uint32(c.size))
		}
		r := streamed(t, written(t, blgwriter.Options{BufferSize: 0x4000}, func(w *blgwriter.Writer) {
			w.Part(c.typ, noon, 1, c.parts, data)
			w.Sample(noon)
		}))
		stamps(t, r.Records())
		require.Equal(t, c.split, slices.Contains(codes(r.Anomalies()), "record-damaged"), "%+v", c)
	}
}
