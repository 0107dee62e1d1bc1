package ipcblock

import "github.com/perfdump/perfdump/internal/wire"

// The structs of the shared memory, one for each width if they hold pointers. Spans,
// encoder and the byte tables of the documentation are derived from them. The perf block is
// in fieldTable.

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
	Padding1                 [4]uint8 `struc:"[4]uint8,little" span:"pad" name:"-" doc:"alignment"`
	ProcessName              uint64   `struc:"uint64,little" span:"hex" name:"appDomain.processName" doc:"pointer in the process"`
	AppDomainList            uint64   `struc:"uint64,little" span:"hex" name:"appDomain.appDomainList" doc:"pointer in the process"`
	LockInvalid              int32    `struc:"int32,little" name:"appDomain.lockInvalid" doc:"the mutex was abandoned"`
	Padding2                 [4]uint8 `struc:"[4]uint8,little" span:"pad" name:"-" doc:"alignment"`
}

const (
	tableSize     = 65536
	chunkSize     = 2048
	tableChunks   = tableSize / chunkSize
	headerSize    = 32 // of a chunk, without its directory
	perfOffset    = 40 // of the perf block in a chunk
	entrySize     = 8
	pathSize      = 520
	perfSize32    = 280
	perfSize64    = 384
	publicSize32  = 0x134
	publicSize64  = 0x1A0
	privateSize32 = 0x390
	privateSize64 = 0x410
	noOffset      = 0xFFFFFFFF

	flagUsed        = 1
	flagInitialized = 2
	flagX86         = 4
)

// The sizes that depend on the width.
var (
	legacySize    = [...]int{X86: 20, X64: 24}
	appDomainSize = [...]int{X86: 36, X64: 56}
	elementSize   = [...]int{X86: 16, X64: 24} // of the AppDomain list
)

// The loads below are written by hand, because decoding must not allocate. Their callers
// have checked the length of b. A test compares them with what struc reads by the tags.

func (h *Header) loadChunk(b []byte) {
	b = b[:headerSize:headerSize]
	*h = Header{
		Counter: int32(wire.U32(b, 0)), RuntimeID: wire.U32(b, 4), Reserved: [2]uint32{wire.U32(b, 8), wire.U32(b, 12)},
		Version: wire.U16(b, 16), Flags: wire.U16(b, 18), BlockSize: wire.U32(b, 20),
		BuildYear: wire.U16(b, 24), BuildNumber: wire.U16(b, 26), NumEntries: wire.U32(b, 28),
	}
}

func (h *Header) loadLegacy(b []byte, a Arch) {
	end := 8 + a.pointerSize() // of HInstance
	*h = Header{
		Version: wire.U16(b, 0), Flags: wire.U16(b, 2), BlockSize: wire.U32(b, 4), HInstance: loadPointer(b, 8, a),
		BuildYear: wire.U16(b, end), BuildNumber: wire.U16(b, end+2), NumEntries: wire.U32(b, end+4),
	}
}

func (e *Entry) load(b []byte) { e.Offset, e.Size = wire.U32(b, 0), wire.U32(b, 4) }

// Empty reports whether e refers to nothing.
func (e Entry) Empty() bool { return e.Offset == noOffset }

func (d *AppDomain64) load(b []byte, a Arch) {
	w := a.pointerSize()
	number := func(i int) int32 { return int32(wire.U32(b, w+4*i)) }
	*d = AppDomain64{
		Mutex: loadPointer(b, 0, a), TotalSlots: number(0), UsedSlots: number(1), LastFreedSlot: number(2),
		SizeInBytes: number(3), ProcessNameLengthInBytes: number(4),
	}
	pointers := w + 5*4
	if a == X64 {
		d.Padding1, d.Padding2 = [4]uint8(b[28:32]), [4]uint8(b[52:56])
		pointers = 32
	}
	d.ProcessName, d.AppDomainList = loadPointer(b, pointers, a), loadPointer(b, pointers+w, a)
	d.LockInvalid = int32(wire.U32(b, pointers+2*w))
}

func loadPointer(b []byte, off int, a Arch) uint64 {
	if a == X86 {
		return uint64(wire.U32(b, off))
	}
	return wire.U64(b, off)
}
