package ipcblock

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/formattest"
)

// FuzzIPCHandEqualsStruc compares the loads written by hand with what struc
// reads by the tags, and the packed structs with the bytes they came from.
func FuzzIPCHandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(appDomainSize[X64]))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < appDomainSize[X64] {
			return
		}
		var h Header
		formattest.Struc(t, b, headerSize, func(c *chunkHeader, b []byte) {
			h.loadChunk(b)
			*c = chunkHeader{h.Counter, h.RuntimeID, h.Reserved[0], h.Reserved[1], h.Version, h.Flags, h.BlockSize, h.BuildYear, h.BuildNumber, h.NumEntries}
		})
		formattest.Struc(t, b, entrySize, (*Entry).load)
		formattest.Struc(t, b, legacySize[X86], func(l *legacyHeader32, b []byte) {
			h.loadLegacy(b, X86)
			*l = legacyHeader32{h.Version, h.Flags, h.BlockSize, uint32(h.HInstance), h.BuildYear, h.BuildNumber, h.NumEntries}
		})
		formattest.Struc(t, b, legacySize[X64], func(l *legacyHeader64, b []byte) {
			h.loadLegacy(b, X64)
			*l = legacyHeader64{h.Version, h.Flags, h.BlockSize, h.HInstance, h.BuildYear, h.BuildNumber, h.NumEntries}
		})
		var d AppDomain64
		formattest.Struc(t, b, appDomainSize[X86], func(s *appDomain32, b []byte) {
			d.load(b, X86)
			*s = appDomain32{
				uint32(d.Mutex), d.TotalSlots, d.UsedSlots, d.LastFreedSlot, d.SizeInBytes, d.ProcessNameLengthInBytes,
				uint32(d.ProcessName), uint32(d.AppDomainList), d.LockInvalid,
			}
		})
		formattest.Struc(t, b, appDomainSize[X64], func(s *AppDomain64, b []byte) { s.load(b, X64) })
	})
}

// TestSizes compares the constants with the sizes of blocks that were seen.
func TestSizes(t *testing.T) {
	for a, want := range map[Arch][2]int{X86: {publicSize32, privateSize32}, X64: {publicSize64, privateSize64}} {
		require.Equal(t, want[0], legacySize[a]+entrySize+a.PerfSize())
		require.Equal(t, want[1], legacySize[a]+7*entrySize+a.PerfSize()+appDomainSize[a]+pathSize)
		last := Field(NumFields - 2)
		require.Equal(t, a.PerfSize(), last.Offset(a)+last.Size(a))
	}
	require.Zero(t, NoArch.PerfSize())
}
