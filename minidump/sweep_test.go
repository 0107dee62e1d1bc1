package minidump_test

import (
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/minidump"
)

// TestSweep damages each place of small dumps: what is told, and all that can be
// read, is what testdata has. To review a change, look the lines of text up in
// docs/ipcblock.md.
func TestSweep(t *testing.T) {
	small := func(a minidump.Arch) *dump {
		return &dump{
			arch: a, pid: 7,
			modules: []module{{0x140000, `C:\clr.dll`, [4]uint16{4, 8, 4210, 0}}},
			regions: []minidump.Region{
				{Base: 0x10000, AllocationBase: 0x10000, Size: 0x1000, State: minidump.Commit, Protect: 4, Type: minidump.Mapped},
				{Base: 0x20000, Size: 0x1000, State: minidump.Free, Protect: 1},
			},
			handles:  []handle{{"Section", `\Cor_SxS`}, {"", ""}},
			memory64: []extent{at(0x11000, []byte("later")), at(0x10000, []byte("earlier, and more"))},
		}
	}
	lists, other := small(minidump.X64), small(minidump.X86)
	other.memory, other.memory64, other.wide, other.padded = []extent{at(0x10000, []byte("some")), at(0x10004, []byte("more"))}, nil, true, true
	for name, d := range map[string]*dump{"lists": lists, "other": other} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), d.bytes(), golden.Fields, perftest.Race, reading)
	}
}

func reading(b []byte) *golden.Reading {
	var r golden.Reading
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
		f, err := openIn(b, mode)
		if r.Error(err); err != nil || mode == perfdump.Salvage && len(f.Faults()) == 0 {
			continue
		}
		r.Anomalies(f.Anomalies())
		r.Faults(f.Faults())
		r.Note(f.Header(), f.Arch(), f.FullMemory(), f.HasRegions(), f.NumRanges(), f.Canonical(0xFFFFFFFF80000000))
		r.Note(f.PID())
		r.Note(f.StartTime())
		r.Note(f.SystemInfo())
		for i, s := range f.Streams() {
			r.Note(i, s)
		}
		for m, err := range f.Modules() {
			r.Error(err)
			r.Note(m, m.Core(), m.Runtime())
		}
		for h, err := range f.Handles() {
			r.Error(err)
			r.Note(h)
		}
		for g, err := range f.Regions() {
			r.Error(err)
			r.Note(g)
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
