package compare

import (
	"fmt"
	"iter"
	"slices"

	"github.com/perfdump/perfdump/ipcblock"
)

// Chunk compares a chunk of a table of IPC control blocks, or of a
// block of another layout.
type Chunk struct {
	Change       Change
	Index        int
	Layout       ipcblock.Layout
	Dump         bool            // the table was found in a dump
	Older, Newer *ipcblock.Chunk // nil if a table does not have it
	Fields       []Field         // of the header
	Values       []Number
	Both         int // how many values both have
}

// Number is a field of the perf block that differs.
type Number struct {
	ipcblock.Field
	Older, Newer any // int64 or uint64
}

func numberOf(f ipcblock.Field, v uint64) any {
	if f.Signed() {
		return int64(v)
	}
	return v
}

// Chunks yields the chunks of tables of IPC control blocks that were added,
// removed or changed, by index. A chunk that another runtime has taken is gone and
// new. One whose runtime is gone holds its last values and has changed. show
// chooses the fields that are compared; nil is all of the perf block and those
// of the headers.
func Chunks(older, newer *Contents, show func(ipcblock.Field) bool) iter.Seq[*Chunk] {
	return func(yield func(*Chunk) bool) {
		for _, p := range pairTables(older, newer) {
			t := p[1]
			if t == nil {
				t = p[0]
			}
			for c := range p.chunks(show) {
				if c.Layout, c.Dump = t.Layout(), newer.Dump; !yield(c) {
					return
				}
			}
		}
	}
}

// tablePair is an older and a newer table, nil if there is none.
type tablePair [2]*ipcblock.Table

// pairTables pairs the tables of two dumps: whole ones before parts, those that
// have a runtime in common before others of one layout, the most trustworthy
// first.
func pairTables(older, newer *Contents) []tablePair {
	if !newer.Dump && len(newer.Tables) > 0 {
		return []tablePair{{older.Tables[0], newer.Tables[0]}}
	}
	before := slices.Clone(older.Tables)
	pairs := make([]tablePair, len(newer.Tables))
	for _, match := range []func(a, b *ipcblock.Table) bool{
		func(a, b *ipcblock.Table) bool { return a.NumChunks() == b.NumChunks() && shareRuntime(a, b) },
		func(a, b *ipcblock.Table) bool { return a.NumChunks() == b.NumChunks() },
		shareRuntime,
		func(_, _ *ipcblock.Table) bool { return true },
	} {
		for i, t := range newer.Tables {
			if pairs[i][1] = t; pairs[i][0] != nil {
				continue
			}
			at := slices.IndexFunc(before, func(was *ipcblock.Table) bool { return was.Layout() == t.Layout() && match(was, t) })
			if at >= 0 {
				pairs[i][0] = before[at]
				before = slices.Delete(before, at, at+1)
			}
		}
	}
	for _, t := range before {
		pairs = append(pairs, tablePair{t, nil})
	}
	return pairs
}

func shareRuntime(a, b *ipcblock.Table) bool {
	for c := range a.Live() {
		for d := range b.Live() {
			if ipcblock.SameRuntime(c, d) {
				return true
			}
		}
	}
	return false
}

func (p tablePair) chunks(show func(ipcblock.Field) bool) iter.Seq[*Chunk] {
	return func(yield func(*Chunk) bool) {
		n := 0
		for _, t := range p {
			if t != nil {
				n = max(n, t.NumChunks())
			}
		}
		for i := range n {
			a, b := used(p[0], i), used(p[1], i)
			switch {
			case a == nil && b == nil:
			case a != nil && b != nil && p[0].Layout() == p[1].Layout() && !replaced(a, b):
				if c := compareChunks(i, a, b, show); c != nil && !yield(c) {
					return
				}
			default:
				// A free chunk that is taken again is new and no more.
				if a != nil && (b == nil || a.State != ipcblock.Free) && !yield(&Chunk{Change: Gone, Index: i, Older: a}) ||
					b != nil && !yield(&Chunk{Change: New, Index: i, Newer: b}) {
					return
				}
			}
		}
	}
}

// pidOf returns the process that a chunk names, 0 for none.
func pidOf(c *ipcblock.Chunk) uint64 {
	if c.State == ipcblock.Bad {
		return 0
	}
	return c.Uint64(ipcblock.ProcessID)
}

// used returns a chunk of a table, nil for one that is not there or that
// nobody has touched.
func used(t *ipcblock.Table, i int) *ipcblock.Chunk {
	if t == nil || i >= t.NumChunks() || t.Chunk(i).State == ipcblock.Untouched {
		return nil
	}
	return t.Chunk(i)
}

// replaced reports whether another runtime than before has a chunk now.
func replaced(a, b *ipcblock.Chunk) bool {
	if a.State == ipcblock.Bad || b.State == ipcblock.Bad || b.State == ipcblock.Free {
		return false
	}
	return !ipcblock.SameRuntime(a, b)
}

// compareChunks returns nil for two that are the same.
func compareChunks(i int, a, b *ipcblock.Chunk, show func(ipcblock.Field) bool) *Chunk {
	c := &Chunk{Change: Changed, Index: i, Older: a, Newer: b, Fields: fields(chunkHeader(a, show == nil), chunkHeader(b, show == nil))}
	for f := range a.Fields() {
		if f == ipcblock.PerfSize || f == ipcblock.PerfAttributes || !b.HasPerf() || !b.Has(f) || show != nil && !show(f) {
			continue
		}
		c.Both++
		if was, is := a.Uint64(f), b.Uint64(f); was != is {
			c.Values = append(c.Values, Number{f, numberOf(f, was), numberOf(f, is)})
		}
	}
	if len(c.Fields)+len(c.Values) == 0 {
		return nil
	}
	return c
}

// chunkHeader returns the state of a chunk, and the rest of its header where
// all is requested and can be read.
func chunkHeader(c *ipcblock.Chunk, all bool) []Pair {
	pairs := []Pair{{"state", c.State.String()}}
	if !all || c.State == ipcblock.Bad {
		return pairs
	}
	pairs = append(pairs,
		Pair{"arch", c.Arch.String()},
		Pair{"counter", int64(c.Counter)},
		Pair{"runtime_id", uint64(c.RuntimeID)},
		Pair{"version", uint64(c.Version)},
		Pair{"flags", uint64(c.Flags)},
		Pair{"block_size", uint64(c.BlockSize)},
		Pair{"hinstance", uint64(c.HInstance)},
		Pair{"build_year", uint64(c.BuildYear)},
		Pair{"build_number", uint64(c.BuildNumber)},
		Pair{"num_entries", uint64(c.NumEntries)},
	)
	for i, e := range c.Entries() {
		pairs = append(pairs, Pair{fmt.Sprintf("entries[%d].offset", i), uint64(e.Offset)}, Pair{fmt.Sprintf("entries[%d].size", i), uint64(e.Size)})
	}
	if c.HasPerf() {
		pairs = append(pairs, Pair{"attributes", uint64(c.Attributes())})
	}
	if d, ok := c.AppDomain(); ok {
		pairs = append(pairs,
			Pair{"app_domain.mutex", uint64(d.Mutex)},
			Pair{"app_domain.total_slots", int64(d.TotalSlots)},
			Pair{"app_domain.used_slots", int64(d.UsedSlots)},
			Pair{"app_domain.last_freed_slot", int64(d.LastFreedSlot)},
			Pair{"app_domain.size_in_bytes", int64(d.SizeInBytes)},
			Pair{"app_domain.process_name_length_in_bytes", int64(d.ProcessNameLengthInBytes)},
			Pair{"app_domain.process_name", uint64(d.ProcessName)},
			Pair{"app_domain.app_domain_list", uint64(d.AppDomainList)},
			Pair{"app_domain.lock_invalid", int64(d.LockInvalid)},
		)
	}
	path, _ := c.InstancePath()
	return append(pairs, Pair{"path", path})
}
