package minidump_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/golden"
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
			field("gc.gen0Collections"): gcs, field("gc.gen1Collections"): gcs / 3, field("gc.gen2Collections"): gcs / 40,
			field("gc.promotedGen0"): 1_204_336, field("gc.promotedGen1"): 388_120, field("gc.promotedFinalization"): 2_144,
			ipcblock.ProcessID: pid, field("gc.gen0HeapSize"): 6_291_456, field("gc.gen1HeapSize"): 1_245_184,
			field("gc.gen2HeapSize"): 88_342_528, field("gc.largeObjectHeapSize"): 24_117_248, field("gc.totalCommitted"): 131_334_144,
			field("gc.totalReserved"): 402_644_992, field("gc.finalizationSurvivors"): 18, field("gc.gcHandles"): 1_377,
			field("gc.allocatedBytes"): 5_103_944_192, field("gc.largeAllocatedBytes"): 201_326_592, field("gc.inducedGCs"): 2,
			field("gc.timeInGC"): 84_211, field("gc.timeInGCBase"): 2_914_400, field("gc.pinnedObjects"): 7, field("gc.sinkBlocks"): 96,
			field("interop.ccws"): 4, field("interop.stubs"): 61, field("loading.classesLoaded.cur"): 9_412, field("loading.classesLoaded.total"): 9_440,
			field("loading.appDomains.cur"): 2, field("loading.appDomains.total"): 3, field("loading.assemblies.cur"): 74, field("loading.assemblies.total"): 75,
			field("loading.loadFailures"): 1, field("loading.loaderHeapSize"): 18_874_368, field("loading.appDomainsUnloaded"): 1,
			field("exceptions.thrown"): 20_711, field("exceptions.filtersExecuted"): 3, field("exceptions.finallysExecuted"): 41_209,
			field("locksAndThreads.contention"): 512, field("locksAndThreads.queueLength.total"): 4, field("locksAndThreads.currentThreadsLogical"): 38,
			field("locksAndThreads.currentThreadsPhysical"): 36, field("locksAndThreads.recognizedThreads.cur"): 11, field("locksAndThreads.recognizedThreads.total"): 52,
			field("jit.methodsJitted"): 14_902, field("jit.ilJitted.cur"): 1_880_301, field("jit.ilJitted.total"): 1_880_301,
			field("jit.timeInJit"): 90_210, field("jit.timeInJitBase"): 90_190, field("security.totalRTChecks"): 220, field("security.linkChecks"): 14,
			field("security.timeRTChecksBase"): 1, field("security.stackWalkDepth"): 6,
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
	d.regions = []minidump.MemoryInfo{mapped(0x1D0000000), private(0x1D0020000, 0x3000), mapped(0x1D0030000)}
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

// field finds a field of the perf block by its section and name.
func field(name string) ipcblock.Field {
	section, name, _ := strings.Cut(name, ".")
	f, _ := ipcblock.FieldByName(section, name)
	return f
}
