package capture

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// Across a restart of a machine its counters start again, so two samples make no
// difference there. What shows it is the performance clock, which counts from
// the start of the machine: it went back. Where a pair across a restart has a
// status of its own, such as negative-delta, that is reported; what would be a
// value is cooked of the newer sample alone.

// reportRestart reports that a performance clock went back.
func (r *Recording) reportRestart(source string, record int, older, newer int64) {
	r.report(Remark{
		Code: remarkRestart, Source: source, Record: record,
		Text: fmt.Sprintf("the performance clock went from %d to %d: the machine was restarted, and rates across that have no value", older, newer),
	})
}

// across adds the cells of newer, between which and older there was a restart.
func (c *blockCooker) across(f *Frame, host string, older, newer *perfdata.Block) {
	from := len(f.Cells)
	c.cells(f, host, older, newer, true)
	to := len(f.Cells)
	c.cells(f, host, nil, newer, true)
	for i, alone := range f.Cells[to:] {
		if pair := &f.Cells[from+i]; pair.Status == countertypes.StatusOK {
			*pair = alone
		}
	}
	f.cut(to)
}

// bootClock is the performance clock of an item of a log as it was last seen.
type bootClock struct {
	ticks int64
	boot  int // which start of the machine it counts from, 0 where it was not seen
	next  int64
	has   bool // next is the clock of this record
}

// bootOf returns which start of a machine a log is in, from 1.
func (c *logCooker) bootOf(host string) *int {
	host = strings.ToLower(cutOwn(host))
	if c.boots[host] == nil {
		first := 1
		c.boots[host] = &first
	}
	return c.boots[host]
}

// look takes the clock of an item. Where it is the first of a record that went
// back, the machine was restarted.
func (c *logCooker) look(f *Frame, item *logItem, ticks int64) {
	k := &item.clock
	if k.boot == *item.boot && ticks < k.ticks {
		*item.boot++
		if !c.quiet {
			c.r.reportRestart(c.log.name, f.Record, k.ticks, ticks)
		}
	}
	k.next, k.has = ticks, true
}

// settle makes the clock of this record the last one. It reports whether there
// was a restart since the one before.
func (k *bootClock) settle(boot int) (anew bool) {
	if !k.has {
		return false
	}
	anew = k.boot != 0 && k.boot != boot
	k.ticks, k.boot, k.has = k.next, boot, false
	return anew
}

// hasPerfTime reports whether the second value of samples of a type is the
// performance clock.
func hasPerfTime(t countertypes.Type) bool {
	second, _, base := t.Tuple(&countertypes.Clocks{PerfTime: 1}, nil)
	return second == 1 && !base
}

// perfTime returns the performance clock of a series, false where it has none.
func perfTime(s *blg.Series) (int64, bool) {
	if !s.Valid() || !hasPerfTime(s.Item.CounterType) {
		return 0, false
	}
	_, second, _ := s.Tuple(0)
	return int64(second), second != 0
}
