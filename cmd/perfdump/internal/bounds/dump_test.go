package bounds_test

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/ipcblock"
)

var le = binary.LittleEndian

func u32(b []byte, v ...uint32) []byte { return perftest.Uint32s(b, v...) }

func u64(b []byte, v ...uint64) []byte { return perftest.Uint64s(b, v...) }

type stream = perftest.DumpStream

func dumpOf(streams ...stream) []byte {
	return (&perftest.Dump{Version: 0xA793, Streams: streams}).Bytes()
}

func worstDumps() (all []worst) {
	add := func(name, flags string, f func(n int) []byte) { all = append(all, worst{name, flags, f}) }
	one := func(kind uint32, f func(at uint32, n int) []byte) func(n int) []byte {
		return func(n int) []byte {
			return dumpOf(stream{Kind: kind, Body: func(at uint32) []byte { return f(at, n) }})
		}
	}
	add("minidump/memory", "", one(5, func(at uint32, n int) []byte {
		b := u32(nil, uint32(n/16))
		for i := range uint64(n / 16) {
			b = u32(u64(b, (uint64(n)-i)<<13), 16, at)
		}
		return b
	}))
	add("minidump/memory, all of it", "", one(5, func(at uint32, n int) []byte {
		b := u32(nil, uint32(n/16))
		for i := range uint64(n / 16) {
			b = u32(u64(b, i<<32), uint32(n), 0)
		}
		return b
	}))
	add("minidump/memory64", "", one(9, func(at uint32, n int) []byte {
		b := u64(nil, uint64(n/16), uint64(at))
		for i := range uint64(n / 16) {
			b = u64(b, (uint64(n)-i)<<13, 16)
		}
		return b
	}))
	add("minidump/overlapping", "", one(9, func(at uint32, n int) []byte {
		b := u64(nil, uint64(n/16), uint64(at))
		for i := range uint64(n / 16) {
			b = u64(b, i, 4096)
		}
		return b
	}))
	add("minidump/modules", "", one(4, func(at uint32, n int) []byte {
		b := u32(nil, uint32(n/108))
		for range n / 108 {
			b = u32(append(b, make([]byte, 20)...), at)
			b = append(b, make([]byte, 84)...)
		}
		return b
	}))
	add("minidump/modules with a name", "", func(n int) []byte {
		k := n / 2 / 108
		return dumpOf(stream{Kind: 4, Body: func(at uint32) []byte {
			b := u32(nil, uint32(k))
			for range k {
				b = u32(append(b, make([]byte, 20)...), at+4+108*uint32(k))
				b = append(b, make([]byte, 84)...)
			}
			return append(u32(b, 65534), bytes.Repeat([]byte{'a', 0}, n/4)...)
		}})
	})
	add("minidump/regions", "", one(16, func(at uint32, n int) []byte {
		b := u64(u32(nil, 16, 48), uint64(n/48))
		for i := range uint64(n / 48) {
			b = u32(u64(b, i<<12, i<<12), 4, 0)
			b = u32(u64(b, 0x1000), 0x1000, 4, 0x40000, 0)
		}
		return b
	}))
	add("minidump/regions and memory", "", func(n int) []byte {
		k := n / 3 / 48
		return dumpOf(stream{Kind: 16, Body: func(uint32) []byte {
			b := u64(u32(nil, 16, 48), uint64(k))
			for i := range uint64(k) {
				b = u32(u64(b, i<<12, 0), 4, 0)
				b = u32(u64(b, 1<<40), 0x1000, 4, 0x40000, 0)
			}
			return b
		}}, stream{Kind: 9, Body: func(at uint32) []byte {
			b := u64(nil, uint64(k), uint64(at)+16+16*uint64(k))
			for i := range uint64(k) {
				b = u64(b, i<<12, 16)
			}
			return append(b, make([]byte, n/3)...)
		}})
	})
	add("minidump/handles", "", one(12, func(at uint32, n int) []byte {
		b := u32(nil, 16, 32, uint32(n/32), 0)
		for range n / 32 {
			b = u32(u64(b, 1), at, at, 0, 0, 0, 0)
		}
		return b
	}))
	add("minidump/streams", "", func(n int) []byte {
		b := u64(u32(nil, 0x504D444D, 0xA793, uint32(n/12), 32, 0, 0), 0)
		for i := range uint32(n / 12) {
			b = u32(b, 0x8000+i, 1, 0)
		}
		return b
	})
	add("minidump/zeros", "", one(9, func(at uint32, n int) []byte {
		return append(u64(nil, 1, uint64(at)+32, 0x10000, uint64(n)), make([]byte, n)...)
	}))
	table := func(state ipcblock.State, chunks int) []byte {
		t := &ipcblock.Tree{Kind: ipcblock.SxS}
		for i := range chunks {
			c := ipcblock.TreeChunk{Index: i, State: state, Arch: ipcblock.X64, Values: new([ipcblock.NumFields]uint64)}
			c.RuntimeID, c.BuildYear, c.BuildNumber = uint32(3+i), 4, 30319
			t.Chunks = append(t.Chunks, c)
		}
		if err := t.Layout(); err != nil {
			panic(err)
		}
		b, err := t.AppendBinary(nil)
		if err != nil {
			panic(err)
		}
		return b
	}
	tables := func(chunks, size int) func(n int) []byte {
		return func(n int) []byte { return slices.Repeat(table(ipcblock.Live, chunks)[:size], n/size) }
	}
	inDump := func(f func(n int) []byte) func(n int) []byte {
		return one(9, func(at uint32, n int) []byte {
			b := f(n)
			return append(u64(nil, 1, uint64(at)+32, 0x10000, uint64(len(b))), b...)
		})
	}
	for name, f := range map[string]func(n int) []byte{
		"tables": tables(32, 65536), "chunks": tables(1, 2048), "chunk after chunk": tables(1, 4096),
		"heads": func(n int) []byte { return slices.Repeat(table(ipcblock.Live, 1)[:64], n/64) },
		"ones":  func(n int) []byte { return bytes.Repeat([]byte{1, 0, 0, 0}, n/4) },
		"PERF":  fill("", "P\x00E\x00R\x00F\x00"),
	} {
		add("memory/"+name, "--format memory", f)
		add("minidump/"+name, "", inDump(f))
		add("carve/ipcblock "+name, "--format carve", f)
	}
	add("ipcblock/a table and more", "", tables(32, 65536))
	add("ipcblock/zeros behind", "", func(n int) []byte { return append(table(ipcblock.Live, 32), make([]byte, n)...) })
	add("ipcblock/locked", "", func(n int) []byte { return table(ipcblock.Locked, 32) })
	return all
}
