package ipcblock

// fieldTable is the perf block: its members in memory order and the perfmon counters that
// show each. Offsets, spans, values, counters and the byte tables of docs/ipcblock.md are
// derived from it. The last row is the field of CLR 1.x instead of gc.processId.
var fieldTable = [NumFields]struct {
	section, name string
	class         class
	counters      []shown
}{
	{"head", "size", word, nil},
	{"head", "attributes", word, nil},
	{"gc", "gen0Collections", pointer, []shown{{2, raw, -1, "# Gen 0 Collections", "GEN0_COLLECTIONS_COUNTER", ""}}},
	{"gc", "gen1Collections", pointer, []shown{{4, raw, -1, "# Gen 1 Collections", "GEN1_COLLECTIONS_COUNTER", ""}}},
	{"gc", "gen2Collections", pointer, []shown{{6, raw, -1, "# Gen 2 Collections", "GEN2_COLLECTIONS_COUNTER", ""}}},
	{"gc", "promotedGen0", pointer, []shown{
		{8, raw, -4, "Promoted Memory from Gen 0", "GEN0_BYTES_PROMOTED_COUNTER", ""},
		{12, rate, -4, "Gen 0 Promoted Bytes/Sec", "GEN0_PROMOTION_RATE", notCumulative},
	}},
	{"gc", "promotedGen1", pointer, []shown{
		{10, raw, -4, "Promoted Memory from Gen 1", "GEN1_BYTES_PROMOTED_COUNTER", ""},
		{14, rate, -4, "Gen 1 Promoted Bytes/Sec", "GEN1_PROMOTION_RATE", notCumulative},
	}},
	{"gc", "promotedFinalization", pointer, []shown{{16, raw, -4, "Promoted Finalization-Memory from Gen 0", "GEN0_FINALIZATION_BYTES_PROMOTED_COUNTER", ""}}},
	{"gc", "processId", pointer, []shown{{18, raw, 0, "Process ID", "PROCESS_ID", firstGC}}},
	{"gc", "gen0HeapSize", pointer, []shown{{20, raw, -4, "Gen 0 heap size", "GEN0_HEAP_SIZE_COUNTER", budget}}},
	{"gc", "gen1HeapSize", pointer, []shown{{22, raw, -4, "Gen 1 heap size", "GEN1_HEAP_SIZE_COUNTER", ""}}},
	{"gc", "gen2HeapSize", pointer, []shown{{24, raw, -6, "Gen 2 heap size", "GEN2_HEAP_SIZE_COUNTER", ""}}},
	{"gc", "totalCommitted", pointer, []shown{{42, raw, -6, "# Total committed Bytes", "TOTAL_COMMITTED_MEM_COUNTER", ""}}},
	{"gc", "totalReserved", pointer, []shown{{44, raw, -6, "# Total reserved Bytes", "TOTAL_RESERVED_MEM_COUNTER", ""}}},
	{"gc", "largeObjectHeapSize", pointer, []shown{{26, raw, -6, "Large Object Heap size", "LARGE_OBJECT_SIZE_COUNTER", ""}}},
	{"gc", "finalizationSurvivors", pointer, []shown{{28, raw, -1, "Finalization Survivors", "SURVIVE_FINALIZE_COUNTER", ""}}},
	{"gc", "gcHandles", pointer, []shown{{30, raw, -1, "# GC Handles", "NUM_HANDLES_COUNTER", fullGC}}},
	{"gc", "allocatedBytes", pointer, []shown{{32, rate, -6, "Allocated Bytes/sec", "ALLOCATION_RATE_COUNTER", atGCStart}}},
	{"gc", "largeAllocatedBytes", pointer, nil},
	{"gc", "inducedGCs", pointer, []shown{{34, raw, 0, "# Induced GC", "INDUCED_GC_COUNTER", ""}}},
	{"gc", "timeInGC", dword, []shown{{36, fraction, 0, "% Time in GC", "PER_TIME_IN_GC_COUNTER", ""}}},
	{"gc", "timeInGCBase", dword, []shown{{38, base, 0, "Not Displayed", "PER_TIME_IN_GC_COUNTER_BASE", ""}}},
	{"gc", "pinnedObjects", pointer, []shown{{46, raw, 0, "# of Pinned Objects", "GC_PINNED_OBJECTS", eachGC}}},
	{"gc", "sinkBlocks", pointer, []shown{{48, raw, -1, "# of Sink Blocks in use", "GC_SINKBLOCKS", ""}}},
	{"contexts", "remoteCalls", dword, []shown{
		{150, rate, -1, "Remote Calls/sec", "CONTEXT_REMOTECALLS_INST", managed},
		{162, raw, -1, "Total Remote Calls", "CONTEXT_REMOTECALLS_TOTAL", managed},
	}},
	{"contexts", "channels", dword, []shown{{152, raw, -1, "Channels", "CONTEXT_CHANNELS", managed}}},
	{"contexts", "proxies", dword, []shown{{154, raw, -1, "Context Proxies", "CONTEXT_PROXIES", managed}}},
	{"contexts", "classes", dword, []shown{{156, raw, -1, "Context-Bound Classes Loaded", "CONTEXT_CLASSES", ""}}},
	{"contexts", "objectsAllocated", dword, []shown{{158, rate, -1, "Context-Bound Objects Alloc / sec", "CONTEXT_OBJALLOC", ""}}},
	{"contexts", "contexts", dword, []shown{{160, raw, -1, "Contexts", "CONTEXT_CONTEXTS", ""}}},
	{"interop", "ccws", dword, []shown{{102, raw, 1, "# of CCWs", "CURRENT_CCW", ""}}},
	{"interop", "stubs", dword, []shown{{104, raw, 1, "# of Stubs", "CURRENT_STUBS", ""}}},
	{"interop", "marshalling", dword, []shown{{106, raw, 0, "# of marshalling", "NUM_MARSHALLING", noWriter}}},
	{"interop", "tlbImports", dword, []shown{{108, raw, -1, "# of TLB imports / sec", "TOTAL_TLB_IMPORTS", rawCount}}},
	{"interop", "tlbExports", dword, []shown{{110, raw, -1, "# of TLB exports / sec", "TOTAL_TLB_EXPORTS", rawCount}}},
	{"loading", "classesLoaded.cur", dword, []shown{{68, raw, -1, "Current Classes Loaded", "LOADING_CLASSES_CUR", ""}}},
	{"loading", "classesLoaded.total", dword, []shown{
		{52, raw, -1, "Total Classes Loaded", "LOADING_CLASSES_TOTAL", ""},
		{70, rate, -1, "Rate of Classes Loaded", "LOADING_CLASSES_INST", ""},
	}},
	{"loading", "appDomains.cur", dword, []shown{{72, raw, -1, "Current appdomains", "LOADING_APPDOMAINS_CUR", ""}}},
	{"loading", "appDomains.total", dword, []shown{
		{74, raw, -1, "Total Appdomains", "LOADING_APPDOMAINS_TOTAL", ""},
		{76, rate, -1, "Rate of appdomains", "LOADING_APPDOMAINS_INST", ""},
	}},
	{"loading", "assemblies.cur", dword, []shown{{78, raw, -1, "Current Assemblies", "LOADING_ASSEMBLIES_CUR", ""}}},
	{"loading", "assemblies.total", dword, []shown{
		{80, raw, -1, "Total Assemblies", "LOADING_ASSEMBLIES_TOTAL", ""},
		{82, rate, -1, "Rate of Assemblies", "LOADING_ASSEMBLIES_INST", ""},
	}},
	{"loading", "timeLoading", longlong, []shown{{54, timer, 0, "% Time Loading", "LOADING_TIME", noWriter}}},
	{"loading", "assemblySearchLength", dword, []shown{{56, raw, 0, "Assembly Search Length", "LOADING_ASMSEARCHLEN", noWriter}}},
	{"loading", "loadFailures", dword, []shown{
		{58, raw, 0, "Total # of Load Failures", "LOADING_LOADFAILURES_TOTAL", ""},
		{60, rate, 0, "Rate of Load Failures", "LOADING_LOADFAILURES_INST", ""},
	}},
	{"loading", "loaderHeapSize", pointer, []shown{{62, raw, -4, "Bytes in Loader Heap", "LOADING_HEAPSIZE", ""}}},
	{"loading", "appDomainsUnloaded", dword, []shown{
		{64, raw, 0, "Total appdomains unloaded", "LOADING_APPDOMAINS_UNLOADED_TOTAL", ""},
		{66, rate, 0, "Rate of appdomains unloaded", "LOADING_APPDOMAINS_UNLOADED_INST", ""},
	}},
	{"exceptions", "thrown", dword, []shown{
		{166, raw, -1, "# of Exceps Thrown", "EXCEP_THROWN_TOTAL", ""},
		{168, rate, -1, "# of Exceps Thrown / sec", "EXCEP_THROWN_INST", ""},
	}},
	{"exceptions", "filtersExecuted", dword, []shown{{170, rate, -1, "# of Filters / sec", "TOTAL_EXCEP_FILTERS_RUN", ""}}},
	{"exceptions", "finallysExecuted", dword, []shown{{172, rate, -1, "# of Finallys / sec", "TOTAL_EXCEP_FINALLYS_RUN", ""}}},
	{"exceptions", "throwToCatchStackDepth", dword, []shown{{174, raw, -1, "Throw To Catch Depth / sec", "EXCEPT_STACK_DEPTH", rawCount}}},
	{"locksAndThreads", "contention", dword, []shown{
		{114, raw, -1, "Total # of Contentions", "CONTENTION_TOTAL", ""},
		{116, rate, -1, "Contention Rate / sec", "CONTENTION_INST", ""},
	}},
	{"locksAndThreads", "queueLength.cur", dword, []shown{{118, raw, -1, "Current Queue Length", "QUEUE_LENGTH_CUR", ""}}},
	{"locksAndThreads", "queueLength.total", dword, []shown{
		{120, raw, -1, "Queue Length Peak", "QUEUE_LENGTH_TOTAL", peakAndRate},
		{122, rate, -1, "Queue Length / sec", "QUEUE_LENGTH_INST", peakAndRate},
	}},
	{"locksAndThreads", "currentThreadsLogical", dword, []shown{{124, raw, -1, "# of current logical Threads", "CURRENT_LOGICAL_THREADS", ""}}},
	{"locksAndThreads", "currentThreadsPhysical", dword, []shown{{126, raw, -1, "# of current physical Threads", "CURRENT_PHYSICAL_THREADS", ""}}},
	{"locksAndThreads", "recognizedThreads.cur", dword, []shown{{128, raw, -1, "# of current recognized threads", "RECOGNIZED_THREADS_CUR", ""}}},
	{"locksAndThreads", "recognizedThreads.total", dword, []shown{
		{130, raw, -1, "# of total recognized threads", "RECOGNIZED_THREADS_TOTAL", ""},
		{132, rate, -1, "rate of recognized threads / sec", "RECOGNIZED_THREADS_INST", ""},
	}},
	{"jit", "methodsJitted", dword, []shown{{86, raw, -4, "# of Methods Jitted", "TOTAL_METHODS_JITTED", ""}}},
	{"jit", "ilJitted.cur", dword, []shown{{88, raw, -4, "# of IL Bytes Jitted", "JITTED_IL_CUR", ""}}},
	{"jit", "ilJitted.total", dword, []shown{
		{90, raw, -4, "Total # of IL Bytes Jitted", "JITTED_IL_TOTAL", ""},
		{92, rate, -4, "IL Bytes Jitted / sec", "JITTED_IL_INST", ""},
	}},
	{"jit", "jitFailures", dword, []shown{{94, raw, -4, "Standard Jit Failures", "JIT_FAILURES", ""}}},
	{"jit", "timeInJit", dword, []shown{{96, fraction, 0, "% Time in Jit", "TIME_IN_JIT", jitRatio}}},
	{"jit", "timeInJitBase", dword, []shown{{98, base, 0, "Not Displayed", "TIME_IN_JIT_BASE", ""}}},
	{"security", "totalRTChecks", dword, []shown{{136, raw, -1, "Total Runtime Checks", "SECURITY_TOTALRTCHECKS", ""}}},
	{"security", "timeAuthorize", longlong, []shown{{138, timer, 0, "% Time Sig. Authenticating", "SECURITY_TIMEAUTHORIZE", noWriter}}},
	{"security", "linkChecks", dword, []shown{{140, raw, -1, "# Link Time Checks", "SECURITY_LINKCHECKS", ""}}},
	{"security", "timeRTChecks", dword, []shown{{142, fraction, 0, "% Time in RT checks", "SECURITY_TIMERTCHECKS", rtChecks}}},
	{"security", "timeRTChecksBase", dword, []shown{{144, base, 0, "Not Displayed", "SECURITY_TIMERTCHECKS_BASE", ""}}},
	{"security", "stackWalkDepth", dword, []shown{{146, raw, -1, "Stack Walk Depth", "SECURITY_DEPTHSECURITY", ""}}},
	{"gc", "promotedFinalizationGen1", pointer, nil},
}

// class is the C type of a field, which determines its size in both widths.
type class uint8

const (
	word class = iota
	dword
	longlong // LONGLONG, the only signed ones
	pointer  // size_t
)

// shown is a counter over a field; see [Counter] for the members.
type shown struct {
	index  int
	kind   kind
	scale  int8
	name   string
	symbol string
	note   string
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

// categories are the perfmon objects that show the sections.
var categories = map[string]string{
	"gc":              ".NET CLR Memory",
	"contexts":        ".NET CLR Remoting",
	"interop":         ".NET CLR Interop",
	"loading":         ".NET CLR Loading",
	"exceptions":      ".NET CLR Exceptions",
	"locksAndThreads": ".NET CLR LocksAndThreads",
	"jit":             ".NET CLR Jit",
	"security":        ".NET CLR Security",
}

const (
	firstGC       = "0 until the end of the first collection"
	budget        = "the allocation budget of the generation, not bytes in use"
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
