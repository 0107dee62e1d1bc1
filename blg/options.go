package blg

import (
	"time"

	"github.com/perfdump/perfdump"
)

// Options say how a log is read. The zero value is tolerant, with the default
// limits.
type Options struct {
	perfdump.Options // CodePage is that of texts in whole objects

	// Offset is UTC less the recorder's local time, for logs that hold
	// nothing to compute it from. nil leaves their times as they are.
	Offset *time.Duration
}

const (
	maxEvent      = 64 << 20
	maxParts      = 8192
	maxOpen       = 64       // events that wait for parts at a time
	maxOpenBytes  = 64 << 20 // of all of them
	lookAhead     = 64       // records that are looked at for a time zone
	lookAheadSize = 16 << 20 // bytes of them
)
