package ipcblock

// DetectLayout is what Parse finds a layout with.
var DetectLayout = detectLayout

// The structs of the wire, of which the docs have byte tables.
type (
	ChunkHeader    = chunkHeader
	LegacyHeader32 = legacyHeader32
	LegacyHeader64 = legacyHeader64
	AppDomain32    = appDomain32
)
