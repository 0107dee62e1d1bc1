package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// FuzzMinidump: an error or a file, never both, in each mode; strict accepts
// nothing odd nor what tolerant refuses, salvage opens whatever has a header;
// the memory is that of the file, the spans tile it, and the tables that are
// found decode.
func FuzzMinidump(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		var errs [3]error
		for i, mode := range modes {
			file, err := minidump.NewFile(bytes.NewReader(b), int64(len(b)), minidump.Options{Mode: mode})
			errs[i] = err
			if (err == nil) == (file == nil) {
				t.Fatalf("%v: file %v, error %v", mode, file != nil, err)
			}
			if err != nil {
				checkError(t, b, err)
				continue
			}
			if mode != perfdump.Salvage && len(file.Faults()) > 0 {
				t.Fatalf("%v: faults %v", mode, file.Faults())
			}
			if mode == perfdump.Strict && file.Anomalies().Len() > 0 {
				t.Fatalf("strict accepts %v", file.Anomalies().Kept())
			}
			minidumpLists(t, b, file)
			minidumpMemory(t, b, file)
			minidumpSpans(t, b, file)
			minidumpTables(t, b, file)
		}
		if errs[1] == nil && errs[0] != nil {
			t.Fatalf("tolerant refuses what strict accepts: %v", errs[0])
		}
		if errs[2] != nil && len(b) >= 32 && string(b[:4]) == "MDMP" {
			t.Fatalf("salvage refuses a header: %v", errs[2])
		}
	})
}

func minidumpLists(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	for _, a := range f.Anomalies().Kept() {
		checkError(t, b, a.Err())
	}
	for _, e := range f.Faults() {
		checkError(t, b, e)
	}
	_, _ = f.PID()
	_, _ = f.StartTime()
	n := 0
	for m, err := range f.Modules() {
		if err != nil || m.Base != f.Canonical(m.Base) || !m.HasVersion && m.FileVersion != (minidump.FileVersion{}) {
			t.Fatalf("module %+v, %v", m, err)
		}
		n += 108
	}
	if n > len(b) {
		t.Fatalf("modules of 0x%x bytes", n)
	}
	n = 0
	for h, err := range f.Handles() {
		if err != nil {
			t.Fatalf("handle %+v, %v", h, err)
		}
		n += 32
	}
	if n > len(b) {
		t.Fatalf("handles of 0x%x bytes", n)
	}
	n = 0
	for r, err := range f.Regions() {
		if err != nil || r.Base != f.Canonical(r.Base) {
			t.Fatalf("region %+v, %v", r, err)
		}
		n += 48
	}
	if n > len(b) {
		t.Fatalf("regions of 0x%x bytes", n)
	}
}

func minidumpMemory(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	var prev minidump.Range
	buf := make([]byte, len(b))
	left := 1 << 22 // ranges may share bytes
	for r := range f.Ranges() {
		if r.Size == 0 || r.Off < 0 || r.Off > int64(len(b)) || r.Size > uint64(len(b))-uint64(r.Off) {
			t.Fatalf("range %+v in %d bytes", r, len(b))
		}
		if prev.Size > 0 && (r.VA <= prev.VA || r.VA-prev.VA < prev.Size) {
			t.Fatalf("range %+v behind %+v", r, prev)
		}
		prev = r
		if left -= int(r.Size); left < 0 {
			continue
		}
		n, err := f.ReadVA(buf[:r.Size], r.VA)
		if err != nil || uint64(n) != r.Size || !bytes.Equal(buf[:n], b[r.Off:r.Off+int64(n)]) {
			t.Fatalf("range %+v: %d bytes read, %v", r, n, err)
		}
	}
	for r := range f.Runs() {
		if n, err := f.ReadVA(buf[:min(r.Size, uint64(len(b)))], r.VA); err != nil {
			t.Fatalf("run %+v: %d bytes, %v", r, n, err)
		}
		if left -= int(min(r.Size, uint64(len(b)))); left < 0 {
			break
		}
	}
}

func minidumpSpans(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	var at, last int64
	for s := range f.Spans() {
		if s.Size <= 0 || s.Off < last || s.Off > at || s.Overlap != (s.Off < at) {
			t.Fatalf("span %s at 0x%x, 0x%x bytes, behind 0x%x", s.Path, s.Off, s.Size, at)
		}
		at, last = max(at, s.Off+s.Size), s.Off
	}
	if at != int64(len(b)) {
		t.Fatalf("spans end at 0x%x, the file at 0x%x", at, len(b))
	}
}

func minidumpTables(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	for _, o := range []minidump.TableOptions{{}, {Deep: true}, {Quick: true}} {
		found, dropped, err := f.Tables(o)
		if err != nil && !errors.Is(err, perfdump.ErrLimit) || dropped > 0 && len(found) == 0 {
			t.Fatalf("%+v: %d found, %d dropped, %v", o, len(found), dropped, err)
		}
		for i := range found {
			c := &found[i]
			off, ok := f.Offset(c.Addr)
			if !ok || off != c.Offset || c.Size <= 0 || i > 0 && c.Score > found[i-1].Score {
				t.Fatalf("candidate %+v at 0x%x, %v", c, off, ok)
			}
			table, err := f.Table(c, ipcblock.Options{})
			if err != nil || len(table.Bytes()) != c.Size || table.Bytes()[0] != b[off] {
				t.Fatalf("candidate %+v: %v", c, err)
			}
		}
	}
}
