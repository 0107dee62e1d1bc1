package blg

const AtOnce = initialRead

var (
	NextBuffer = nextBuffer
	RecordSize = recordSize
	ZoneOffset = zoneOffset
	Reasons    = reasons
)
