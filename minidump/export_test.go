package minidump

// The structs of the wire, of which the docs have byte tables.
type (
	DirectoryEntry     = directoryEntry
	HandleDataHeader   = handleDataHeader
	HandleDescriptor   = handleDescriptor
	ListHeader         = listHeader
	Memory64List       = memory64List
	MemoryDescriptor   = memoryDescriptor
	MemoryDescriptor64 = memoryDescriptor64
	MemoryInfo         = memoryInfo
	MemoryInfoList     = memoryInfoList
	MiscInfo           = miscInfo
	ModuleEntry        = moduleEntry
)
