package minidump_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/minidump"
)

// TestSweep damages each place of small dumps: the anomalies, and all that can
// be read, is what testdata has, and holds together. To review a change, look
// the lines of text up in docs/minidump.md.
func TestSweep(t *testing.T) {
	small := func(a minidump.Arch) *dump {
		return &dump{
			arch: a, pid: 7,
			modules: []module{{0x140000, `C:\clr.dll`, [4]uint16{4, 8, 4210, 0}}},
			regions: []minidump.MemoryInfo{
				{BaseAddress: 0x10000, AllocationBase: 0x10000, RegionSize: 0x1000, State: 0x1000, Protect: 4, Type: 0x40000},
				{BaseAddress: 0x20000, RegionSize: 0x1000, State: 0x10000, Protect: 1},
			},
			handles:  []handle{{"Section", `\Cor_SxS`}, {"", ""}},
			memory64: []extent{at(0x11000, []byte("later")), at(0x10000, []byte("earlier, and more"))},
		}
	}
	lists, other := small(minidump.X64), small(minidump.X86)
	other.memory, other.memory64, other.wide, other.padded = []extent{at(0x10000, []byte("some")), at(0x10004, []byte("more"))}, nil, true, true
	for name, d := range map[string]*dump{"lists": lists, "other": other} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), d.bytes(), golden.Fields, perftest.Race, func(b []byte) *golden.Reading {
			check(t, b)
			return reading(b)
		})
	}
	for _, b := range samples() {
		for n := range len(b) {
			check(t, b[:n])
		}
	}
}

func reading(b []byte) *golden.Reading {
	var r golden.Reading
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
		f, err := openIn(b, mode)
		if r.Error(err); err != nil || mode == perfdump.Salvage && len(slices.Collect(f.Faults())) == 0 {
			continue
		}
		r.Anomalies(f.Anomalies())
		r.Faults(slices.Collect(f.Faults()))
		r.Note(f.Arch(), f.Time(), f.FullMemory(), f.Canonical(0xFFFFFFFF80000000))
		r.Note(f.PID())
		for i, s := range f.Streams() {
			r.Note(i, s)
		}
		for m, err := range f.Modules() {
			r.Error(err)
			r.Note(m.Base, m.Size, m.Name, m.FileVersion, m.HasVersion, m.Core(), m.Runtime())
		}
		for h, err := range f.Handles() {
			r.Error(err)
			r.Note(h[0], h[1])
		}
		for g, err := range f.Regions() {
			r.Error(err)
			r.Note(g.BaseAddress, g.AllocationBase, g.RegionSize, g.State, g.Protect, g.Type)
		}
		for g := range f.Ranges() {
			p := make([]byte, min(g.Size, 64)+2)
			n, err := f.ReadVA(p, g.VA)
			r.Note(g, n, err, p)
			r.Note(f.Offset(g.VA + g.Size - 1))
			r.Note(f.Offset(g.VA + g.Size))
		}
		for g := range f.Runs() {
			r.Note(g)
		}
		r.Spans(f.Spans())
	}
	return &r
}

// check opens b in every mode and requires the modes to agree, what names a
// field to be where the field is, and all that a file offers to agree with the
// bytes.
func check(t *testing.T, b []byte) {
	t.Helper()
	var errs [3]error
	var told []error
	for i, mode := range modes {
		f, err := openIn(b, mode)
		errs[i] = err
		if (err == nil) == (f == nil) {
			t.Fatalf("%v: file %v, error %v", mode, f != nil, err)
		}
		if err != nil {
			told = append(told, err)
			continue
		}
		if mode == perfdump.Strict && f.Anomalies().Len() > 0 || mode != perfdump.Salvage && len(slices.Collect(f.Faults())) > 0 {
			t.Fatalf("%v: anomalies %v, faults %v", mode, f.Anomalies().Kept(), slices.Collect(f.Faults()))
		}
		for _, a := range f.Anomalies().Kept() {
			told = append(told, a.Err())
		}
		for e := range f.Faults() {
			told = append(told, e)
		}
		walk(t, b, f)
	}
	if errs[1] == nil && errs[0] != nil || errs[0] == nil && errs[2] != nil || errs[2] != nil && len(b) >= 32 && string(b[:4]) == "MDMP" {
		t.Fatalf("the modes do not agree: %v", errs)
	}
	fields := map[string]int64{}
	if f, err := openIn(b, perfdump.Salvage); err == nil {
		for s := range f.Spans() {
			if s.Path.FieldName() != "" {
				fields[s.Path.String()] = s.Off
			}
		}
	}
	for _, err := range told {
		var fe *perfdump.FormatError
		if !errors.As(err, &fe) || fe.Code == "" || fe.Off < 0 || fe.Off > int64(len(b)) || fe.Error() == "" {
			t.Fatalf("error without a place in %d bytes: %#v", len(b), err)
		}
		if off, ok := fields[fe.Path]; ok && off != fe.Off {
			t.Fatalf("%v: the field is at %#x", err, off)
		}
	}
}

func walk(t *testing.T, b []byte, f *minidump.File) {
	t.Helper()
	for i, s := range f.Streams() {
		if s.Have < 0 || s.Have > s.Size || s.Have > 0 && s.Off+s.Have > int64(len(b)) || s.Type.String() == "" {
			t.Fatalf("stream %d: %+v", i, s)
		}
	}
	text := 0
	for _, m := range collect(t, f.Modules()) {
		text += len(m.Name)
	}
	for _, h := range collect(t, f.Handles()) {
		text += len(h[0]) + len(h[1])
	}
	if text > 2*(3*(len(b)+1<<20)) {
		t.Fatalf("names of %d bytes from %d", text, len(b))
	}
	_ = collect(t, f.Regions())
	var prev minidump.Range
	runs := 0
	for r := range f.Ranges() {
		if r.Size == 0 || r.Off < 0 || r.Off > int64(len(b)) || r.Size > uint64(len(b))-uint64(r.Off) || prev.Size > 0 && (r.VA <= prev.VA || r.VA-prev.VA < prev.Size) {
			t.Fatalf("range %+v after %+v in %d bytes", r, prev, len(b))
		}
		if prev.Size == 0 || r.VA != prev.VA+prev.Size {
			runs++
		}
		prev = r
		buf := make([]byte, r.Size)
		if k, err := f.ReadVA(buf, r.VA); err != nil || !bytes.Equal(buf, b[r.Off:r.Off+int64(r.Size)]) {
			t.Fatalf("range %+v: %d bytes read, %v", r, k, err)
		}
		if off, ok := f.Offset(r.VA + r.Size - 1); !ok || off != r.Off+int64(r.Size)-1 {
			t.Fatalf("range %+v: its last byte is at 0x%x, %v", r, off, ok)
		}
	}
	for range f.Runs() {
		runs--
	}
	if runs != 0 {
		t.Fatalf("%d runs too few", runs)
	}
	formattest.Cover(t, f.Spans(), 0, int64(len(b)))
}

// TestSeeds holds the corpus of FuzzMinidump and some of it for FuzzImage, which
// lie where fuzzers look for them, to what the generator makes.
func TestSeeds(t *testing.T) {
	small := func(wide bool) []byte { return block(wide, 4711) }
	x86, parts := sample(), sample()
	x86.arch, x86.modules, x86.other = minidump.X86, x86.modules[1:2], nil
	x86.regions = []minidump.MemoryInfo{mapped(0xFFFFFFFF_BFFF0000), private(0x10000, 0x2000)}
	x86.memory64 = []extent{at(0xFFFFFFFF_BFFF0000, small(false)), at(0x10000, append(make([]byte, 0x128), small(false)...))}
	parts.memory64 = nil
	parts.memory = []extent{at(0x10000, small(true)), at(0x20128, legacy(4711)), at(0x20800, small(true)), at(0x30000, legacy(1)), at(0x10800, small(true))}
	seeds := samples()
	seeds["tables"], seeds["parts"] = x86.bytes(), parts.bytes()
	seeds["cut"] = x86.bytes()[:900]
	seeds["none"] = (&dump{noSystem: true}).bytes()
	for name, b := range seeds {
		golden.Seed(t, "../fuzz", "FuzzMinidump", name, b)
	}
	for _, name := range []string{"tables", "cut", "none"} {
		golden.Seed(t, "../cmd/perfdump/internal/fuzz", "FuzzImage", name, seeds[name])
	}
}
