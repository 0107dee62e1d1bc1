package minidump

// The structs of minidumpapiset.h as they are in the file, packed to 4 bytes.
// Loads, spans and the byte tables of the documentation come from them.

// header is MINIDUMP_HEADER, at the start of the file.
type header struct {
	Signature          uint32 `struc:"uint32,little" span:"hex" doc:"\"MDMP\""`
	Version            uint32 `struc:"uint32,little" span:"hex" doc:"low half 0xA793; the high half is the writer's own"`
	NumberOfStreams    uint32 `struc:"uint32,little" doc:"entries of the directory"`
	StreamDirectoryRva uint32 `struc:"uint32,little" span:"hex" doc:"offset of the directory"`
	CheckSum           uint32 `struc:"uint32,little" span:"hex" doc:"0"`
	TimeDateStamp      uint32 `struc:"uint32,little" doc:"when the dump was made, Unix time"`
	Flags              uint64 `struc:"uint64,little" span:"hex" doc:"MINIDUMP_TYPE; 0x2: full memory"`
}

// directoryEntry is MINIDUMP_DIRECTORY: the place of a stream.
type directoryEntry struct {
	StreamType uint32 `struc:"uint32,little" doc:"what the stream is; 0 unused"`
	DataSize   uint32 `struc:"uint32,little" doc:"its bytes"`
	Rva        uint32 `struc:"uint32,little" span:"hex" doc:"its offset"`
}

// systemInfo is the part of MINIDUMP_SYSTEM_INFO that does not depend on the
// processor; 24 bytes about that follow.
type systemInfo struct {
	ProcessorArchitecture uint16 `struc:"uint16,little" doc:"0 x86, 9 x64, 12 ARM64"`
	ProcessorLevel        uint16 `struc:"uint16,little" doc:"family"`
	ProcessorRevision     uint16 `struc:"uint16,little" span:"hex" doc:"model and stepping"`
	NumberOfProcessors    uint8  `struc:"uint8,little" doc:"logical ones"`
	ProductType           uint8  `struc:"uint8,little" doc:"1 workstation, 2 domain controller, 3 server"`
	MajorVersion          uint32 `struc:"uint32,little" doc:"of Windows"`
	MinorVersion          uint32 `struc:"uint32,little" doc:"of Windows"`
	BuildNumber           uint32 `struc:"uint32,little" doc:"of Windows"`
	PlatformId            uint32 `struc:"uint32,little" doc:"2: Windows NT"`
	CSDVersionRva         uint32 `struc:"uint32,little" span:"hex" doc:"offset of a string: the service pack"`
	SuiteMask             uint16 `struc:"uint16,little" span:"hex" doc:"product suites"`
	Reserved2             uint16 `struc:"uint16,little" span:"hex" doc:"0"`
}

// miscInfo is MINIDUMP_MISC_INFO, which later versions only append to.
type miscInfo struct {
	SizeOfInfo        uint32 `struc:"uint32,little" doc:"of the whole struct, 24 and more"`
	Flags1            uint32 `struc:"uint32,little" span:"hex" doc:"1: ProcessId is valid; 2: the times are"`
	ProcessId         uint32 `struc:"uint32,little" doc:"the process"`
	ProcessCreateTime uint32 `struc:"uint32,little" doc:"Unix time"`
	ProcessUserTime   uint32 `struc:"uint32,little" doc:"seconds"`
	ProcessKernelTime uint32 `struc:"uint32,little" doc:"seconds"`
}

// moduleEntry is MINIDUMP_MODULE with the VS_FIXEDFILEINFO within, an entry of
// the list of modules.
type moduleEntry struct {
	BaseOfImage          uint64    `struc:"uint64,little" span:"hex" doc:"address"`
	SizeOfImage          uint32    `struc:"uint32,little" span:"hex" doc:"bytes in memory"`
	CheckSum             uint32    `struc:"uint32,little" span:"hex" doc:"of the file"`
	TimeDateStamp        uint32    `struc:"uint32,little" span:"hex" doc:"of the link, Unix time or a hash"`
	ModuleNameRva        uint32    `struc:"uint32,little" span:"hex" doc:"offset of a string: the path"`
	VersionSignature     uint32    `struc:"uint32,little" span:"hex" doc:"0xFEEF04BD, or 0: no version"`
	VersionStruct        uint32    `struc:"uint32,little" span:"hex" doc:"0x10000"`
	FileVersionMS        uint32    `struc:"uint32,little" span:"hex" doc:"major << 16 \\| minor"`
	FileVersionLS        uint32    `struc:"uint32,little" span:"hex" doc:"build << 16 \\| revision"`
	ProductVersionMS     uint32    `struc:"uint32,little" span:"hex" doc:"of the product, the same"`
	ProductVersionLS     uint32    `struc:"uint32,little" span:"hex" doc:"of the product, the same"`
	FileFlagsMask        uint32    `struc:"uint32,little" span:"hex" doc:"which flags are valid"`
	FileFlags            uint32    `struc:"uint32,little" span:"hex" doc:"debug, prerelease …"`
	FileOS               uint32    `struc:"uint32,little" span:"hex" doc:"0x40004: Windows NT"`
	FileType             uint32    `struc:"uint32,little" doc:"1 program, 2 library"`
	FileSubtype          uint32    `struc:"uint32,little" doc:"of a driver or font"`
	FileDate             [2]uint32 `struc:"[2]uint32,little" span:"hex" doc:"0"`
	CodeViewDataSize     uint32    `struc:"uint32,little" doc:"of the record that names the PDB"`
	CodeViewRva          uint32    `struc:"uint32,little" span:"hex" doc:"its offset"`
	MiscellaneousSize    uint32    `struc:"uint32,little" doc:"of the record for a .dbg"`
	MiscellaneousDataRva uint32    `struc:"uint32,little" span:"hex" doc:"its offset"`
	Reserved             [2]uint64 `struc:"[2]uint64,little" span:"hex" doc:"0"`
}

// memoryDescriptor is MINIDUMP_MEMORY_DESCRIPTOR, an entry of MemoryList.
type memoryDescriptor struct {
	StartOfMemoryRange uint64 `struc:"uint64,little" span:"hex" doc:"address"`
	DataSize           uint32 `struc:"uint32,little" span:"hex" doc:"bytes"`
	Rva                uint32 `struc:"uint32,little" span:"hex" doc:"their offset"`
}

// memoryDescriptor64 is MINIDUMP_MEMORY_DESCRIPTOR64, an entry of
// Memory64List. Its bytes follow those of the entry before it.
type memoryDescriptor64 struct {
	StartOfMemoryRange uint64 `struc:"uint64,little" span:"hex" doc:"address"`
	DataSize           uint64 `struc:"uint64,little" span:"hex" doc:"bytes"`
}

// memory64List is the head of MINIDUMP_MEMORY64_LIST.
type memory64List struct {
	NumberOfMemoryRanges uint64 `struc:"uint64,little" doc:"entries that follow"`
	BaseRva              uint64 `struc:"uint64,little" span:"hex" doc:"offset of the first range's bytes"`
}

// listHeader is the head of ModuleList and MemoryList.
type listHeader struct {
	NumberOfEntries uint32 `struc:"uint32,little" doc:"entries that follow"`
}

// memoryInfoList is MINIDUMP_MEMORY_INFO_LIST, the head of the list of
// regions.
type memoryInfoList struct {
	SizeOfHeader    uint32 `struc:"uint32,little" doc:"offset of the first entry; 16"`
	SizeOfEntry     uint32 `struc:"uint32,little" doc:"stride of the entries; 48"`
	NumberOfEntries uint64 `struc:"uint64,little" doc:"entries"`
}

// memoryInfo is MINIDUMP_MEMORY_INFO, which mirrors
// MEMORY_BASIC_INFORMATION64.
type memoryInfo struct {
	BaseAddress       uint64 `struc:"uint64,little" span:"hex" doc:"of the region"`
	AllocationBase    uint64 `struc:"uint64,little" span:"hex" doc:"of the allocation or view that it is a part of"`
	AllocationProtect uint32 `struc:"uint32,little" span:"hex" doc:"protection at first"`
	Alignment1        uint32 `struc:"uint32,little" span:"pad" doc:""`
	RegionSize        uint64 `struc:"uint64,little" span:"hex" doc:"bytes"`
	State             uint32 `struc:"uint32,little" span:"hex" doc:"0x1000 committed, 0x2000 reserved, 0x10000 free"`
	Protect           uint32 `struc:"uint32,little" span:"hex" doc:"4: read and write"`
	Type              uint32 `struc:"uint32,little" span:"hex" doc:"0x20000 private, 0x40000 mapped, 0x1000000 image"`
	Alignment2        uint32 `struc:"uint32,little" span:"pad" doc:""`
}

// handleDataHeader is MINIDUMP_HANDLE_DATA_STREAM.
type handleDataHeader struct {
	SizeOfHeader        uint32 `struc:"uint32,little" doc:"offset of the first descriptor; 16"`
	SizeOfDescriptor    uint32 `struc:"uint32,little" doc:"stride of the descriptors; 32 or 40"`
	NumberOfDescriptors uint32 `struc:"uint32,little" doc:"descriptors"`
	Reserved            uint32 `struc:"uint32,little" span:"hex" doc:"0"`
}

// handleDescriptor is MINIDUMP_HANDLE_DESCRIPTOR. The second version appends
// the offset of more information and a reserved word.
type handleDescriptor struct {
	Handle        uint64 `struc:"uint64,little" span:"hex" doc:"its value"`
	TypeNameRva   uint32 `struc:"uint32,little" span:"hex" doc:"offset of a string: Section, Event …; 0 none"`
	ObjectNameRva uint32 `struc:"uint32,little" span:"hex" doc:"offset of a string: the object's name; 0 none"`
	Attributes    uint32 `struc:"uint32,little" span:"hex" doc:"1 protected, 2 inherited"`
	GrantedAccess uint32 `struc:"uint32,little" span:"hex" doc:"rights"`
	HandleCount   uint32 `struc:"uint32,little" doc:"handles of the object"`
	PointerCount  uint32 `struc:"uint32,little" doc:"references to it"`
}

const (
	headerSize         = 32
	directoryEntrySize = 12
	listHeaderSize     = 4
)

const (
	versionWord      = 0xA793
	versionSignature = 0xFEEF04BD
)
