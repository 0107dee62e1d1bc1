package ipcblock

import "strings"

// Field is a member of the perf block. Its offsets, sizes and names are those
// of both widths; the constants stand in the order of memory.
type Field uint8

// The fields. PromotedFinalizationGen1 is what CLR 1.x keeps in the place of
// ProcessID.
const (
	PerfSize Field = iota
	PerfAttributes
	Gen0Collections
	Gen1Collections
	Gen2Collections
	PromotedGen0
	PromotedGen1
	PromotedFinalization
	ProcessID
	Gen0HeapSize
	Gen1HeapSize
	Gen2HeapSize
	TotalCommitted
	TotalReserved
	LargeObjectHeapSize
	FinalizationSurvivors
	GCHandles
	AllocatedBytes
	LargeAllocatedBytes
	InducedGCs
	TimeInGC
	TimeInGCBase
	PinnedObjects
	SinkBlocks
	RemoteCalls
	Channels
	Proxies
	ContextBoundClasses
	ContextBoundObjects
	Contexts
	CCWs
	Stubs
	Marshalling
	TLBImports
	TLBExports
	ClassesLoadedCur
	ClassesLoadedTotal
	AppDomainsCur
	AppDomainsTotal
	AssembliesCur
	AssembliesTotal
	TimeLoading
	AssemblySearchLength
	LoadFailures
	LoaderHeapSize
	AppDomainsUnloaded
	ExceptionsThrown
	FiltersExecuted
	FinallysExecuted
	ThrowToCatchStackDepth
	Contention
	QueueLengthCur
	QueueLengthTotal
	CurrentThreadsLogical
	CurrentThreadsPhysical
	RecognizedThreadsCur
	RecognizedThreadsTotal
	MethodsJitted
	ILJittedCur
	ILJittedTotal
	JitFailures
	TimeInJit
	TimeInJitBase
	TotalRTChecks
	TimeAuthorize
	LinkChecks
	TimeRTChecks
	TimeRTChecksBase
	StackWalkDepth
	PromotedFinalizationGen1

	NumFields = int(iota)
)

// class is the C type of a field, which gives its size in both widths.
type class uint8

const (
	word class = iota
	dword
	longlong // LONGLONG, the only signed ones
	pointer
)

type fieldInfo struct {
	section, name string
	class         class
	off32, off64  uint16
}

// fieldTable is held equal to the structs of wire_perf.go by a test.
var fieldTable = [NumFields]fieldInfo{
	PerfSize:                 {"head", "size", word, 0, 0},
	PerfAttributes:           {"head", "attributes", word, 2, 2},
	Gen0Collections:          {"gc", "gen0Collections", pointer, 4, 8},
	Gen1Collections:          {"gc", "gen1Collections", pointer, 8, 16},
	Gen2Collections:          {"gc", "gen2Collections", pointer, 12, 24},
	PromotedGen0:             {"gc", "promotedGen0", pointer, 16, 32},
	PromotedGen1:             {"gc", "promotedGen1", pointer, 20, 40},
	PromotedFinalization:     {"gc", "promotedFinalization", pointer, 24, 48},
	ProcessID:                {"gc", "processId", pointer, 28, 56},
	Gen0HeapSize:             {"gc", "gen0HeapSize", pointer, 32, 64},
	Gen1HeapSize:             {"gc", "gen1HeapSize", pointer, 36, 72},
	Gen2HeapSize:             {"gc", "gen2HeapSize", pointer, 40, 80},
	TotalCommitted:           {"gc", "totalCommitted", pointer, 44, 88},
	TotalReserved:            {"gc", "totalReserved", pointer, 48, 96},
	LargeObjectHeapSize:      {"gc", "largeObjectHeapSize", pointer, 52, 104},
	FinalizationSurvivors:    {"gc", "finalizationSurvivors", pointer, 56, 112},
	GCHandles:                {"gc", "gcHandles", pointer, 60, 120},
	AllocatedBytes:           {"gc", "allocatedBytes", pointer, 64, 128},
	LargeAllocatedBytes:      {"gc", "largeAllocatedBytes", pointer, 68, 136},
	InducedGCs:               {"gc", "inducedGCs", pointer, 72, 144},
	TimeInGC:                 {"gc", "timeInGC", dword, 76, 152},
	TimeInGCBase:             {"gc", "timeInGCBase", dword, 80, 156},
	PinnedObjects:            {"gc", "pinnedObjects", pointer, 84, 160},
	SinkBlocks:               {"gc", "sinkBlocks", pointer, 88, 168},
	RemoteCalls:              {"contexts", "remoteCalls", dword, 92, 176},
	Channels:                 {"contexts", "channels", dword, 96, 180},
	Proxies:                  {"contexts", "proxies", dword, 100, 184},
	ContextBoundClasses:      {"contexts", "classes", dword, 104, 188},
	ContextBoundObjects:      {"contexts", "objectsAllocated", dword, 108, 192},
	Contexts:                 {"contexts", "contexts", dword, 112, 196},
	CCWs:                     {"interop", "ccws", dword, 116, 200},
	Stubs:                    {"interop", "stubs", dword, 120, 204},
	Marshalling:              {"interop", "marshalling", dword, 124, 208},
	TLBImports:               {"interop", "tlbImports", dword, 128, 212},
	TLBExports:               {"interop", "tlbExports", dword, 132, 216},
	ClassesLoadedCur:         {"loading", "classesLoaded.cur", dword, 136, 224},
	ClassesLoadedTotal:       {"loading", "classesLoaded.total", dword, 140, 228},
	AppDomainsCur:            {"loading", "appDomains.cur", dword, 144, 232},
	AppDomainsTotal:          {"loading", "appDomains.total", dword, 148, 236},
	AssembliesCur:            {"loading", "assemblies.cur", dword, 152, 240},
	AssembliesTotal:          {"loading", "assemblies.total", dword, 156, 244},
	TimeLoading:              {"loading", "timeLoading", longlong, 160, 248},
	AssemblySearchLength:     {"loading", "assemblySearchLength", dword, 168, 256},
	LoadFailures:             {"loading", "loadFailures", dword, 172, 260},
	LoaderHeapSize:           {"loading", "loaderHeapSize", pointer, 176, 264},
	AppDomainsUnloaded:       {"loading", "appDomainsUnloaded", dword, 180, 272},
	ExceptionsThrown:         {"exceptions", "thrown", dword, 184, 280},
	FiltersExecuted:          {"exceptions", "filtersExecuted", dword, 188, 284},
	FinallysExecuted:         {"exceptions", "finallysExecuted", dword, 192, 288},
	ThrowToCatchStackDepth:   {"exceptions", "throwToCatchStackDepth", dword, 196, 292},
	Contention:               {"locksAndThreads", "contention", dword, 200, 296},
	QueueLengthCur:           {"locksAndThreads", "queueLength.cur", dword, 204, 300},
	QueueLengthTotal:         {"locksAndThreads", "queueLength.total", dword, 208, 304},
	CurrentThreadsLogical:    {"locksAndThreads", "currentThreadsLogical", dword, 212, 308},
	CurrentThreadsPhysical:   {"locksAndThreads", "currentThreadsPhysical", dword, 216, 312},
	RecognizedThreadsCur:     {"locksAndThreads", "recognizedThreads.cur", dword, 220, 316},
	RecognizedThreadsTotal:   {"locksAndThreads", "recognizedThreads.total", dword, 224, 320},
	MethodsJitted:            {"jit", "methodsJitted", dword, 228, 324},
	ILJittedCur:              {"jit", "ilJitted.cur", dword, 232, 328},
	ILJittedTotal:            {"jit", "ilJitted.total", dword, 236, 332},
	JitFailures:              {"jit", "jitFailures", dword, 240, 336},
	TimeInJit:                {"jit", "timeInJit", dword, 244, 340},
	TimeInJitBase:            {"jit", "timeInJitBase", dword, 248, 344},
	TotalRTChecks:            {"security", "totalRTChecks", dword, 252, 352},
	TimeAuthorize:            {"security", "timeAuthorize", longlong, 256, 360},
	LinkChecks:               {"security", "linkChecks", dword, 264, 368},
	TimeRTChecks:             {"security", "timeRTChecks", dword, 268, 372},
	TimeRTChecksBase:         {"security", "timeRTChecksBase", dword, 272, 376},
	StackWalkDepth:           {"security", "stackWalkDepth", dword, 276, 380},
	PromotedFinalizationGen1: {"gc", "promotedFinalizationGen1", pointer, 28, 56},
}

// Section returns the section of the block that f stands in, "head" for the
// two words in front of the first.
func (f Field) Section() string { return fieldTable[f].section }

// Name returns the name of f within its section: "gen0Collections".
func (f Field) Name() string { return fieldTable[f].name }

// String returns section and name: "gc.gen0Collections".
func (f Field) String() string {
	if int(f) >= NumFields {
		return "Field?"
	}
	return fieldTable[f].section + "." + fieldTable[f].name
}

// Offset returns where f lies in the perf block.
func (f Field) Offset(a Arch) int {
	if a == X64 {
		return int(fieldTable[f].off64)
	}
	return int(fieldTable[f].off32)
}

// Size returns how many bytes f takes.
func (f Field) Size(a Arch) int {
	switch fieldTable[f].class {
	case word:
		return 2
	case dword:
		return 4
	case pointer:
		return a.PointerSize()
	default:
		return 8
	}
}

// Signed reports whether f is a signed number, as the two 64-bit times are.
func (f Field) Signed() bool { return fieldTable[f].class == longlong }

// CType returns the C type of f: WORD, DWORD, LONGLONG or size_t.
func (f Field) CType() string {
	return [...]string{"WORD", "DWORD", "LONGLONG", "size_t"}[fieldTable[f].class]
}

// Counters returns the perfmon counters that show f, bases included. Those
// that are computed from several fields stand with none. The slice is shared
// and must not be changed.
func (f Field) Counters() []*Counter { return countersByField()[f] }

// Category returns the perfmon category that shows f, or "".
func (f Field) Category() string {
	if c := f.Counters(); len(c) > 0 {
		return c[0].Category
	}
	return ""
}

// CounterName returns the names of the counters that show f, with a bar
// between them where there are several, or "".
func (f Field) CounterName() string {
	c := f.Counters()
	switch len(c) {
	case 0:
		return ""
	case 1:
		return c[0].Name
	}
	names := make([]string, len(c))
	for i := range c {
		names[i] = c[i].Name
	}
	return strings.Join(names, "|")
}

// FieldByName finds a field by section and name as [Field.Section] and
// [Field.Name] give them.
func FieldByName(section, name string) (Field, bool) {
	for f := range Field(NumFields) {
		if fieldTable[f].name == name && fieldTable[f].section == section {
			return f, true
		}
	}
	return 0, false
}
