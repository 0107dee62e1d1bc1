package minidump_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/minidump"
)

// check opens b in every mode and wants the modes to agree, an error or a file
// from each, and all that a file offers to agree with the bytes.
func check(t *testing.T, b []byte) {
	t.Helper()
	var errs [3]error
	for i, mode := range modes {
		f, err := openIn(b, mode)
		errs[i] = err
		if (err == nil) == (f == nil) {
			t.Fatalf("%v: file %v, error %v", mode, f != nil, err)
		}
		if err != nil {
			checkError(t, b, err)
			continue
		}
		if mode == perfdump.Strict && f.Anomalies().Len() > 0 {
			t.Fatalf("strict accepts %v", f.Anomalies().Kept())
		}
		if mode != perfdump.Salvage && len(f.Faults()) > 0 {
			t.Fatalf("%v: faults %v", mode, f.Faults())
		}
		walk(t, b, f)
	}
	if errs[1] == nil && errs[0] != nil {
		t.Fatalf("tolerant refuses what strict accepts: %v", errs[0])
	}
	if errs[0] == nil && errs[2] != nil {
		t.Fatalf("salvage refuses what tolerant accepts: %v", errs[2])
	}
	if f, err := openIn(b, perfdump.Salvage); err == nil {
		checkPlaces(t, f, errs[:])
	}
	if errs[2] != nil && len(b) >= 32 && string(b[:4]) == "MDMP" {
		t.Fatalf("salvage refuses a header: %v", errs[2])
	}
}

// checkPlaces wants what names a field to stand where the field does.
func checkPlaces(t *testing.T, f *minidump.File, errs []error) {
	t.Helper()
	fields := map[string]int64{}
	for s := range f.Spans() {
		if s.Path.FieldName() != "" {
			fields[s.Path.String()] = s.Off
		}
	}
	for _, a := range f.Anomalies().Kept() {
		errs = append(errs, a.Err())
	}
	for _, e := range f.Faults() {
		errs = append(errs, e)
	}
	for _, err := range errs {
		var fe *perfdump.FormatError
		if errors.As(err, &fe) {
			if off, ok := fields[fe.Path]; ok && off != fe.Off {
				t.Fatalf("%v: the field stands at %#x", err, off)
			}
		}
	}
}

func checkError(t *testing.T, b []byte, err error) {
	t.Helper()
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) || fe.Code == "" || fe.Off < 0 || fe.Off > int64(len(b)) || fe.Error() == "" {
		t.Fatalf("error without a place in %d bytes: %#v", len(b), err)
	}
}

func walk(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	for _, a := range f.Anomalies().Kept() {
		checkError(t, b, a.Err())
	}
	for _, e := range f.Faults() {
		checkError(t, b, e)
	}
	for i, s := range f.Streams() {
		if i < 0 || s.Have < 0 || s.Have > s.Size || s.Have > 0 && s.Off+s.Have > int64(len(b)) || s.Type.String() == "" {
			t.Fatalf("stream %d: %+v", i, s)
		}
	}
	text := 0
	for m, err := range f.Modules() {
		if err != nil {
			t.Fatal(err)
		}
		text += len(m.Name)
	}
	for h, err := range f.Handles() {
		if err != nil {
			t.Fatal(err)
		}
		text += len(h.Name) + len(h.Type)
	}
	if text > 2*(3*(len(b)+1<<20)) {
		t.Fatalf("names of %d bytes from %d", text, len(b))
	}
	for _, err := range f.Regions() {
		if err != nil {
			t.Fatal(err)
		}
	}
	walkMemory(t, b, f)
	walkSpans(t, b, f)
}

func walkMemory(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	var prev minidump.Range
	var buf []byte
	var n, runs int
	left := 1 << 22 // ranges may share bytes
	for r := range f.Ranges() {
		if r.Size == 0 || r.Off < 0 || r.Off > int64(len(b)) || r.Size > uint64(len(b))-uint64(r.Off) {
			t.Fatalf("range %+v in %d bytes", r, len(b))
		}
		if n++; n > 1 && (r.VA <= prev.VA || r.VA-prev.VA < prev.Size) {
			t.Fatalf("range %+v behind %+v", r, prev)
		}
		if n == 1 || r.VA != prev.VA+prev.Size {
			runs++
		}
		prev = r
		if left -= int(r.Size); left < 0 {
			continue
		}
		buf = append(buf[:0], make([]byte, r.Size)...)
		if k, err := f.ReadVA(buf, r.VA); err != nil || k != len(buf) || !bytes.Equal(buf, b[r.Off:r.Off+int64(r.Size)]) {
			t.Fatalf("range %+v: %d bytes read, %v", r, k, err)
		}
		if off, ok := f.Offset(r.VA + r.Size - 1); !ok || off != r.Off+int64(r.Size)-1 {
			t.Fatalf("range %+v: its last byte is at 0x%x, %v", r, off, ok)
		}
	}
	if n != f.NumRanges() {
		t.Fatalf("%d ranges, not %d", n, f.NumRanges())
	}
	for r := range f.Runs() {
		runs--
		if _, err := f.ReadVA(make([]byte, min(r.Size, 64)), r.VA); err != nil {
			t.Fatalf("run %+v: %v", r, err)
		}
	}
	if runs != 0 {
		t.Fatalf("%d runs too few", runs)
	}
}

// walkSpans wants the spans to tile the file: in order, without a hole, and
// overlapping only where they say so.
func walkSpans(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	var at, last int64
	for s := range f.Spans() {
		if s.Size <= 0 || s.Off < last || s.Off > at || s.Overlap != (s.Off < at) || s.Off+s.Size > int64(len(b)) {
			t.Fatalf("span %s at 0x%x, 0x%x bytes, behind 0x%x", s.Path, s.Off, s.Size, at)
		}
		at, last = max(at, s.Off+s.Size), s.Off
	}
	if at != int64(len(b)) {
		t.Fatalf("spans end at 0x%x, the file at 0x%x", at, len(b))
	}
}

// TestSpansThatAreNoFields: streams that are not read are told whole, of two of
// one type the second, and those of type 0 not at all; then come memory and what
// lies between.
func TestSpansThatAreNoFields(t *testing.T) {
	entry := func(i int) int { return 32 + 12*i }
	for name, c := range map[string]struct {
		change func(b []byte)
		want   []string
	}{
		"threads":            {func([]byte) {}, []string{"0x328+20 stream[5] ThreadList, not read"}},
		"a second of a type": {func(b []byte) { b[entry(5)] = 7 }, []string{"0x328+20 stream[5] SystemInfo, not read"}},
		"unused":             {func(b []byte) { b[entry(5)] = 0 }, []string{"0x328+20  in no stream that is read"}},
		"in another order": {func(b []byte) {
			b[entry(1)], b[entry(4)] = 3, 6
			for i := 4; i < 12; i++ {
				b[entry(1)+i], b[entry(5)+i] = b[entry(5)+i], b[entry(1)+i]
			}
		}, []string{"0xb8+24 stream[5] ThreadList, not read", "0x2b8+112 stream[4] Exception, not read", "0x328+20 stream[1] ThreadList, not read"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := sample().bytes()
			c.change(b)
			f := open(t, b)
			walkSpans(t, b, f)
			want := slices.Concat([]string{"0xa0+24  in no stream that is read"}, c.want, []string{"0x528+300 memory[4] ", "0x654+64 memory[5] ", "0x694+400 memory[2] ", "0x824+500 memory[0] ", "0xa18+100 memory[3] ", "0xa7c+12 memory[1] "})
			var got []string
			for s := range f.Spans() {
				if s.Off < 0x3b0 && s.Path.FieldName() == "" || s.Off >= 0x528 { // between them are the names
					got = append(got, fmt.Sprintf("%#x+%d %s %s", s.Off, s.Size, s.Path, s.Note))
				}
			}
			require.Equal(t, want, got)
		})
	}
}

// What says to be longer than any name is none: its length is explained, and
// no text.
func TestSpansOfTooLongNames(t *testing.T) {
	const module = "stream[2].module[0].ModuleName"
	for size, want := range map[uint32]bool{0xFFFE: true, 0xFFFF: false, 1 << 31: false} {
		b := sample().bytes()
		le.PutUint32(b[le.Uint32(b[128+56+24+4+20:]):], size)
		got := map[string]bool{}
		for s := range open(t, b).Spans() {
			got[s.Path.String()] = true
		}
		require.True(t, got[module+"Length"])
		require.Equal(t, want, got[module], "0x%x", size)
	}
}

// TestSequencesStop breaks off each sequence of a dump at every place.
func TestSequencesStop(t *testing.T) {
	f := open(t, sample().bytes())
	formattest.Stops(t, formattest.Firsts(f.Streams()))
	formattest.Stops(t, formattest.Firsts(f.Modules()))
	formattest.Stops(t, formattest.Firsts(f.Handles()))
	formattest.Stops(t, formattest.Firsts(f.Regions()))
	formattest.Stops(t, f.Ranges(), f.Runs())
	formattest.Stops(t, f.Spans())
}
