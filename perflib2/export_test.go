package perflib2

// The structs of the byte tables that are not exported.
type (
	MultiCountersHeader  = multiCounters
	MultiInstancesHeader = multiInstances
	InstanceHeader       = instanceHeader
	CounterData          = counterData
	TextsHeader          = textsHeader
	TextEntry            = textEntry
	RegistrationHeader   = registrationHeader
)

// Head returns the header of a registration.
func (r *Registration) Head() RegistrationHeader { return r.head }
