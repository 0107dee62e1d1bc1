package minidump_test

import (
	"bytes"
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// The dump of a process with one table of counters, as a file has it.
var dumpFile = func() []byte {
	d := sample()
	d.regions = []minidump.MemoryInfo{mapped(0x10000)}
	d.memory64 = []extent{at(0x10000, table(true, 4711))}
	return d.bytes()
}()

func ExampleFile_Tables() {
	f, err := minidump.Open(bytes.NewReader(dumpFile), int64(len(dumpFile)), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	pid, _ := f.PID()
	fmt.Println("process", pid, f.Arch())
	for m, err := range f.Modules() {
		if err == nil && m.Runtime() {
			fmt.Println(m.BaseName(), m.FileVersion)
		}
	}
	tables, _, err := f.Tables(minidump.TableOptions{})
	if err != nil {
		fmt.Println(err)
	}
	for i := range tables {
		c := &tables[i]
		fmt.Printf("0x%x, score %d\n", c.Addr, c.Score)
		for _, r := range c.Reasons() {
			fmt.Printf("%+d %s\n", r.Points, r.Text)
		}
		memory := make([]byte, c.Size)
		if _, err := f.ReadVA(memory, c.Addr); err != nil {
			fmt.Println(err)
			continue
		}
		t, err := ipcblock.Parse(memory, ipcblock.Options{Layout: c.Layout})
		if err != nil {
			fmt.Println(err)
			continue
		}
		for chunk := range t.Live() {
			fmt.Println("runtime", chunk.RuntimeID, "of process", chunk.Uint64(ipcblock.ProcessID))
		}
	}
	// Output:
	// process 4711 x64
	// clr.dll 4.8.4210.0
	// 0x10000, score 12
	// +4 it begins a mapped region on a 64 KiB boundary
	// +1 the process has a handle to a section of the table's name
	// +4 further chunks are valid or untouched
	// +2 the process id in it is the one of the memory
	// +1 version and flags are those of a published chunk
	// runtime 3 of process 4711
}

func ExampleFile_ReadVA() {
	f, err := minidump.Open(bytes.NewReader(dumpFile), int64(len(dumpFile)), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := make([]byte, 44)
	if _, err := f.ReadVA(b, 0x10000); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x\n", b[16:])
	_, err = f.ReadVA(b, 0x1000)
	fmt.Println(err)
	// Output:
	// 04 00 03 00 a8 01 00 00 04 00 6f 76 01 00 00 00 28 00 00 00 80 01 00 00 80 01 01 00
	// the dump does not hold this memory
}
