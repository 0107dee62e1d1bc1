package ipcblock

import (
	"bytes"
	"testing"

	"github.com/lunixbochs/struc"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

// FuzzIPCHandEqualsStruc holds the hand-written loads against what struc reads
// by the tags, and the packed structs against the bytes they came from.
func FuzzIPCHandEqualsStruc(f *testing.F) {
	seed := make([]byte, perfSize64)
	for i := range seed {
		seed[i] = byte(0xff - 3*i)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < perfSize64 {
			return
		}
		checkStruc(t, b, struc32, func(h *chunkHeader) { h.load(b) })
		checkStruc(t, b, struc32, func(h *Entry) { h.load(b) })
		checkStruc(t, b, struc32, func(h *legacyHeader32) { h.load(b) })
		checkStruc(t, b, struc64, func(h *legacyHeader64) { h.load(b) })
		checkStruc(t, b, struc32, func(h *appDomain32) { h.load(b) })
		checkStruc(t, b, struc64, func(h *AppDomain64) { h.load(b) })
		checkStruc(t, b, struc32, func(h *appDomainElement32) { h.load(b) })
		checkStruc(t, b, struc64, func(h *AppDomainElement64) { h.load(b) })
		checkStruc(t, b, struc32, func(h *perfBlock32) { h.load(b) })
		checkStruc(t, b, struc64, func(h *PerfBlock64) { h.load(b) })
	})
}

func checkStruc[T any](t *testing.T, b []byte, o *struc.Options, load func(*T)) {
	t.Helper()
	var got, want T
	require.NoError(t, struc.UnpackWithOptions(bytes.NewReader(b), &want, o))
	load(&got)
	require.Equal(t, want, got)
	var packed bytes.Buffer
	require.NoError(t, struc.PackWithOptions(&packed, &got, o))
	require.Equal(t, b[:packed.Len()], packed.Bytes())
	_, size := wire.Layout(got)
	require.Equal(t, packed.Len(), size)
}

// TestFieldsEqualTheStructs holds the table of fields against the layouts.
func TestFieldsEqualTheStructs(t *testing.T) {
	for arch, v := range map[Arch]any{X86: perfBlock32{}, X64: PerfBlock64{}} {
		_, size := wire.Layout(v)
		require.Equal(t, arch.PerfSize(), size)
		f := Field(0)
		for _, w := range layoutOf(v) {
			if w.Name == "" {
				continue
			}
			require.Equal(t, w.Name, fieldPaths[f])
			require.Equal(t, w.Off, f.Offset(arch), f)
			require.Equal(t, w.Size, f.Size(arch), f)
			f++
		}
		require.Equal(t, PromotedFinalizationGen1, f)
		require.Equal(t, ProcessID.Offset(arch), PromotedFinalizationGen1.Offset(arch))
		require.Equal(t, ProcessID.Size(arch), PromotedFinalizationGen1.Size(arch))
	}
}

// TestSizes holds the constants against the structs.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		v    any
		want int
	}{
		{chunkHeader{}, headerSize},
		{Entry{}, entrySize},
		{legacyHeader32{}, legacySize32},
		{legacyHeader64{}, legacySize64},
		{appDomain32{}, appDomainSize32},
		{AppDomain64{}, appDomainSize64},
		{appDomainElement32{}, 16},
		{AppDomainElement64{}, 24},
		{perfBlock32{}, 280},
		{PerfBlock64{}, 384},
	} {
		_, size := wire.Layout(c.v)
		require.Equal(t, c.want, size, "%T", c.v)
	}
	require.Equal(t, 0x134, legacySize32+entrySize+perfSize32)
	require.Equal(t, 0x1A0, legacySize64+entrySize+perfSize64)
	require.Equal(t, 0x390, legacySize32+7*entrySize+perfSize32+appDomainSize32+pathSize)
	require.Equal(t, 0x410, legacySize64+7*entrySize+perfSize64+appDomainSize64+pathSize)
}
