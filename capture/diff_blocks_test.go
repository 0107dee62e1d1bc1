package capture_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock"
)

func blockBytes(t *testing.T, kind ipcblock.Layout, chunks ...ipcblock.TreeChunk) []byte {
	t.Helper()
	tree := ipcblock.Tree{Kind: kind, Chunks: chunks}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

func blocksOf(t *testing.T, kind ipcblock.Layout, chunks ...ipcblock.TreeChunk) *ipcblock.Table {
	t.Helper()
	table, err := ipcblock.Parse(blockBytes(t, kind, chunks...), ipcblock.Options{})
	require.NoError(t, err)
	return table
}

func chunkOf(i int, id uint32, state ipcblock.State, values map[ipcblock.Field]uint64) ipcblock.TreeChunk {
	c := ipcblock.TreeChunk{Index: i, State: state, Arch: ipcblock.X64, Values: new([ipcblock.NumFields]uint64)}
	c.RuntimeID = id
	c.Values[ipcblock.PerfAttributes] = 1
	for f, v := range values {
		c.Values[f] = v
	}
	return c
}

// TestDiffBlocks goes through what can become of a chunk.
func TestDiffBlocks(t *testing.T) {
	type fields = map[ipcblock.Field]uint64
	live := func(v fields) []ipcblock.TreeChunk {
		return []ipcblock.TreeChunk{chunkOf(0, 3, ipcblock.Live, v)}
	}
	free := []ipcblock.TreeChunk{chunkOf(0, 0, ipcblock.Free, nil)}
	for name, c := range map[string]struct {
		older, newer []ipcblock.TreeChunk
		want         []capture.Change
		values       int
		state        bool // it differs
	}{
		"the same":              {live(nil), live(nil), nil, 0, false},
		"untouched":             {nil, nil, nil, 0, false},
		"came":                  {nil, live(nil), []capture.Change{capture.New}, 0, false},
		"went":                  {live(nil), nil, []capture.Change{capture.Gone}, 0, false},
		"freed":                 {live(fields{ipcblock.GCHandles: 1}), free, []capture.Change{capture.Changed}, 1, true},
		"came after another":    {free, live(nil), []capture.Change{capture.New}, 0, false},
		"another runtime":       {live(nil), []ipcblock.TreeChunk{chunkOf(0, 4, ipcblock.Live, nil)}, []capture.Change{capture.Gone, capture.New}, 0, false},
		"another process":       {live(fields{ipcblock.ProcessID: 1}), live(fields{ipcblock.ProcessID: 2}), []capture.Change{capture.Gone, capture.New}, 0, false},
		"the first collection":  {live(nil), live(fields{ipcblock.ProcessID: 2, ipcblock.Gen0Collections: 1}), []capture.Change{capture.Changed}, 2, false},
		"published by now":      {[]ipcblock.TreeChunk{chunkOf(0, 3, ipcblock.Unpublished, nil)}, live(nil), []capture.Change{capture.Changed}, 0, true},
		"locked":                {live(nil), []ipcblock.TreeChunk{chunkOf(0, 3, ipcblock.Locked, nil)}, []capture.Change{capture.Changed}, 0, true},
		"nothing but a counter": {live(fields{ipcblock.ILJittedTotal: 1 << 31}), live(fields{ipcblock.ILJittedTotal: 5}), []capture.Change{capture.Changed}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			older, newer := blocksOf(t, ipcblock.SxS, c.older...), blocksOf(t, ipcblock.SxS, c.newer...)
			var got []capture.Change
			values, state := 0, false
			for d := range capture.DiffBlocks(older, newer, nil) {
				got = append(got, d.Change)
				values += len(d.Values)
				state = state || slices.ContainsFunc(d.Fields, func(f capture.FieldChange) bool { return f.Field == "state" })
				assert.Equal(t, d.Change != capture.New, d.Older != nil)
				assert.Equal(t, d.Change != capture.Gone, d.Newer != nil)
			}
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.values, values)
			assert.Equal(t, c.state, state)
		})
	}
}

// TestDiffBlocksDelta compares values at the ends of their range.
func TestDiffBlocksDelta(t *testing.T) {
	for _, c := range []struct {
		field        ipcblock.Field
		older, newer uint64
		negative     bool
		by           uint64
	}{
		{ipcblock.GCHandles, 5, 7, false, 2},
		{ipcblock.GCHandles, 7, 5, true, 2},
		{ipcblock.GCHandles, 0, ^uint64(0), false, ^uint64(0)},
		{ipcblock.TimeAuthorize, ^uint64(0), 1, false, 2}, // from -1
		{ipcblock.TimeAuthorize, 1 << 63, 1<<63 - 1, false, ^uint64(0)},
		{ipcblock.TimeAuthorize, 1, ^uint64(0), true, 2},
	} {
		d := capture.FieldDiff{Field: c.field, Older: c.older, Newer: c.newer}
		negative, by := d.Delta()
		assert.Equal(t, c.negative, negative, c)
		assert.Equal(t, c.by, by, c)
	}
}

// TestDiffBlocksOfOldLayouts compares what is no table, and what are two things.
func TestDiffBlocksOfOldLayouts(t *testing.T) {
	public := func(n uint64) *ipcblock.Table {
		return blocksOf(t, ipcblock.LegacyPublic, chunkOf(0, 0, ipcblock.Live, map[ipcblock.Field]uint64{ipcblock.Contention: n}))
	}
	var all []*capture.ChunkDiff
	for d := range capture.DiffBlocks(public(1), public(4), nil) {
		all = append(all, d)
	}
	require.Len(t, all, 1)
	require.Equal(t, []capture.FieldDiff{{Field: ipcblock.Contention, Older: 1, Newer: 4}}, all[0].Values)

	table := blocksOf(t, ipcblock.SxS, chunkOf(0, 3, ipcblock.Live, nil))
	var changes []capture.Change
	for d := range capture.DiffBlocks(public(1), table, nil) {
		changes = append(changes, d.Change)
	}
	require.Equal(t, []capture.Change{capture.Gone, capture.New}, changes)
	require.Equal(t, []capture.FieldChange{{Field: "layout", Older: "legacy_public", Newer: "sxs"}}, capture.DiffBlocksHeader(public(1), table))
}

// TestFieldNames holds that each field of the perf block has a name of its own.
func TestFieldNames(t *testing.T) {
	seen := map[string]ipcblock.Field{}
	for f := range ipcblock.Field(ipcblock.NumFields) {
		name := capture.FieldName(f)
		assert.NotEmpty(t, name)
		assert.NotContains(t, seen, name)
		seen[name] = f
	}
	assert.Equal(t, ipcblock.TimeInGCBase, seen["% Time in GC (base)"])
	assert.Equal(t, ipcblock.LargeAllocatedBytes, seen["gc.largeAllocatedBytes"])
}

// TestFilterFields holds which fields the paths choose, by the names that perfmon
// has for them (docs/ipcblock.md): a counter of two numbers has the fields of both.
func TestFilterFields(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  []ipcblock.Field
		ok    bool
	}{
		{[]string{`\.NET CLR Memory(*)\# GC Handles`}, []ipcblock.Field{ipcblock.GCHandles}, true},
		{[]string{`\.net clr memory\# gc handles`, `\.NET CLR Memory\Process ID`, `\Memory\*`}, []ipcblock.Field{ipcblock.ProcessID, ipcblock.GCHandles}, true},
		{[]string{`\Memory\# GC Handles`}, nil, false},
		{[]string{`\.NET CLR Memory\GC Handles`}, nil, false},
	} {
		filter, err := capture.NewFilter(c.paths...)
		require.NoError(t, err)
		show, ok := filter.Fields()
		require.Equal(t, c.ok, ok, c.paths)
		var got []ipcblock.Field
		for f := range ipcblock.Field(ipcblock.NumFields) {
			if show(f) {
				got = append(got, f)
			}
		}
		require.ElementsMatch(t, c.want, got, c.paths)
	}
	show, ok := (*capture.Filter)(nil).Fields()
	require.True(t, ok)
	require.Nil(t, show)
}
