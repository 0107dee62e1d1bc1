package blg_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
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
	for _, r := range strings.SplitAfter(s, "\nrecord") {
		r = strings.TrimSuffix(strings.TrimPrefix(r, "record"), "record")
		if len(r) > 24 {
			out[r[1:24]] = r
		}
	}
	return out
}

func stamp(local int64) string {
	return blg.Stamp{Local: local}.LocalTime().Format("2006-01-02 15:04:05.000")
}

// TestDamageLosesNothingElse overwrites stretches of logs and wants each
// record that the stretch does not touch to come out as it was.
func TestDamageLosesNothingElse(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for _, s := range []shape{
		{o: blg.WriterOptions{BufferSize: 0x4000}, records: 60, instances: 2},
		{o: blg.WriterOptions{BufferSize: 0x10000}, records: 12, instances: 500},
	} {
		b := s.bytes(t)
		want := byRecord(dump(t, open(t, b).Records()))
		require.Len(t, want, s.records)
		parts := extents(b)
		var list extent
		for _, p := range parts {
			if p.typ == 0x20 {
				list = p
			}
		}
		for n := range 120 {
			from := list.to + rnd.Intn(len(b)-list.to)
			to := min(len(b), from+1<<rnd.Intn(9))
			m := bytes.Clone(b)
			for i := from; i < to; i++ {
				m[i] = [3]byte{0, 0xFF, byte(rnd.Int())}[n%3]
			}
			f := open(t, m)
			got := byRecord(dump(t, f.Records()))
			hit := map[string]bool{}
			for _, p := range parts {
				if from < p.to && to > p.from || from < p.buffer+0x48 && to > p.buffer {
					hit[stamp(p.time)] = true
				}
			}
			for at, r := range want {
				if !hit[at] {
					require.Equal(t, r, got[at], "the record at %s, with 0x%x..0x%x damaged", at, from, to)
				}
			}
			if len(got) < len(want) {
				require.True(t, f.Lost().Any(), "0x%x..0x%x damaged", from, to)
				require.NotZero(t, f.Anomalies().Len())
			}
		}
	}
}

// TestDamageTruncation cuts a log at every length.
func TestDamageTruncation(t *testing.T) {
	for _, s := range []shape{
		{o: blg.WriterOptions{BufferSize: 0x1000}, records: 6, instances: 1},
		{o: blg.WriterOptions{BufferSize: 0x1000}, records: 3, instances: 100},
	} {
		b := s.bytes(t)
		want := dump(t, open(t, b).Records())
		parts := extents(b)
		first := 0
		for n := 0; n < len(b); n += 7 { // records begin at multiples of 8
			f, err := blg.NewFile(bytes.NewReader(b[:n]), int64(n), blg.Options{})
			whole := map[string]int{}
			for _, p := range parts {
				if p.typ != 0x22 {
					continue
				}
				if p.to <= n {
					whole[stamp(p.time)]++
				} else {
					whole[stamp(p.time)] -= 1000
				}
			}
			records := 0
			for _, k := range whole {
				if k > 0 {
					records++
				}
			}
			if err != nil {
				require.Zero(t, records)
				var fe *perfdump.FormatError
				require.ErrorAs(t, err, &fe)
				first = n
				continue
			}
			got := dump(t, f.Records())
			require.True(t, strings.HasPrefix(want, got), "%d bytes", n)
			require.EqualValues(t, records, f.NumRecords(), "%d bytes", n)
			r, err := blg.NewReader(bytes.NewReader(b[:n]), blg.Options{})
			require.NoError(t, err)
			require.Equal(t, got, dump(t, r.Records()))
			require.Equal(t, f.Lost(), r.Lost())
		}
		require.Less(t, first, parts[0].to)
	}
}

// TestDamageByReason makes one thing wrong at a time and wants it to be told
// and counted as what it is.
func TestDamageByReason(t *testing.T) {
	items := sampleItems()
	sample := func(w *blg.Writer, i int64) {
		w.Sample(noon+i*second, sampleSeries(t, noon+i*second, 1)...)
	}
	path := pdhpath.Path{Object: "O", Counter: "C"}
	for name, c := range map[string]struct {
		make    func(w *blg.Writer)
		edit    func(b []byte)
		code    perfdump.Code
		reason  blg.Reason
		lost    int64
		records int64
		text    string
	}{
		"a foreign record": {
			make: func(w *blg.Writer) {
				r := make([]byte, 80)
				copy(r, []byte{80, 0, 0x14, 0xC0})
				w.Record(r)
				w.Record(r)
			},
			code: blg.CodeRecordForeign, reason: blg.LostForeign, lost: 2, records: 2,
		},
		"a kind of record": {
			make: func(w *blg.Writer) { w.Record([]byte{16, 0, 0x12, 0xC0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}) },
			code: blg.CodeRecordKind, reason: blg.LostKinds, lost: 1, records: 2, text: "kind 0x12",
		},
		"no record": {
			make: func(w *blg.Writer) { w.Record(make([]byte, 24)) },
			code: blg.CodeRecordDamaged, reason: blg.LostBytes, lost: 24, records: 2,
		},
		"no record, but like one": { // 0xC0 is in every record
			make: func(w *blg.Writer) {
				r := make([]byte, 24+80)
				copy(r[24:], []byte{80, 0, 0x14, 0x40})
				copy(r[24+0x18:], "\xb3\x3b\x3f\x93\x3e\x94\x0d\x49\x9c\xed\x3c\xbb\x14\xc1\x44\x79")
				w.Record(r)
			},
			code: blg.CodeRecordDamaged, reason: blg.LostBytes, lost: 104, records: 2, text: "0x68 bytes skipped",
		},
		"a type of event": {
			make: func(w *blg.Writer) { w.Event(0x30, noon, []byte("x")) },
			code: blg.CodeEventType, reason: blg.LostTypes, lost: 1, records: 2, text: "0x30",
		},
		"a part out of turn": {
			make: func(w *blg.Writer) {
				w.Part(0x22, noon, 1, 3, make([]byte, 8))
				w.Part(0x22, noon, 3, 3, make([]byte, 8))
			},
			code: blg.CodePartOrder, reason: blg.LostEvents, lost: 1, records: 2, text: "part 3, where part 2 is due",
		},
		"parts without the first": {
			make: func(w *blg.Writer) {
				w.Part(0x22, noon, 2, 4, make([]byte, 8))
				w.Part(0x22, noon, 3, 4, make([]byte, 8))
				w.Part(0x22, noon, 4, 4, make([]byte, 8))
			},
			code: blg.CodePartOrder, reason: blg.LostEvents, lost: 1, records: 2,
		},
		"an incomplete event": {
			make: func(w *blg.Writer) { w.Part(0x22, noon, 1, 2, make([]byte, 8)) },
			code: blg.CodeEventIncomplete, reason: blg.LostEvents, lost: 1, records: 2, text: "1 of the event's 2 parts",
		},
		"a kind of series": {
			make: func(w *blg.Writer) {
				s := sampleSeries(t, noon, 1)
				s[1] = blg.NewSeries{Kind: 9, Body: make([]byte, 24)}
				w.Sample(noon, s...)
			},
			code: blg.CodeSeriesKind, reason: blg.LostUnknown, lost: 1, records: 3, text: "kind 9",
		},
		"a kind of series, without a body, at the end": {
			make: func(w *blg.Writer) {
				s := sampleSeries(t, noon, 1)
				s[3] = blg.NewSeries{Kind: 9}
				w.Sample(noon, s...)
			},
			code: blg.CodeSeriesKind, reason: blg.LostUnknown, lost: 1, records: 3, text: "kind 9",
		},
		"too many series": {
			make: func(w *blg.Writer) {
				s := sampleSeries(t, noon, 1)
				w.Sample(noon, append(s, s...)...)
			},
			code: blg.CodeSeriesExtra, reason: blg.LostExtra, lost: 4, records: 3,
		},
		"too few series": {
			make: func(w *blg.Writer) { w.Sample(noon, sampleSeries(t, noon, 1)[:2]...) },
			code: blg.CodeSeriesMissing, records: 3, text: "2 series for 4 items",
		},
		"a series cut off": {
			make: func(w *blg.Writer) {
				b := blg.AppendSample(nil, sampleSeries(t, noon, 1)...)
				w.Event(0x22, noon, b[:80])
			},
			code: blg.CodeSeriesLength, reason: blg.LostSeries, lost: 3, records: 3,
		},
		"a count past the body": {
			make: func(w *blg.Writer) {
				s := sampleSeries(t, noon, 1)
				s[1] = blg.NewSeries{Kind: blg.Instances, Body: append([]byte{24, 0, 0, 0, 2}, make([]byte, 19+24)...)}
				w.Sample(noon, s...)
			},
			code: blg.CodeSeriesLength, reason: blg.LostSeries, lost: 1, records: 3,
		},
		"a name outside of the body": {
			make: func(w *blg.Writer) {
				s := sampleSeries(t, noon, 1)
				body := append([]byte{48, 0, 0, 0, 1}, make([]byte, 19+24)...)
				body[24] = 48
				s[1] = blg.NewSeries{Kind: blg.Instances, Body: body}
				w.Sample(noon, s...)
			},
			code: blg.CodeInstanceName, reason: blg.LostInstances, lost: 1, records: 3,
		},
		"no sample": {
			make: func(w *blg.Writer) { w.Event(0x22, noon, []byte("BL\x03\x01\x08\x00\x00\x00")) },
			code: blg.CodeSampleLength, reason: blg.LostSeries, lost: 4, records: 3,
		},
		"an item past the end": {
			make: func(w *blg.Writer) {
				w.Event(0x20, noon, append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 60, 0, 0, 0}, make([]byte, 48)...))
			},
			code: blg.CodeItemLength, reason: blg.LostItems, lost: 1, records: 2,
		},
		"another list": {
			make: func(w *blg.Writer) { w.Items(noon, items...) },
			code: blg.CodeItemListAgain, records: 2,
		},
		"titles of no number": {
			make: func(w *blg.Writer) { w.Titles(noon, `\\ONE`, "4", "Memory", "x", "y") },
			code: blg.CodeTitles, reason: blg.LostTitles, lost: 1, records: 2,
		},
		"a short catalogue": {
			make: func(w *blg.Writer) { w.Event(0x23, noon, make([]byte, 8)) },
			code: blg.CodeCatalogue, records: 2,
		},
		"a catalogue of another length": {
			make: func(w *blg.Writer) { w.Event(0x23, noon, catalogueHeader(0x000005FF, 33)) },
			code: blg.CodeCatalogue, records: 2,
		},
		"a catalogue without its marker": {
			make: func(w *blg.Writer) { w.Event(0x23, noon, catalogueHeader(0x000006FF, 32)) },
			code: blg.CodeCatalogue, records: 2,
		},
		"time goes back": {
			make: func(w *blg.Writer) { sample(w, 2); sample(w, -1) },
			code: blg.CodeTimeBackwards, records: 4, text: "3000 ms",
		},
		"another buffer size": {
			make: func(w *blg.Writer) { w.NextBuffer(); sample(w, 0); w.NextBuffer() },
			edit: func(b []byte) { b[0x20000+1] = 0x80 },
			code: blg.CodeBufferHeader, reason: blg.LostBuffers, lost: 1, records: 2,
		},
		"filled past the end": {
			make: func(w *blg.Writer) { w.NextBuffer(); sample(w, 0); w.NextBuffer() },
			edit: func(b []byte) { b[0x20000+0x33] = 1 },
			code: blg.CodeBufferHeader, reason: blg.LostBuffers, lost: 1, records: 2, text: "FilledBytes",
		},
		"a record that swallows another": {
			make: func(w *blg.Writer) { sample(w, 0) },
			edit: func(b []byte) {
				for _, p := range extents(b) {
					if p.typ == 0x22 {
						binary.LittleEndian.PutUint16(b[p.from:], uint16(2*(p.to-p.from)))
						return
					}
				}
			},
			code: blg.CodeRecordDamaged, records: 3, text: "another begins",
		},
		"not closed":  {edit: func(b []byte) { copy(b[0x48+0x20+0x10:], make([]byte, 8)) }, code: blg.CodeNotClosed, records: 2},
		"buffers":     {edit: func(b []byte) { b[0x48+0x20+0x24]++ }, code: blg.CodeBufferCount, records: 2},
		"events lost": {edit: func(b []byte) { b[0x48+0x20+0x30] = 3 }, code: blg.CodeWriterLost, records: 2, text: "3 events"},
		"no header":   {edit: func(b []byte) { b[0x4A] = 5 }, code: blg.CodeLogHeader, records: 2},
		"a pointer":   {edit: func(b []byte) { b[0x48+0x20+0x2C] = 5 }, code: blg.CodeLogHeader, records: 2},
		"a text of an item": {
			make: func(w *blg.Writer) {
				w.Items(noon, blg.NewItem{Path: path})
			},
			edit: func(b []byte) {
				for _, p := range extents(b) {
					if p.typ == 0x20 && p.time == noon {
						b[p.from+0x48+8+0x20] = 200
					}
				}
			},
			code: blg.CodeItemText, records: 2,
		},
		"a long text of an item": {
			make: func(w *blg.Writer) {
				w.Items(noon, blg.NewItem{Path: pdhpath.Path{Machine: "ONE", Object: "o" + strings.Repeat("\U0001f600", 8192), Counter: "c"}})
			},
			code: blg.CodeItemText, records: 2, text: "32770 bytes: what is behind its first 32768",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var o blg.WriterOptions
			o.Header.EndTime = noon
			w := blg.NewWriter(o)
			w.Items(noon-10, items...)
			sample(w, 0)
			if c.make != nil {
				c.make(w)
			}
			if c.code != blg.CodeItemText {
				sample(w, 1)
			} else {
				w.Sample(noon + second)
			}
			b, err := w.Bytes()
			require.NoError(t, err)
			if c.edit != nil {
				c.edit(b)
			}
			r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
			require.NoError(t, err)
			n := int64(0)
			for _, err := range r.Records() {
				require.NoError(t, err)
				n++
			}
			assert.Equal(t, c.records, n)
			var found bool
			for _, a := range r.Anomalies().Kept() {
				found = found || a.Code == c.code && strings.Contains(a.String(), c.text)
			}
			assert.True(t, found, "%v", r.Anomalies().Kept())
			checkPlaces(t, b, r)
			if c.lost > 0 {
				assert.Equal(t, c.lost, r.Lost()[c.reason])
			}
			strict, err := blg.NewReader(bytes.NewReader(b), blg.Options{Mode: perfdump.Strict})
			require.NoError(t, err)
			for err == nil {
				_, err = next(strict)
			}
			require.ErrorIs(t, err, perfdump.ErrAnomaly)
		})
	}
}

// catalogueHeader is all of a catalogue without objects.
func catalogueHeader(marker, length uint32) []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 24), length)
	return binary.LittleEndian.AppendUint32(b, marker)
}

// TestNoLog refuses what is none.
func TestNoLog(t *testing.T) {
	good := shape{records: 2, instances: 1}.bytes(t)
	trace := bytes.ReplaceAll(good, []byte{0xB3, 0x3B, 0x3F, 0x93}, []byte{1, 2, 3, 4})
	for _, c := range []struct {
		b    []byte
		want error
	}{
		{nil, perfdump.ErrEmpty},
		{good[:60], perfdump.ErrTruncated},
		{[]byte(strings.Repeat("text", 100)), perfdump.ErrSignature},
		{trace, perfdump.ErrSignature},
		{good[:0x10000], perfdump.ErrSignature},
	} {
		_, err := blg.NewFile(bytes.NewReader(c.b), int64(len(c.b)), blg.Options{})
		assert.ErrorIs(t, err, c.want)
		r, err := blg.NewReader(bytes.NewReader(c.b), blg.Options{})
		if err == nil {
			_, err = next(r)
		}
		assert.ErrorIs(t, err, c.want)
	}
	_, err := blg.NewFile(bytes.NewReader(good), int64(len(good))+1, blg.Options{})
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	for _, size := range []int64{0, -1} { // whatever the reader has
		_, err := blg.NewFile(bytes.NewReader(good), size, blg.Options{})
		assert.ErrorIs(t, err, perfdump.ErrEmpty)
	}
}

// TestNoItemList keeps objects, which say themselves what they are.
func TestNoItemList(t *testing.T) {
	w := blg.NewWriter(blg.WriterOptions{})
	w.Sample(noon, sampleSeries(t, noon, 1)...)
	b, err := w.Bytes()
	require.NoError(t, err)
	f := open(t, b)
	assert.EqualValues(t, 3, f.Lost()[blg.LostSeries])
	for rec, err := range f.Records() {
		require.NoError(t, err)
		require.Equal(t, 1, rec.Len())
		s := rec.Series(0)
		assert.Nil(t, s.Item)
		_, err := s.Block()
		assert.NoError(t, err)
		assert.Equal(t, blg.OffsetBlock, rec.Source)
	}
}

// TestBufferSizeSaidTwice: where the first buffer says a size that none has, the
// log header's is taken, and only that buffer is lost.
func TestBufferSizeSaidTwice(t *testing.T) {
	good := shape{records: 2, instances: 1}.bytes(t)
	want := dump(t, open(t, good).Records())
	for _, size := range []uint32{0, 1, 0x3FF, 0x401, 0x1000400, 0x2000000, 0x80000000, 0xFFFFFC00, 0xFFFFFFFF} {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b, size)
		f := open(t, b)
		require.Equal(t, want, dump(t, f.Records()), "%#x", size)
		require.EqualValues(t, 1, f.Lost()[blg.LostBuffers])
		binary.LittleEndian.PutUint32(b[0x48+0x20:], size)
		_, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
		require.ErrorIs(t, err, perfdump.ErrSignature, "%#x", size)
	}
}
