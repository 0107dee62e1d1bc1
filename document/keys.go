package document

// The keys of the objects of documents, in the order of the lists below.
const (
	blockOffset = iota
	blockLittleEndian
	blockVersion
	blockRevision
	blockTotal
	blockHeader
	blockNumObjects
	blockDefaultObject
	blockSystemTime
	blockPerfTime
	blockPerfFreq
	blockPerfTime100
	blockName
	blockWire
	blockObjects
)

const (
	blockWireFlag = iota
	blockWireTime
	blockWireNameLength
	blockWireNameOffset
)

const (
	objectOffset = iota
	objectIndex
	objectName
	objectHelp
	objectDetail
	objectDefaultCounter
	objectNumInstances
	objectCodePage
	objectPerfTime
	objectPerfFreq
	objectWire
	objectCounters
	objectInstances
)

const (
	objectWireTotal = iota
	objectWireDefinition
	objectWireHeader
	objectWireNumCounters
	objectWireNameTitle
	objectWireHelpTitle
	objectWireKeys
)

const (
	counterIndex = iota
	counterName
	counterHelp
	counterTypeName
	counterTypeHex
	counterSizeKey
	counterOffset
	counterScale
	counterDetail
	counterWire
)

const (
	counterWireLength = iota
	counterWireNameTitle
	counterWireHelpTitle
	counterWireKeys
)

const (
	instanceName = iota
	instanceUniqueID
	instanceParentObject
	instanceParent
	instanceDisplay
	instanceValues
	instanceMulti
	instanceWire
)

const (
	instanceWireLength = iota
	instanceWireNameOffset
	instanceWireNameLength
	instanceWireBlock
	instanceWireKeys
)

var (
	blockKeys = newKeys("offset", "little_endian", "version", "revision", "total_byte_length", "header_length", "num_object_types",
		"default_object", "system_time", "perf_time", "perf_freq", "perf_time_100ns", "system_name", "wire", "objects")
	blockWireKeys = newKeys("flag", "system_time", "system_name_length", "system_name_offset")
	objectKeys    = newKeys("offset", "index", "name", "help_index", "detail_level", "default_counter", "num_instances", "code_page",
		"perf_time", "perf_freq", "wire", "counters", "instances")
	objectWires   = newKeys("total_byte_length", "definition_length", "header_length", "num_counters", "name_title", "help_title")
	counterKeys   = newKeys("index", "name", "help_index", "type", "type_hex", "size", "offset", "scale", "detail_level", "wire")
	counterWires  = newKeys("byte_length", "name_title", "help_title")
	instanceKeys  = newKeys("name", "unique_id", "parent_object", "parent_instance", "display", "values", "multi", "wire")
	instanceWires = newKeys("byte_length", "name_offset", "name_length", "block_length")

	gapKeys   = newKeys("offset", "hex", "zero")
	bytesKeys = newKeys("hex", "text")
	entryKeys = newKeys("language", "kind", "index", "text", "offset")
)
