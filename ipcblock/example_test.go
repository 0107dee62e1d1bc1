package ipcblock_test

import (
	"bytes"
	"fmt"
	"log"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/ipcblock"
)

// capture stands for a copy of the section of a process.
func capture(allocated uint64) []byte {
	chunk := ipcblock.TreeChunk{Arch: ipcblock.X64, Values: new([ipcblock.NumFields]uint64)}
	chunk.RuntimeID = 3
	v := chunk.Values
	v[ipcblock.PerfAttributes], v[ipcblock.ProcessID] = 1, 4242
	v[field("gc.gen1HeapSize")], v[field("gc.gen2HeapSize")], v[field("gc.largeObjectHeapSize")] = 1<<20, 8<<20, 2<<20
	v[field("gc.timeInGC")], v[field("gc.timeInGCBase")] = 3, 100
	v[field("gc.allocatedBytes")] = allocated
	tree := ipcblock.Tree{Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{chunk}}
	if err := tree.Layout(); err != nil {
		log.Fatal(err)
	}
	b, err := tree.AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

// Read the counters of the runtimes of a process.
func ExampleParse() {
	table, err := ipcblock.Parse(capture(0), ipcblock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for fault := range table.Faults() {
		log.Print(fault) // a bad chunk does not spoil the others
	}
	for chunk := range table.Live() {
		fmt.Println("process", chunk.Uint64(ipcblock.ProcessID), chunk.Arch)
		for field := range chunk.Fields() {
			if v := chunk.Uint64(field); field.Section() == "gc" && v != 0 {
				fmt.Printf("%#x %s = %d (%s)\n", chunk.FieldOffset(field), field, v, field.CounterName())
			}
		}
	}
	// Output:
	// process 4242 x64
	// 0x60 gc.processId = 4242 (Process ID)
	// 0x70 gc.gen1HeapSize = 1048576 (Gen 1 heap size)
	// 0x78 gc.gen2HeapSize = 8388608 (Gen 2 heap size)
	// 0x90 gc.largeObjectHeapSize = 2097152 (Large Object Heap size)
	// 0xc0 gc.timeInGC = 3 (% Time in GC)
	// 0xc4 gc.timeInGCBase = 100 (Not Displayed)
}

// Compute what perfmon would show between two captures.
func ExampleChunk_Cook() {
	older, err := ipcblock.Parse(capture(1_000_000), ipcblock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	newer, err := ipcblock.Parse(capture(6_000_000), ipcblock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	a, b := older.Chunk(0), newer.Chunk(0)
	if !ipcblock.SameRuntime(a, b) {
		log.Fatal("captures of different runtimes")
	}
	for c := range b.Cook(a, 10*time.Second, nil) {
		if c.Status == countertypes.StatusOK && c.Value != 0 {
			fmt.Printf("%s\\%s = %.0f\n", c.Category, c.Name, c.Value)
		}
	}
	// Output:
	// .NET CLR Memory\Process ID = 4242
	// .NET CLR Memory\Gen 1 heap size = 1048576
	// .NET CLR Memory\Gen 2 heap size = 8388608
	// .NET CLR Memory\Large Object Heap size = 2097152
	// .NET CLR Memory\Allocated Bytes/sec = 500000
	// .NET CLR Memory\% Time in GC = 3
	// .NET CLR Memory\# Bytes in all Heaps = 11534336
}

// Look for tables in raw memory.
func ExampleFind() {
	memory := make([]byte, 1<<20)
	copy(memory[0x40000:], capture(0))
	found, _, err := ipcblock.Find(bytes.NewReader(memory), int64(len(memory)), ipcblock.FindOptions{PID: 4242})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range found {
		fmt.Printf("%#x: %s, %d chunks, %d live, score %d\n", c.Offset, c.Layout, c.Chunks, c.Live, c.Score)
		for _, r := range c.Reasons() {
			fmt.Printf("%+d %s\n", r.Points, r.Text)
		}
	}
	// Output:
	// 0x40000: sxs, 32 chunks, 1 live, score 7
	// +4 further chunks are valid or untouched
	// +2 the process id in it is the one of the memory
	// +1 version and flags are those of a published chunk
}
