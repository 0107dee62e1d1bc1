package export

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/titles"
)

// english finds what counters are called in English. Which language recorded
// names have is written nowhere: a table called 009 may hold any. But the
// indexes of Windows' own counters mean the same everywhere, so that their names
// are known; and a host on which some of these have other names has names of
// another language, by which no dashboard knows its other counters either.
type english struct {
	other map[string]bool // hosts with names of another language
}

// telling are the indexes of names that English has always had: System, Memory,
// % Processor Time, Process, Thread, PhysicalDisk, LogicalDisk, Processor, and
// Network Interface. Others were changed now and then.
var telling = []uint32{2, 4, 6, 230, 232, 234, 236, 238, 510}

// names returns the English names of a counter and its object. It has title
// indexes in the place of names that are not known.
func (e *english) names(s *capture.Series) (object, counter string) {
	if s.ObjectIndex == 0 || s.CounterIndex == 0 {
		return s.Object, s.Counter // a log of paths: nothing tells
	}
	object, known := e.name(s.Host, s.ObjectIndex, s.Object)
	counter, both := e.name(s.Host, s.CounterIndex, s.Counter)
	if e.other[s.Host] && !(known && both) {
		return strconv.FormatUint(uint64(s.ObjectIndex), 10), strconv.FormatUint(uint64(s.CounterIndex), 10)
	}
	return object, counter
}

// name returns the English name of an index that is recorded as name, and
// whether it is one of Windows' own.
func (e *english) name(host string, index uint32, name string) (string, bool) {
	own, ok := titles.Base().Lookup(index)
	if !ok {
		return name, false
	}
	if strings.EqualFold(own, name) || own == name+"v4" { // IP, TCP and UDP before Vista
		return name, true
	}
	if slices.Contains(telling, index) && name != strconv.FormatUint(uint64(index), 10) {
		if e.other == nil {
			e.other = map[string]bool{}
		}
		e.other[host] = true
	}
	return own, true
}
