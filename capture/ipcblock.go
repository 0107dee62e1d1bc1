package capture

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

// BlockSummary is what a table of IPC control blocks, or one such block, holds.
type BlockSummary struct {
	Layout  ipcblock.Layout
	Chunks  []ChunkSummary // but for untouched ones
	Empty   int            // untouched chunks
	Remarks []Finding      // of severity SeverityNote
}

// ChunkSummary is a chunk of a table, or the only one of another layout.
type ChunkSummary struct {
	Index       int
	State       ipcblock.State
	Arch        ipcblock.Arch
	RuntimeID   uint32
	PID         uint64 // 0 where it is not told
	Version     uint16
	BuildYear   uint16
	BuildNumber uint16
}

// Live returns how many chunks hold the counters of a running runtime.
func (s *BlockSummary) Live() int {
	n := 0
	for i := range s.Chunks {
		if s.Chunks[i].State == ipcblock.Live {
			n++
		}
	}
	return n
}

func (o Options) ipcblock() ipcblock.Options {
	return ipcblock.Options{Mode: o.Mode, Limits: o.Limits}
}

// ParseBlocks reads a table of IPC control blocks, with the errors of
// [ipcblock.Parse]; of chunks that cannot be read [ipcblock.Table.Faults] tells.
func ParseBlocks(b []byte, o Options) (*ipcblock.Table, error) {
	return ipcblock.Parse(b, o.ipcblock())
}

func (s *Summary) blocks(b []byte, o Options, counts map[perfdump.Code]int) {
	t, err := ipcblock.Parse(b, o.ipcblock())
	if err != nil {
		s.fail(err)
		if o.Mode == perfdump.Salvage {
			return
		}
		// What the file is can be told all the same.
		o.Mode = perfdump.Salvage
		if t, err = ipcblock.Parse(b, o.ipcblock()); err != nil {
			return
		}
	} else {
		s.Errors = append(s.Errors, t.Faults()...)
	}
	s.Blocks = summarize(t)
	count(counts, t.Anomalies())
}

func summarize(t *ipcblock.Table) *BlockSummary {
	sum := &BlockSummary{Layout: t.Layout()}
	for i, c := range t.Chunks() {
		if c.State == ipcblock.Untouched {
			sum.Empty++
			continue
		}
		chunk := ChunkSummary{Index: i, State: c.State}
		if c.State != ipcblock.Bad {
			chunk.Arch, chunk.RuntimeID, chunk.Version = c.Arch, c.RuntimeID, c.Version
			chunk.BuildYear, chunk.BuildNumber = c.BuildYear, c.BuildNumber
			chunk.PID = chunkPID(c)
		}
		sum.Chunks = append(sum.Chunks, chunk)
	}
	for a := range t.Remarks() {
		sum.Remarks = append(sum.Remarks, note(a))
	}
	return sum
}

func note(a perfdump.Anomaly) Finding {
	return Finding{Code: a.Code, Offset: a.Off, Path: a.Path.String(), Message: a.Message(), Severity: SeverityNote}
}

// checkBlocks reads as far as salvage mode does where the mode asked for fails.
func checkBlocks(b []byte, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	t, first := ipcblock.Parse(b, o.ipcblock())
	if first != nil {
		if !yieldError(first, yield) {
			return
		}
		o.Mode = perfdump.Salvage
		var err error
		if t, err = ipcblock.Parse(b, o.ipcblock()); err != nil {
			return
		}
	}
	for _, fault := range t.Faults() {
		if (first == nil || !same(fault, first)) && !yieldError(fault, yield) {
			return
		}
	}
	if !yieldAnomalies(t.Anomalies(), strict, yield) {
		return
	}
	for a := range t.Remarks() {
		if !yield(note(a)) {
			return
		}
	}
}

// RemarkCounts returns how many remarks of a code there are, in the order of
// the codes.
func (s *BlockSummary) RemarkCounts() []CodeCount {
	var counts []CodeCount
	for i := range s.Remarks {
		code := s.Remarks[i].Code
		at := slices.IndexFunc(counts, func(c CodeCount) bool { return c.Code == code })
		if at < 0 {
			at = len(counts)
			counts = append(counts, CodeCount{Code: code})
		}
		counts[at].Count++
	}
	slices.SortFunc(counts, func(a, b CodeCount) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return counts
}
