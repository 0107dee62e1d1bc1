package ipcblock

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

// FuzzIPCHandEqualsStruc holds the hand-written loads against what struc reads
// by the tags, and the packed structs against the bytes they came from.
func FuzzIPCHandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(perfSize64))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < perfSize64 {
			return
		}
		formattest.Struc(t, b, headerSize, (*chunkHeader).load)
		formattest.Struc(t, b, entrySize, (*Entry).load)
		formattest.Struc(t, b, legacySize32, (*legacyHeader32).load)
		formattest.Struc(t, b, legacySize64, (*legacyHeader64).load)
		formattest.Struc(t, b, appDomainSize32, (*appDomain32).load)
		formattest.Struc(t, b, appDomainSize64, (*AppDomain64).load)
		formattest.Struc(t, b, 16, (*appDomainElement32).load)
		formattest.Struc(t, b, 24, (*AppDomainElement64).load)
		formattest.Struc(t, b, 280, (*perfBlock32).load)
		formattest.Struc(t, b, 384, (*PerfBlock64).load)
	})
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

// TestSizes holds the constants against the sizes of blocks that were seen.
func TestSizes(t *testing.T) {
	require.Equal(t, 0x134, legacySize32+entrySize+perfSize32)
	require.Equal(t, 0x1A0, legacySize64+entrySize+perfSize64)
	require.Equal(t, 0x390, legacySize32+7*entrySize+perfSize32+appDomainSize32+pathSize)
	require.Equal(t, 0x410, legacySize64+7*entrySize+perfSize64+appDomainSize64+pathSize)
}

// TestWidths: the spec's two widths, and nothing where there is none.
func TestWidths(t *testing.T) {
	for arch, want := range map[Arch][2]int{NoArch: {0, 0}, X86: {4, 280}, X64: {8, 384}} {
		require.Equal(t, want, [2]int{arch.PointerSize(), arch.PerfSize()}, arch)
	}
}
