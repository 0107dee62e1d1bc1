package capture

import (
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// ImageSummary is what memory holds of IPC control blocks, and what a dump
// tells of the process.
type ImageSummary struct {
	Arch     string // "" where unknown, as in raw memory
	PID      uint32
	HasPID   bool
	Time     time.Time         // when the dump was made, zero where unknown
	Full     bool              // the dump says that it holds all memory
	Runtimes []minidump.Module // of the .NET Framework
	Tables   []TableSummary    // the most trustworthy first
	Dropped  int
}

// TableSummary is a table that was found.
type TableSummary struct {
	ipcblock.Candidate
	Blocks  *BlockSummary // nil where it cannot be decoded
	Repeats bool          // as in FoundTable
}

func (s *Summary) image(in *detect.Input, o Options, counts map[perfdump.Code]int) {
	m, err := OpenImage(in, o)
	if err != nil {
		s.fail(err)
		if o.Mode == perfdump.Salvage {
			return
		}
		// What the dump is can be told all the same.
		o.Mode = perfdump.Salvage
		if m, err = OpenImage(in, o); err != nil {
			return
		}
	} else {
		for _, err := range m.Errors() {
			s.fail(err)
		}
	}
	sum := &ImageSummary{Dropped: m.Dropped}
	sum.PID, sum.HasPID = m.PID()
	if m.Dump != nil {
		sum.Arch, sum.Time, sum.Full = m.Dump.Arch().String(), m.Dump.Time(), m.Dump.FullMemory()
		count(counts, m.Dump.Anomalies())
	}
	for module := range m.Modules() {
		if module.Runtime() {
			sum.Runtimes = append(sum.Runtimes, module)
		}
	}
	for t, err := range m.Tables() {
		one := TableSummary{Candidate: *t.Candidate, Repeats: t.Repeats}
		if err != nil {
			s.fail(err)
		} else {
			one.Blocks = summarize(t.Table)
			count(counts, t.Table.Anomalies())
			for _, fault := range t.Table.Faults() {
				s.fail(t.Place(fault))
			}
		}
		sum.Tables = append(sum.Tables, one)
	}
	s.Image = sum
}

// checkImage tells of the dump, then of each table.
func checkImage(in *detect.Input, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	m, err := OpenImage(in, o)
	if err != nil {
		if !yieldError(err, yield) {
			return
		}
		o.Mode = perfdump.Salvage
		first := err
		if m, err = OpenImage(in, o); err != nil {
			return
		}
		m.o.Mode = perfdump.Tolerant
		for _, err := range m.Errors() {
			if !same(err, first) && !yieldError(err, yield) {
				return
			}
		}
	} else if m.Err != nil && !yieldError(m.Err, yield) {
		return
	}
	if m.Dump != nil && !yieldAnomalies(m.Dump.Anomalies(), strict, yield) {
		return
	}
	if len(m.Found) == 0 && !yield(m.nothing()) {
		return
	}
	for t, err := range m.Tables() {
		if !checkTable(t, err, strict, yield) {
			return
		}
	}
}

func checkTable(t *FoundTable, err error, strict bool, yield func(Finding) bool) bool {
	if err != nil {
		return yieldError(err, yield)
	}
	placed := func(f Finding) bool {
		f.Path, f.Offset = t.Path(f.Path), t.At(f.Offset)
		return yield(f)
	}
	for _, fault := range t.Table.Faults() {
		if !yieldError(fault, placed) {
			return false
		}
	}
	if !yieldAnomalies(t.Table.Anomalies(), strict, placed) {
		return false
	}
	for a := range t.Table.Remarks() {
		if !placed(note(a)) {
			return false
		}
	}
	return true
}

// CodeNoTables is the code of the finding that memory has no IPC control blocks.
const CodeNoTables perfdump.Code = "no-tables"

// nothing says why there is no table, as far as that can be told.
func (m *Image) nothing() Finding {
	return Finding{Code: CodeNoTables, Offset: -1, Severity: SeverityNote, Message: m.Why()}
}

// Why says why no table was found, as far as that can be told.
func (m *Image) Why() string {
	if m.Dump == nil {
		return "no IPC control blocks found; raw memory may have the pages of a table apart"
	}
	modules, runtime, core := false, false, false
	for module := range m.Modules() {
		modules = true
		runtime = runtime || module.Runtime()
		core = core || module.Core()
	}
	switch {
	case core && !runtime:
		return "no IPC control blocks found: the process runs .NET Core or .NET 5 and later, which has none"
	case !runtime && modules:
		return "no IPC control blocks found: the process has no runtime of the .NET Framework loaded"
	case !m.Dump.FullMemory():
		return "no IPC control blocks found: the dump does not hold all memory of the process; procdump -ma makes one that does"
	default:
		return "no IPC control blocks found in the memory of the dump"
	}
}
