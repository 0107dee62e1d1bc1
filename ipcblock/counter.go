package ipcblock

import (
	"sync"

	"github.com/perfdump/perfdump/countertypes"
)

// Counter is one of the 80 perfmon counters over a perf block.
type Counter struct {
	Name     string
	Category string // the perfmon object: ".NET CLR Memory"
	Field    Field  // what it shows; the first addend of # Bytes in all Heaps
	Index    int    // within the counters of the CLR, from the first one; even
	Symbol   string // in the registration of the counters
	Scale    int8   // a power of ten for graphs
	Note     string // what its name does not say, "" for nothing

	kind kind
}

// kind is a counter type in both widths.
type kind uint8

const (
	raw kind = iota
	rate
	timer
	fraction
	base
)

const (
	memory          = ".NET CLR Memory"
	loading         = ".NET CLR Loading"
	locksAndThreads = ".NET CLR LocksAndThreads"
	jit             = ".NET CLR Jit"
	remoting        = ".NET CLR Remoting"
	security        = ".NET CLR Security"
	interop         = ".NET CLR Interop"
	exceptions      = ".NET CLR Exceptions"
)

const (
	firstGC       = "0 until the end of the first collection"
	budget        = "the allocation budget of the generation, not bytes in use"
	allHeaps      = "computed: generations 1 and 2 and the large objects"
	fullGC        = "exact after a full collection only"
	eachGC        = "set anew by each collection"
	atGCStart     = "grows when a collection starts, by all that was allocated since the last"
	notCumulative = "the field is set anew by each collection, so this is no true rate"
	jitRatio      = "the total time of compiling by what it was before the last method: 100 or more, no share of time"
	rtChecks      = "reset at each collection, published about every 10 checks"
	peakAndRate   = "one field is shown as a peak and as a rate"
	rawCount      = "a plain count in spite of its name"
	noWriter      = "nothing is known to write it: expect 0"
	managed       = "no native code is known to write it, managed code may"
)

// Derived reports whether c is computed from several fields.
func (c *Counter) Derived() bool { return c.Symbol == "" }

// IsBase reports whether c is no more than the base of the counter before it.
func (c *Counter) IsBase() bool { return c.kind == base }

// Type returns how c is to be cooked. Counters over pointer-sized fields have
// a wider type in a 64-bit block.
func (c *Counter) Type(a Arch) countertypes.Type {
	wide := a == X64 && c.Field.Size(a) == 8
	switch c.kind {
	case rate:
		if wide {
			return countertypes.PERF_COUNTER_BULK_COUNT
		}
		return countertypes.PERF_COUNTER_COUNTER
	case timer:
		return countertypes.PERF_COUNTER_TIMER
	case fraction:
		return countertypes.PERF_RAW_FRACTION
	case base:
		return countertypes.PERF_RAW_BASE
	default:
		if wide {
			return countertypes.PERF_COUNTER_LARGE_RAWCOUNT
		}
		return countertypes.PERF_COUNTER_RAWCOUNT
	}
}

// Fields returns what c is computed from: its field, and the base or the
// addends.
func (c *Counter) Fields() []Field {
	switch {
	case c.Derived():
		return []Field{Gen1HeapSize, Gen2HeapSize, LargeObjectHeapSize}
	case c.kind == fraction:
		return []Field{c.Field, c.Field + 1}
	default:
		return []Field{c.Field}
	}
}

// Counters returns the 80 counters in the order of their indexes, which keeps
// those of a category together and a base behind its fraction. The slice is
// shared and must not be changed.
func Counters() []Counter { return counterTable[:] }

// CounterByName returns the counter of that name, which for the bases, all "Not
// Displayed", is the first.
func CounterByName(category, name string) (*Counter, bool) {
	for i := range counterTable {
		if c := &counterTable[i]; c.Name == name && c.Category == category {
			return c, true
		}
	}
	return nil, false
}

var countersByField = sync.OnceValue(func() (all [NumFields][]*Counter) {
	for i := range counterTable {
		if c := &counterTable[i]; !c.Derived() {
			all[c.Field] = append(all[c.Field], c)
		}
	}
	return all
})

var counterTable = [...]Counter{
	{Name: "# Gen 0 Collections", Category: memory, Field: Gen0Collections, Index: 2, Symbol: "GEN0_COLLECTIONS_COUNTER", Scale: -1, kind: raw},
	{Name: "# Gen 1 Collections", Category: memory, Field: Gen1Collections, Index: 4, Symbol: "GEN1_COLLECTIONS_COUNTER", Scale: -1, kind: raw},
	{Name: "# Gen 2 Collections", Category: memory, Field: Gen2Collections, Index: 6, Symbol: "GEN2_COLLECTIONS_COUNTER", Scale: -1, kind: raw},
	{Name: "Promoted Memory from Gen 0", Category: memory, Field: PromotedGen0, Index: 8, Symbol: "GEN0_BYTES_PROMOTED_COUNTER", Scale: -4, kind: raw},
	{Name: "Promoted Memory from Gen 1", Category: memory, Field: PromotedGen1, Index: 10, Symbol: "GEN1_BYTES_PROMOTED_COUNTER", Scale: -4, kind: raw},
	{Name: "Gen 0 Promoted Bytes/Sec", Category: memory, Field: PromotedGen0, Index: 12, Symbol: "GEN0_PROMOTION_RATE", Scale: -4, kind: rate, Note: notCumulative},
	{Name: "Gen 1 Promoted Bytes/Sec", Category: memory, Field: PromotedGen1, Index: 14, Symbol: "GEN1_PROMOTION_RATE", Scale: -4, kind: rate, Note: notCumulative},
	{Name: "Promoted Finalization-Memory from Gen 0", Category: memory, Field: PromotedFinalization, Index: 16, Symbol: "GEN0_FINALIZATION_BYTES_PROMOTED_COUNTER", Scale: -4, kind: raw},
	{Name: "Process ID", Category: memory, Field: ProcessID, Index: 18, Symbol: "PROCESS_ID", Scale: 0, kind: raw, Note: firstGC},
	{Name: "Gen 0 heap size", Category: memory, Field: Gen0HeapSize, Index: 20, Symbol: "GEN0_HEAP_SIZE_COUNTER", Scale: -4, kind: raw, Note: budget},
	{Name: "Gen 1 heap size", Category: memory, Field: Gen1HeapSize, Index: 22, Symbol: "GEN1_HEAP_SIZE_COUNTER", Scale: -4, kind: raw},
	{Name: "Gen 2 heap size", Category: memory, Field: Gen2HeapSize, Index: 24, Symbol: "GEN2_HEAP_SIZE_COUNTER", Scale: -6, kind: raw},
	{Name: "Large Object Heap size", Category: memory, Field: LargeObjectHeapSize, Index: 26, Symbol: "LARGE_OBJECT_SIZE_COUNTER", Scale: -6, kind: raw},
	{Name: "Finalization Survivors", Category: memory, Field: FinalizationSurvivors, Index: 28, Symbol: "SURVIVE_FINALIZE_COUNTER", Scale: -1, kind: raw},
	{Name: "# GC Handles", Category: memory, Field: GCHandles, Index: 30, Symbol: "NUM_HANDLES_COUNTER", Scale: -1, kind: raw, Note: fullGC},
	{Name: "Allocated Bytes/sec", Category: memory, Field: AllocatedBytes, Index: 32, Symbol: "ALLOCATION_RATE_COUNTER", Scale: -6, kind: rate, Note: atGCStart},
	{Name: "# Induced GC", Category: memory, Field: InducedGCs, Index: 34, Symbol: "INDUCED_GC_COUNTER", Scale: 0, kind: raw},
	{Name: "% Time in GC", Category: memory, Field: TimeInGC, Index: 36, Symbol: "PER_TIME_IN_GC_COUNTER", Scale: 0, kind: fraction},
	{Name: "Not Displayed", Category: memory, Field: TimeInGCBase, Index: 38, Symbol: "PER_TIME_IN_GC_COUNTER_BASE", Scale: 0, kind: base},
	{Name: "# Bytes in all Heaps", Category: memory, Field: Gen1HeapSize, Index: 40, Symbol: "", Scale: -6, kind: raw, Note: allHeaps},
	{Name: "# Total committed Bytes", Category: memory, Field: TotalCommitted, Index: 42, Symbol: "TOTAL_COMMITTED_MEM_COUNTER", Scale: -6, kind: raw},
	{Name: "# Total reserved Bytes", Category: memory, Field: TotalReserved, Index: 44, Symbol: "TOTAL_RESERVED_MEM_COUNTER", Scale: -6, kind: raw},
	{Name: "# of Pinned Objects", Category: memory, Field: PinnedObjects, Index: 46, Symbol: "GC_PINNED_OBJECTS", Scale: 0, kind: raw, Note: eachGC},
	{Name: "# of Sink Blocks in use", Category: memory, Field: SinkBlocks, Index: 48, Symbol: "GC_SINKBLOCKS", Scale: -1, kind: raw},
	{Name: "Total Classes Loaded", Category: loading, Field: ClassesLoadedTotal, Index: 52, Symbol: "LOADING_CLASSES_TOTAL", Scale: -1, kind: raw},
	{Name: "% Time Loading", Category: loading, Field: TimeLoading, Index: 54, Symbol: "LOADING_TIME", Scale: 0, kind: timer, Note: noWriter},
	{Name: "Assembly Search Length", Category: loading, Field: AssemblySearchLength, Index: 56, Symbol: "LOADING_ASMSEARCHLEN", Scale: 0, kind: raw, Note: noWriter},
	{Name: "Total # of Load Failures", Category: loading, Field: LoadFailures, Index: 58, Symbol: "LOADING_LOADFAILURES_TOTAL", Scale: 0, kind: raw},
	{Name: "Rate of Load Failures", Category: loading, Field: LoadFailures, Index: 60, Symbol: "LOADING_LOADFAILURES_INST", Scale: 0, kind: rate},
	{Name: "Bytes in Loader Heap", Category: loading, Field: LoaderHeapSize, Index: 62, Symbol: "LOADING_HEAPSIZE", Scale: -4, kind: raw},
	{Name: "Total appdomains unloaded", Category: loading, Field: AppDomainsUnloaded, Index: 64, Symbol: "LOADING_APPDOMAINS_UNLOADED_TOTAL", Scale: 0, kind: raw},
	{Name: "Rate of appdomains unloaded", Category: loading, Field: AppDomainsUnloaded, Index: 66, Symbol: "LOADING_APPDOMAINS_UNLOADED_INST", Scale: 0, kind: rate},
	{Name: "Current Classes Loaded", Category: loading, Field: ClassesLoadedCur, Index: 68, Symbol: "LOADING_CLASSES_CUR", Scale: -1, kind: raw},
	{Name: "Rate of Classes Loaded", Category: loading, Field: ClassesLoadedTotal, Index: 70, Symbol: "LOADING_CLASSES_INST", Scale: -1, kind: rate},
	{Name: "Current appdomains", Category: loading, Field: AppDomainsCur, Index: 72, Symbol: "LOADING_APPDOMAINS_CUR", Scale: -1, kind: raw},
	{Name: "Total Appdomains", Category: loading, Field: AppDomainsTotal, Index: 74, Symbol: "LOADING_APPDOMAINS_TOTAL", Scale: -1, kind: raw},
	{Name: "Rate of appdomains", Category: loading, Field: AppDomainsTotal, Index: 76, Symbol: "LOADING_APPDOMAINS_INST", Scale: -1, kind: rate},
	{Name: "Current Assemblies", Category: loading, Field: AssembliesCur, Index: 78, Symbol: "LOADING_ASSEMBLIES_CUR", Scale: -1, kind: raw},
	{Name: "Total Assemblies", Category: loading, Field: AssembliesTotal, Index: 80, Symbol: "LOADING_ASSEMBLIES_TOTAL", Scale: -1, kind: raw},
	{Name: "Rate of Assemblies", Category: loading, Field: AssembliesTotal, Index: 82, Symbol: "LOADING_ASSEMBLIES_INST", Scale: -1, kind: rate},
	{Name: "# of Methods Jitted", Category: jit, Field: MethodsJitted, Index: 86, Symbol: "TOTAL_METHODS_JITTED", Scale: -4, kind: raw},
	{Name: "# of IL Bytes Jitted", Category: jit, Field: ILJittedCur, Index: 88, Symbol: "JITTED_IL_CUR", Scale: -4, kind: raw},
	{Name: "Total # of IL Bytes Jitted", Category: jit, Field: ILJittedTotal, Index: 90, Symbol: "JITTED_IL_TOTAL", Scale: -4, kind: raw},
	{Name: "IL Bytes Jitted / sec", Category: jit, Field: ILJittedTotal, Index: 92, Symbol: "JITTED_IL_INST", Scale: -4, kind: rate},
	{Name: "Standard Jit Failures", Category: jit, Field: JitFailures, Index: 94, Symbol: "JIT_FAILURES", Scale: -4, kind: raw},
	{Name: "% Time in Jit", Category: jit, Field: TimeInJit, Index: 96, Symbol: "TIME_IN_JIT", Scale: 0, kind: fraction, Note: jitRatio},
	{Name: "Not Displayed", Category: jit, Field: TimeInJitBase, Index: 98, Symbol: "TIME_IN_JIT_BASE", Scale: 0, kind: base},
	{Name: "# of CCWs", Category: interop, Field: CCWs, Index: 102, Symbol: "CURRENT_CCW", Scale: 1, kind: raw},
	{Name: "# of Stubs", Category: interop, Field: Stubs, Index: 104, Symbol: "CURRENT_STUBS", Scale: 1, kind: raw},
	{Name: "# of marshalling", Category: interop, Field: Marshalling, Index: 106, Symbol: "NUM_MARSHALLING", Scale: 0, kind: raw, Note: noWriter},
	{Name: "# of TLB imports / sec", Category: interop, Field: TLBImports, Index: 108, Symbol: "TOTAL_TLB_IMPORTS", Scale: -1, kind: raw, Note: rawCount},
	{Name: "# of TLB exports / sec", Category: interop, Field: TLBExports, Index: 110, Symbol: "TOTAL_TLB_EXPORTS", Scale: -1, kind: raw, Note: rawCount},
	{Name: "Total # of Contentions", Category: locksAndThreads, Field: Contention, Index: 114, Symbol: "CONTENTION_TOTAL", Scale: -1, kind: raw},
	{Name: "Contention Rate / sec", Category: locksAndThreads, Field: Contention, Index: 116, Symbol: "CONTENTION_INST", Scale: -1, kind: rate},
	{Name: "Current Queue Length", Category: locksAndThreads, Field: QueueLengthCur, Index: 118, Symbol: "QUEUE_LENGTH_CUR", Scale: -1, kind: raw},
	{Name: "Queue Length Peak", Category: locksAndThreads, Field: QueueLengthTotal, Index: 120, Symbol: "QUEUE_LENGTH_TOTAL", Scale: -1, kind: raw, Note: peakAndRate},
	{Name: "Queue Length / sec", Category: locksAndThreads, Field: QueueLengthTotal, Index: 122, Symbol: "QUEUE_LENGTH_INST", Scale: -1, kind: rate, Note: peakAndRate},
	{Name: "# of current logical Threads", Category: locksAndThreads, Field: CurrentThreadsLogical, Index: 124, Symbol: "CURRENT_LOGICAL_THREADS", Scale: -1, kind: raw},
	{Name: "# of current physical Threads", Category: locksAndThreads, Field: CurrentThreadsPhysical, Index: 126, Symbol: "CURRENT_PHYSICAL_THREADS", Scale: -1, kind: raw},
	{Name: "# of current recognized threads", Category: locksAndThreads, Field: RecognizedThreadsCur, Index: 128, Symbol: "RECOGNIZED_THREADS_CUR", Scale: -1, kind: raw},
	{Name: "# of total recognized threads", Category: locksAndThreads, Field: RecognizedThreadsTotal, Index: 130, Symbol: "RECOGNIZED_THREADS_TOTAL", Scale: -1, kind: raw},
	{Name: "rate of recognized threads / sec", Category: locksAndThreads, Field: RecognizedThreadsTotal, Index: 132, Symbol: "RECOGNIZED_THREADS_INST", Scale: -1, kind: rate},
	{Name: "Total Runtime Checks", Category: security, Field: TotalRTChecks, Index: 136, Symbol: "SECURITY_TOTALRTCHECKS", Scale: -1, kind: raw},
	{Name: "% Time Sig. Authenticating", Category: security, Field: TimeAuthorize, Index: 138, Symbol: "SECURITY_TIMEAUTHORIZE", Scale: 0, kind: timer, Note: noWriter},
	{Name: "# Link Time Checks", Category: security, Field: LinkChecks, Index: 140, Symbol: "SECURITY_LINKCHECKS", Scale: -1, kind: raw},
	{Name: "% Time in RT checks", Category: security, Field: TimeRTChecks, Index: 142, Symbol: "SECURITY_TIMERTCHECKS", Scale: 0, kind: fraction, Note: rtChecks},
	{Name: "Not Displayed", Category: security, Field: TimeRTChecksBase, Index: 144, Symbol: "SECURITY_TIMERTCHECKS_BASE", Scale: 0, kind: base},
	{Name: "Stack Walk Depth", Category: security, Field: StackWalkDepth, Index: 146, Symbol: "SECURITY_DEPTHSECURITY", Scale: -1, kind: raw},
	{Name: "Remote Calls/sec", Category: remoting, Field: RemoteCalls, Index: 150, Symbol: "CONTEXT_REMOTECALLS_INST", Scale: -1, kind: rate, Note: managed},
	{Name: "Channels", Category: remoting, Field: Channels, Index: 152, Symbol: "CONTEXT_CHANNELS", Scale: -1, kind: raw, Note: managed},
	{Name: "Context Proxies", Category: remoting, Field: Proxies, Index: 154, Symbol: "CONTEXT_PROXIES", Scale: -1, kind: raw, Note: managed},
	{Name: "Context-Bound Classes Loaded", Category: remoting, Field: ContextBoundClasses, Index: 156, Symbol: "CONTEXT_CLASSES", Scale: -1, kind: raw},
	{Name: "Context-Bound Objects Alloc / sec", Category: remoting, Field: ContextBoundObjects, Index: 158, Symbol: "CONTEXT_OBJALLOC", Scale: -1, kind: rate},
	{Name: "Contexts", Category: remoting, Field: Contexts, Index: 160, Symbol: "CONTEXT_CONTEXTS", Scale: -1, kind: raw},
	{Name: "Total Remote Calls", Category: remoting, Field: RemoteCalls, Index: 162, Symbol: "CONTEXT_REMOTECALLS_TOTAL", Scale: -1, kind: raw, Note: managed},
	{Name: "# of Exceps Thrown", Category: exceptions, Field: ExceptionsThrown, Index: 166, Symbol: "EXCEP_THROWN_TOTAL", Scale: -1, kind: raw},
	{Name: "# of Exceps Thrown / sec", Category: exceptions, Field: ExceptionsThrown, Index: 168, Symbol: "EXCEP_THROWN_INST", Scale: -1, kind: rate},
	{Name: "# of Filters / sec", Category: exceptions, Field: FiltersExecuted, Index: 170, Symbol: "TOTAL_EXCEP_FILTERS_RUN", Scale: -1, kind: rate},
	{Name: "# of Finallys / sec", Category: exceptions, Field: FinallysExecuted, Index: 172, Symbol: "TOTAL_EXCEP_FINALLYS_RUN", Scale: -1, kind: rate},
	{Name: "Throw To Catch Depth / sec", Category: exceptions, Field: ThrowToCatchStackDepth, Index: 174, Symbol: "EXCEPT_STACK_DEPTH", Scale: -1, kind: raw, Note: rawCount},
}
