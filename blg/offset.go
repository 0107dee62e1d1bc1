package blg

import (
	"fmt"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
)

// OffsetSource is the source of the offset between UTC and local time.
type OffsetSource uint8

// The sources, the most trusted first.
const (
	OffsetNone   OffsetSource = iota // none: local times are treated as UTC
	OffsetBlock                      // both times of a whole object's block
	OffsetSample                     // the UTC clock of a timer and its local sample time
	OffsetZone                       // the time zone in the log's header
	OffsetUser                       // Options.Offset
)

var offsetWords = [...]string{"none", "block", "sample", "zone", "user"}

// String returns the word of s: "block", "sample".
func (s OffsetSource) String() string {
	if int(s) < len(offsetWords) {
		return offsetWords[s]
	}
	return fmt.Sprintf("OffsetSource(%d)", uint8(s))
}

// maxOffset is larger than the offset of any zone.
const maxOffset = 14 * 60 * ticksPerMinute

// Offsets in the header of a block.
const (
	blockSystemTime = 36
	blockTime100ns  = 72
	blockHeaderSize = 88
)

var blockSignature = [8]byte{'P', 0, 'E', 0, 'R', 0, 'F', 0}

// blockOffset returns UTC minus local time from a block whose SystemTime is local.
func blockOffset(b []byte) (ticks int64, source OffsetSource) {
	if len(b) < blockHeaderSize || [8]byte(b[:8]) != blockSignature {
		return 0, OffsetNone
	}
	var s perfdata.SystemTime
	wire.LoadStruct(&s, b[blockSystemTime:])
	t, ok := s.Time()
	if !ok {
		return 0, OffsetNone
	}
	d := round(int64(wire.U64(b, blockTime100ns))-filetime(t), ticksPerMinute)
	if d < -maxOffset || d > maxOffset {
		return 0, OffsetNone
	}
	return d, OffsetBlock
}

// valueOffset returns UTC minus local time from two readings of the same moment. Their
// difference may deviate by half a minute from a multiple of 15 minutes.
func valueOffset(utc, local int64) (ticks int64, source OffsetSource) {
	const quarter, slack = 15 * ticksPerMinute, 30 * ticksPerSecond
	if utc <= 0 || local <= 0 {
		return 0, OffsetNone
	}
	d := utc - local
	q := round(d, quarter)
	if q < -maxOffset || q > maxOffset || d-q > slack || q-d > slack {
		return 0, OffsetNone
	}
	return q, OffsetSample
}

// round returns the multiple of unit that is nearest to n.
func round(n, unit int64) int64 {
	q := n / unit
	switch r := n % unit; {
	case r >= unit/2:
		q++
	case r <= -unit/2:
		q--
	}
	return q * unit
}
