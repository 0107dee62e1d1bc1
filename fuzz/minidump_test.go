package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// FuzzMinidump: salvage opens whatever has a header; the memory is that of the
// file, the spans tile it, and the tables that are found decode.
func FuzzMinidump(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		open := func(o perfdump.Options) (*minidump.File, error) {
			file, err := minidump.Open(bytes.NewReader(b), int64(len(b)), o)
			if err != nil && o.Mode == perfdump.Salvage && len(b) >= 32 && string(b[:4]) == "MDMP" {
				t.Fatalf("salvage refuses a header: %v", err)
			}
			return file, err
		}
		eachMode(t, b, open, func(file *minidump.File, _ perfdump.Mode) {
			minidumpLists(t, b, file)
			minidumpMemory(t, b, file)
			formattest.Cover(t, file.Spans(), 0, int64(len(b)))
			minidumpTables(t, b, file)
		})
	})
}

func minidumpLists(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	_, _ = f.PID()
	n := 0
	for m, err := range f.Modules() {
		if err != nil || !m.HasVersion && m.FileVersion != (minidump.FileVersion{}) {
			t.Fatalf("module %+v, %v", m, err)
		}
		n += 108
	}
	if n > len(b) {
		t.Fatalf("modules of 0x%x bytes", n)
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
}

func minidumpTables(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	for _, o := range []minidump.TableOptions{{}, {Deep: true}} {
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
			memory := make([]byte, c.Size)
			if _, err := f.ReadVA(memory, c.Addr); err != nil || memory[0] != b[off] {
				t.Fatalf("candidate %+v: %v", c, err)
			}
			if _, err := ipcblock.Parse(memory, ipcblock.Options{Layout: c.Layout}); err != nil {
				t.Fatalf("candidate %+v: %v", c, err)
			}
		}
	}
}
