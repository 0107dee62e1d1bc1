package checkmk

import (
	"math"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// Section is what an agent says of one object at one moment.
type Section struct {
	Host    string  // of the piggyback marker <<<<host>>>> above, else of Hostname: in <<<check_mk>>>, else ""
	Name    string  // "phydisk" of <<<winperf_phydisk>>>
	Options string  // what follows a colon in the header, "" without any
	Unix    float64 // when the agent took the values, in seconds since 1970
	Object  uint32  // title index
	// Frequency is that of the tick clock; HasFrequency is false for old agents.
	Frequency    int64
	HasFrequency bool
	Instances    []string // blanks are underscores; nil if there is one set of values
	HasInstances bool
	Counters     []Counter
	Off          int64 // where the section begins in the input
}

// Counter is a counter and its value in each instance.
type Counter struct {
	Index   uint32 // title index
	Word    string // of its type, as it is in the input; written where HasType is false
	Type    countertypes.Type
	HasType bool // the word is one that is known
	Values  []uint64
}

// Time returns when the agent took the values, which it says to 10 ms. It is
// false if the number is none of a time.
func (s *Section) Time() (time.Time, bool) {
	if !(s.Unix > 0 && s.Unix < 1<<38) {
		return time.Time{}, false
	}
	whole, part := math.Modf(s.Unix)
	return time.Unix(int64(whole), int64(math.Round(part*1e6))*1e3).UTC(), true
}

// Clocks returns the clocks that counters are cooked with, which agents leave
// out: they are computed from the time, and have its resolution.
func (s *Section) Clocks() countertypes.Clocks {
	t, ok := s.Time()
	if !ok {
		return countertypes.Clocks{}
	}
	c := countertypes.Clocks{Time100ns: uint64(t.UnixMicro()*10 + wire.Filetime1970)}
	if s.Frequency > 0 {
		c.PerfTime, c.PerfFreq = uint64(s.Unix*float64(s.Frequency)), s.Frequency
		c.ObjectTime, c.ObjectFreq = c.PerfTime, c.PerfFreq
	}
	return c
}
