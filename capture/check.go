package capture

import (
	"errors"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// Severity says how bad a finding is.
type Severity string

// The severities. An error keeps bytes from being read, a warning is an
// anomaly. A note is neither: it tells what values mean.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// Finding is something that Check found.
type Finding struct {
	Code     perfdump.Code
	Offset   int64 // -1 where there is none
	Path     string
	Message  string
	Severity Severity
	// Count is how many more anomalies of the code there are, of which
	// nothing else was kept; it is 0 in a finding that stands for itself.
	Count int
}

// Checks reports whether [Check] reads a format.
func Checks(f detect.Format) bool {
	switch f {
	case detect.PerfData, detect.Titles, detect.PerfStrings, detect.IPCBlock, detect.Minidump, detect.Memory, detect.PerfLib2, detect.ASPNet2, detect.ASPNet4:
		return true
	case detect.BLG, detect.PDHCSV, detect.PDHTSV, detect.Checkmk:
		return true
	default:
		return registers(f)
	}
}

// Check yields everything that is wrong or odd with an input: for each
// snapshot its errors, then its anomalies in the order of the file. It goes on
// after an error as far as salvage mode does, so that one error does not hide
// the others. In strict mode every anomaly is an error.
func Check(in *detect.Input, o Options) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		switch in.Format {
		case detect.PerfData:
			checkPerfdata(in.Data, o, yield)
		case detect.Titles:
			strict := o.Mode == perfdump.Strict
			o.Mode = perfdump.Tolerant
			t, err := ParseTitles(in.Data, o)
			if err != nil {
				yieldError(err, yield)
				return
			}
			yieldAnomalies(t.Anomalies(), strict, yield)
		case detect.IPCBlock:
			checkBlocks(in.Data, o, yield)
		case detect.Minidump, detect.Memory:
			checkImage(in, o, yield)
		case detect.ASPNet2, detect.ASPNet4:
			checkVector(in, yield)
		case detect.PerfLib2:
			checkPerflib2(in.Data, o, yield)
		case detect.PerfStrings:
			checkBackup(in.Data, o, yield)
		case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Manifest:
			checkRegistration(in, o, yield)
		case detect.BLG:
			checkLog(in, o, yield)
		case detect.PDHCSV, detect.PDHTSV:
			checkRows(in, o, yield)
		case detect.Checkmk:
			checkSections(in.Data, o, yield)
		default:
		}
	}
}

// checkPerfdata reads in the mode asked for, so that what it accepts is as the
// mode says, and once more to salvage where that fails.
func checkPerfdata(b []byte, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	if strict {
		o.Mode = perfdump.Tolerant
	}
	var first error
	for _, err := range perfdata.Blocks(b, o.perfdata()) {
		first = err
	}
	if first != nil {
		o.Mode = perfdump.Salvage
		told := false
		for block, err := range perfdata.Blocks(b, o.perfdata()) {
			if err != nil {
				told = told || same(err, first)
				if !yieldError(err, yield) {
					return
				}
				continue
			}
			for i := range block.NumFaults() {
				told = told || same(block.Fault(i), first)
			}
			if !yieldBlock(block, strict, yield) {
				return
			}
		}
		if !told {
			yieldError(first, yield)
		}
		return
	}
	for block, err := range perfdata.Blocks(b, o.perfdata()) {
		if err != nil || !yieldBlock(block, strict, yield) {
			return
		}
	}
}

func same(a, b error) bool { return a.Error() == b.Error() }

func yieldBlock(b *perfdata.Block, strict bool, yield func(Finding) bool) bool {
	for i := range b.NumFaults() {
		if !yieldError(b.Fault(i), yield) {
			return false
		}
	}
	return yieldAnomalies(b.Anomalies(), strict, yield)
}

func yieldError(err error, yield func(Finding) bool) bool {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		return yield(Finding{Code: perfdump.CodeIO, Offset: -1, Message: err.Error(), Severity: SeverityError})
	}
	return yield(Finding{Code: fe.Code, Offset: fe.Off, Path: fe.Path, Message: fe.Message(), Severity: SeverityError})
}

func yieldAnomalies(found *perfdump.Anomalies, strict bool, yield func(Finding) bool) bool {
	severity := SeverityWarning
	if strict {
		severity = SeverityError
	}
	kept := slices.Clone(found.Kept())
	slices.SortStableFunc(kept, func(a, b perfdump.Anomaly) int { return int(max(-1, min(1, a.Off-b.Off))) })
	for _, a := range kept {
		if !yield(Finding{Code: a.Code, Offset: a.Off, Path: a.Path.String(), Message: a.Message(), Severity: severity}) {
			return false
		}
	}
	for code, n := range found.Dropped() {
		if !yield(Finding{Code: code, Offset: -1, Message: "more of the same kind, not kept", Severity: severity, Count: n}) {
			return false
		}
	}
	return true
}
