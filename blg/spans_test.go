package blg_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest/serverlog"
)

// checkSpans requires the spans of a log to tile it and returns how many bytes
// each kind has, and how often each field comes.
func checkSpans(t *testing.T, b []byte) (kinds map[perfdump.Kind]int64, fields map[string]int) {
	t.Helper()
	kinds, fields = map[perfdump.Kind]int64{}, map[string]int{}
	f, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})
	if errors.Is(err, perfdump.ErrSignature) {
		return kinds, fields // its only buffer of events is gone
	}
	require.NoError(t, err)
	formattest.Tile(t, f.Spans(), 0, int64(len(b)))
	for s := range f.Spans() {
		field := s.Path.FieldName()
		if !strings.HasPrefix(field, "object[") {
			kinds[s.Kind] += s.Size // in a block perfdata explains
		}
		fields[field[strings.LastIndexByte(field, '.')+1:]]++
	}
	return kinds, fields
}

// checkPlaces requires an anomaly that names a field to be where the field is.
func checkPlaces(t *testing.T, b []byte, r *blg.Reader) {
	t.Helper()
	fields := map[string]int64{}
	for s := range open(t, b).Spans() {
		if s.Path.FieldName() != "" {
			fields[s.Path.String()] = s.Off
		}
	}
	for _, a := range r.Anomalies().Kept() {
		if off, ok := fields[a.Path.String()]; ok {
			require.Equal(t, off, a.Off, "%v", a)
		}
	}
}

// TestSpansOfRealLogs: no byte of the real logs is without a meaning.
func TestSpansOfRealLogs(t *testing.T) {
	kinds, fields := checkSpans(t, corpus(t, txLog))
	require.Zero(t, kinds[perfdump.KindGap])
	require.Zero(t, kinds[perfdump.KindBytes])
	require.Equal(t, 602, fields["EventType"])
	require.GreaterOrEqual(t, fields["First"], 6010)
	kinds, fields = checkSpans(t, corpus(t, server2019))
	require.Equal(t, int64(80), kinds[perfdump.KindGap], "a record of the trace itself behind the log header")
	require.Equal(t, 44*4*33, fields["Data"], "values of counter sets")
	require.Equal(t, 44*33+33+8, fields["CounterID"], "their ids, and those in registrations")
	require.Equal(t, 2, fields["RegistrationSize"])
	kinds, fields = checkSpans(t, corpus(t, palLog))
	require.Zero(t, kinds[perfdump.KindGap])
	require.Equal(t, 49, fields["EventType"])
	require.Equal(t, 1839, fields["Index"])
	require.GreaterOrEqual(t, fields["NumCounters"], 88)
}

// TestSpansOfHeaders: the spans of a log tile it wherever in the first header
// the next buffer begins; the texts of the header end with its record, also
// where the last has no NUL.
func TestSpansOfHeaders(t *testing.T) {
	const stride = 0x1000
	b := shape{size: stride, records: 12, instances: 2}.bytes(t)
	cut := 0
	for from := 1; from < 0x300; from++ {
		m := edit{from: from, gone: stride - from}.of(b)
		if f, err := blg.Open(bytes.NewReader(m), int64(len(m)), blg.Options{}); err == nil {
			cut++
			formattest.Tile(t, f.Spans(), 0, int64(len(m)))
		}
	}
	require.Greater(t, cut, 0x100)

	size := binary.LittleEndian.Uint16(b[0x48+4:])
	for _, less := range []uint16{0, 2, 4, 6} {
		m := bytes.Clone(b)
		binary.LittleEndian.PutUint16(m[0x48+4:], size-less)
		end := int64(0)
		for s := range open(t, m).Spans() {
			if s.Path.FieldName() == "LogFileName" {
				end = s.Off + s.Size
			}
		}
		require.EqualValues(t, 0x48+size-less, end)
	}
}

// TestSpansOfItemTexts: the texts of items stand where their spans say, and an
// offset of a text that lies outside of the item is reported where it is.
func TestSpansOfItemTexts(t *testing.T) {
	b := shape{records: 1, instances: 1}.bytes(t)
	got := make([]map[string]string, 4)
	n := 0
	for s := range open(t, b).Spans() {
		name := s.Path.FieldName()
		i, ok := s.Path.Index(2)
		if !ok || i >= len(got) {
			continue
		}
		if s.Kind == perfdump.KindUTF16 && strings.HasSuffix(name, "Text") && name != "Text" {
			if got[i] == nil {
				got[i] = map[string]string{}
			}
			got[i][name] = strings.ReplaceAll(string(b[s.Off:s.Off+s.Size]), "\x00", "")
		}
		if i != 3 || !slices.Contains([]string{"Machine", "Object", "Instance", "Parent", "Counter"}, name) || s.Size != 4 {
			continue // the fourth item has all five
		}
		n++
		m := bytes.Clone(b)
		binary.LittleEndian.PutUint32(m[s.Off:], 1000)
		f := open(t, m)
		require.Equal(t, []perfdump.Code{"item-text"}, codes(f.Anomalies()), name)
		a := f.Anomalies().Kept()[0]
		require.Equal(t, s.Path.String(), a.Path.String())
		require.Equal(t, s.Off, a.Off)
	}
	require.Equal(t, 5, n)
	require.Equal(t, []map[string]string{
		{"MachineText": `\\ONE`, "ObjectText": "System", "CounterText": "Context Switches/sec"},
		{"MachineText": `\\ONE`, "ObjectText": "Processor", "InstanceText": "*", "CounterText": "% Processor Time"},
		{"MachineText": `\\ONE`, "ObjectText": "Memory", "CounterText": "*"},
		{"MachineText": `\\TWO`, "ObjectText": "Process", "InstanceText": "svc", "ParentText": "P", "CounterText": "Handle Count"},
	}, got)
}

// TestSpansOfShortEvents: what an event holds may end anywhere.
func TestSpansOfShortEvents(t *testing.T) {
	for typ, b := range map[uint8][]byte{
		0x20: append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 0x34, 0, 0, 0}, make([]byte, 0x30)...),
		0x22: blgwriter.AppendSample(nil, sampleSeries(t, noon, 1)...),
		0x23: append(catalogueHeader(0x000005FF, 32+24), "BL\x03\x05\x18\x00\x00\x00\xFF\xFF\xFF\xFF"...),
		0x24: []byte("\\\x00\\\x00A\x00\x00\x002\x00\x00\x00x\x00\x00\x00"),
	} {
		for n := range min(len(b), 150) {
			_, fields := checkSpans(t, written(t, closed(), func(w *blgwriter.Writer) {
				w.Items(noon-10, sampleItems()...)
				w.Event(typ, noon, b[:n])
				sample(t, w, 1, noon+second)
			}))
			if typ == 0x22 && n < 8 { // too short for the head of a sample
				const head, series, block = 1, 4, 1
				require.Equal(t, head+series+block, fields["Signature"], n)
			}
		}
	}
}

// TestSequencesStop breaks off each sequence of a log at every place.
func TestSequencesStop(t *testing.T) {
	f := open(t, shape{size: 0x400, records: 3, instances: 9}.bytes(t))
	formattest.Stops(t, f.Spans())
	formattest.Stops(t, func(yield func(*blg.Record) bool) { formattest.Firsts(f.Records())(yield) })
	for rec, err := range f.Records() {
		require.NoError(t, err)
		formattest.Stops(t, formattest.Firsts(rec.All()))
		formattest.Stops(t, formattest.Firsts(rec.Series(1).Values()))
	}
	lost := blg.Lost{1, 0, 2, 3}
	formattest.Stops(t, formattest.Firsts(lost.All()))
}

// counted counts the bytes that are read.
type counted struct {
	*bytes.Reader

	n int
}

func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	c.n += len(b)
	return c.Reader.ReadAt(b, off)
}

// TestSpansWithin holds that the spans of a range are those of the whole log, and that only
// the buffers around it are read.
func TestSpansWithin(t *testing.T) {
	long := serverlog.New(150)
	for _, b := range [][]byte{small(t), sets(t), long[:2_000_000]} {
		size := int64(len(b))
		var all []perfdump.Span
		for s := range open(t, b).Spans() {
			all = append(all, s)
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			from := rnd.Int64N(size)
			to := min(size, from+1+rnd.Int64N(5000))
			in := func(s perfdump.Span) bool { return s.Off < to && s.Off+s.Size > from }
			var want, got []perfdump.Span
			for _, s := range all {
				if in(s) {
					want = append(want, s)
				}
			}
			for s := range blg.SpansWithin(bytes.NewReader(b), size, from, to, blg.Options{}) {
				if in(s) {
					got = append(got, s)
				}
			}
			require.Equal(t, want, got, "%d..%d", from, to)
		}
	}
	r := &counted{Reader: bytes.NewReader(long)}
	for range blg.SpansWithin(r, int64(len(long)), 12_000_000, 12_000_100, blg.Options{}) {
	}
	require.Less(t, r.n, len(long)/2)

	moved := slices.Clone(long[:400_000])
	clear(moved[3*0x10000:][:0x10000])
	require.Nil(t, blg.SpansWithin(bytes.NewReader(moved), int64(len(moved)), 3*0x10000+5, 3*0x10000+9, blg.Options{}))
	require.Nil(t, blg.SpansWithin(bytes.NewReader(nil), 0, 0, 1, blg.Options{}))
}
