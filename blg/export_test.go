package blg

const AtOnce = atOnce

var (
	NextBuffer = nextBuffer
	RecordSize = recordSize
	ZoneOffset = zoneOffset
	Reasons    = reasons
)
