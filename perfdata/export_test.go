package perfdata

// The structs of the wire, of which the docs have byte tables.
type (
	CounterBlock = counterBlock
)
