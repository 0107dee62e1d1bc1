package capture

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// The counters of a machine start again when it restarts, so the difference of two samples
// across a restart means nothing. A restart shows in the performance clock, which counts
// from the start of the machine: it goes back. If a pair across a restart has a status such
// as negative-delta, that is reported; otherwise the value is computed from the newer
// sample alone.

// reportRestart reports that a performance clock went back.
func (r *Recording) reportRestart(source string, record int, older, newer int64) {
	r.report(Remark{
		Code: remarkRestart, Source: source, Record: record,
		Text: fmt.Sprintf("the performance clock went back from %d to %d: the machine was restarted; rates across the restart have no value", older, newer),
	})
}

// across adds the cells of newer after a restart since older.
func (c *blockCooker) across(f *Frame, host string, older, newer *perfdata.Block) {
	from := len(f.Cells)
	c.cells(f, host, older, newer, true)
	to := len(f.Cells)
	c.cells(f, host, nil, newer, true)
	for i, alone := range f.Cells[to:] {
		if pair := &f.Cells[from+i]; pair.Status == countertypes.StatusOK {
			*pair = alone
			if c.cook.Samples {
				f.Samples[from+i] = f.Samples[to+i]
			}
		}
	}
	f.cut(to)
}

// bootClock is the last performance clock of an item of a log.
type bootClock struct {
	ticks int64
	boot  int // the number of the machine's start, 0 if not seen yet
	next  int64
	has   bool // next is set
}

// bootOf returns the number of the machine's start, from 1.
func (c *logCooker) bootOf(host string) *int {
	host = strings.ToLower(cutClone(host))
	if c.boots[host] == nil {
		first := 1
		c.boots[host] = &first
	}
	return c.boots[host]
}

// observeClock reads the clock of an item. If it is the first of a record that went back,
// the machine was restarted.
func (c *logCooker) observeClock(f *Frame, item *logItem, ticks int64) {
	k := &item.clock
	if k.boot == *item.boot && ticks < k.ticks {
		*item.boot++
		if !c.quiet {
			c.r.reportRestart(c.log.name, f.Record, k.ticks, ticks)
		}
	}
	k.next, k.has = ticks, true
}

// commit makes the clock of this record the last one. It reports whether there was a
// restart since the previous record.
func (k *bootClock) commit(boot int) (restarted bool) {
	if !k.has {
		return false
	}
	restarted = k.boot != 0 && k.boot != boot
	k.ticks, k.boot, k.has = k.next, boot, false
	return restarted
}

// hasPerfTime reports whether the second value of samples of a type is the
// performance clock.
func hasPerfTime(t countertypes.Type) bool {
	second, _, base := t.Tuple(&countertypes.Clocks{PerfTime: 1}, nil)
	return second == 1 && !base
}

// perfTime returns the performance clock of a series, and false if it has none.
func perfTime(s *blg.Series) (int64, bool) {
	if !s.Valid() || !hasPerfTime(s.Item.CounterType) {
		return 0, false
	}
	_, second, _ := s.Tuple(0)
	return int64(second), second != 0
}
