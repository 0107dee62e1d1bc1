package blg

import (
	"time"

	"github.com/perfdump/perfdump"
)

// Options say how a log is read. The zero value is tolerant, with the default
// limits.
type Options struct {
	perfdump.Options // CodePage is that of texts in whole objects

	// Offset is UTC minus the recorder's local time, for logs that do not contain it. If
	// nil, their times are left as they are.
	Offset *time.Duration
}

const (
	maxEvent      = 64 << 20
	maxParts      = 8192
	maxOpen       = 64       // incomplete events at a time
	maxOpenBytes  = 64 << 20 // bytes of incomplete events
	lookAhead     = 64       // records searched for a time zone
	lookAheadSize = 16 << 20 // bytes searched for a time zone
)
