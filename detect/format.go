package detect

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
)

// Format is the name of a format as --format and the JSON output spell it.
type Format string

// The formats that [Sniff] finds.
const (
	PerfData    Format = "perfdata"    // blocks of HKEY_PERFORMANCE_DATA
	BLG         Format = "blg"         // binary log of PDH
	IPCBlock    Format = "ipcblock"    // shared memory of the .NET Framework's counters
	Minidump    Format = "minidump"    // memory of a process
	Titles      Format = "titles"      // names of counters
	PerfStrings Format = "perfstrings" // PerfStringBackup.INI
	INIFile     Format = "inifile"     // registration of counters, the .ini
	SymbolH     Format = "symbolh"     // registration of counters, the .h
	Reg         Format = "reg"         // text of regedit
	Hive        Format = "hive"        // file of the registry
	PDHCSV      Format = "pdh-csv"     // text log of PDH, by commas
	PDHTSV      Format = "pdh-tsv"     // text log of PDH, by tabs
	Checkmk     Format = "checkmk"     // output of a Checkmk agent
	Manifest    Format = "manifest"    // instrumentation manifest
)

// The formats that must be named: any bytes could be one.
const (
	PerfLib2 Format = "perflib2"   // block of version 2 counter sets
	ASPNet2  Format = "aspnet:2.0" // counters of ASP.NET 2.0, bare
	ASPNet4  Format = "aspnet:4.x" // counters of ASP.NET 4.x, bare
	Memory   Format = "memory"     // raw memory, searched for IPC blocks
	Carve    Format = "carve"      // anything, searched for blocks of perfdata and IPC blocks
)

var formats = [...]Format{
	PerfData, BLG, IPCBlock, Minidump, Titles, PerfStrings, INIFile, SymbolH, Reg, Hive, PDHCSV, PDHTSV, Checkmk, Manifest,
	PerfLib2, ASPNet2, ASPNet4, Memory, Carve,
}

// ParseFormat returns the format with the given name. The error lists the
// names there are.
func ParseFormat(s string) (Format, error) {
	if f := Format(s); slices.Contains(formats[:], f) {
		return f, nil
	}
	return "", perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "no format is named %q; there are %s", s, names())
}

// RandomAccess reports whether inputs of the format are to be opened by
// [OpenAt]. [Open] recognises them but does not read them into memory; [OpenAny]
// and [Walk] open them either way.
func (f Format) RandomAccess() bool {
	switch f {
	case BLG, Minidump, Hive, PDHCSV, PDHTSV, Memory, Carve:
		return true
	default:
		return f.Foreign() != ""
	}
}

func names() string {
	var b strings.Builder
	for i, f := range formats {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(f))
	}
	return b.String()
}
