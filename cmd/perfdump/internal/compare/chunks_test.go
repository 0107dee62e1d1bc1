package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/ipcblock"
)

func blocksOf(t *testing.T, kind ipcblock.Layout, chunks ...ipcblock.TreeChunk) *Contents {
	t.Helper()
	tree := ipcblock.Tree{Kind: kind, Chunks: chunks}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	table, err := ipcblock.Parse(b, ipcblock.Options{})
	require.NoError(t, err)
	return &Contents{Tables: []*ipcblock.Table{table}}
}

func chunkOf(id uint32, state ipcblock.State, values map[ipcblock.Field]uint64) ipcblock.TreeChunk {
	c := ipcblock.TreeChunk{State: state, Arch: ipcblock.X64, Values: new([ipcblock.NumFields]uint64)}
	c.RuntimeID = id
	c.Values[ipcblock.PerfAttributes] = 1
	for f, v := range values {
		c.Values[f] = v
	}
	return c
}

// field finds a field of the perf block by its section and name.
func field(name string) ipcblock.Field {
	section, name, _ := strings.Cut(name, ".")
	f, _ := ipcblock.FieldByName(section, name)
	return f
}

// TestChunks has what can become of a chunk.
func TestChunks(t *testing.T) {
	type values = map[ipcblock.Field]uint64
	type chunks = []ipcblock.TreeChunk
	live := func(v values) chunks { return chunks{chunkOf(3, ipcblock.Live, v)} }
	free := chunks{chunkOf(0, ipcblock.Free, nil)}
	for name, c := range map[string]struct {
		older, newer chunks
		want         []Change
		values       int
		state        bool // it differs
	}{
		"the same":              {live(nil), live(nil), nil, 0, false},
		"untouched":             {nil, nil, nil, 0, false},
		"came":                  {nil, live(nil), []Change{New}, 0, false},
		"went":                  {live(nil), nil, []Change{Gone}, 0, false},
		"freed":                 {live(values{field("gc.gcHandles"): 1}), free, []Change{Changed}, 1, true},
		"came after another":    {free, live(nil), []Change{New}, 0, false},
		"another runtime":       {live(nil), chunks{chunkOf(4, ipcblock.Live, nil)}, []Change{Gone, New}, 0, false},
		"another process":       {live(values{ipcblock.ProcessID: 1}), live(values{ipcblock.ProcessID: 2}), []Change{Gone, New}, 0, false},
		"the first collection":  {live(nil), live(values{ipcblock.ProcessID: 2, field("gc.gen0Collections"): 1}), []Change{Changed}, 2, false},
		"published by now":      {chunks{chunkOf(3, ipcblock.Unpublished, nil)}, live(nil), []Change{Changed}, 0, true},
		"locked":                {live(nil), chunks{chunkOf(3, ipcblock.Locked, nil)}, []Change{Changed}, 0, true},
		"nothing but a counter": {live(values{field("jit.ilJitted.total"): 1 << 31}), live(values{field("jit.ilJitted.total"): 5}), []Change{Changed}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			var got []Change
			values, state := 0, false
			for d := range Chunks(blocksOf(t, ipcblock.SxS, c.older...), blocksOf(t, ipcblock.SxS, c.newer...), nil) {
				got = append(got, d.Change)
				values += len(d.Values)
				state = state || slices.ContainsFunc(d.Fields, func(f Field) bool { return f.Name == "state" })
				assert.Equal(t, d.Change != New, d.Older != nil)
				assert.Equal(t, d.Change != Gone, d.Newer != nil)
			}
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.values, values)
			assert.Equal(t, c.state, state)
		})
	}
}

// TestTablesOfDumps pairs the tables of two dumps.
func TestTablesOfDumps(t *testing.T) {
	table := func(kind ipcblock.Layout, ids ...uint32) *ipcblock.Table {
		var chunks []ipcblock.TreeChunk
		for i, id := range ids {
			c := chunkOf(id, ipcblock.Live, nil)
			c.Index = i
			chunks = append(chunks, c)
		}
		return blocksOf(t, kind, chunks...).Tables[0]
	}
	a, b, c := table(ipcblock.SxS, 1, 2), table(ipcblock.SxS, 3), table(ipcblock.LegacyPublic, 0)
	x, y := table(ipcblock.SxS, 3, 4), table(ipcblock.SxS, 9)
	older, newer := &Contents{Dump: true, Tables: []*ipcblock.Table{a, b, c}}, &Contents{Dump: true, Tables: []*ipcblock.Table{x, y}}
	require.Equal(t, []tablePair{{b, x}, {a, y}, {c, nil}}, pairTables(older, newer))
}

// TestFieldNames holds that each field of the perf block has a name of its own.
func TestFieldNames(t *testing.T) {
	seen := map[string]ipcblock.Field{}
	for f := range ipcblock.Field(ipcblock.NumFields) {
		name := fieldName(f)
		assert.NotEmpty(t, name)
		assert.NotContains(t, seen, name)
		seen[name] = f
	}
	assert.Equal(t, field("gc.timeInGCBase"), seen["% Time in GC (base)"])
	assert.Equal(t, field("gc.largeAllocatedBytes"), seen["gc.largeAllocatedBytes"])
}
