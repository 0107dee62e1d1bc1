package minidump

import "github.com/perfdump/perfdump/internal/wire"

// The structs of minidumpapiset.h as they lie on disk, packed to 4 bytes.
// Their layout stands here once: the spans, the byte tables of the
// documentation and the oracle of the hand-written loads are made from the
// tags.

// Header is MINIDUMP_HEADER, at the start of the file.
type Header struct {
	Signature          uint32 `struc:"uint32,little" span:"hex" doc:"\"MDMP\""`
	Version            uint32 `struc:"uint32,little" span:"hex" doc:"low half 0xA793; the high half is the writer's own"`
	NumberOfStreams    uint32 `struc:"uint32,little" doc:"entries of the directory"`
	StreamDirectoryRva uint32 `struc:"uint32,little" span:"hex" doc:"offset of the directory"`
	CheckSum           uint32 `struc:"uint32,little" span:"hex" doc:"0"`
	TimeDateStamp      uint32 `struc:"uint32,little" doc:"when the dump was made, Unix time"`
	Flags              uint64 `struc:"uint64,little" span:"hex" doc:"MINIDUMP_TYPE; 0x2: full memory"`
}

// directoryEntry is MINIDUMP_DIRECTORY: where a stream stands.
type directoryEntry struct {
	StreamType uint32 `struc:"uint32,little" doc:"what the stream is; 0 unused"`
	DataSize   uint32 `struc:"uint32,little" doc:"its bytes"`
	Rva        uint32 `struc:"uint32,little" span:"hex" doc:"its offset"`
}

// SystemInfo is the part of MINIDUMP_SYSTEM_INFO that does not depend on the
// processor; 24 bytes about that follow.
type SystemInfo struct {
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
	ProductVersionMS     uint32    `struc:"uint32,little" span:"hex" doc:"of the product, alike"`
	ProductVersionLS     uint32    `struc:"uint32,little" span:"hex" doc:"of the product, alike"`
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
	headerSize           = 32
	directoryEntrySize   = 12
	systemInfoSize       = 32
	miscInfoSize         = 24
	moduleSize           = 108
	descriptorSize       = 16 // of both lists of memory
	memory64ListSize     = 16
	listHeaderSize       = 4
	memoryInfoListSize   = 16
	memoryInfoSize       = 48
	handleDataSize       = 16
	handleDescriptorSize = 32
)

const (
	signature        = 0x504D444D // MDMP
	versionWord      = 0xA793
	versionSignature = 0xFEEF04BD
)

// The loads below fill the structs from bytes whose length the caller has
// checked. A test holds them equal to what struc reads by the tags.

func (h *Header) load(b []byte) {
	b = b[:headerSize:headerSize]
	h.Signature = wire.U32(b, 0)
	h.Version = wire.U32(b, 4)
	h.NumberOfStreams = wire.U32(b, 8)
	h.StreamDirectoryRva = wire.U32(b, 12)
	h.CheckSum = wire.U32(b, 16)
	h.TimeDateStamp = wire.U32(b, 20)
	h.Flags = wire.U64(b, 24)
}

func (h *directoryEntry) load(b []byte) {
	b = b[:directoryEntrySize:directoryEntrySize]
	h.StreamType = wire.U32(b, 0)
	h.DataSize = wire.U32(b, 4)
	h.Rva = wire.U32(b, 8)
}

func (h *SystemInfo) load(b []byte) {
	b = b[:systemInfoSize:systemInfoSize]
	h.ProcessorArchitecture = wire.U16(b, 0)
	h.ProcessorLevel = wire.U16(b, 2)
	h.ProcessorRevision = wire.U16(b, 4)
	h.NumberOfProcessors = b[6]
	h.ProductType = b[7]
	h.MajorVersion = wire.U32(b, 8)
	h.MinorVersion = wire.U32(b, 12)
	h.BuildNumber = wire.U32(b, 16)
	h.PlatformId = wire.U32(b, 20)
	h.CSDVersionRva = wire.U32(b, 24)
	h.SuiteMask = wire.U16(b, 28)
	h.Reserved2 = wire.U16(b, 30)
}

func (h *miscInfo) load(b []byte) {
	b = b[:miscInfoSize:miscInfoSize]
	h.SizeOfInfo = wire.U32(b, 0)
	h.Flags1 = wire.U32(b, 4)
	h.ProcessId = wire.U32(b, 8)
	h.ProcessCreateTime = wire.U32(b, 12)
	h.ProcessUserTime = wire.U32(b, 16)
	h.ProcessKernelTime = wire.U32(b, 20)
}

func (h *moduleEntry) load(b []byte) {
	b = b[:moduleSize:moduleSize]
	h.BaseOfImage = wire.U64(b, 0)
	h.SizeOfImage = wire.U32(b, 8)
	h.CheckSum = wire.U32(b, 12)
	h.TimeDateStamp = wire.U32(b, 16)
	h.ModuleNameRva = wire.U32(b, 20)
	h.VersionSignature = wire.U32(b, 24)
	h.VersionStruct = wire.U32(b, 28)
	h.FileVersionMS = wire.U32(b, 32)
	h.FileVersionLS = wire.U32(b, 36)
	h.ProductVersionMS = wire.U32(b, 40)
	h.ProductVersionLS = wire.U32(b, 44)
	h.FileFlagsMask = wire.U32(b, 48)
	h.FileFlags = wire.U32(b, 52)
	h.FileOS = wire.U32(b, 56)
	h.FileType = wire.U32(b, 60)
	h.FileSubtype = wire.U32(b, 64)
	h.FileDate = [2]uint32{wire.U32(b, 68), wire.U32(b, 72)}
	h.CodeViewDataSize = wire.U32(b, 76)
	h.CodeViewRva = wire.U32(b, 80)
	h.MiscellaneousSize = wire.U32(b, 84)
	h.MiscellaneousDataRva = wire.U32(b, 88)
	h.Reserved = [2]uint64{wire.U64(b, 92), wire.U64(b, 100)}
}

func (h *memoryDescriptor) load(b []byte) {
	b = b[:descriptorSize:descriptorSize]
	h.StartOfMemoryRange = wire.U64(b, 0)
	h.DataSize = wire.U32(b, 8)
	h.Rva = wire.U32(b, 12)
}

func (h *memoryDescriptor64) load(b []byte) {
	b = b[:descriptorSize:descriptorSize]
	h.StartOfMemoryRange = wire.U64(b, 0)
	h.DataSize = wire.U64(b, 8)
}

func (h *memory64List) load(b []byte) {
	b = b[:memory64ListSize:memory64ListSize]
	h.NumberOfMemoryRanges = wire.U64(b, 0)
	h.BaseRva = wire.U64(b, 8)
}

func (h *listHeader) load(b []byte) { h.NumberOfEntries = wire.U32(b, 0) }

func (h *memoryInfoList) load(b []byte) {
	b = b[:memoryInfoListSize:memoryInfoListSize]
	h.SizeOfHeader = wire.U32(b, 0)
	h.SizeOfEntry = wire.U32(b, 4)
	h.NumberOfEntries = wire.U64(b, 8)
}

func (h *memoryInfo) load(b []byte) {
	b = b[:memoryInfoSize:memoryInfoSize]
	h.BaseAddress = wire.U64(b, 0)
	h.AllocationBase = wire.U64(b, 8)
	h.AllocationProtect = wire.U32(b, 16)
	h.Alignment1 = wire.U32(b, 20)
	h.RegionSize = wire.U64(b, 24)
	h.State = wire.U32(b, 32)
	h.Protect = wire.U32(b, 36)
	h.Type = wire.U32(b, 40)
	h.Alignment2 = wire.U32(b, 44)
}

func (h *handleDataHeader) load(b []byte) {
	b = b[:handleDataSize:handleDataSize]
	h.SizeOfHeader = wire.U32(b, 0)
	h.SizeOfDescriptor = wire.U32(b, 4)
	h.NumberOfDescriptors = wire.U32(b, 8)
	h.Reserved = wire.U32(b, 12)
}

func (h *handleDescriptor) load(b []byte) {
	b = b[:handleDescriptorSize:handleDescriptorSize]
	h.Handle = wire.U64(b, 0)
	h.TypeNameRva = wire.U32(b, 8)
	h.ObjectNameRva = wire.U32(b, 12)
	h.Attributes = wire.U32(b, 16)
	h.GrantedAccess = wire.U32(b, 20)
	h.HandleCount = wire.U32(b, 24)
	h.PointerCount = wire.U32(b, 28)
}
