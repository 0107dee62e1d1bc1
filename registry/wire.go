package registry

import "github.com/perfdump/perfdump/internal/wire"

// The structs of a hive as they lie on disk. Their layout stands here once: the
// spans, the byte tables of the documentation and the oracle of the
// hand-written loads are made from the tags.

// BaseBlock is HBASE_BLOCK, the first 4,096 bytes of a hive as far as they are
// told of.
type BaseBlock struct {
	Signature      uint32     `struc:"uint32,little" span:"hex" doc:"\"regf\""`
	Sequence1      uint32     `struc:"uint32,little" doc:"raised before a write"`
	Sequence2      uint32     `struc:"uint32,little" doc:"raised after it; not equal: the .LOG files hold the rest"`
	TimeStamp      uint64     `struc:"uint64,little" span:"filetime" doc:"of the last write"`
	Major          uint32     `struc:"uint32,little" doc:"1"`
	Minor          uint32     `struc:"uint32,little" doc:"3 to 6"`
	Type           uint32     `struc:"uint32,little" doc:"0 primary file; 1, 2, 6 logs"`
	Format         uint32     `struc:"uint32,little" doc:"1"`
	RootCell       uint32     `struc:"uint32,little" span:"hex" doc:"reference of the root key"`
	Length         uint32     `struc:"uint32,little" span:"hex" doc:"bytes of all bins"`
	Cluster        uint32     `struc:"uint32,little" doc:"1"`
	FileName       [32]uint16 `struc:"[32]uint16,little" span:"utf16" doc:"the end of the file's path"`
	RmId           [4]uint32  `struc:"[4]uint32,little" span:"hex" doc:"GUID of the resource manager"`
	LogId          [4]uint32  `struc:"[4]uint32,little" span:"hex" doc:"GUID of the log"`
	Flags          uint32     `struc:"uint32,little" span:"hex" doc:"of transactions"`
	TmId           [4]uint32  `struc:"[4]uint32,little" span:"hex" doc:"GUID of the transaction manager"`
	GuidSignature  uint32     `struc:"uint32,little" span:"hex" doc:"\"rmtm\""`
	LastReorganize uint64     `struc:"uint64,little" span:"hex" doc:"FILETIME"`
	Reserved       [83]uint32 `struc:"[83]uint32,little" span:"hex" doc:""`
	CheckSum       uint32     `struc:"uint32,little" span:"hex" doc:"the 127 words before, by exclusive or"`
}

// bin is HBIN, the head of a bin, which cells follow.
type bin struct {
	Signature  uint32    `struc:"uint32,little" span:"hex" doc:"\"hbin\""`
	FileOffset uint32    `struc:"uint32,little" span:"hex" doc:"reference of the bin itself"`
	Size       uint32    `struc:"uint32,little" span:"hex" doc:"with this head, a multiple of 4,096"`
	Reserved   [2]uint32 `struc:"[2]uint32,little" span:"hex" doc:""`
	TimeStamp  uint64    `struc:"uint64,little" span:"filetime" doc:"of the first bin alone"`
	Spare      uint32    `struc:"uint32,little" span:"hex" doc:""`
}

// keyNode is CM_KEY_NODE, a key. Its name follows.
type keyNode struct {
	Signature       uint16 `struc:"uint16,little" span:"hex" doc:"\"nk\""`
	Flags           uint16 `struc:"uint16,little" span:"hex" doc:"0x4 root, 0x10 link, 0x20 the name has a byte a character, 0x40 predefined handle"`
	LastWriteTime   uint64 `struc:"uint64,little" span:"filetime" doc:""`
	Spare           uint32 `struc:"uint32,little" span:"hex" doc:""`
	Parent          uint32 `struc:"uint32,little" span:"hex" doc:"reference of the key above"`
	NumSubKeys      uint32 `struc:"uint32,little" doc:"keys below"`
	NumVolatile     uint32 `struc:"uint32,little" doc:"those that were never written"`
	SubKeys         uint32 `struc:"uint32,little" span:"hex" doc:"reference of their list"`
	Volatile        uint32 `struc:"uint32,little" span:"hex" doc:""`
	NumValues       uint32 `struc:"uint32,little" doc:"values; a handle where the flag 0x40 is set"`
	Values          uint32 `struc:"uint32,little" span:"hex" doc:"reference of their list"`
	Security        uint32 `struc:"uint32,little" span:"hex" doc:"reference of the descriptor"`
	Class           uint32 `struc:"uint32,little" span:"hex" doc:"reference of the class's name"`
	MaxNameLen      uint32 `struc:"uint32,little" span:"hex" doc:""`
	MaxClassLen     uint32 `struc:"uint32,little" doc:""`
	MaxValueNameLen uint32 `struc:"uint32,little" doc:""`
	MaxValueDataLen uint32 `struc:"uint32,little" doc:""`
	WorkVar         uint32 `struc:"uint32,little" span:"hex" doc:""`
	NameLength      uint16 `struc:"uint16,little" doc:"bytes of the name"`
	ClassLength     uint16 `struc:"uint16,little" doc:"bytes of the class's name"`
}

// keyValue is CM_KEY_VALUE, a value. Its name follows.
type keyValue struct {
	Signature  uint16 `struc:"uint16,little" span:"hex" doc:"\"vk\""`
	NameLength uint16 `struc:"uint16,little" doc:"bytes of the name, 0 for the default value"`
	DataLength uint32 `struc:"uint32,little" span:"hex" doc:"bytes; with the top bit the data stand in the next field"`
	Data       uint32 `struc:"uint32,little" span:"hex" doc:"reference of the data, or up to 4 bytes of them"`
	Type       uint32 `struc:"uint32,little" doc:"REG_SZ …"`
	Flags      uint16 `struc:"uint16,little" span:"hex" doc:"1: the name has a byte a character"`
	Spare      uint16 `struc:"uint16,little" span:"hex" doc:""`
}

// listHead begins the lists of keys: lf and lh with a reference and a hint for
// each key, li with the reference alone, ri with references of lists. BigData
// has it too, and then the reference of a list of segments.
type listHead struct {
	Signature uint16 `struc:"uint16,little" span:"hex" doc:"\"lf\", \"lh\", \"li\", \"ri\" or \"db\""`
	Count     uint16 `struc:"uint16,little" doc:"entries"`
}

const (
	baseBlockSize = 512
	binSize       = 32
	keyNodeSize   = 76
	keyValueSize  = 20
	listHeadSize  = 4
)

const (
	binSignature = 0x6E696268 // hbin
	sigKey       = 0x6B6E     // nk
	sigValue     = 0x6B76     // vk
	sigFast      = 0x666C     // lf
	sigHash      = 0x686C     // lh
	sigLeaf      = 0x696C     // li
	sigRoot      = 0x6972     // ri
	sigBig       = 0x6264     // db
	sigSecurity  = 0x6B73     // sk

	firstBin = 0x1000 // of the file; references count from here
	noCell   = 0xFFFFFFFF

	flagCompressed = 0x20 // a key's name has a byte a character
	flagPredefined = 0x40
	valueName8     = 1 // a value's name has a byte a character
	inlineData     = 1 << 31

	segmentSize = 16344 // what a segment of big data holds at most
)

// The loads below fill the structs from bytes whose length the caller has
// checked. A test holds them equal to what struc reads by the tags.

func (h *BaseBlock) load(b []byte) {
	b = b[:baseBlockSize:baseBlockSize]
	h.Signature = wire.U32(b, 0)
	h.Sequence1 = wire.U32(b, 4)
	h.Sequence2 = wire.U32(b, 8)
	h.TimeStamp = wire.U64(b, 12)
	h.Major = wire.U32(b, 20)
	h.Minor = wire.U32(b, 24)
	h.Type = wire.U32(b, 28)
	h.Format = wire.U32(b, 32)
	h.RootCell = wire.U32(b, 36)
	h.Length = wire.U32(b, 40)
	h.Cluster = wire.U32(b, 44)
	for i := range h.FileName {
		h.FileName[i] = wire.U16(b, 48+2*i)
	}
	loadWords(h.RmId[:], b[112:])
	loadWords(h.LogId[:], b[128:])
	h.Flags = wire.U32(b, 144)
	loadWords(h.TmId[:], b[148:])
	h.GuidSignature = wire.U32(b, 164)
	h.LastReorganize = wire.U64(b, 168)
	loadWords(h.Reserved[:], b[176:])
	h.CheckSum = wire.U32(b, 508)
}

func loadWords(dst []uint32, b []byte) {
	for i := range dst {
		dst[i] = wire.U32(b, 4*i)
	}
}

func (h *bin) load(b []byte) {
	b = b[:binSize:binSize]
	h.Signature = wire.U32(b, 0)
	h.FileOffset = wire.U32(b, 4)
	h.Size = wire.U32(b, 8)
	loadWords(h.Reserved[:], b[12:])
	h.TimeStamp = wire.U64(b, 20)
	h.Spare = wire.U32(b, 28)
}

func (k *keyNode) load(b []byte) {
	b = b[:keyNodeSize:keyNodeSize]
	k.Signature = wire.U16(b, 0)
	k.Flags = wire.U16(b, 2)
	k.LastWriteTime = wire.U64(b, 4)
	k.Spare = wire.U32(b, 12)
	k.Parent = wire.U32(b, 16)
	k.NumSubKeys = wire.U32(b, 20)
	k.NumVolatile = wire.U32(b, 24)
	k.SubKeys = wire.U32(b, 28)
	k.Volatile = wire.U32(b, 32)
	k.NumValues = wire.U32(b, 36)
	k.Values = wire.U32(b, 40)
	k.Security = wire.U32(b, 44)
	k.Class = wire.U32(b, 48)
	k.MaxNameLen = wire.U32(b, 52)
	k.MaxClassLen = wire.U32(b, 56)
	k.MaxValueNameLen = wire.U32(b, 60)
	k.MaxValueDataLen = wire.U32(b, 64)
	k.WorkVar = wire.U32(b, 68)
	k.NameLength = wire.U16(b, 72)
	k.ClassLength = wire.U16(b, 74)
}

func (v *keyValue) load(b []byte) {
	b = b[:keyValueSize:keyValueSize]
	v.Signature = wire.U16(b, 0)
	v.NameLength = wire.U16(b, 2)
	v.DataLength = wire.U32(b, 4)
	v.Data = wire.U32(b, 8)
	v.Type = wire.U32(b, 12)
	v.Flags = wire.U16(b, 16)
	v.Spare = wire.U16(b, 18)
}

func (l *listHead) load(b []byte) {
	b = b[:listHeadSize:listHeadSize]
	l.Signature = wire.U16(b, 0)
	l.Count = wire.U16(b, 2)
}
