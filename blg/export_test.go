package blg

// The structs of the wire, of which the docs have byte tables.
type (
	BufferHeader      = bufferHeader
	SystemHeader      = systemHeader
	EventHeader       = eventHeader
	PartHeader        = partHeader
	ItemListHeader    = itemListHeader
	SubHeader         = subHeader
	ValueBody         = valueBody
	InstancesBody     = instancesBody
	InstanceEntry     = instanceEntry
	CatalogueHeader   = catalogueHeader
	CatalogueObject   = catalogueObject
	CatalogueInstance = catalogueInstance
)
