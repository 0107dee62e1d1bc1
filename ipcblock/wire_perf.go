package ipcblock

import "github.com/perfdump/perfdump/internal/wire"

// perfBlock32 is the perf block of a 32-bit process. Its compiler packed all
// members to four bytes, the 64-bit times too.
type perfBlock32 struct {
	PerfSize               uint16 `struc:"uint16,little" name:"perf.size" doc:"280 or 384, this block"`
	PerfAttributes         uint16 `struc:"uint16,little" name:"perf.attributes" doc:"1 on, 2 for the whole machine"`
	Gen0Collections        uint32 `struc:"uint32,little" name:"perf.gc.gen0Collections" doc:"# Gen 0 Collections"`
	Gen1Collections        uint32 `struc:"uint32,little" name:"perf.gc.gen1Collections" doc:"# Gen 1 Collections"`
	Gen2Collections        uint32 `struc:"uint32,little" name:"perf.gc.gen2Collections" doc:"# Gen 2 Collections"`
	PromotedGen0           uint32 `struc:"uint32,little" name:"perf.gc.promotedGen0" doc:"Promoted Memory from Gen 0; Gen 0 Promoted Bytes/Sec"`
	PromotedGen1           uint32 `struc:"uint32,little" name:"perf.gc.promotedGen1" doc:"Promoted Memory from Gen 1; Gen 1 Promoted Bytes/Sec"`
	PromotedFinalization   uint32 `struc:"uint32,little" name:"perf.gc.promotedFinalization" doc:"Promoted Finalization-Memory from Gen 0"`
	ProcessID              uint32 `struc:"uint32,little" name:"perf.gc.processId" doc:"Process ID"`
	Gen0HeapSize           uint32 `struc:"uint32,little" name:"perf.gc.gen0HeapSize" doc:"Gen 0 heap size"`
	Gen1HeapSize           uint32 `struc:"uint32,little" name:"perf.gc.gen1HeapSize" doc:"Gen 1 heap size"`
	Gen2HeapSize           uint32 `struc:"uint32,little" name:"perf.gc.gen2HeapSize" doc:"Gen 2 heap size"`
	TotalCommitted         uint32 `struc:"uint32,little" name:"perf.gc.totalCommitted" doc:"# Total committed Bytes"`
	TotalReserved          uint32 `struc:"uint32,little" name:"perf.gc.totalReserved" doc:"# Total reserved Bytes"`
	LargeObjectHeapSize    uint32 `struc:"uint32,little" name:"perf.gc.largeObjectHeapSize" doc:"Large Object Heap size"`
	FinalizationSurvivors  uint32 `struc:"uint32,little" name:"perf.gc.finalizationSurvivors" doc:"Finalization Survivors"`
	GCHandles              uint32 `struc:"uint32,little" name:"perf.gc.gcHandles" doc:"# GC Handles"`
	AllocatedBytes         uint32 `struc:"uint32,little" name:"perf.gc.allocatedBytes" doc:"Allocated Bytes/sec"`
	LargeAllocatedBytes    uint32 `struc:"uint32,little" name:"perf.gc.largeAllocatedBytes" doc:"cumulative; no counter shows it"`
	InducedGCs             uint32 `struc:"uint32,little" name:"perf.gc.inducedGCs" doc:"# Induced GC"`
	TimeInGC               uint32 `struc:"uint32,little" name:"perf.gc.timeInGC" doc:"% Time in GC"`
	TimeInGCBase           uint32 `struc:"uint32,little" name:"perf.gc.timeInGCBase" doc:"base of the field before"`
	PinnedObjects          uint32 `struc:"uint32,little" name:"perf.gc.pinnedObjects" doc:"# of Pinned Objects"`
	SinkBlocks             uint32 `struc:"uint32,little" name:"perf.gc.sinkBlocks" doc:"# of Sink Blocks in use"`
	RemoteCalls            uint32 `struc:"uint32,little" name:"perf.contexts.remoteCalls" doc:"Remote Calls/sec; Total Remote Calls"`
	Channels               uint32 `struc:"uint32,little" name:"perf.contexts.channels" doc:"Channels"`
	Proxies                uint32 `struc:"uint32,little" name:"perf.contexts.proxies" doc:"Context Proxies"`
	ContextBoundClasses    uint32 `struc:"uint32,little" name:"perf.contexts.classes" doc:"Context-Bound Classes Loaded"`
	ContextBoundObjects    uint32 `struc:"uint32,little" name:"perf.contexts.objectsAllocated" doc:"Context-Bound Objects Alloc / sec"`
	Contexts               uint32 `struc:"uint32,little" name:"perf.contexts.contexts" doc:"Contexts"`
	CCWs                   uint32 `struc:"uint32,little" name:"perf.interop.ccws" doc:"# of CCWs"`
	Stubs                  uint32 `struc:"uint32,little" name:"perf.interop.stubs" doc:"# of Stubs"`
	Marshalling            uint32 `struc:"uint32,little" name:"perf.interop.marshalling" doc:"# of marshalling"`
	TLBImports             uint32 `struc:"uint32,little" name:"perf.interop.tlbImports" doc:"# of TLB imports / sec"`
	TLBExports             uint32 `struc:"uint32,little" name:"perf.interop.tlbExports" doc:"# of TLB exports / sec"`
	ClassesLoadedCur       uint32 `struc:"uint32,little" name:"perf.loading.classesLoaded.cur" doc:"Current Classes Loaded"`
	ClassesLoadedTotal     uint32 `struc:"uint32,little" name:"perf.loading.classesLoaded.total" doc:"Total Classes Loaded; Rate of Classes Loaded"`
	AppDomainsCur          uint32 `struc:"uint32,little" name:"perf.loading.appDomains.cur" doc:"Current appdomains"`
	AppDomainsTotal        uint32 `struc:"uint32,little" name:"perf.loading.appDomains.total" doc:"Total Appdomains; Rate of appdomains"`
	AssembliesCur          uint32 `struc:"uint32,little" name:"perf.loading.assemblies.cur" doc:"Current Assemblies"`
	AssembliesTotal        uint32 `struc:"uint32,little" name:"perf.loading.assemblies.total" doc:"Total Assemblies; Rate of Assemblies"`
	TimeLoading            int64  `struc:"int64,little" name:"perf.loading.timeLoading" doc:"% Time Loading"`
	AssemblySearchLength   uint32 `struc:"uint32,little" name:"perf.loading.assemblySearchLength" doc:"Assembly Search Length"`
	LoadFailures           uint32 `struc:"uint32,little" name:"perf.loading.loadFailures" doc:"Total # of Load Failures; Rate of Load Failures"`
	LoaderHeapSize         uint32 `struc:"uint32,little" name:"perf.loading.loaderHeapSize" doc:"Bytes in Loader Heap"`
	AppDomainsUnloaded     uint32 `struc:"uint32,little" name:"perf.loading.appDomainsUnloaded" doc:"Total appdomains unloaded; Rate of appdomains unloaded"`
	ExceptionsThrown       uint32 `struc:"uint32,little" name:"perf.exceptions.thrown" doc:"# of Exceps Thrown; # of Exceps Thrown / sec"`
	FiltersExecuted        uint32 `struc:"uint32,little" name:"perf.exceptions.filtersExecuted" doc:"# of Filters / sec"`
	FinallysExecuted       uint32 `struc:"uint32,little" name:"perf.exceptions.finallysExecuted" doc:"# of Finallys / sec"`
	ThrowToCatchStackDepth uint32 `struc:"uint32,little" name:"perf.exceptions.throwToCatchStackDepth" doc:"Throw To Catch Depth / sec"`
	Contention             uint32 `struc:"uint32,little" name:"perf.locksAndThreads.contention" doc:"Total # of Contentions; Contention Rate / sec"`
	QueueLengthCur         uint32 `struc:"uint32,little" name:"perf.locksAndThreads.queueLength.cur" doc:"Current Queue Length"`
	QueueLengthTotal       uint32 `struc:"uint32,little" name:"perf.locksAndThreads.queueLength.total" doc:"Queue Length Peak; Queue Length / sec"`
	CurrentThreadsLogical  uint32 `struc:"uint32,little" name:"perf.locksAndThreads.currentThreadsLogical" doc:"# of current logical Threads"`
	CurrentThreadsPhysical uint32 `struc:"uint32,little" name:"perf.locksAndThreads.currentThreadsPhysical" doc:"# of current physical Threads"`
	RecognizedThreadsCur   uint32 `struc:"uint32,little" name:"perf.locksAndThreads.recognizedThreads.cur" doc:"# of current recognized threads"`
	RecognizedThreadsTotal uint32 `struc:"uint32,little" name:"perf.locksAndThreads.recognizedThreads.total" doc:"# of total recognized threads; rate of recognized threads / sec"`
	MethodsJitted          uint32 `struc:"uint32,little" name:"perf.jit.methodsJitted" doc:"# of Methods Jitted"`
	ILJittedCur            uint32 `struc:"uint32,little" name:"perf.jit.ilJitted.cur" doc:"# of IL Bytes Jitted"`
	ILJittedTotal          uint32 `struc:"uint32,little" name:"perf.jit.ilJitted.total" doc:"Total # of IL Bytes Jitted; IL Bytes Jitted / sec"`
	JitFailures            uint32 `struc:"uint32,little" name:"perf.jit.jitFailures" doc:"Standard Jit Failures"`
	TimeInJit              uint32 `struc:"uint32,little" name:"perf.jit.timeInJit" doc:"% Time in Jit"`
	TimeInJitBase          uint32 `struc:"uint32,little" name:"perf.jit.timeInJitBase" doc:"base of the field before"`
	TotalRTChecks          uint32 `struc:"uint32,little" name:"perf.security.totalRTChecks" doc:"Total Runtime Checks"`
	TimeAuthorize          int64  `struc:"int64,little" name:"perf.security.timeAuthorize" doc:"% Time Sig. Authenticating"`
	LinkChecks             uint32 `struc:"uint32,little" name:"perf.security.linkChecks" doc:"# Link Time Checks"`
	TimeRTChecks           uint32 `struc:"uint32,little" name:"perf.security.timeRTChecks" doc:"% Time in RT checks"`
	TimeRTChecksBase       uint32 `struc:"uint32,little" name:"perf.security.timeRTChecksBase" doc:"base of the field before"`
	StackWalkDepth         uint32 `struc:"uint32,little" name:"perf.security.stackWalkDepth" doc:"Stack Walk Depth"`
}

// PerfBlock64 is the perf block of a 64-bit process, naturally aligned.
type PerfBlock64 struct {
	PerfSize               uint16   `struc:"uint16,little" name:"perf.size" doc:"280 or 384, this block"`
	PerfAttributes         uint16   `struc:"uint16,little" name:"perf.attributes" doc:"1 on, 2 for the whole machine"`
	Padding1               [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment: kept, no counter"`
	Gen0Collections        uint64   `struc:"uint64,little" name:"perf.gc.gen0Collections" doc:"# Gen 0 Collections"`
	Gen1Collections        uint64   `struc:"uint64,little" name:"perf.gc.gen1Collections" doc:"# Gen 1 Collections"`
	Gen2Collections        uint64   `struc:"uint64,little" name:"perf.gc.gen2Collections" doc:"# Gen 2 Collections"`
	PromotedGen0           uint64   `struc:"uint64,little" name:"perf.gc.promotedGen0" doc:"Promoted Memory from Gen 0; Gen 0 Promoted Bytes/Sec"`
	PromotedGen1           uint64   `struc:"uint64,little" name:"perf.gc.promotedGen1" doc:"Promoted Memory from Gen 1; Gen 1 Promoted Bytes/Sec"`
	PromotedFinalization   uint64   `struc:"uint64,little" name:"perf.gc.promotedFinalization" doc:"Promoted Finalization-Memory from Gen 0"`
	ProcessID              uint64   `struc:"uint64,little" name:"perf.gc.processId" doc:"Process ID"`
	Gen0HeapSize           uint64   `struc:"uint64,little" name:"perf.gc.gen0HeapSize" doc:"Gen 0 heap size"`
	Gen1HeapSize           uint64   `struc:"uint64,little" name:"perf.gc.gen1HeapSize" doc:"Gen 1 heap size"`
	Gen2HeapSize           uint64   `struc:"uint64,little" name:"perf.gc.gen2HeapSize" doc:"Gen 2 heap size"`
	TotalCommitted         uint64   `struc:"uint64,little" name:"perf.gc.totalCommitted" doc:"# Total committed Bytes"`
	TotalReserved          uint64   `struc:"uint64,little" name:"perf.gc.totalReserved" doc:"# Total reserved Bytes"`
	LargeObjectHeapSize    uint64   `struc:"uint64,little" name:"perf.gc.largeObjectHeapSize" doc:"Large Object Heap size"`
	FinalizationSurvivors  uint64   `struc:"uint64,little" name:"perf.gc.finalizationSurvivors" doc:"Finalization Survivors"`
	GCHandles              uint64   `struc:"uint64,little" name:"perf.gc.gcHandles" doc:"# GC Handles"`
	AllocatedBytes         uint64   `struc:"uint64,little" name:"perf.gc.allocatedBytes" doc:"Allocated Bytes/sec"`
	LargeAllocatedBytes    uint64   `struc:"uint64,little" name:"perf.gc.largeAllocatedBytes" doc:"cumulative; no counter shows it"`
	InducedGCs             uint64   `struc:"uint64,little" name:"perf.gc.inducedGCs" doc:"# Induced GC"`
	TimeInGC               uint32   `struc:"uint32,little" name:"perf.gc.timeInGC" doc:"% Time in GC"`
	TimeInGCBase           uint32   `struc:"uint32,little" name:"perf.gc.timeInGCBase" doc:"base of the field before"`
	PinnedObjects          uint64   `struc:"uint64,little" name:"perf.gc.pinnedObjects" doc:"# of Pinned Objects"`
	SinkBlocks             uint64   `struc:"uint64,little" name:"perf.gc.sinkBlocks" doc:"# of Sink Blocks in use"`
	RemoteCalls            uint32   `struc:"uint32,little" name:"perf.contexts.remoteCalls" doc:"Remote Calls/sec; Total Remote Calls"`
	Channels               uint32   `struc:"uint32,little" name:"perf.contexts.channels" doc:"Channels"`
	Proxies                uint32   `struc:"uint32,little" name:"perf.contexts.proxies" doc:"Context Proxies"`
	ContextBoundClasses    uint32   `struc:"uint32,little" name:"perf.contexts.classes" doc:"Context-Bound Classes Loaded"`
	ContextBoundObjects    uint32   `struc:"uint32,little" name:"perf.contexts.objectsAllocated" doc:"Context-Bound Objects Alloc / sec"`
	Contexts               uint32   `struc:"uint32,little" name:"perf.contexts.contexts" doc:"Contexts"`
	CCWs                   uint32   `struc:"uint32,little" name:"perf.interop.ccws" doc:"# of CCWs"`
	Stubs                  uint32   `struc:"uint32,little" name:"perf.interop.stubs" doc:"# of Stubs"`
	Marshalling            uint32   `struc:"uint32,little" name:"perf.interop.marshalling" doc:"# of marshalling"`
	TLBImports             uint32   `struc:"uint32,little" name:"perf.interop.tlbImports" doc:"# of TLB imports / sec"`
	TLBExports             uint32   `struc:"uint32,little" name:"perf.interop.tlbExports" doc:"# of TLB exports / sec"`
	Padding2               [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment: kept, no counter"`
	ClassesLoadedCur       uint32   `struc:"uint32,little" name:"perf.loading.classesLoaded.cur" doc:"Current Classes Loaded"`
	ClassesLoadedTotal     uint32   `struc:"uint32,little" name:"perf.loading.classesLoaded.total" doc:"Total Classes Loaded; Rate of Classes Loaded"`
	AppDomainsCur          uint32   `struc:"uint32,little" name:"perf.loading.appDomains.cur" doc:"Current appdomains"`
	AppDomainsTotal        uint32   `struc:"uint32,little" name:"perf.loading.appDomains.total" doc:"Total Appdomains; Rate of appdomains"`
	AssembliesCur          uint32   `struc:"uint32,little" name:"perf.loading.assemblies.cur" doc:"Current Assemblies"`
	AssembliesTotal        uint32   `struc:"uint32,little" name:"perf.loading.assemblies.total" doc:"Total Assemblies; Rate of Assemblies"`
	TimeLoading            int64    `struc:"int64,little" name:"perf.loading.timeLoading" doc:"% Time Loading"`
	AssemblySearchLength   uint32   `struc:"uint32,little" name:"perf.loading.assemblySearchLength" doc:"Assembly Search Length"`
	LoadFailures           uint32   `struc:"uint32,little" name:"perf.loading.loadFailures" doc:"Total # of Load Failures; Rate of Load Failures"`
	LoaderHeapSize         uint64   `struc:"uint64,little" name:"perf.loading.loaderHeapSize" doc:"Bytes in Loader Heap"`
	AppDomainsUnloaded     uint32   `struc:"uint32,little" name:"perf.loading.appDomainsUnloaded" doc:"Total appdomains unloaded; Rate of appdomains unloaded"`
	Padding3               [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment: kept, no counter"`
	ExceptionsThrown       uint32   `struc:"uint32,little" name:"perf.exceptions.thrown" doc:"# of Exceps Thrown; # of Exceps Thrown / sec"`
	FiltersExecuted        uint32   `struc:"uint32,little" name:"perf.exceptions.filtersExecuted" doc:"# of Filters / sec"`
	FinallysExecuted       uint32   `struc:"uint32,little" name:"perf.exceptions.finallysExecuted" doc:"# of Finallys / sec"`
	ThrowToCatchStackDepth uint32   `struc:"uint32,little" name:"perf.exceptions.throwToCatchStackDepth" doc:"Throw To Catch Depth / sec"`
	Contention             uint32   `struc:"uint32,little" name:"perf.locksAndThreads.contention" doc:"Total # of Contentions; Contention Rate / sec"`
	QueueLengthCur         uint32   `struc:"uint32,little" name:"perf.locksAndThreads.queueLength.cur" doc:"Current Queue Length"`
	QueueLengthTotal       uint32   `struc:"uint32,little" name:"perf.locksAndThreads.queueLength.total" doc:"Queue Length Peak; Queue Length / sec"`
	CurrentThreadsLogical  uint32   `struc:"uint32,little" name:"perf.locksAndThreads.currentThreadsLogical" doc:"# of current logical Threads"`
	CurrentThreadsPhysical uint32   `struc:"uint32,little" name:"perf.locksAndThreads.currentThreadsPhysical" doc:"# of current physical Threads"`
	RecognizedThreadsCur   uint32   `struc:"uint32,little" name:"perf.locksAndThreads.recognizedThreads.cur" doc:"# of current recognized threads"`
	RecognizedThreadsTotal uint32   `struc:"uint32,little" name:"perf.locksAndThreads.recognizedThreads.total" doc:"# of total recognized threads; rate of recognized threads / sec"`
	MethodsJitted          uint32   `struc:"uint32,little" name:"perf.jit.methodsJitted" doc:"# of Methods Jitted"`
	ILJittedCur            uint32   `struc:"uint32,little" name:"perf.jit.ilJitted.cur" doc:"# of IL Bytes Jitted"`
	ILJittedTotal          uint32   `struc:"uint32,little" name:"perf.jit.ilJitted.total" doc:"Total # of IL Bytes Jitted; IL Bytes Jitted / sec"`
	JitFailures            uint32   `struc:"uint32,little" name:"perf.jit.jitFailures" doc:"Standard Jit Failures"`
	TimeInJit              uint32   `struc:"uint32,little" name:"perf.jit.timeInJit" doc:"% Time in Jit"`
	TimeInJitBase          uint32   `struc:"uint32,little" name:"perf.jit.timeInJitBase" doc:"base of the field before"`
	Padding4               [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment: kept, no counter"`
	TotalRTChecks          uint32   `struc:"uint32,little" name:"perf.security.totalRTChecks" doc:"Total Runtime Checks"`
	Padding5               [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment: kept, no counter"`
	TimeAuthorize          int64    `struc:"int64,little" name:"perf.security.timeAuthorize" doc:"% Time Sig. Authenticating"`
	LinkChecks             uint32   `struc:"uint32,little" name:"perf.security.linkChecks" doc:"# Link Time Checks"`
	TimeRTChecks           uint32   `struc:"uint32,little" name:"perf.security.timeRTChecks" doc:"% Time in RT checks"`
	TimeRTChecksBase       uint32   `struc:"uint32,little" name:"perf.security.timeRTChecksBase" doc:"base of the field before"`
	StackWalkDepth         uint32   `struc:"uint32,little" name:"perf.security.stackWalkDepth" doc:"Stack Walk Depth"`
}

const (
	perfSize32 = 280
	perfSize64 = 384
)

func (p *perfBlock32) load(b []byte) {
	b = b[:perfSize32:perfSize32]
	p.PerfSize = wire.U16(b, 0)
	p.PerfAttributes = wire.U16(b, 2)
	p.Gen0Collections = wire.U32(b, 4)
	p.Gen1Collections = wire.U32(b, 8)
	p.Gen2Collections = wire.U32(b, 12)
	p.PromotedGen0 = wire.U32(b, 16)
	p.PromotedGen1 = wire.U32(b, 20)
	p.PromotedFinalization = wire.U32(b, 24)
	p.ProcessID = wire.U32(b, 28)
	p.Gen0HeapSize = wire.U32(b, 32)
	p.Gen1HeapSize = wire.U32(b, 36)
	p.Gen2HeapSize = wire.U32(b, 40)
	p.TotalCommitted = wire.U32(b, 44)
	p.TotalReserved = wire.U32(b, 48)
	p.LargeObjectHeapSize = wire.U32(b, 52)
	p.FinalizationSurvivors = wire.U32(b, 56)
	p.GCHandles = wire.U32(b, 60)
	p.AllocatedBytes = wire.U32(b, 64)
	p.LargeAllocatedBytes = wire.U32(b, 68)
	p.InducedGCs = wire.U32(b, 72)
	p.TimeInGC = wire.U32(b, 76)
	p.TimeInGCBase = wire.U32(b, 80)
	p.PinnedObjects = wire.U32(b, 84)
	p.SinkBlocks = wire.U32(b, 88)
	p.RemoteCalls = wire.U32(b, 92)
	p.Channels = wire.U32(b, 96)
	p.Proxies = wire.U32(b, 100)
	p.ContextBoundClasses = wire.U32(b, 104)
	p.ContextBoundObjects = wire.U32(b, 108)
	p.Contexts = wire.U32(b, 112)
	p.CCWs = wire.U32(b, 116)
	p.Stubs = wire.U32(b, 120)
	p.Marshalling = wire.U32(b, 124)
	p.TLBImports = wire.U32(b, 128)
	p.TLBExports = wire.U32(b, 132)
	p.ClassesLoadedCur = wire.U32(b, 136)
	p.ClassesLoadedTotal = wire.U32(b, 140)
	p.AppDomainsCur = wire.U32(b, 144)
	p.AppDomainsTotal = wire.U32(b, 148)
	p.AssembliesCur = wire.U32(b, 152)
	p.AssembliesTotal = wire.U32(b, 156)
	p.TimeLoading = int64(wire.U64(b, 160))
	p.AssemblySearchLength = wire.U32(b, 168)
	p.LoadFailures = wire.U32(b, 172)
	p.LoaderHeapSize = wire.U32(b, 176)
	p.AppDomainsUnloaded = wire.U32(b, 180)
	p.ExceptionsThrown = wire.U32(b, 184)
	p.FiltersExecuted = wire.U32(b, 188)
	p.FinallysExecuted = wire.U32(b, 192)
	p.ThrowToCatchStackDepth = wire.U32(b, 196)
	p.Contention = wire.U32(b, 200)
	p.QueueLengthCur = wire.U32(b, 204)
	p.QueueLengthTotal = wire.U32(b, 208)
	p.CurrentThreadsLogical = wire.U32(b, 212)
	p.CurrentThreadsPhysical = wire.U32(b, 216)
	p.RecognizedThreadsCur = wire.U32(b, 220)
	p.RecognizedThreadsTotal = wire.U32(b, 224)
	p.MethodsJitted = wire.U32(b, 228)
	p.ILJittedCur = wire.U32(b, 232)
	p.ILJittedTotal = wire.U32(b, 236)
	p.JitFailures = wire.U32(b, 240)
	p.TimeInJit = wire.U32(b, 244)
	p.TimeInJitBase = wire.U32(b, 248)
	p.TotalRTChecks = wire.U32(b, 252)
	p.TimeAuthorize = int64(wire.U64(b, 256))
	p.LinkChecks = wire.U32(b, 264)
	p.TimeRTChecks = wire.U32(b, 268)
	p.TimeRTChecksBase = wire.U32(b, 272)
	p.StackWalkDepth = wire.U32(b, 276)
}

func (p *PerfBlock64) load(b []byte) {
	b = b[:perfSize64:perfSize64]
	p.PerfSize = wire.U16(b, 0)
	p.PerfAttributes = wire.U16(b, 2)
	p.Padding1 = [4]uint8(b[4:8])
	p.Gen0Collections = wire.U64(b, 8)
	p.Gen1Collections = wire.U64(b, 16)
	p.Gen2Collections = wire.U64(b, 24)
	p.PromotedGen0 = wire.U64(b, 32)
	p.PromotedGen1 = wire.U64(b, 40)
	p.PromotedFinalization = wire.U64(b, 48)
	p.ProcessID = wire.U64(b, 56)
	p.Gen0HeapSize = wire.U64(b, 64)
	p.Gen1HeapSize = wire.U64(b, 72)
	p.Gen2HeapSize = wire.U64(b, 80)
	p.TotalCommitted = wire.U64(b, 88)
	p.TotalReserved = wire.U64(b, 96)
	p.LargeObjectHeapSize = wire.U64(b, 104)
	p.FinalizationSurvivors = wire.U64(b, 112)
	p.GCHandles = wire.U64(b, 120)
	p.AllocatedBytes = wire.U64(b, 128)
	p.LargeAllocatedBytes = wire.U64(b, 136)
	p.InducedGCs = wire.U64(b, 144)
	p.TimeInGC = wire.U32(b, 152)
	p.TimeInGCBase = wire.U32(b, 156)
	p.PinnedObjects = wire.U64(b, 160)
	p.SinkBlocks = wire.U64(b, 168)
	p.RemoteCalls = wire.U32(b, 176)
	p.Channels = wire.U32(b, 180)
	p.Proxies = wire.U32(b, 184)
	p.ContextBoundClasses = wire.U32(b, 188)
	p.ContextBoundObjects = wire.U32(b, 192)
	p.Contexts = wire.U32(b, 196)
	p.CCWs = wire.U32(b, 200)
	p.Stubs = wire.U32(b, 204)
	p.Marshalling = wire.U32(b, 208)
	p.TLBImports = wire.U32(b, 212)
	p.TLBExports = wire.U32(b, 216)
	p.Padding2 = [4]uint8(b[220:224])
	p.ClassesLoadedCur = wire.U32(b, 224)
	p.ClassesLoadedTotal = wire.U32(b, 228)
	p.AppDomainsCur = wire.U32(b, 232)
	p.AppDomainsTotal = wire.U32(b, 236)
	p.AssembliesCur = wire.U32(b, 240)
	p.AssembliesTotal = wire.U32(b, 244)
	p.TimeLoading = int64(wire.U64(b, 248))
	p.AssemblySearchLength = wire.U32(b, 256)
	p.LoadFailures = wire.U32(b, 260)
	p.LoaderHeapSize = wire.U64(b, 264)
	p.AppDomainsUnloaded = wire.U32(b, 272)
	p.Padding3 = [4]uint8(b[276:280])
	p.ExceptionsThrown = wire.U32(b, 280)
	p.FiltersExecuted = wire.U32(b, 284)
	p.FinallysExecuted = wire.U32(b, 288)
	p.ThrowToCatchStackDepth = wire.U32(b, 292)
	p.Contention = wire.U32(b, 296)
	p.QueueLengthCur = wire.U32(b, 300)
	p.QueueLengthTotal = wire.U32(b, 304)
	p.CurrentThreadsLogical = wire.U32(b, 308)
	p.CurrentThreadsPhysical = wire.U32(b, 312)
	p.RecognizedThreadsCur = wire.U32(b, 316)
	p.RecognizedThreadsTotal = wire.U32(b, 320)
	p.MethodsJitted = wire.U32(b, 324)
	p.ILJittedCur = wire.U32(b, 328)
	p.ILJittedTotal = wire.U32(b, 332)
	p.JitFailures = wire.U32(b, 336)
	p.TimeInJit = wire.U32(b, 340)
	p.TimeInJitBase = wire.U32(b, 344)
	p.Padding4 = [4]uint8(b[348:352])
	p.TotalRTChecks = wire.U32(b, 352)
	p.Padding5 = [4]uint8(b[356:360])
	p.TimeAuthorize = int64(wire.U64(b, 360))
	p.LinkChecks = wire.U32(b, 368)
	p.TimeRTChecks = wire.U32(b, 372)
	p.TimeRTChecksBase = wire.U32(b, 376)
	p.StackWalkDepth = wire.U32(b, 380)
}

// widen copies the values of p to the members of the same names.
func (p *perfBlock32) widen(w *PerfBlock64) {
	w.PerfSize = p.PerfSize
	w.PerfAttributes = p.PerfAttributes
	w.Gen0Collections = uint64(p.Gen0Collections)
	w.Gen1Collections = uint64(p.Gen1Collections)
	w.Gen2Collections = uint64(p.Gen2Collections)
	w.PromotedGen0 = uint64(p.PromotedGen0)
	w.PromotedGen1 = uint64(p.PromotedGen1)
	w.PromotedFinalization = uint64(p.PromotedFinalization)
	w.ProcessID = uint64(p.ProcessID)
	w.Gen0HeapSize = uint64(p.Gen0HeapSize)
	w.Gen1HeapSize = uint64(p.Gen1HeapSize)
	w.Gen2HeapSize = uint64(p.Gen2HeapSize)
	w.TotalCommitted = uint64(p.TotalCommitted)
	w.TotalReserved = uint64(p.TotalReserved)
	w.LargeObjectHeapSize = uint64(p.LargeObjectHeapSize)
	w.FinalizationSurvivors = uint64(p.FinalizationSurvivors)
	w.GCHandles = uint64(p.GCHandles)
	w.AllocatedBytes = uint64(p.AllocatedBytes)
	w.LargeAllocatedBytes = uint64(p.LargeAllocatedBytes)
	w.InducedGCs = uint64(p.InducedGCs)
	w.TimeInGC = p.TimeInGC
	w.TimeInGCBase = p.TimeInGCBase
	w.PinnedObjects = uint64(p.PinnedObjects)
	w.SinkBlocks = uint64(p.SinkBlocks)
	w.RemoteCalls = p.RemoteCalls
	w.Channels = p.Channels
	w.Proxies = p.Proxies
	w.ContextBoundClasses = p.ContextBoundClasses
	w.ContextBoundObjects = p.ContextBoundObjects
	w.Contexts = p.Contexts
	w.CCWs = p.CCWs
	w.Stubs = p.Stubs
	w.Marshalling = p.Marshalling
	w.TLBImports = p.TLBImports
	w.TLBExports = p.TLBExports
	w.ClassesLoadedCur = p.ClassesLoadedCur
	w.ClassesLoadedTotal = p.ClassesLoadedTotal
	w.AppDomainsCur = p.AppDomainsCur
	w.AppDomainsTotal = p.AppDomainsTotal
	w.AssembliesCur = p.AssembliesCur
	w.AssembliesTotal = p.AssembliesTotal
	w.TimeLoading = p.TimeLoading
	w.AssemblySearchLength = p.AssemblySearchLength
	w.LoadFailures = p.LoadFailures
	w.LoaderHeapSize = uint64(p.LoaderHeapSize)
	w.AppDomainsUnloaded = p.AppDomainsUnloaded
	w.ExceptionsThrown = p.ExceptionsThrown
	w.FiltersExecuted = p.FiltersExecuted
	w.FinallysExecuted = p.FinallysExecuted
	w.ThrowToCatchStackDepth = p.ThrowToCatchStackDepth
	w.Contention = p.Contention
	w.QueueLengthCur = p.QueueLengthCur
	w.QueueLengthTotal = p.QueueLengthTotal
	w.CurrentThreadsLogical = p.CurrentThreadsLogical
	w.CurrentThreadsPhysical = p.CurrentThreadsPhysical
	w.RecognizedThreadsCur = p.RecognizedThreadsCur
	w.RecognizedThreadsTotal = p.RecognizedThreadsTotal
	w.MethodsJitted = p.MethodsJitted
	w.ILJittedCur = p.ILJittedCur
	w.ILJittedTotal = p.ILJittedTotal
	w.JitFailures = p.JitFailures
	w.TimeInJit = p.TimeInJit
	w.TimeInJitBase = p.TimeInJitBase
	w.TotalRTChecks = p.TotalRTChecks
	w.TimeAuthorize = p.TimeAuthorize
	w.LinkChecks = p.LinkChecks
	w.TimeRTChecks = p.TimeRTChecks
	w.TimeRTChecksBase = p.TimeRTChecksBase
	w.StackWalkDepth = p.StackWalkDepth
}
