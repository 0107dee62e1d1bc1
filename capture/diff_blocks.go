package capture

import (
	"fmt"
	"iter"

	"github.com/perfdump/perfdump/ipcblock"
)

// ChunkDiff is what has become of a chunk of a table of IPC control blocks, or
// of a block of another layout.
type ChunkDiff struct {
	Change       Change
	Index        int
	Older, Newer *ipcblock.Chunk // nil where a table does not have it
	Fields       []FieldChange   // of the header
	Values       []FieldDiff
	Both         int // values that both have
}

// FieldDiff is a field of the perf block that differs.
type FieldDiff struct {
	Field        ipcblock.Field
	Older, Newer uint64 // as [ipcblock.Chunk.Uint64] gives them
}

// Delta returns by how much the value has changed, as a sign and a number.
func (d *FieldDiff) Delta() (negative bool, by uint64) {
	less := d.Newer < d.Older
	if d.Field.Signed() {
		less = int64(d.Newer) < int64(d.Older)
	}
	if less {
		return true, d.Older - d.Newer
	}
	return false, d.Newer - d.Older
}

// Fields returns which fields of IPC control blocks have counters that the
// filter lets through, whatever their instance; nil is all, as [DiffBlocks] takes
// it. It is false where there is no such counter.
func (f *Filter) Fields() (show func(ipcblock.Field) bool, ok bool) {
	if f == nil {
		return nil, true
	}
	var shown [ipcblock.NumFields]bool
	all := ipcblock.Counters()
	for i := range all {
		for _, p := range f.patterns {
			if !p.MatchObject(all[i].Category) || !p.MatchCounter(all[i].Name) {
				continue
			}
			ok = true
			for _, field := range all[i].Fields() {
				shown[field] = true
			}
			break
		}
	}
	return func(field ipcblock.Field) bool { return shown[field] }, ok
}

// DiffBlocksHeader compares what tables of IPC control blocks are.
func DiffBlocksHeader(older, newer *ipcblock.Table) []FieldChange {
	var f fieldChanges
	if was, is := older.Layout(), newer.Layout(); was != is {
		f = append(f, FieldChange{"layout", was.String(), is.String()})
	}
	return f
}

// DiffBlocks yields the chunks of two tables of IPC control blocks that came,
// went or changed, by their index. A chunk that another runtime has taken is
// told as gone and as new; one whose runtime is gone holds its last values and
// has changed. show chooses the fields that are compared; nil is all of the
// perf block and those of the headers. A table may be nil, for one that is not
// there. Nothing is kept.
func DiffBlocks(older, newer *ipcblock.Table, show func(ipcblock.Field) bool) iter.Seq[*ChunkDiff] {
	return func(yield func(*ChunkDiff) bool) {
		for i := range max(numChunks(older), numChunks(newer)) {
			a, b := used(older, i), used(newer, i)
			if a != nil && b != nil && (older.Layout() != newer.Layout() || replaced(a, b)) {
				if a.State != ipcblock.Free && !yield(&ChunkDiff{Change: Gone, Index: i, Older: a}) ||
					!yield(&ChunkDiff{Change: New, Index: i, Newer: b}) {
					return
				}
				continue
			}
			if d := diffChunks(i, a, b, show); d != nil && !yield(d) {
				return
			}
		}
	}
}

func numChunks(t *ipcblock.Table) int {
	if t == nil {
		return 0
	}
	return t.NumChunks()
}

// used returns a chunk of a table, nil for one that is not there or that
// nobody has touched.
func used(t *ipcblock.Table, i int) *ipcblock.Chunk {
	if i >= numChunks(t) || t.Chunk(i).State == ipcblock.Untouched {
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

func diffChunks(i int, a, b *ipcblock.Chunk, show func(ipcblock.Field) bool) *ChunkDiff {
	d := &ChunkDiff{Change: Changed, Index: i, Older: a, Newer: b}
	switch {
	case a == nil && b == nil:
		return nil
	case a == nil:
		d.Change = New
		return d
	case b == nil:
		d.Change = Gone
		return d
	}
	d.Fields = diffChunkHeader(a, b, show == nil)
	for f := range a.Fields() {
		if f == ipcblock.PerfSize || f == ipcblock.PerfAttributes || !b.HasPerf() || !b.Has(f) || show != nil && !show(f) {
			continue
		}
		d.Both++
		if was, is := a.Uint64(f), b.Uint64(f); was != is {
			d.Values = append(d.Values, FieldDiff{f, was, is})
		}
	}
	if len(d.Fields)+len(d.Values) == 0 {
		return nil
	}
	return d
}

// diffChunkHeader compares the states, and the rest of two headers if all is
// asked for.
func diffChunkHeader(a, b *ipcblock.Chunk, all bool) []FieldChange {
	var f fieldChanges
	text := func(name, was, is string) {
		if was != is {
			f = append(f, FieldChange{name, was, is})
		}
	}
	text("state", a.State.String(), b.State.String())
	if !all || a.State == ipcblock.Bad || b.State == ipcblock.Bad {
		return f
	}
	text("arch", a.Arch.String(), b.Arch.String())
	signed(&f, "counter", a.Counter, b.Counter)
	unsigned(&f, "runtime_id", a.RuntimeID, b.RuntimeID)
	unsigned(&f, "version", uint32(a.Version), uint32(b.Version))
	unsigned(&f, "flags", uint32(a.Flags), uint32(b.Flags))
	unsigned(&f, "block_size", a.BlockSize, b.BlockSize)
	unsigned(&f, "hinstance", a.HInstance, b.HInstance)
	unsigned(&f, "build_year", uint32(a.BuildYear), uint32(b.BuildYear))
	unsigned(&f, "build_number", uint32(a.BuildNumber), uint32(b.BuildNumber))
	unsigned(&f, "num_entries", a.NumEntries, b.NumEntries)
	for i, was := range a.Entries() {
		if i >= int(b.NumEntries) {
			break
		}
		is := b.Entry(i)
		unsigned(&f, fmt.Sprintf("entries[%d].offset", i), was.Offset, is.Offset)
		unsigned(&f, fmt.Sprintf("entries[%d].size", i), was.Size, is.Size)
	}
	if a.HasPerf() && b.HasPerf() {
		unsigned(&f, "attributes", uint32(a.Attributes()), uint32(b.Attributes()))
	}
	f.appDomain(a, b)
	was, _ := a.InstancePath()
	is, _ := b.InstancePath()
	text("path", was, is)
	return f
}

// appDomain compares the AppDomain blocks of private blocks.
func (f *fieldChanges) appDomain(a, b *ipcblock.Chunk) {
	was, okWas := a.AppDomain()
	is, okIs := b.AppDomain()
	if !okWas || !okIs {
		return
	}
	unsigned(f, "app_domain.mutex", was.Mutex, is.Mutex)
	signed(f, "app_domain.total_slots", was.TotalSlots, is.TotalSlots)
	signed(f, "app_domain.used_slots", was.UsedSlots, is.UsedSlots)
	signed(f, "app_domain.last_freed_slot", was.LastFreedSlot, is.LastFreedSlot)
	signed(f, "app_domain.size_in_bytes", was.SizeInBytes, is.SizeInBytes)
	signed(f, "app_domain.process_name_length_in_bytes", was.ProcessNameLengthInBytes, is.ProcessNameLengthInBytes)
	unsigned(f, "app_domain.process_name", was.ProcessName, is.ProcessName)
	unsigned(f, "app_domain.app_domain_list", was.AppDomainList, is.AppDomainList)
	signed(f, "app_domain.lock_invalid", was.LockInvalid, is.LockInvalid)
}

// FieldName returns what a field of the perf block is called: the first counter
// of perfmon that shows it, of a base the counter it belongs to with "(base)"
// behind it, and for lack of one section and name.
func FieldName(f ipcblock.Field) string {
	if counters := f.Counters(); len(counters) > 0 && !counters[0].IsBase() {
		return counters[0].Name
	}
	all := ipcblock.Counters()
	for i := range all {
		if fields := all[i].Fields(); !all[i].Derived() && len(fields) > 1 && fields[1] == f {
			return all[i].Name + " (base)"
		}
	}
	return f.String()
}
