package blg_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// TestWrittenLogsReadBack makes logs of both bitnesses, of buffers from the
// smallest on, with events of one part and of many.
func TestWrittenLogsReadBack(t *testing.T) {
	for _, s := range []shape{
		{records: 5, instances: 1},
		{o: blg.WriterOptions{Bits32: true}, records: 5, instances: 400},
		{o: blg.WriterOptions{BufferSize: 0x400}, records: 7, instances: 30},
		{o: blg.WriterOptions{BufferSize: 0x4400, Bits32: true}, records: 40, instances: 300},
		{o: blg.WriterOptions{BufferSize: 0x1000000}, records: 3, instances: 3000},
	} {
		b := s.bytes(t)
		f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		checkWritten(t, f, s)
		var back bytes.Buffer
		_, err = f.WriteTo(&back)
		require.NoError(t, err)
		require.True(t, bytes.Equal(b, back.Bytes()))
		r, err := blg.NewReader(bytes.NewReader(b), blg.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Equal(t, dump(t, f.Records()), dump(t, r.Records()))
		assert.Equal(t, f.Titles(), r.Titles())
	}
}

// TestWriteTo holds that a log is written as Bytes gives it, and nothing of one
// that cannot be.
func TestWriteTo(t *testing.T) {
	s := shape{records: 3, instances: 2}
	var to bytes.Buffer
	n, err := s.write(t).WriteTo(&to)
	require.NoError(t, err)
	require.EqualValues(t, to.Len(), n)
	require.True(t, bytes.Equal(s.bytes(t), to.Bytes()))

	broken := errors.New("the disk is gone")
	r, w := io.Pipe()
	require.NoError(t, r.CloseWithError(broken))
	_, err = s.write(t).WriteTo(w)
	require.ErrorIs(t, err, broken)

	to.Reset()
	n, err = blg.NewWriter(blg.WriterOptions{LoggerName: strings.Repeat("x", 1<<20)}).WriteTo(&to)
	require.ErrorIs(t, err, perfdump.ErrLength)
	require.Zero(t, n)
	require.Zero(t, to.Len())
}

// TestTitlesOfSeveralRecords: each record of titles holds whole pairs and the
// next one of the machine goes on; the last name of each may end with the data.
func TestTitlesOfSeveralRecords(t *testing.T) {
	w := blg.NewWriter(blg.WriterOptions{})
	w.Titles(noon, `\\TWO`)
	w.Titles(noon, `\\ONE`, "1", "1847", "4", "Memory")
	w.Titles(noon, `\\ONE`)
	w.Event(0x24, noon, wire.EncodeUTF16(nil, "\\\\ONE\x006\x00% Processor Time"))
	w.Titles(noon, `\\one`, "24", "Available Bytes")
	w.Titles(noon, `\\ONE`, "28", "Page Faults/sec")
	w.Items(noon, sampleItems()...)
	b, err := w.Bytes()
	require.NoError(t, err)
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	found := false
	for _, m := range f.Titles() {
		if m.Machine != `\\ONE` {
			require.Zero(t, m.Table.Len())
			continue
		}
		found = true
		require.Equal(t, map[uint32]string{
			4: "Memory", 6: "% Processor Time", 24: "Available Bytes", 28: "Page Faults/sec",
		}, maps.Collect(m.Table.All()))
		require.Empty(t, m.Table.Anomalies().Kept())
	}
	require.True(t, found)
}

func checkWritten(t *testing.T, f *blg.File, s shape) {
	t.Helper()
	bits := 64
	if s.o.Bits32 {
		bits = 32
	}
	assert.Equal(t, bits, f.Header().Bits())
	assert.Equal(t, "01234567-89ab-cdef-0123-456789abcdef", f.Header().LoggerName)
	assert.Equal(t, `C:\PerfLogs\a.blg`, f.Header().FileName)
	require.EqualValues(t, s.records, f.NumRecords())
	require.Len(t, f.Items(), 4)
	for i, it := range sampleItems() {
		assert.Equal(t, it.Path, f.Items()[i].Path)
	}
	require.Len(t, f.Titles(), 2)
	name, _ := f.Titles()[0].Table.Lookup(24)
	assert.Equal(t, "Available Bytes", name)
	name, _ = f.Titles()[1].Table.Lookup(230)
	assert.Equal(t, "Process", name)
	assert.Equal(t, sampleCatalogue(), f.Catalogue().Objects)
	i := int64(0)
	for rec, err := range f.Records() {
		require.NoError(t, err)
		local := noon + i*second
		assert.Equal(t, blg.Stamp{Local: local, Offset: 2 * time.Hour, Source: blg.OffsetSample}, rec.Stamp)
		want := sampleSeries(t, local, s.instances)
		for k, sr := range rec.All() {
			assert.Equal(t, want[k].Kind, sr.Kind)
			assert.Equal(t, want[k].Status, sr.Status)
			assert.Equal(t, want[k].Local, sr.Local)
			if k == 2 {
				assert.True(t, bytes.Equal(want[k].Body, sr.BlockBytes()))
				blk, err := sr.Block()
				require.NoError(t, err)
				assert.Equal(t, s.instances, blk.Object(0).Len())
			}
			occurrence := map[string]int{}
			for j, v := range sr.Values() {
				w := want[k].Values[j]
				if sr.Kind == blg.Instances {
					assert.Equal(t, w.Name, v.Name())
					assert.Equal(t, occurrence[w.Name], v.Occurrence)
					occurrence[w.Name]++
				}
				status := countertypes.StatusOK
				if k == 3 {
					status = countertypes.StatusInvalidData
					assert.Equal(t, "svc", v.Name())
					assert.Equal(t, 1, v.Occurrence)
				}
				it := sampleItems()[k]
				assert.Equal(t, countertypes.Sample{
					First: w.First, Second: w.Second, Multi: max(1, w.Multi), TimeBase: it.TimeBase, Type: it.Type,
					DefaultScale: int8(it.Scale), Status: status,
				}, v.Sample)
			}
		}
		i++
	}
	assert.EqualValues(t, s.records, i)
}

// TestOneInstance: a series of all instances may have one, or none.
func TestOneInstance(t *testing.T) {
	for n := range 3 {
		values := []blg.NewValue{{Name: "x", First: 7, Second: 9, Multi: 2}, {Name: "y", First: 8, Second: 10, Multi: 3}}[:n]
		series := sampleSeries(t, noon, 1)
		series[1].Values = values
		w := blg.NewWriter(blg.WriterOptions{})
		w.Items(noon-10, sampleItems()...)
		w.Sample(noon, series...)
		b, err := w.Bytes()
		require.NoError(t, err)
		var got []blg.NewValue
		for rec, err := range open(t, b).Records() {
			require.NoError(t, err)
			for k, s := range rec.All() {
				for _, v := range s.Values() {
					if k == 1 {
						got = append(got, blg.NewValue{Name: v.Name(), First: v.Sample.First, Second: v.Sample.Second, Multi: v.Sample.Multi})
					}
				}
			}
		}
		require.Equal(t, values, append([]blg.NewValue{}, got...))
	}
}

// permuted returns the log with its buffers, but for the header's, in another
// order.
func permuted(b []byte, stride int, order func(i, n int) int) []byte {
	n := len(b)/stride - 1
	out := bytes.Clone(b[:stride])
	for i := range n {
		k := 1 + order(i, n)
		out = append(out, b[k*stride:(k+1)*stride]...)
	}
	return out
}

// TestOrderAroundEmptyBuffers: a buffer without events has no time and turns
// nothing; the parts of an event around it stay in the order of the file.
func TestOrderAroundEmptyBuffers(t *testing.T) {
	for empty := range 3 {
		w := blg.NewWriter(blg.WriterOptions{})
		sample := func(i int64) []byte { return blg.AppendSample(nil, sampleSeries(t, noon+i*second, 200)...) }
		w.Items(noon-10, sampleItems()...)
		w.NextBuffer()
		w.Event(0x22, noon+2*second, sample(2))
		w.NextBuffer()
		w.Event(0x22, noon, sample(0)) // before the buffer in front of it
		w.NextBuffer()
		b := sample(3)
		w.Part(0x22, noon+3*second, 1, 2, b[:8000])
		for range empty {
			w.NextBuffer()
		}
		w.NextBuffer()
		w.Part(0x22, noon+3*second, 2, 2, b[8000:])
		log, err := w.Bytes()
		require.NoError(t, err)
		f := open(t, log)
		require.False(t, f.InOrder())
		var times []int64
		for rec, err := range f.Records() {
			require.NoError(t, err)
			times = append(times, (rec.Local-noon)/second)
		}
		require.Equal(t, []int64{0, 2, 3}, times, "%d empty buffers: %v", empty, f.Anomalies().Kept())
	}
}

// TestOrder reads logs whose buffers lie in any order: as a circular log has
// them, the other way round, and as two processors that flush in turn.
func TestOrder(t *testing.T) {
	for _, instances := range []int{2, 700} {
		b := shape{o: blg.WriterOptions{BufferSize: 0x4000}, records: 60, instances: instances}.bytes(t)
		want := dump(t, open(t, b).Records())
		n := len(b)/0x4000 - 1
		for at := 0; at < n; at += 1 + n/24 {
			p := permuted(b, 0x4000, func(i, n int) int { return (i + at) % n })
			f := open(t, p)
			require.Equal(t, at == 0, f.InOrder())
			require.Equal(t, want, dump(t, f.Records()), "turned by %d", at)
			require.Empty(t, f.Anomalies().Kept())
		}
		if instances > 2 {
			continue // the parts of an event would be out of turn
		}
		f := open(t, permuted(b, 0x4000, func(i, n int) int { return n - 1 - i }))
		require.Equal(t, want, dump(t, f.Records()))
		f = open(t, permuted(b, 0x4000, func(i, n int) int { return min(i^1, n-1) }))
		require.Equal(t, want, dump(t, f.Records()))
	}
}

// TestInterleaved reads a log of two processors, each of which fills buffers
// of its own with every other record.
func TestInterleaved(t *testing.T) {
	plain := blg.NewWriter(blg.WriterOptions{BufferSize: 0x1000})
	plain.Items(noon-10, sampleItems()...)
	mixed := blg.NewWriter(blg.WriterOptions{BufferSize: 0x1000})
	mixed.Items(noon-10, sampleItems()...)
	for k := range 10 {
		for _, i := range []int{0, 2, 4, 6, 1, 3, 5, 7} {
			local := noon + int64(8*k+i)*second
			mixed.Sample(local, sampleSeries(t, local, 1)...)
		}
		for i := range 8 {
			local := noon + int64(8*k+i)*second
			plain.Sample(local, sampleSeries(t, local, 1)...)
		}
	}
	a, err := plain.Bytes()
	require.NoError(t, err)
	b, err := mixed.Bytes()
	require.NoError(t, err)
	want := dump(t, open(t, a).Records())
	f := open(t, b)
	require.False(t, f.InOrder())
	require.Equal(t, want, dump(t, f.Records()))

	// A stream has no other order than the file's, and says so.
	r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
	require.NoError(t, err)
	require.Len(t, dump(t, r.Records()), len(want))
	var codes []perfdump.Code
	for _, a := range r.Anomalies().Kept() {
		codes = append(codes, a.Code)
	}
	assert.Contains(t, codes, blg.CodeTimeBackwards)
}

// countedReads counts the reads of a log.
type countedReads struct {
	*bytes.Reader
	n int
}

func (c *countedReads) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.Reader.ReadAt(p, off)
}

// A record of a log in disorder is given once nothing earlier can come, so that
// no more than what is near is kept.
func TestInterleavedIsReadAsItGoes(t *testing.T) {
	w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x1000})
	w.Items(noon-10, sampleItems()...)
	for k := range 40 {
		for _, i := range []int{0, 2, 4, 6, 1, 3, 5, 7} {
			local := noon + int64(8*k+i)*second
			w.Sample(local, sampleSeries(t, local, 1)...)
		}
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	src := &countedReads{Reader: bytes.NewReader(b)}
	f, err := blg.NewFile(src, int64(len(b)), blg.Options{})
	require.NoError(t, err)
	require.False(t, f.InOrder())
	src.n = 0
	first := 0
	for _, err := range f.Records() {
		require.NoError(t, err)
		if first == 0 {
			first = src.n
		}
	}
	require.Less(t, first, src.n/2)
}
