package registry

// The structs of the wire, of which the docs have byte tables.
type (
	Bin      = bin
	KeyNode  = keyNode
	KeyValue = keyValue
	ListHead = listHead
)
