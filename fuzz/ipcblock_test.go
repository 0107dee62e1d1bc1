package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

const maxIPCInput = 1<<16 + 64

// FuzzIPCDecode: in each layout, whatever is accepted encodes to the same bytes,
// from the view and the tree; its spans tile it and the fields agree with them.
func FuzzIPCDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, layout uint8) {
		if len(b) > maxIPCInput {
			return
		}
		parse := func(o perfdump.Options) (*ipcblock.Table, error) {
			return ipcblock.Parse(b, ipcblock.Options{Options: o, Layout: ipcblock.Layout(layout % 5)})
		}
		eachMode(t, b, parse, func(tab *ipcblock.Table, mode perfdump.Mode) {
			if mode != perfdump.Strict {
				walkIPC(t, b, tab)
			} else if len(slices.Collect(tab.Faults())) > 0 {
				t.Fatalf("strict accepts %v", slices.Collect(tab.Faults()))
			}
		})
	})
}

func walkIPC(t *testing.T, b []byte, tab *ipcblock.Table) {
	t.Helper()
	if !bytes.Equal(tab.Bytes(), b) {
		t.Fatal("the view has other bytes")
	}
	clone := tab.Clone()
	tree := clone.Tree()
	if got, err := tree.AppendBinary([]byte("x")); err != nil || !bytes.Equal(got[1:], b) {
		t.Fatalf("the tree encodes to other bytes: %v", err)
	}
	for a := range tab.Remarks() {
		checkError(t, b, a.Err())
	}
	formattest.Cover(t, tab.Spans(), 0, int64(len(b))) // entries may overlap
	fields := map[[2]int64]bool{}
	for s := range tab.Spans() {
		if !ipcblock.IsGap(s) {
			fields[[2]int64{s.Off, s.Size}] = true
		}
	}
	for i, c := range tab.Chunks() {
		if (c.Fault() != nil) != (c.State == ipcblock.Bad) || c.State == ipcblock.Bad && c.HasPerf() {
			t.Fatalf("chunk %d is %v: %v", i, c.State, c.Fault())
		}
		count := 0
		for f := range c.Fields() {
			count++
			if c.Uint64(f) != clone.Chunk(i).Uint64(f) {
				t.Fatalf("chunk %d: %v differs in its clone", i, f)
			}
			if !fields[[2]int64{c.FieldOffset(f), int64(f.Size(c.Arch))}] {
				t.Fatalf("chunk %d: %v has no span of its own", i, f)
			}
		}
		if c.HasPerf() != (count == 69) {
			t.Fatalf("chunk %d has %d fields", i, count)
		}
		_, _ = c.AppDomain()
		_, _ = c.InstancePath()
		for k := range c.Cook(clone.Chunk(i), 1e9, nil) {
			if k.Status != 0 && k.Value != 0 {
				t.Fatalf("%s: value %v with status %v", k.Name, k.Value, k.Status)
			}
		}
	}
}

// FuzzIPCFind: candidates do not overlap, lie within the memory, parse in the
// layout they claim, and are the same read in windows as at once.
func FuzzIPCFind(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, base uint16, gap uint32, flags uint8) {
		if len(b) > maxIPCInput {
			return
		}
		// Somewhere in memory of more than a window.
		mem := make([]byte, 3<<18)
		copy(mem[int(gap)%(len(mem)-len(b)):], b)
		o := ipcblock.FindOptions{Deep: flags&1 != 0, Virtual: flags&2 != 0, Base: uint64(base), PID: uint64(flags >> 4)}
		end, n := int64(0), 0
		all := slices.Collect(ipcblock.ScanBytes(mem, o))
		for _, c := range all {
			if c.Offset < end || c.Size <= 0 || c.Offset+int64(c.Size) > int64(len(mem)) || c.Addr != o.Base+uint64(c.Offset) {
				t.Fatalf("candidate %+v behind %#x", c, end)
			}
			end = c.Offset + int64(c.Size)
			tab, err := ipcblock.Parse(mem[c.Offset:end], ipcblock.Options{Layout: c.Layout})
			if err != nil {
				t.Fatalf("candidate %+v: %v", c, err)
			}
			live := 0
			for range tab.Live() {
				live++
			}
			if live < c.Live {
				t.Fatalf("candidate %+v: %d live", c, live)
			}
		}
		for c, err := range ipcblock.Scan(bytes.NewReader(mem), int64(len(mem)), o) {
			if err != nil || n >= len(all) || c != all[n] {
				t.Fatalf("in windows %+v, %v; at once %+v", c, err, all)
			}
			n++
		}
		if n != len(all) {
			t.Fatalf("in windows %d, at once %d", n, len(all))
		}
	})
}

// FuzzIPCASPNET: a vector is taken by its length alone and gives itself back.
func FuzzIPCASPNET(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, version uint8) {
		v := aspnet.Version(version)
		x, err := aspnet.Parse(b, v)
		if (err == nil) != (v.Len() > 0 && len(b) == 4*v.Len()) || (err == nil) == (x == nil) {
			t.Fatalf("%d bytes of version %v: %v", len(b), v, err)
		}
		if err != nil {
			checkError(t, b, err)
			return
		}
		values := make([]uint32, x.Len())
		for c, n := range x.Values() {
			values[c.Index] = n
			_ = x.Sample(c, nil, nil)
		}
		if got, err := aspnet.Append(nil, v, values); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%v: %x of %x", err, got, b)
		}
	})
}
