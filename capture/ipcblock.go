package capture

import (
	"cmp"
	"fmt"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

func blockTable(in *Input, o Options) (*Snapshot, error) {
	t, err := ipcblock.Parse(in.Data, ipcblock.Options{Options: o.Options})
	if err != nil {
		return nil, err
	}
	return &Snapshot{Source: in.Name, o: o, other: tableValues{t, 0}, faults: t.Faults()}, nil
}

// tableValues are the values of the live chunks of a table of IPC control blocks. Bases are
// left out: they are in the second value of their counters. The object is the category in
// perfmon, the instance is [BlockInstance]. There is no time, host, title index or clock,
// so rows lack what a clock would give.
type tableValues struct {
	*ipcblock.Table
	pid uint64 // used if a chunk does not have it
}

func (v tableValues) rows(s *Snapshot, _ bool, yield func(*Row) bool) bool {
	_, clocks := ipcblock.Interval(time.Second)
	for c := range v.Live() {
		if !c.HasPerf() || v.Layout() == ipcblock.LegacyPrivate { // whose counters are not used
			continue
		}
		row := s.row()
		row.Instance, row.HasInstance, row.PID = BlockInstance(c, v.pid), true, cmp.Or(chunkPID(c), v.pid)
		all := ipcblock.Counters()
		for i := range all {
			k := &all[i]
			row.Object, row.Counter = k.Category, k.Name
			if k.IsBase() || !s.o.Filter.matchPath(&row, pdhpath.Path{}) && !s.o.Filter.matchRow(&row) {
				continue
			}
			sample := c.Sample(k, nil, nil)
			row.Type, row.First, row.Second, row.Multi, row.TimeBase = sample.Type, sample.First, sample.Second, sample.Multi, sample.TimeBase
			row.NoFirst = sample.Status == countertypes.StatusInvalidData
			row.NoSecond = row.NoFirst && sample.Type.NeedsBase() || c.Sample(k, &clocks, nil).Second != sample.Second
			if !yield(&row) {
				return false
			}
		}
	}
	return true
}

func (v tableValues) otherNames(*Snapshot, func(*ObjectNames) bool) {}

// BlockInstance returns the name of the instance of a chunk: p4242_r16 is runtime 16 of
// process 4242, as the CLR names processes with the same name. pid is used if the chunk
// does not know its process yet, and is 0 if unknown. Blocks of old CLRs have no runtime.
func BlockInstance(c *ipcblock.Chunk, pid uint64) string {
	pid = cmp.Or(chunkPID(c), pid)
	if c.RuntimeID == 0 {
		return fmt.Sprintf("p%d", pid)
	}
	return fmt.Sprintf("p%d_r%d", pid, c.RuntimeID)
}

func chunkPID(c *ipcblock.Chunk) uint64 {
	if !c.Has(ipcblock.ProcessID) {
		return 0
	}
	return c.Uint64(ipcblock.ProcessID)
}
