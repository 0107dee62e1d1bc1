package capture_test

import (
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock"
)

func service(t *testing.T) *capture.Input {
	t.Helper()
	b, err := os.ReadFile("../testdata/minidump/service_x64.dmp")
	require.NoError(t, err)
	return &capture.Input{Name: "service.dmp", Format: "minidump", Data: b}
}

func TestOpenImage(t *testing.T) {
	m, err := capture.OpenImage(service(t), perfdump.Options{})
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
		m, err := capture.OpenImage(&capture.Input{Format: "memory", Data: append(append([]byte{}, one...), one...)}, perfdump.Options{})
		require.NoError(t, err)
		var got []bool
		for found, err := range m.Tables() {
			require.NoError(t, err)
			got = append(got, found.Repeats)
		}
		assert.Equal(t, want, got, pid)
	}
	_, err := capture.OpenImage(&capture.Input{Format: "memory"}, perfdump.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
}

// modules is a dump of nothing but a list of modules.
func modules(flags uint64, names ...string) *capture.Input {
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
	return &capture.Input{Name: "x", Format: "minidump", Data: b}
}

func TestWhyThereIsNoTable(t *testing.T) {
	const full = 2
	for want, in := range map[string]*capture.Input{
		"runs .NET Core":                        modules(full, `C:\app.exe`, `C:\dotnet\coreclr.dll`),
		"no runtime of the .NET Framework":      modules(full, `C:\app.exe`),
		"does not hold all memory":              modules(0, `C:\app.exe`, `C:\CLR.DLL`),
		"found in the memory of the dump":       modules(full, `clr.dll`, `coreclr.dll`),
		"the pages of a table may be scattered": {Format: "memory", Data: make([]byte, 5000)},
	} {
		m, err := capture.OpenImage(in, perfdump.Options{})
		require.NoError(t, err, want)
		require.Empty(t, m.Found)
		assert.Contains(t, m.Why(), want)
	}
}

func blocksOf(t *testing.T, kind ipcblock.Layout, chunks ...ipcblock.TreeChunk) *ipcblock.Table {
	t.Helper()
	table, err := ipcblock.Parse(blockBytes(t, kind, chunks...), ipcblock.Options{})
	require.NoError(t, err)
	return table
}
