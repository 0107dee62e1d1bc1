package minidump_test

import (
	"bytes"
	"testing"

	"github.com/perfdump/perfdump/minidump"
)

// A dump of 256 MiB of noise in 4,096 regions, with a table: what a search of
// a dump costs from end to end. Summing the same bytes is the rival.
func BenchmarkTables(b *testing.B) {
	d := &dump{arch: minidump.X64, pid: 4711}
	data := noise(1, 64<<10)
	for i := range uint64(4096) {
		va := 0x1D0_0000_0000 + i<<20
		d.regions = append(d.regions, private(va, 64<<10))
		d.memory64 = append(d.memory64, at(va, data))
	}
	d.regions = append(d.regions, mapped(0x7FF6_0000_0000))
	d.memory64 = append(d.memory64, at(0x7FF6_0000_0000, table(true, 4711)))
	benchTables(b, d)
}

// The same in one region.
func BenchmarkTablesOneRange(b *testing.B) {
	benchTables(b, &dump{
		arch: minidump.X64, pid: 4711,
		memory64: []extent{at(0x1D0_0000_0000, bytes.Repeat(noise(1, 64<<10), 4096)), at(0x7FF6_0000_0000, table(true, 4711))},
	})
}

func benchTables(b *testing.B, d *dump) {
	raw := d.bytes()
	run := func(o minidump.TableOptions) func(b *testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				f, err := minidump.NewFile(bytes.NewReader(raw), int64(len(raw)), minidump.Options{})
				if err != nil {
					b.Fatal(err)
				}
				found, _, err := f.Tables(o)
				if err != nil || len(found) != 1 {
					b.Fatal(len(found), err)
				}
			}
		}
	}
	b.Run("grid", run(minidump.TableOptions{}))
	b.Run("deep", run(minidump.TableOptions{Deep: true}))
	b.Run("quick", run(minidump.TableOptions{Quick: true}))
	b.Run("sum", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		var sum uint64
		for b.Loop() {
			for w := raw; len(w) >= 8; w = w[8:] {
				sum += le.Uint64(w)
			}
		}
		sink += sum
	})
}

var sink uint64

// What it costs to open a dump with all the lists that one of a large process
// has.
func BenchmarkOpen(b *testing.B) {
	d := &dump{arch: minidump.X64, pid: 4711}
	for i := range uint64(20_000) {
		d.regions = append(d.regions, private(0x1D0_0000_0000+i<<20, 4096))
		d.memory64 = append(d.memory64, at(0x1D0_0000_0000+i<<20, make([]byte, 16)))
		d.handles = append(d.handles, handle{"Section", `\BaseNamedObjects\windows_shell_global_counters`})
	}
	raw := d.bytes()
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := minidump.NewFile(bytes.NewReader(raw), int64(len(raw)), minidump.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
