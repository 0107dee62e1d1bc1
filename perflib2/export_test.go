package perflib2

// The structs of the byte tables that are not exported.
type (
	MultiCountersHeader  = multiCounters
	MultiInstancesHeader = multiInstances
	InstanceHeader       = instanceHeader
	CounterData          = counterData
	TextsHeader          = textsHeader
	TextEntry            = textEntry
)
