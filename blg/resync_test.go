package blg_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
)

// TestResync: behind damage the log goes on with the next that can be a record
// of PDH: at a multiple of 8, with the mark, of a kind of event, as long as its
// headers at least, and within what is filled.
func TestResync(t *testing.T) {
	const headers = 0x48
	for _, c := range []struct {
		name string
		data int                 // bytes that the record behind the damage holds
		edit func(record []byte) // what becomes of it
		ok   bool
	}{
		{name: "a record without data", ok: true},
		{name: "a record", data: 8, ok: true},
		{name: "no mark", data: 8, edit: func(b []byte) { b[3] = 0x80 }},
		{name: "no event", data: 8, edit: func(b []byte) { b[2] = 0x12 }},
		{name: "a system's", data: 8, edit: func(b []byte) { b[2] = 1 }},
		{name: "of 32 bits", data: 8, edit: func(b []byte) { b[2] = 0x0A }, ok: true},
		{name: "shorter than its headers", data: 8, edit: func(b []byte) { b[0] = headers - 1 }},
		{name: "longer than what is there", data: 8, edit: func(b []byte) { b[0] = headers + 9 }},
	} {
		w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x400})
		w.Items(noon-10, sampleItems()...)
		w.NextBuffer()
		w.Event(0x24, noon, make([]byte, 16))
		w.Part(0x24, noon, 1, 1, make([]byte, c.data))
		b, err := w.Bytes()
		require.NoError(t, err)
		at := bytes.LastIndex(b, []byte("\xb3\x3b\x3f\x93\x3e\x94\x0d\x49\x9c\xed\x3c\xbb\x14\xc1\x44\x79")) - 24
		first := at - headers - 16
		binary.LittleEndian.PutUint16(b[first:], 0) // the record before it
		if c.edit != nil {
			c.edit(b[at:])
		}
		end := at + headers + c.data
		if c.ok {
			end = at
		}
		r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
		require.NoError(t, err)
		for range r.Records() {
		}
		require.Equal(t, int64(end-first), r.Lost()[blg.LostBytes], c.name)
		var told []string
		for _, a := range r.Anomalies().Kept() {
			if a.Code == blg.CodeRecordDamaged {
				told = append(told, a.Message())
			}
		}
		require.Equal(t, []string{fmt.Sprintf("no record; 0x%x bytes skipped to 0x%x", end-first, end)}, told, c.name)
	}
}

// TestRecordsInsideOfRecords: another record is looked for in what has not the
// length that it says, which of whole events samples alone do say.
func TestRecordsInsideOfRecords(t *testing.T) {
	inner := blg.NewWriter(blg.WriterOptions{BufferSize: 0x400})
	inner.Part(0x24, noon, 1, 1, make([]byte, 8))
	b, err := inner.Bytes()
	require.NoError(t, err)
	record := b[0x448:][:0x50]
	for _, c := range []struct {
		typ         uint8
		part, parts int
		size        int  // of the data
		said        bool // in the data, as samples say it
		split       bool
	}{
		{0x20, 1, 1, 0x60, true, false},
		{0x22, 1, 1, 0x60, true, false},
		{0x22, 1, 1, 0x60, false, true},
		{0x23, 1, 1, 0x60, false, false},
		{0x23, 1, 2, 0x60, true, true},
		{0x23, 1, 2, 8000, false, false}, // as long as parts are that others follow
	} {
		data := make([]byte, c.size)
		copy(data[16:], record)
		if c.said {
			binary.LittleEndian.PutUint32(data[4:], uint32(c.size))
		}
		w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x4000})
		w.Part(c.typ, noon, c.part, c.parts, data)
		w.Sample(noon)
		b, err := w.Bytes()
		require.NoError(t, err)
		r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
		require.NoError(t, err)
		for range r.Records() {
		}
		split := false
		for _, a := range r.Anomalies().Kept() {
			split = split || a.Code == blg.CodeRecordDamaged
		}
		require.Equal(t, c.split, split, "%+v", c)
	}
}
