package blg_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/formattest"
)

// checkSpans wants the spans of a log to tile it and returns how many bytes
// each kind has, and how often each field comes.
func checkSpans(t *testing.T, b []byte) (kinds map[perfdump.Kind]int64, fields map[string]int) {
	t.Helper()
	kinds, fields = map[perfdump.Kind]int64{}, map[string]int{}
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
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

// checkPlaces wants what is odd and names a field to stand where the field does.
func checkPlaces(t *testing.T, b []byte, r *blg.Reader) {
	t.Helper()
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	fields := map[string]int64{}
	for s := range f.Spans() {
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

// TestSpansOfRealLogs wants no byte of the real logs to be without a meaning.
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

// TestSpansTile goes through written, turned, damaged and cut logs.
func TestSpansTile(t *testing.T) {
	for _, s := range []shape{
		{o: blg.WriterOptions{BufferSize: 0x1000}, records: 4, instances: 2},
		{o: blg.WriterOptions{BufferSize: 0x1000, Bits32: true}, records: 4, instances: 300},
	} {
		b := s.bytes(t)
		kinds, fields := checkSpans(t, b)
		require.Zero(t, kinds[perfdump.KindGap])
		require.GreaterOrEqual(t, fields["NumInstances"], 4)
		checkSpans(t, permuted(b, 0x1000, func(i, n int) int { return (i + 1) % n }))
		for at := 0x1000; at < len(b); at += 2539 {
			m := bytes.Clone(b)
			for i := at; i < min(len(m), at+24); i++ {
				m[i] ^= 0x55
			}
			checkSpans(t, m)
			if at > 0x2000 {
				checkSpans(t, b[:at])
			}
		}
	}
}

// TestSpansNameTheTexts: the texts of items stand where their spans say.
func TestSpansNameTheTexts(t *testing.T) {
	b := shape{records: 1, instances: 1}.bytes(t)
	f := open(t, b)
	got := make([]map[string]string, len(f.Items()))
	for s := range f.Spans() {
		field := s.Path.FieldName()
		if i, ok := s.Path.Index(2); ok && s.Kind == perfdump.KindUTF16 && strings.HasSuffix(field, "Text") && field != "Text" {
			if got[i] == nil {
				got[i] = map[string]string{}
			}
			got[i][field] = strings.ReplaceAll(string(b[s.Off:s.Off+s.Size]), "\x00", "")
		}
	}
	require.Equal(t, []map[string]string{
		{"MachineText": `\\ONE`, "ObjectText": "System", "CounterText": "Context Switches/sec"},
		{"MachineText": `\\ONE`, "ObjectText": "Processor", "InstanceText": "*", "CounterText": "% Processor Time"},
		{"MachineText": `\\ONE`, "ObjectText": "Memory", "CounterText": "*"},
		{"MachineText": `\\TWO`, "ObjectText": "Process", "InstanceText": "svc", "ParentText": "P", "CounterText": "Handle Count"},
	}, got)
}

// TestSpansOfHeaderTexts: the texts of the log header end with its record, also
// where the last has no NUL.
func TestSpansOfHeaderTexts(t *testing.T) {
	b := shape{records: 1, instances: 1}.bytes(t)
	size := binary.LittleEndian.Uint16(b[0x48+4:])
	for _, less := range []uint16{0, 2, 4, 6} {
		m := bytes.Clone(b)
		binary.LittleEndian.PutUint16(m[0x48+4:], size-less)
		found := false
		for s := range open(t, m).Spans() {
			if s.Path.FieldName() == "LogFileName" {
				found = true
				require.EqualValues(t, 0x48+size-less, s.Off+s.Size)
			}
		}
		require.True(t, found)
	}
}

// TestSpansOfShortEvents: what an event holds may end anywhere.
func TestSpansOfShortEvents(t *testing.T) {
	whole := map[uint8][]byte{
		0x20: append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 0x34, 0, 0, 0}, make([]byte, 0x30)...),
		0x22: blg.AppendSample(nil, sampleSeries(t, noon, 1)...),
		0x23: append(catalogueHeader(0x000005FF, 32+24), "BL\x03\x05\x18\x00\x00\x00\xFF\xFF\xFF\xFF"...),
		0x24: []byte("\\\x00\\\x00A\x00\x00\x002\x00\x00\x00x\x00\x00\x00"),
	}
	for typ, b := range whole {
		for n := range min(len(b), 150) {
			w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x1000})
			w.Items(noon-10, sampleItems()...)
			w.Event(typ, noon, b[:n])
			w.Sample(noon+second, sampleSeries(t, noon+second, 1)...)
			log, err := w.Bytes()
			require.NoError(t, err)
			_, fields := checkSpans(t, log)
			if typ == 0x22 && n < 8 { // too short for the head of a sample
				sample, series, block := 1, 4, 1
				require.Equal(t, sample+series+block, fields["Signature"], n)
			}
		}
	}
}

// TestItemTextsPastTheItem: each text that lies outside is told where its offset
// stands.
func TestItemTextsPastTheItem(t *testing.T) {
	b := shape{records: 1, instances: 1}.bytes(t)
	n := 0
	for s := range open(t, b).Spans() {
		name := s.Path.FieldName()
		if k, _ := s.Path.Index(2); k != 3 || !slices.Contains([]string{"Machine", "Object", "Instance", "Parent", "Counter"}, name) || s.Size != 4 {
			continue // the fourth item has all five
		}
		n++
		m := bytes.Clone(b)
		binary.LittleEndian.PutUint32(m[s.Off:], 1000)
		f := open(t, m)
		require.Equal(t, 1, f.Anomalies().Len(), name)
		a := f.Anomalies().Kept()[0]
		require.Equal(t, blg.CodeItemText, a.Code)
		require.Equal(t, s.Path.String(), a.Path.String())
		require.Equal(t, s.Off, a.Off)
	}
	require.Equal(t, 5, n)
}

// TestSequencesStop breaks off each sequence of a log at every place.
func TestSequencesStop(t *testing.T) {
	f := open(t, shape{o: blg.WriterOptions{BufferSize: 0x400}, records: 3, instances: 9}.bytes(t))
	formattest.Stops(t, f.Spans())
	formattest.Stops(t, func(yield func(*blg.Record) bool) { formattest.Firsts(f.Records())(yield) })
	for rec, err := range f.Records() {
		require.NoError(t, err)
		formattest.Stops(t, formattest.Firsts(rec.All()))
		for _, s := range rec.All() {
			if s.Kind != blg.Object {
				formattest.Stops(t, formattest.Firsts(s.Values()))
			}
		}
	}
	lost := blg.Lost{1, 0, 2, 3}
	formattest.Stops(t, formattest.Firsts(lost.All()))
}
