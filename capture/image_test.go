package capture_test

import (
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

func service(t *testing.T) *detect.Input {
	t.Helper()
	b, err := os.ReadFile("../testdata/minidump/service_x64.dmp")
	require.NoError(t, err)
	return &detect.Input{Name: "service.dmp", Format: detect.Minidump, Data: b}
}

func TestOpenImage(t *testing.T) {
	m, err := capture.OpenImage(service(t), capture.Options{})
	require.NoError(t, err)
	pid, ok := m.PID()
	require.True(t, ok)
	require.Equal(t, uint32(4711), pid)
	require.Empty(t, m.Errors())
	var repeats []bool
	for found, err := range m.Tables() {
		require.NoError(t, err)
		require.Equal(t, found.Offset, found.At(0))
		require.Equal(t, int64(-1), found.At(-1))
		repeats = append(repeats, found.Repeats)
	}
	require.Equal(t, []bool{false, false, true}, repeats)

	// Places in a table are those in the file.
	for found := range m.Tables() {
		var fe *perfdump.FormatError
		require.ErrorAs(t, found.Place(&perfdump.FormatError{Code: perfdump.CodeCount, Off: 28, Path: "chunk[0]"}), &fe)
		assert.Equal(t, "table[0].chunk[0]", fe.Path)
		assert.Equal(t, found.Offset+28, fe.Off)
		other := errors.New("another")
		assert.Same(t, other, found.Place(other))
		break
	}
}

// Copies in raw memory are of one process only where they say which.
func TestRepeatsInRawMemory(t *testing.T) {
	for pid, want := range map[uint64][]bool{4711: {false, true}, 0: {false, false}} {
		chunk := chunkOf(0, 3, ipcblock.Live, map[ipcblock.Field]uint64{ipcblock.ProcessID: pid})
		one := blocksOf(t, ipcblock.SxS, chunk).Bytes()
		m, err := capture.OpenImage(&detect.Input{Format: detect.Memory, Data: append(append([]byte{}, one...), one...)}, capture.Options{})
		require.NoError(t, err)
		var got []bool
		for found, err := range m.Tables() {
			require.NoError(t, err)
			got = append(got, found.Repeats)
		}
		assert.Equal(t, want, got, pid)
	}
	_, err := capture.OpenImage(&detect.Input{Format: detect.Memory}, capture.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

// modules is a dump of nothing but a list of modules.
func modules(flags uint64, names ...string) *detect.Input {
	le := binary.LittleEndian
	b := append([]byte("MDMP\x93\xa7\x00\x00"), make([]byte, 24)...)
	le.PutUint32(b[8:], 1)
	le.PutUint32(b[12:], 32)
	le.PutUint64(b[24:], flags)
	size := 4 + 108*len(names)
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, 4), uint32(size)), 44)
	b = append(le.AppendUint32(b, uint32(len(names))), make([]byte, 108*len(names))...)
	for i, name := range names {
		le.PutUint32(b[48+108*i+20:], uint32(len(b)))
		units := utf16.Encode([]rune(name))
		b = le.AppendUint32(b, uint32(2*len(units)))
		for _, u := range append(units, 0) {
			b = le.AppendUint16(b, u)
		}
	}
	return &detect.Input{Name: "x", Format: detect.Minidump, Data: b}
}

func TestWhyThereIsNoTable(t *testing.T) {
	const full = 2
	for want, in := range map[string]*detect.Input{
		"runs .NET Core":                      modules(full, `C:\app.exe`, `C:\dotnet\coreclr.dll`),
		"no runtime of the .NET Framework":    modules(full, `C:\app.exe`),
		"does not hold all memory":            modules(0, `C:\app.exe`, `C:\CLR.DLL`),
		"found in the memory of the dump":     modules(full, `clr.dll`, `coreclr.dll`),
		"may have the pages of a table apart": {Format: detect.Memory, Data: make([]byte, 5000)},
	} {
		m, err := capture.OpenImage(in, capture.Options{})
		require.NoError(t, err, want)
		require.Empty(t, m.Found)
		assert.Contains(t, m.Why(), want)
		told := false
		for f := range capture.Check(in, capture.Options{}) {
			told = told || f.Code == capture.CodeNoTables && f.Severity == capture.SeverityNote
		}
		assert.True(t, told, want)
	}
}

// The rows of two captures and the time between them have all that cooking
// needs: they give what the chunks themselves do.
func TestBlockRowsCook(t *testing.T) {
	type fields = map[ipcblock.Field]uint64
	older := blocksOf(t, ipcblock.SxS, chunkOf(0, 3, ipcblock.Live, fields{ipcblock.ProcessID: 7, ipcblock.AllocatedBytes: 1000, ipcblock.TimeInGC: 5, ipcblock.TimeInGCBase: 50}))
	newer := blocksOf(t, ipcblock.SxS, chunkOf(0, 3, ipcblock.Live, fields{ipcblock.ProcessID: 7, ipcblock.AllocatedBytes: 5000, ipcblock.TimeInGC: 30, ipcblock.TimeInGCBase: 60}))
	const interval = 2 * time.Second
	a, b := ipcblock.Interval(interval)
	sample := func(r *capture.Row) countertypes.Sample {
		return countertypes.Sample{Type: r.Type, First: r.First, Second: r.Second, Multi: r.Multi, TimeBase: r.TimeBase, Size: uint32(r.Type.ValueWidth())}
	}
	before := map[string]countertypes.Sample{}
	for r := range capture.BlockRows(older, "a", 0, &a, nil) {
		before[r.Object+r.Instance+r.Counter] = sample(r)
	}
	want := map[string]ipcblock.Cooked{}
	for c := range newer.Chunk(0).Cook(older.Chunk(0), interval, nil) {
		want[c.Category+c.Name] = c
	}
	n := 0
	for r := range capture.BlockRows(newer, "b", 0, &b, nil) {
		was, ok := before[r.Object+r.Instance+r.Counter]
		require.True(t, ok)
		is := sample(r)
		value, status := countertypes.Cook(&was, &is, nil)
		c := want[r.Object+r.Counter]
		assert.Equal(t, c.Status, status, r.Counter)
		assert.Equal(t, c.Value, value, r.Counter)
		assert.False(t, r.NoSecond, r.Counter)
		n++
	}
	assert.Equal(t, len(want), n)
	assert.InDelta(t, 2000, want[".NET CLR MemoryAllocated Bytes/sec"].Value, 0)
}
