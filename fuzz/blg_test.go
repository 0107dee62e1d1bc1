package fuzz

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/perflib2"
)

// FuzzBLG: an error or a log, never both; strict accepts nothing odd; a stream
// gives what the file gives where that is in order, and in any case no panic;
// parts that are the whole log give its records; the records come in the order
// of their times, local or in UTC, and the spans tile the file.
func FuzzBLG(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		file, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})
		if (err == nil) == (file == nil) {
			t.Fatalf("file %v, error %v", file != nil, err)
		}
		stream, n, streamErr := blgStream(t, b)
		if err != nil {
			checkError(t, b, err)
			if streamErr == nil {
				t.Fatalf("the stream is read, the file is not: %v", err)
			}
			return
		}
		if streamErr != nil {
			t.Fatalf("the file is read, the stream is not: %v", streamErr)
		}
		for _, a := range file.Anomalies().Kept() {
			checkError(t, b, a.Err())
		}
		text, m := blgRecords(t, b, file.Records(), true)
		if int64(m) != file.NumRecords() {
			t.Fatalf("%d records, not %d", m, file.NumRecords())
		}
		if file.InOrder() && (m != n || text != stream) {
			t.Fatalf("%d records of the file, %d of the stream:\n%s\n%s", m, n, text, stream)
		}
		strict, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
		if (err == nil) != (file.Anomalies().Len() == 0) || err == nil && strict.Anomalies().Len() > 0 {
			t.Fatalf("strict: %v, tolerant: %v", err, file.Anomalies().Kept())
		}
		blgParts(t, b, file, text)
		blgRest(file)
		formattest.Tile(t, file.Spans(), 0, int64(len(b)))
	})
}

// blgParts reads a log in two parts that are all of it, then with a gap.
func blgParts(t *testing.T, b []byte, file *blg.File, text string) {
	t.Helper()
	size := int64(len(b))
	whole, err := blg.OpenParts(bytes.NewReader(b), size, []blg.Part{{To: size}}, blg.Options{})
	if err != nil {
		t.Fatalf("as a part: %v", err)
	}
	if again, _ := blgRecords(t, b, whole.Records(), true); again != text || *whole.Lost() != *file.Lost() {
		t.Fatalf("as a part:\n%s\nnot:\n%s", again, text)
	}
	for _, lists := range []bool{false, true} {
		parts, err := blg.OpenParts(bytes.NewReader(b), size, []blg.Part{{To: size / 4, Lists: lists}, {From: size / 2, To: size}}, blg.Options{})
		if err == nil {
			blgRecords(t, b, parts.Records(), true)
		}
	}
}

func blgStream(t *testing.T, b []byte) (text string, n int, err error) {
	t.Helper()
	r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
	if err != nil {
		checkError(t, b, err)
		return "", 0, err
	}
	text, n = blgRecords(t, b, r.Records(), false)
	for rec, again := range r.Records() {
		if err = again; err == nil {
			t.Fatalf("a record behind the end, at 0x%x", rec.FileOffset())
		}
	}
	return text, n, err
}

// blgRecords walks everything that records hold.
func blgRecords(t *testing.T, b []byte, records iter.Seq2[*blg.Record, error], ordered bool) (string, int) {
	t.Helper()
	var out strings.Builder
	n, last := 0, blg.Stamp{}
	for rec, err := range records {
		if err != nil {
			checkError(t, b, err)
			break
		}
		if ordered && n > 0 && rec.Local < last.Local && rec.Time().Before(last.Time()) {
			t.Fatalf("record %d at %v behind %v", n, rec.Stamp, last)
		}
		last = rec.Stamp
		n++
		if off := rec.FileOffset(); off < 0 || off >= int64(len(b)) {
			t.Fatalf("record at 0x%x of 0x%x bytes", off, len(b))
		}
		fmt.Fprintln(&out, rec.Time(), rec.Source)
		for i, s := range rec.All() {
			fmt.Fprintln(&out, i, s.Kind, s.Status, s.Local, s.Len())
			k := 0
			for _, v := range s.Values() {
				fmt.Fprintln(&out, v.Name(), v.Occurrence, v.Sample)
				k++
			}
			if k > s.Len() {
				t.Fatalf("%d values of %d", k, s.Len())
			}
			if set, err := s.SetBlock(); err == nil {
				walkSet(&out, s, set)
			} else if s.Kind == blg.CounterSet && set != nil {
				t.Fatal("a counter set and an error")
			}
			if blk, err := s.Block(); err == nil {
				walk(t, blk)
			} else if s.Kind == blg.Object && blk != nil {
				t.Fatal("a block and an error")
			}
		}
	}
	return out.String(), n
}

// walkSet walks everything that a counter set holds.
func walkSet(out *strings.Builder, s *blg.Series, set *perflib2.Block) {
	registration := s.Registration(set)
	var sampler perflib2.Sampler
	var values []perflib2.Value
	for _, res := range set.Results() {
		sampler.Reset(registration, res, nil)
		for _, in := range res.Instances() {
			fmt.Fprintln(out, in.Name(), in.ID)
			values = in.AppendValues(values[:0])
			for j := range values {
				fmt.Fprintln(out, sampler.Sample(values, j))
			}
		}
	}
}

func blgRest(f *blg.File) {
	for _, r := range f.Registrations() {
		_ = r.Name()
	}

	for _, it := range f.Items() {
		_ = it.Path.String()
	}
	for _, m := range f.Titles() {
		for range m.Table.Entries() {
			continue
		}
	}
	_, _ = f.Header().Start()
	_, _ = f.Header().End()
	for range f.Lost().All() {
		continue
	}
}
