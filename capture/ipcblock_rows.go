package capture

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

// BlockFilter reports whether a counter of the instance that a chunk is, see
// [BlockInstance], is asked for. A nil BlockFilter is for all.
type BlockFilter func(instance string, k *ipcblock.Counter) bool

// NewBlockFilter returns a filter for what one of the patterns is for, nil for
// no patterns. A path without an instance is for all of them.
func NewBlockFilter(patterns []*pdhpath.Pattern) BlockFilter {
	if len(patterns) == 0 {
		return nil
	}
	return func(instance string, k *ipcblock.Counter) bool {
		path := pdhpath.Path{Object: k.Category, Counter: k.Name}
		for _, p := range patterns {
			if p.Match(path) {
				return true
			}
		}
		path.Instance, path.HasInstance = instance, true
		for _, p := range patterns {
			if p.Match(path) {
				return true
			}
		}
		return false
	}
}

// BlockRows yields the raw values of the live chunks of a table of IPC control
// blocks, those that show lets through. Bases are left out: they
// stand in the second value of their counters. The object is the category of
// perfmon, the instance [BlockInstance] with the pid given. There is no time, no host and no title
// index. A Row is valid until the next one is yielded.
//
// The memory holds no clock. Without one, nil, what a clock would give is
// missing from the rows; with those of [ipcblock.Interval] the rows of two
// captures can be cooked, matched by object, instance and counter.
func BlockRows(t *ipcblock.Table, source string, pid uint64, clocks *countertypes.Clocks, show BlockFilter) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		_, other := ipcblock.Interval(time.Second)
		for c := range t.Live() {
			if !c.HasPerf() || t.Layout() == ipcblock.LegacyPrivate { // whose counters are not used
				continue
			}
			row := Row{Source: source, Instance: BlockInstance(c, pid), HasInstance: true, PID: cmp.Or(chunkPID(c), pid)}
			all := ipcblock.Counters()
			for i := range all {
				k := &all[i]
				if k.IsBase() || show != nil && !show(row.Instance, k) {
					continue
				}
				s := c.Sample(k, clocks, nil)
				row.Object, row.Counter, row.Type = k.Category, k.Name, s.Type
				row.First, row.Second, row.Multi, row.TimeBase = s.First, s.Second, s.Multi, s.TimeBase
				row.NoFirst = s.Status == countertypes.StatusInvalidData
				// A second value that a clock would give is not known.
				row.NoSecond = row.NoFirst && s.Type.NeedsBase() || clocks == nil && c.Sample(k, &other, nil).Second != s.Second
				if !yield(&row) {
					return
				}
			}
		}
	}
}

// BlockInstance names the instance that a chunk is: p4242_r16 is runtime 16 of
// process 4242, as the CLR itself tells processes of one name apart. A chunk
// that does not know its process yet is of process pid, 0 where nobody knows
// it, and blocks of old CLRs have no runtime.
func BlockInstance(c *ipcblock.Chunk, pid uint64) string {
	pid = cmp.Or(chunkPID(c), pid)
	if c.RuntimeID == 0 {
		return fmt.Sprintf("p%d", pid)
	}
	return fmt.Sprintf("p%d_r%d", pid, c.RuntimeID)
}

// chunkPID returns the process that a chunk tells of, 0 for none.
func chunkPID(c *ipcblock.Chunk) uint64 {
	if !c.Has(ipcblock.ProcessID) {
		return 0
	}
	return c.Uint64(ipcblock.ProcessID)
}
