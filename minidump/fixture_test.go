package minidump_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

const fixture = "../testdata/minidump/service_x64.dmp"

// service is the dump of a 64-bit service on CLR 4, some time after it has
// begun: the shared table, with a second runtime that is gone, the same chunk
// as it was before in the heap, and the public block of a CLR 2.0.
func service(t *testing.T) *dump {
	values := func(pid uint64, gcs uint64) *[ipcblock.NumFields]uint64 {
		v := &[ipcblock.NumFields]uint64{}
		for f, n := range map[ipcblock.Field]uint64{
			ipcblock.Gen0Collections: gcs, ipcblock.Gen1Collections: gcs / 3, ipcblock.Gen2Collections: gcs / 40,
			ipcblock.PromotedGen0: 1_204_336, ipcblock.PromotedGen1: 388_120, ipcblock.PromotedFinalization: 2_144,
			ipcblock.ProcessID: pid, ipcblock.Gen0HeapSize: 6_291_456, ipcblock.Gen1HeapSize: 1_245_184,
			ipcblock.Gen2HeapSize: 88_342_528, ipcblock.LargeObjectHeapSize: 24_117_248, ipcblock.TotalCommitted: 131_334_144,
			ipcblock.TotalReserved: 402_644_992, ipcblock.FinalizationSurvivors: 18, ipcblock.GCHandles: 1_377,
			ipcblock.AllocatedBytes: 5_103_944_192, ipcblock.LargeAllocatedBytes: 201_326_592, ipcblock.InducedGCs: 2,
			ipcblock.TimeInGC: 84_211, ipcblock.TimeInGCBase: 2_914_400, ipcblock.PinnedObjects: 7, ipcblock.SinkBlocks: 96,
			ipcblock.CCWs: 4, ipcblock.Stubs: 61, ipcblock.ClassesLoadedCur: 9_412, ipcblock.ClassesLoadedTotal: 9_440,
			ipcblock.AppDomainsCur: 2, ipcblock.AppDomainsTotal: 3, ipcblock.AssembliesCur: 74, ipcblock.AssembliesTotal: 75,
			ipcblock.LoadFailures: 1, ipcblock.LoaderHeapSize: 18_874_368, ipcblock.AppDomainsUnloaded: 1,
			ipcblock.ExceptionsThrown: 20_711, ipcblock.FiltersExecuted: 3, ipcblock.FinallysExecuted: 41_209,
			ipcblock.Contention: 512, ipcblock.QueueLengthTotal: 4, ipcblock.CurrentThreadsLogical: 38,
			ipcblock.CurrentThreadsPhysical: 36, ipcblock.RecognizedThreadsCur: 11, ipcblock.RecognizedThreadsTotal: 52,
			ipcblock.MethodsJitted: 14_902, ipcblock.ILJittedCur: 1_880_301, ipcblock.ILJittedTotal: 1_880_301,
			ipcblock.TimeInJit: 90_210, ipcblock.TimeInJitBase: 90_190, ipcblock.TotalRTChecks: 220, ipcblock.LinkChecks: 14,
			ipcblock.TimeRTChecksBase: 1, ipcblock.StackWalkDepth: 6,
		} {
			v[f] = n
		}
		return v
	}
	encode := func(tree *ipcblock.Tree) []byte {
		require.NoError(t, tree.Layout())
		b, err := tree.AppendBinary(nil)
		require.NoError(t, err)
		return b
	}
	chunk := func(i int, id uint32, state ipcblock.State, gcs uint64) ipcblock.TreeChunk {
		c := ipcblock.TreeChunk{Index: i, State: state, Arch: ipcblock.X64, Values: values(4711, gcs)}
		c.RuntimeID, c.BuildYear, c.BuildNumber = id, 4, 30319
		c.Values[ipcblock.PerfAttributes] = 1
		return c
	}
	shared := encode(&ipcblock.Tree{Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{
		chunk(0, 3, ipcblock.Live, 412), chunk(1, 0, ipcblock.Free, 9),
	}})
	before := encode(&ipcblock.Tree{Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{chunk(0, 3, ipcblock.Live, 37)}})[:2048]
	heap := noise(7, 12<<10)
	copy(heap[0x128:], before)
	old := ipcblock.TreeChunk{State: ipcblock.Live, Arch: ipcblock.X64, Values: values(4711, 0)}
	old.Values[ipcblock.PerfAttributes], old.BuildYear, old.BuildNumber = 1, 2, 50727
	public := encode(&ipcblock.Tree{Kind: ipcblock.LegacyPublic, Chunks: []ipcblock.TreeChunk{old}})

	d := sample()
	d.other = nil
	d.modules = append(d.modules, module{0x7FF90000000, `C:\Windows\Microsoft.NET\Framework64\v2.0.50727\mscorwks.dll`, [4]uint16{2, 0, 50727, 9157}})
	d.regions = []minidump.Region{mapped(0x1D0000000), private(0x1D0020000, 0x3000), mapped(0x1D0030000)}
	d.memory = nil
	d.memory64 = []extent{
		at(0x1D0000000, shared), at(0x1D0020000, heap), {va: 0x1D0030000, size: 0x1000, data: public},
	}
	return d
}

// TestFixture makes the dump that other tests read.
func TestFixture(t *testing.T) {
	golden.File(t, fixture, service(t).bytes())
}
