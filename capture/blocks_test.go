package capture_test

import (
	"encoding/binary"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock"
)

// TestFramesOfBlocks holds the frames of three tables against what package
// ipcblock cooks of two chunks: runtime 3 moves to another chunk, 4 comes, 5
// is another process's.
func TestFramesOfBlocks(t *testing.T) {
	values := func(n uint64) map[ipcblock.Field]uint64 {
		v := map[ipcblock.Field]uint64{ipcblock.ProcessID: 7}
		for f := ipcblock.PerfAttributes + 1; int(f) < ipcblock.NumFields; f++ {
			if f != ipcblock.ProcessID {
				v[f] = n * (uint64(f)*100 + 1)
			}
		}
		return v
	}
	other := values(3)
	other[ipcblock.ProcessID] = 8
	files := [][]byte{
		blockBytes(t, ipcblock.SxS, chunkOf(1, 3, ipcblock.Live, values(1)), chunkOf(2, 5, ipcblock.Live, values(1))),
		blockBytes(t, ipcblock.SxS, chunkOf(0, 3, ipcblock.Live, values(3)), chunkOf(1, 4, ipcblock.Live, values(2)), chunkOf(2, 5, ipcblock.Live, other)),
		blockBytes(t, ipcblock.SxS, chunkOf(0, 3, ipcblock.Live, values(2))),
	}
	for _, every := range []int{1, 2} {
		var inputs []*capture.Input
		var tables []*ipcblock.Table
		for i, b := range files {
			inputs = append(inputs, &capture.Input{Name: "a", Format: "ipcblock", Data: b})
			if i%every == 0 {
				table, err := ipcblock.Parse(b, ipcblock.Options{})
				require.NoError(t, err)
				tables = append(tables, table)
			}
		}
		before := [][]*ipcblock.Chunk{{nil, nil}, {tables[0].Chunk(1), nil, nil}, {tables[1].Chunk(0)}}
		if every == 2 {
			before = [][]*ipcblock.Chunk{{nil, nil}, {tables[0].Chunk(1)}}
		}
		n := 0
		for f := range frames(t, capture.CookOptions{Interval: 10 * time.Second, Every: every}, inputs...) {
			want := map[string]value{}
			j := 0
			for c := range tables[n].Live() {
				for k := range c.Cook(before[n][j], time.Duration(every)*10*time.Second, nil) {
					want[`\`+k.Category+`(`+capture.BlockInstance(c, 0)+`)\`+k.Name] = value{k.Value, k.Status}
				}
				j++
			}
			require.Equal(t, want, cooked(t, f))
			n++
		}
		require.Len(t, tables, n)
	}
}

// TestFramesOfDumps: dumps are put in order by their times, which are also how
// far they lie apart unless the caller knows it better.
func TestFramesOfDumps(t *testing.T) {
	older, err := os.ReadFile("../testdata/minidump/service_x64.dmp")
	require.NoError(t, err)
	newer := append([]byte(nil), older...)
	binary.LittleEndian.PutUint32(newer[20:], binary.LittleEndian.Uint32(newer[20:])+5)
	allocated := newer[1460+40+128:]
	binary.LittleEndian.PutUint64(allocated, binary.LittleEndian.Uint64(allocated)+1000)
	for _, c := range []struct {
		o       capture.CookOptions
		stopped bool // both were made at one time
		want    float64
		status  string
		remarks int
	}{
		{capture.CookOptions{}, false, 200, "ok", 0},
		{capture.CookOptions{Interval: 4 * time.Second}, false, 250, "ok", 0},
		{capture.CookOptions{}, true, 0, "zero-denominator", 1},
		{capture.CookOptions{Interval: 4 * time.Second}, true, 250, "ok", 0},
	} {
		second := append([]byte(nil), newer...)
		inputs := [][]byte{second, older}
		if c.stopped {
			copy(second[20:24], older[20:])
			inputs = [][]byte{older, second}
		}
		remarks := 0
		c.o.Remark = func(m capture.Remark) {
			require.EqualValues(t, "no-clock", m.Code)
			remarks++
		}
		var dumps []*capture.Input
		for _, b := range inputs {
			dumps = append(dumps, &capture.Input{Name: "a.dmp", Format: "minidump", Data: b})
		}
		var last map[string]value
		var times []time.Time
		for f := range frames(t, c.o, dumps...) {
			last, times = cooked(t, f), append(times, f.Time)
			require.Equal(t, capture.Offset{Known: true}, f.Offset, "a dump tells UTC")
		}
		require.Len(t, times, 2)
		require.False(t, times[1].Before(times[0]))
		// The table, the legacy block beside it, and not the copy in the heap.
		require.Len(t, last, 2*(80-3))
		got := last[`\.NET CLR Memory(p4711_r3)\Allocated Bytes/sec`]
		require.InDelta(t, c.want, got.value, 1e-9)
		require.Equal(t, c.status, got.status.String())
		require.Equal(t, c.remarks, remarks)
	}
}

func blockBytes(t *testing.T, kind ipcblock.Layout, chunks ...ipcblock.TreeChunk) []byte {
	t.Helper()
	tree := ipcblock.Tree{Kind: kind, Chunks: chunks}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
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
