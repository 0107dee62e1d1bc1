package blg_test

import (
	"bytes"
	"encoding/binary"
	"iter"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestSweep damages each place of small logs: what is told, and all that can be
// read, is what testdata has. To review a change, look the lines of text up in
// docs/blg.md.
func TestSweep(t *testing.T) {
	o := blgwriter.Options{BufferSize: 0x400, LoggerName: "1-2", FileName: `C:\a`}
	o.Header = etl.LogHeader{EndTime: noon, Processors: 1}
	o.Zone, o.Tail = etl.TimeZone{Bias: 120}, etl.LogTail{PerfFreq: 1e6, StartTime: noon}
	items := sampleItems()

	values := blgwriter.New(o)
	values.Items(noon-10, items[1], items[3])
	values.Sample(noon, sampleSeries(t, noon, 1)[1], sampleSeries(t, noon, 1)[0])
	values.Sample(noon+second, sampleSeries(t, noon+second, 1)[1])

	o.Bits32 = true
	parts := blgwriter.New(o)
	parts.Titles(noon-20, `\\O`, "4", "Me", "24", "Av")
	parts.Items(noon-10, items[2])
	sample := blgwriter.AppendSample(nil, sampleSeries(t, noon, 1)[2])
	parts.Part(0x22, noon, 1, 2, sample[:len(sample)/2&^7])
	parts.Part(0x22, noon, 2, 2, sample[len(sample)/2&^7:])
	parts.NextBuffer()
	parts.Catalogue(noon+30, &blgwriter.Catalogue{First: noon, Last: noon, Records: 1, Entries: 2, Objects: sampleCatalogue()})

	for name, c := range map[string]struct {
		w        *blgwriter.Writer
		from, to int
	}{"header": {values, 0, 0x400}, "values": {values, 0x400, 0x2000}, "parts": {parts, 0x400, 0x2000}} {
		b, err := c.w.Bytes()
		require.NoError(t, err)
		used := func(b []byte, at int) iter.Seq2[string, []byte] {
			buffer := at &^ 0x3FF
			end := buffer + int(binary.LittleEndian.Uint32(b[buffer+0x30:]))
			return golden.Damage(golden.Fields).Between(c.from, min(end, c.to))(b, at)
		}
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), b, used, perftest.Race, reading)
	}
}

func reading(b []byte) *golden.Reading {
	var r golden.Reading
	stream, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
	if err == nil {
		for rec, err := range stream.Records() {
			if r.Error(err); err == nil {
				r.Note(rec.Stamp, rec.FileOffset(), rec.Len())
			}
		}
		r.Anomalies(stream.Anomalies())
		r.Note(*stream.Lost())
	}
	r.Error(err)
	f, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})
	r.Error(err)
	if err != nil {
		return &r
	}
	if f.Anomalies().Len() != stream.Anomalies().Len() {
		r.Anomalies(f.Anomalies())
	}
	h := f.Header()
	r.Note(*h)
	r.Note(h.Start())
	r.Note(h.End())
	r.Note(f.InOrder(), f.NumRecords(), *f.Lost(), f.Start(), f.End())
	for _, it := range f.Items() {
		r.Note(it)
	}
	for _, m := range f.Titles() {
		r.Note(m.Machine)
		for index, name := range m.Table.All() {
			r.Note(index, name)
		}
	}
	for rec, err := range f.Records() {
		if r.Error(err); err == nil {
			noteRecord(&r, rec)
		}
	}
	r.Spans(f.Spans())
	return &r
}

func noteRecord(r *golden.Reading, rec *blg.Record) {
	r.Note(rec.Stamp, rec.FileOffset(), rec.Len())
	for _, s := range rec.All() {
		layout, ok := s.AppendLayout(nil)
		r.Note(s.Kind, s.Status, s.Local, s.Len(), s.Path(), s.FileOffset(0), len(s.BlockBytes()), layout, ok)
		for i, v := range s.Values() {
			r.Note(i, v)
		}
		if blk, err := s.Block(); err == nil {
			for _, o := range blk.Objects() {
				r.Note(o.ObjectNameTitleIndex, o.AppendUint64s(nil))
			}
		} else if s.Kind == blg.Object {
			r.Error(err)
		}
	}
}
