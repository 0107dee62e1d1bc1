package registry

// The structs of a hive. Loads, spans and the byte tables of the documentation
// come from them.

// baseBlock is HBASE_BLOCK, the first 4,096 bytes of a hive as far as they are
// documented.
type baseBlock struct {
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
	DataLength uint32 `struc:"uint32,little" span:"hex" doc:"bytes; with the top bit the data are in the next field"`
	Data       uint32 `struc:"uint32,little" span:"hex" doc:"reference of the data, or up to 4 bytes of them"`
	Type       uint32 `struc:"uint32,little" doc:"REG_SZ …"`
	Flags      uint16 `struc:"uint16,little" span:"hex" doc:"1: the name has a byte a character"`
	Spare      uint16 `struc:"uint16,little" span:"hex" doc:""`
}

// listHead begins the lists of keys: lf and lh have a reference and a hint for
// each key, li only the reference, ri references of lists. db has it before the
// reference of a list of segments.
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
