package registry

// The names of the values in a Performance key. Whatever else stands there is
// among its values too.
const (
	FirstCounter            = "First Counter"
	LastCounter             = "Last Counter"
	FirstHelp               = "First Help"
	LastHelp                = "Last Help"
	ObjectList              = "Object List"
	ObjectListJoined        = "ObjectList" // as some services spell it
	Library                 = "Library"
	Open                    = "Open"
	Collect                 = "Collect"
	Close                   = "Close"
	ValidationCode          = "Library Validation Code"
	OpenTimeout             = "Open Timeout"
	CollectTimeout          = "Collect Timeout"
	OpenTimeoutJoined       = "OpenTimeout" // a mistake that has no effect
	CollectTimeoutJoined    = "CollectTimeout"
	DisableCounters         = "Disable Performance Counters" // in Perflib too
	KeepLibraryResident     = "Keep Library Resident"
	PerfIniFile             = "PerfIniFile"
	InstallType             = "InstallType"
	CollectSupportsMetadata = "Collect Supports Metadata"
	IsMultiInstance         = "IsMultiInstance" // the rest is of .NET categories
	CategoryOptions         = "CategoryOptions"
	FileMappingSize         = "FileMappingSize"
	CounterNames            = "Counter Names"
	CounterTypes            = "Counter Types"
)

// The names of the values of Perflib.
const (
	BaseIndex             = "Base Index" // beside LastCounter and LastHelp
	ConfigurationFlags    = "Configuration Flags"
	ExtCounterTestLevel   = "ExtCounterTestLevel"
	SupportsMetadata      = "Supports Metadata"
	EventLogLevel         = "EventLogLevel"
	OpenProcedureWaitTime = "OpenProcedureWaitTime"
	LibraryUnloadTime     = "Library Unload Time"
)

// Export is the value of a Linkage key that is passed to Open.
const Export = "Export"
