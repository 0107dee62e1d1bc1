package ipcblock_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/ipcblock"
)

var le = binary.LittleEndian

// field finds a field by its section and name.
func field(name string) ipcblock.Field {
	section, name, _ := strings.Cut(name, ".")
	f, ok := ipcblock.FieldByName(section, name)
	if !ok {
		panic("no field " + name)
	}
	return f
}

// all returns the values of all fields.
func all(c *ipcblock.Chunk) (values []uint64) {
	for f := range c.Fields() {
		values = append(values, c.Uint64(f))
	}
	return values
}

// values gives each field its own value, of the size that it has.
func values(a ipcblock.Arch) *[ipcblock.NumFields]uint64 {
	var v [ipcblock.NumFields]uint64
	for f := range ipcblock.Field(ipcblock.NumFields) {
		v[f] = 1000 + uint64(f)
		if f.Size(a) == 8 {
			v[f] |= 0x0000010000000000
		}
	}
	v[ipcblock.PerfAttributes] = 1
	v[ipcblock.ProcessID] = 4242
	v[field("gc.timeInGC")], v[field("gc.timeInGCBase")] = 25, 100
	v[field("jit.timeInJit")], v[field("jit.timeInJitBase")] = 300, 200
	v[field("security.timeRTChecks")], v[field("security.timeRTChecksBase")] = 1, 8
	return &v
}

func encode(t testing.TB, tree *ipcblock.Tree) []byte {
	t.Helper()
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

func table(t testing.TB, chunks ...ipcblock.TreeChunk) []byte {
	t.Helper()
	return encode(t, &ipcblock.Tree{Kind: ipcblock.SxS, Chunks: chunks})
}

func live(index int, a ipcblock.Arch) ipcblock.TreeChunk {
	c := ipcblock.TreeChunk{Index: index, State: ipcblock.Live, Arch: a, Values: values(a)}
	c.RuntimeID, c.BuildYear, c.BuildNumber = uint32(3+index), 4, 30319
	return c
}

func oneLive(t testing.TB, a ipcblock.Arch) []byte { return table(t, live(0, a)) }

func legacy(t testing.TB, kind ipcblock.Layout, a ipcblock.Arch, flags uint16) []byte {
	t.Helper()
	c := ipcblock.TreeChunk{Arch: a, Values: values(a)}
	c.Flags, c.HInstance, c.BuildYear, c.BuildNumber = flags, 0x79E70000, 2, 50727
	if kind == ipcblock.LegacyPrivate {
		size := int32(16)
		if a == ipcblock.X64 {
			size = 24
		}
		c.Values = nil
		c.Path = `C:\Windows\Microsoft.NET\Framework\v4.0.30319\clr.dll`
		c.AppDomain = &ipcblock.AppDomain64{
			Mutex: 0x2C4, TotalSlots: 16, UsedSlots: 2, LastFreedSlot: -1, SizeInBytes: 16 * size,
			ProcessNameLengthInBytes: 24, ProcessName: 0x12340000, AppDomainList: 0x12350000,
		}
	}
	return encode(t, &ipcblock.Tree{Kind: kind, Chunks: []ipcblock.TreeChunk{c}})
}

func bare(t testing.TB, a ipcblock.Arch) []byte {
	t.Helper()
	c := ipcblock.TreeChunk{Arch: a, Values: values(a)}
	c.Values[ipcblock.PerfAttributes] = 3
	return encode(t, &ipcblock.Tree{Kind: ipcblock.Bare, Chunks: []ipcblock.TreeChunk{c}})
}

// samples are good inputs of all layouts.
func samples(t testing.TB) map[string][]byte {
	mixed := []ipcblock.TreeChunk{
		in(ipcblock.Free, 0, ipcblock.X86), live(1, ipcblock.X64), in(ipcblock.Locked, 2, ipcblock.X64),
		in(ipcblock.Unpublished, 3, ipcblock.X86), live(31, ipcblock.X86),
	}
	all := map[string][]byte{"mixed": table(t, mixed...), "empty": make([]byte, 65536)}
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		all["table "+a.String()] = oneLive(t, a)
		all["public "+a.String()] = legacy(t, ipcblock.LegacyPublic, a, 0)
		all["public flags "+a.String()] = legacy(t, ipcblock.LegacyPublic, a, 1)
		all["private "+a.String()] = legacy(t, ipcblock.LegacyPrivate, a, 1)
		all["bare "+a.String()] = bare(t, a)
	}
	return all
}

func patched(b []byte, off int, with ...byte) []byte {
	b = slices.Clone(b)
	copy(b[off:], with)
	return b
}

func put16(b []byte, off int, v uint16) []byte { return patched(b, off, le.AppendUint16(nil, v)...) }

func put32(b []byte, off int, v uint32) []byte { return patched(b, off, le.AppendUint32(nil, v)...) }

func parse(t testing.TB, b []byte) *ipcblock.Table {
	t.Helper()
	tab, err := ipcblock.Parse(b, ipcblock.Options{})
	require.NoError(t, err)
	return tab
}

// check holds what every accepted input promises.
func check(t testing.TB, b []byte, tab *ipcblock.Table) {
	t.Helper()
	require.Equal(t, b, tab.Bytes())
	if out, err := tab.Tree().AppendBinary(nil); err != nil || !bytes.Equal(b, out) {
		t.Fatalf("the tree encodes to other bytes: %v", err)
	}
	formattest.Cover(t, tab.Spans(), 0, int64(len(b)))
	fields := map[string]int64{}
	for s := range tab.Spans() {
		if s.Path.FieldName() != "" {
			fields[s.Path.String()] = s.Off
		}
	}
	for _, a := range tab.Anomalies().Kept() {
		checkPlace(t, fields, a.Err())
	}
	for f := range tab.Faults() {
		checkPlace(t, fields, f)
	}
	for _, c := range tab.Chunks() {
		require.Equal(t, c.State == ipcblock.Bad, c.Fault() != nil)
		n := 0
		for f := range c.Fields() {
			off := c.FieldOffset(f)
			if !c.Has(f) || off < c.Offset || off+int64(f.Size(c.Arch)) > int64(len(b)) {
				t.Fatalf("%v at %#x", f, off)
			}
			n++
		}
		require.Equal(t, c.HasPerf(), n == 69)
		for k := range c.Cook(c, 1, nil) {
			_ = k.Value
		}
	}
	for a := range tab.Remarks() {
		require.NotEmpty(t, a.Message())
	}
}

// checkPlace wants what names a field to stand where the field does.
func checkPlace(t testing.TB, fields map[string]int64, e *perfdump.FormatError) {
	t.Helper()
	if off, ok := fields[e.Path]; ok && e.Off != off {
		t.Fatalf("%v: the field stands at %#x", e, off)
	}
}

// checkError wants an error that says where.
func checkError(t testing.TB, b []byte, err error) *perfdump.FormatError {
	t.Helper()
	var fe *perfdump.FormatError
	require.True(t, errors.As(err, &fe), "%v", err)
	require.GreaterOrEqual(t, fe.Off, int64(0))
	require.LessOrEqual(t, fe.Off, int64(len(b)))
	require.NotEmpty(t, fe.Error())
	return fe
}

// noiseMemory is memory as it looks in processes: small numbers, zeros, text
// and what is random, without a table.
func noiseMemory(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i+4096 <= n; i += 4096 {
		page := b[i : i+4096]
		switch r.IntN(4) {
		case 0:
		case 1:
			for j := 0; j < len(page); j += 8 {
				le.PutUint64(page[j:], r.Uint64())
			}
		case 2:
			for j := 0; j < len(page); j += 4 {
				le.PutUint32(page[j:], uint32(r.IntN(64)))
			}
		default:
			for j := 0; j < len(page); j += 4 {
				le.PutUint32(page[j:], 1)
			}
		}
	}
	return b
}
