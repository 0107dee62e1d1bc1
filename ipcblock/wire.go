package ipcblock

import "github.com/perfdump/perfdump/internal/wire"

// The structs of the shared memory as they lie there, each in the width of
// its pointers where it has any. Their layout stands here and in wire_perf.go
// once: the spans, the byte tables of the documentation and the oracle of the
// hand-written loads are made from the tags.

// chunkHeader begins a chunk of the table. It is the same in both widths.
type chunkHeader struct {
	Counter     int32  `struc:"int32,little" name:"header.counter" doc:"seqlock of the header: 0 never touched, even stable, odd locked"`
	RuntimeID   uint32 `struc:"uint32,little" name:"header.runtimeId" doc:"0 free, else an opaque number of the runtime"`
	Reserved1   uint32 `struc:"uint32,little" span:"hex" name:"header.reserved1" doc:"0"`
	Reserved2   uint32 `struc:"uint32,little" span:"hex" name:"header.reserved2" doc:"0"`
	Version     uint16 `struc:"uint16,little" name:"header.version" doc:"4"`
	Flags       uint16 `struc:"uint16,little" span:"hex" name:"header.flags" doc:"1 flags are used, 2 initialized, 4 x86"`
	BlockSize   uint32 `struc:"uint32,little" name:"header.blockSize" doc:"this header and the perf block: 320 or 424"`
	BuildYear   uint16 `struc:"uint16,little" name:"header.buildYear" doc:"the assembly's major version: 4"`
	BuildNumber uint16 `struc:"uint16,little" name:"header.buildNumber" doc:"the assembly's build: 30319"`
	NumEntries  uint32 `struc:"uint32,little" name:"header.numEntries" doc:"1"`
}

// Entry is an entry of a directory, which follows either header.
type Entry struct {
	Offset uint32 `struc:"uint32,little" name:"offset" doc:"see the entry offset rule; 0xFFFFFFFF where there is nothing"`
	Size   uint32 `struc:"uint32,little" name:"size" doc:"bytes"`
}

// legacyHeader32 begins a legacy block of a 32-bit process.
type legacyHeader32 struct {
	Version     uint16 `struc:"uint16,little" name:"header.version" doc:"3 public, 2 private"`
	Flags       uint16 `struc:"uint16,little" span:"hex" name:"header.flags" doc:"as in a chunk; CLR 1.x and 2.0 leave 0"`
	BlockSize   uint32 `struc:"uint32,little" name:"header.blockSize" doc:"the whole block"`
	HInstance   uint32 `struc:"uint32,little" span:"hex" name:"header.hInstance" doc:"module handle in the process"`
	BuildYear   uint16 `struc:"uint16,little" name:"header.buildYear" doc:"as in a chunk"`
	BuildNumber uint16 `struc:"uint16,little" name:"header.buildNumber" doc:"as in a chunk"`
	NumEntries  uint32 `struc:"uint32,little" name:"header.numEntries" doc:"entries of the directory that follows"`
}

// legacyHeader64 begins a legacy block of a 64-bit process.
type legacyHeader64 struct {
	Version     uint16 `struc:"uint16,little" name:"header.version" doc:"3 public, 2 private"`
	Flags       uint16 `struc:"uint16,little" span:"hex" name:"header.flags" doc:"as in a chunk; CLR 1.x and 2.0 leave 0"`
	BlockSize   uint32 `struc:"uint32,little" name:"header.blockSize" doc:"the whole block"`
	HInstance   uint64 `struc:"uint64,little" span:"hex" name:"header.hInstance" doc:"module handle in the process"`
	BuildYear   uint16 `struc:"uint16,little" name:"header.buildYear" doc:"as in a chunk"`
	BuildNumber uint16 `struc:"uint16,little" name:"header.buildNumber" doc:"as in a chunk"`
	NumEntries  uint32 `struc:"uint32,little" name:"header.numEntries" doc:"entries of the directory that follows"`
}

// appDomain32 is the AppDomain block of a 32-bit process.
type appDomain32 struct {
	Mutex                    uint32 `struc:"uint32,little" span:"hex" name:"appDomain.mutex" doc:"handle in the process"`
	TotalSlots               int32  `struc:"int32,little" name:"appDomain.totalSlots" doc:"elements of the list, free ones included"`
	UsedSlots                int32  `struc:"int32,little" name:"appDomain.usedSlots" doc:"elements in use; they may be sparse"`
	LastFreedSlot            int32  `struc:"int32,little" name:"appDomain.lastFreedSlot" doc:"-1 none"`
	SizeInBytes              int32  `struc:"int32,little" name:"appDomain.sizeInBytes" doc:"of the whole list"`
	ProcessNameLengthInBytes int32  `struc:"int32,little" name:"appDomain.processNameLengthInBytes" doc:"NUL included"`
	ProcessName              uint32 `struc:"uint32,little" span:"hex" name:"appDomain.processName" doc:"pointer in the process"`
	AppDomainList            uint32 `struc:"uint32,little" span:"hex" name:"appDomain.appDomainList" doc:"pointer in the process"`
	LockInvalid              int32  `struc:"int32,little" name:"appDomain.lockInvalid" doc:"the mutex was abandoned"`
}

// AppDomain64 is the AppDomain block of a 64-bit process.
type AppDomain64 struct {
	Mutex                    uint64   `struc:"uint64,little" span:"hex" name:"appDomain.mutex" doc:"handle in the process"`
	TotalSlots               int32    `struc:"int32,little" name:"appDomain.totalSlots" doc:"elements of the list, free ones included"`
	UsedSlots                int32    `struc:"int32,little" name:"appDomain.usedSlots" doc:"elements in use; they may be sparse"`
	LastFreedSlot            int32    `struc:"int32,little" name:"appDomain.lastFreedSlot" doc:"-1 none"`
	SizeInBytes              int32    `struc:"int32,little" name:"appDomain.sizeInBytes" doc:"of the whole list"`
	ProcessNameLengthInBytes int32    `struc:"int32,little" name:"appDomain.processNameLengthInBytes" doc:"NUL included"`
	Padding1                 [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment"`
	ProcessName              uint64   `struc:"uint64,little" span:"hex" name:"appDomain.processName" doc:"pointer in the process"`
	AppDomainList            uint64   `struc:"uint64,little" span:"hex" name:"appDomain.appDomainList" doc:"pointer in the process"`
	LockInvalid              int32    `struc:"int32,little" name:"appDomain.lockInvalid" doc:"the mutex was abandoned"`
	Padding2                 [4]uint8 `struc:"[4]uint8,little" span:"pad" doc:"alignment"`
}

// appDomainElement32 is an element of the AppDomain list, which lies in the
// memory of a 32-bit process.
type appDomainElement32 struct {
	ID                uint32 `struc:"uint32,little" doc:"of the AppDomain"`
	NameLengthInBytes int32  `struc:"int32,little" doc:"NUL included"`
	Name              uint32 `struc:"uint32,little" span:"hex" doc:"pointer in the process; null for a free element"`
	AppDomain         uint32 `struc:"uint32,little" span:"hex" doc:"pointer in the process"`
}

// AppDomainElement64 is an element of the AppDomain list of a 64-bit process.
type AppDomainElement64 struct {
	ID                uint32 `struc:"uint32,little" doc:"of the AppDomain"`
	NameLengthInBytes int32  `struc:"int32,little" doc:"NUL included"`
	Name              uint64 `struc:"uint64,little" span:"hex" doc:"pointer in the process; null for a free element"`
	AppDomain         uint64 `struc:"uint64,little" span:"hex" doc:"pointer in the process"`
}

const (
	tableSize       = 65536
	chunkSize       = 2048
	tableChunks     = tableSize / chunkSize
	headerSize      = 32 // of a chunk, its directory left out
	perfOffset      = 40 // where the perf block of a chunk stands
	entrySize       = 8
	legacySize32    = 20
	legacySize64    = 24
	appDomainSize32 = 36
	appDomainSize64 = 56
	pathSize        = 520
	publicSize32    = 0x134
	publicSize64    = 0x1A0
	privateSize32   = 0x390
	privateSize64   = 0x410
	noOffset        = 0xFFFFFFFF

	flagUsed        = 1
	flagInitialized = 2
	flagX86         = 4
)

// The loads below fill the structs from bytes whose length the caller has
// checked. A test holds them equal to what struc reads by the tags.

func (h *chunkHeader) load(b []byte) {
	b = b[:headerSize:headerSize]
	h.Counter = int32(wire.U32(b, 0))
	h.RuntimeID = wire.U32(b, 4)
	h.Reserved1 = wire.U32(b, 8)
	h.Reserved2 = wire.U32(b, 12)
	h.Version = wire.U16(b, 16)
	h.Flags = wire.U16(b, 18)
	h.BlockSize = wire.U32(b, 20)
	h.BuildYear = wire.U16(b, 24)
	h.BuildNumber = wire.U16(b, 26)
	h.NumEntries = wire.U32(b, 28)
}

func (e *Entry) load(b []byte) {
	b = b[:entrySize:entrySize]
	e.Offset = wire.U32(b, 0)
	e.Size = wire.U32(b, 4)
}

// Empty reports whether e stands for nothing.
func (e Entry) Empty() bool { return e.Offset == noOffset }

func (h *legacyHeader32) load(b []byte) {
	b = b[:legacySize32:legacySize32]
	h.Version = wire.U16(b, 0)
	h.Flags = wire.U16(b, 2)
	h.BlockSize = wire.U32(b, 4)
	h.HInstance = wire.U32(b, 8)
	h.BuildYear = wire.U16(b, 12)
	h.BuildNumber = wire.U16(b, 14)
	h.NumEntries = wire.U32(b, 16)
}

func (h *legacyHeader64) load(b []byte) {
	b = b[:legacySize64:legacySize64]
	h.Version = wire.U16(b, 0)
	h.Flags = wire.U16(b, 2)
	h.BlockSize = wire.U32(b, 4)
	h.HInstance = wire.U64(b, 8)
	h.BuildYear = wire.U16(b, 16)
	h.BuildNumber = wire.U16(b, 18)
	h.NumEntries = wire.U32(b, 20)
}

func (d *appDomain32) load(b []byte) {
	b = b[:appDomainSize32:appDomainSize32]
	d.Mutex = wire.U32(b, 0)
	d.TotalSlots = int32(wire.U32(b, 4))
	d.UsedSlots = int32(wire.U32(b, 8))
	d.LastFreedSlot = int32(wire.U32(b, 12))
	d.SizeInBytes = int32(wire.U32(b, 16))
	d.ProcessNameLengthInBytes = int32(wire.U32(b, 20))
	d.ProcessName = wire.U32(b, 24)
	d.AppDomainList = wire.U32(b, 28)
	d.LockInvalid = int32(wire.U32(b, 32))
}

func (d *AppDomain64) load(b []byte) {
	b = b[:appDomainSize64:appDomainSize64]
	d.Mutex = wire.U64(b, 0)
	d.TotalSlots = int32(wire.U32(b, 8))
	d.UsedSlots = int32(wire.U32(b, 12))
	d.LastFreedSlot = int32(wire.U32(b, 16))
	d.SizeInBytes = int32(wire.U32(b, 20))
	d.ProcessNameLengthInBytes = int32(wire.U32(b, 24))
	d.Padding1 = [4]uint8(b[28:32])
	d.ProcessName = wire.U64(b, 32)
	d.AppDomainList = wire.U64(b, 40)
	d.LockInvalid = int32(wire.U32(b, 48))
	d.Padding2 = [4]uint8(b[52:56])
}

func (e *appDomainElement32) load(b []byte) {
	b = b[:16:16]
	e.ID = wire.U32(b, 0)
	e.NameLengthInBytes = int32(wire.U32(b, 4))
	e.Name = wire.U32(b, 8)
	e.AppDomain = wire.U32(b, 12)
}

func (e *AppDomainElement64) load(b []byte) {
	b = b[:24:24]
	e.ID = wire.U32(b, 0)
	e.NameLengthInBytes = int32(wire.U32(b, 4))
	e.Name = wire.U64(b, 8)
	e.AppDomain = wire.U64(b, 16)
}
