package ipcblock_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/ipcblock"
)

// TestSweep damages each place of blocks of all layouts: what is told, and all
// that can be read and found, is what testdata has. To review a change, look
// the lines of text up in docs/ipcblock.md.
func TestSweep(t *testing.T) {
	for name, b := range map[string][]byte{
		"table-x86":   oneLive(t, ipcblock.X86)[:2048+8],
		"table-x64":   oneLive(t, ipcblock.X64)[:2048],
		"public-x86":  legacy(t, ipcblock.LegacyPublic, ipcblock.X86, 0),
		"public-x64":  legacy(t, ipcblock.LegacyPublic, ipcblock.X64, 1),
		"private-x86": legacy(t, ipcblock.LegacyPrivate, ipcblock.X86, 1),
		"private-x64": legacy(t, ipcblock.LegacyPrivate, ipcblock.X64, 1),
		"bare":        bare(t, ipcblock.X86),
	} {
		head := golden.Damage(golden.Fields).Between(0, 0x88) // counters behind it are any numbers
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), b, head, perftest.Race, reading)
	}
}

func reading(b []byte) *golden.Reading {
	var r golden.Reading
	for c := range ipcblock.ScanBytes(b, ipcblock.FindOptions{Deep: true, PID: 4242}) {
		r.Note(c.Offset, c.Layout, c.Arch, c.Chunks, c.Size, c.Live, c.Stale, c.PID, c.Score, c.Reasons())
	}
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
		tab, err := ipcblock.Parse(b, ipcblock.Options{Options: perfdump.Options{Mode: mode}})
		if r.Error(err); err != nil || mode == perfdump.Salvage && len(slices.Collect(tab.Faults())) == 0 {
			continue
		}
		r.Anomalies(tab.Anomalies())
		r.Faults(slices.Collect(tab.Faults()))
		for a := range tab.Remarks() {
			r.Note(a)
		}
		r.Note(tab.Layout(), tab.NumChunks())
		for _, c := range tab.Chunks() {
			noteChunk(&r, c)
		}
		r.Spans(tab.Spans())
	}
	return &r
}

func noteChunk(r *golden.Reading, c *ipcblock.Chunk) {
	if c.State == ipcblock.Untouched {
		return
	}
	r.Note(c.Header, c.Index, c.Offset, c.State, c.Arch, c.CLR1, c.Attributes(), all(c))
	for _, e := range c.Entries() {
		r.Note(e)
	}
	for f := range c.Fields() {
		r.Note(f, c.FieldOffset(f), c.Int64(f))
	}
	r.Note(c.AppDomain())
	r.Note(c.InstancePath())
}

// TestSeeds holds the seeds of the fuzz targets equal to the samples.
func TestSeeds(t *testing.T) {
	for name, b := range samples(t) {
		name = strings.ReplaceAll(name, " ", "-")
		tab := parse(t, b)
		if tab.Layout() == ipcblock.SxS {
			b = b[:4*2048] // the fuzzer does better with less
		}
		golden.Seed(t, "../fuzz", "FuzzIPCDecode", name, b, byte(0))
		golden.Seed(t, "../fuzz", "FuzzIPCFind", name, b, uint16(0), uint32(4096), byte(3))
	}
	for _, name := range []string{"mixed", "overlapping entries", "private x64", "public x86", "bare x86"} {
		b := samples(t)[name]
		golden.Seed(t, "../cmd/perfdump/internal/fuzz", "FuzzIPCDocument", strings.ReplaceAll(name, " ", "-"), b[:min(len(b), 4*2048)])
	}
	golden.Seed(t, "../fuzz", "FuzzIPCASPNET", "2.0", make([]byte, 336), byte(1))
	golden.Seed(t, "../fuzz", "FuzzIPCASPNET", "4.x", make([]byte, 404), byte(2))
}
