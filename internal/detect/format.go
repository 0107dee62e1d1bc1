package detect

import (
	"bytes"
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

// The formats that are recognised and not read.
const (
	RegistryLog Format = "registry-log"
	OwnCSV      Format = "perfdump csv"
	OwnJSONL    Format = "perfdump jsonl"
	OwnParquet  Format = "perfdump parquet"
	OwnHTML     Format = "perfdump html"
)

// format is what is known of a format. Each but Titles, which has two forms,
// is found by what no other has, so that the order is only that of lists.
type format struct {
	name    Format
	sniff   func(s *sample) bool // nil for formats that must be named
	at      bool                 // read here and there, not into memory
	text    bool                 // as [Options].MaxText says
	foreign string               // what a format that is not read is, and what to do
}

const ownRows = "rows that perfdump wrote; name the file that they came from"

var formats = []format{
	{name: PerfData, sniff: isPerfData},
	{name: BLG, at: true, sniff: func(s *sample) bool { return isETW(s.head) && isPDHLog(s.head) }},
	{name: IPCBlock, sniff: isIPCBlock},
	{name: Minidump, at: true, sniff: isMinidump},
	{name: Titles, text: true, sniff: func(s *sample) bool { return isMultiString(s.head, s.cut) || s.clean() && isTitleList(s.text()) }},
	{name: PerfStrings, text: true, sniff: func(s *sample) bool { return sniffINI(s) == PerfStrings }},
	{name: INIFile, text: true, sniff: func(s *sample) bool { return sniffINI(s) == INIFile }},
	{name: SymbolH, text: true, sniff: func(s *sample) bool { return s.clean() && isSymbols(s.text()) }},
	{name: Reg, text: true, sniff: func(s *sample) bool {
		return s.first() == "Windows Registry Editor Version 5.00" || s.first() == "REGEDIT4"
	}},
	{name: Hive, at: true, sniff: func(s *sample) bool { return bytes.HasPrefix(s.head, []byte("regf")) && !isRegistryLog(s) }},
	{name: PDHCSV, at: true, sniff: func(s *sample) bool { return sniffLog(s) == PDHCSV }},
	{name: PDHTSV, at: true, sniff: func(s *sample) bool { return sniffLog(s) == PDHTSV }},
	{name: Checkmk, sniff: isCheckmk},
	{name: Manifest, text: true, sniff: func(s *sample) bool { return s.clean() && isManifest(s.text()) }},

	{name: PerfLib2},
	{name: ASPNet2},
	{name: ASPNet4},
	{name: Memory, at: true},
	{name: Carve, at: true},

	{name: RegistryLog, at: true, sniff: isRegistryLog, foreign: "a transaction log of the registry; it holds changes to the hive next to it, which perfdump reads"},
	{name: OwnParquet, at: true, sniff: isOwnParquet, foreign: ownRows},
	{name: OwnJSONL, at: true, sniff: isOwnJSONL, foreign: ownRows},
	{name: OwnCSV, at: true, sniff: isOwnCSV, foreign: ownRows},
	{name: OwnHTML, at: true, sniff: isOwnHTML, foreign: "a report that perfdump wrote; open it in a browser"},
}

func (f Format) known() format {
	i := slices.IndexFunc(formats, func(known format) bool { return known.name == f })
	if i < 0 {
		return format{}
	}
	return formats[i]
}

// RandomAccess reports whether [Open] leaves inputs of the format where they
// are, to be read at any offset.
func (f Format) RandomAccess() bool { return f.known().at }

// Text reports whether the format is text that people write or export, which
// [Options].MaxText bounds. Text logs are not.
func (f Format) Text() bool { return f.known().text }

// Foreign says what an input is whose format is recognised and not read, and
// what to do with it; "" for all other formats. Such inputs are an error of
// unknown-format, unless [Options].Foreign lets them through.
func (f Format) Foreign() string { return f.known().foreign }

// ParseFormat returns the format with the given name. The error lists the
// names there are.
func ParseFormat(s string) (Format, error) {
	if f := Format(s).known(); f.name != "" && f.foreign == "" {
		return f.name, nil
	}
	return "", perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "no format is named %q; there are %s", s, strings.Join(Names(), ", "))
}

// Names returns the names of the formats that are read.
func Names() []string {
	var all []string
	for _, f := range formats {
		if f.foreign == "" {
			all = append(all, string(f.name))
		}
	}
	return all
}

// Sniff finds the format of an input from its first bytes, of which [HeadSize] are
// enough. size is the length of the whole input, or -1 if it is unknown.
func Sniff(head []byte, size int64) (Format, bool) {
	s := &sample{head: head, size: size, cut: size != int64(len(head))}
	f := s.find(false)
	return f, f != ""
}

// find returns the format of an input, among those that are read or the others.
func (s *sample) find(foreign bool) Format {
	for _, f := range formats {
		if (f.foreign != "") == foreign && f.sniff != nil && f.sniff(s) {
			return f.name
		}
	}
	return ""
}
