package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// fixture is a small good file of a format.
type fixture struct {
	format detect.Format
	name   string
	data   []byte
	other  []byte // of the same format, says something else
	named  bool   // the format is never found, and has to be named
}

// allFormats returns the formats that there are, as the error of a name that is
// none lists them.
func allFormats(t *testing.T) []detect.Format {
	t.Helper()
	_, err := detect.ParseFormat("?")
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	_, list, ok := strings.Cut(fe.Message(), "there are ")
	require.True(t, ok, fe.Message())
	var all []detect.Format
	for name := range strings.SplitSeq(list, ", ") {
		all = append(all, detect.Format(name))
	}
	return all
}

// fixtures returns a file of each format, in the order of formats.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	file := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(repo(t), "testdata", filepath.FromSlash(name)))
		require.NoError(t, err)
		return b
	}
	made := func(line ...string) []byte {
		code, out, stderr := runWith(t, nil, line...)
		require.Zero(t, code, stderr)
		return []byte(out)
	}
	in := func(name string) string { return filepath.Join(repo(t), "testdata", filepath.FromSlash(name)) }
	changed := func(b []byte, from, to string) []byte {
		c := bytes.Replace(b, []byte(from), []byte(to), 1)
		require.False(t, bytes.Equal(b, c), "no %q", from)
		return c
	}
	utf16 := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00") }
	table := file("ipcblock/sxs_x64.bin")
	raw := append(append(make([]byte, 8192), table...), make([]byte, 4096)...)
	sys, sys2 := file("captures/sys-238-x86_64-1.bin"), file("captures/sys-238-x86_64-2.bin")
	log, titles, hive := file("blg/small.blg"), file("captures/titles-009.bin"), file("registry/system.hive")
	dmp := file("minidump/service_x64.dmp")
	reg := []byte("REGEDIT4\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\App\\Performance]\n\"Open\"=\"OpenApp\"\n" +
		"[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\n\"Counter\"=hex(7):32,00,41,00,00\n")
	ini, h := file("registration/sound/app.ini"), file("registration/sound/app.h")
	csv, tsv := made("cook", "-o", "pdh-csv", in("blg/small.blg")), made("cook", "-o", "pdh-tsv", in("blg/small.blg"))
	agent := made("dump", "-o", "checkmk", in("captures/sys-238-x86_64-1.bin"))
	agent2 := made("dump", "-o", "checkmk", in("captures/sys-238-x86_64-2.bin"))
	backup := []byte("[Perflib]\r\nBase Index=1847\r\nLast Counter=2\r\nLast Help=3\r\n[PerfStrings_009]\r\n2=System\r\n")
	man := []byte(`<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation>
  <counters xmlns="http://schemas.microsoft.com/win/2005/12/counters" schemaVersion="1.1">
   <provider applicationIdentity="app.exe" providerType="userMode" providerGuid="{ffddaaee-965a-4cf9-9c07-fe25378c2a24}">
    <counterSet guid="{582803c9-acb8-4b4a-b5ad-5aa1d0e9a6a7}" uri="App.Set" name="Things" description="What there is" instances="single">
     <counter id="1" uri="App.Set.Count" name="Count" description="How many" type="perf_counter_rawcount" detailLevel="standard"/>
    </counterSet>
   </provider>
  </counters>
 </instrumentation>
</instrumentationManifest>
`)
	vector := func(v aspnet.Version, first uint32) []byte {
		values := make([]uint32, v.Len())
		for i := range values {
			values[i] = first + uint32(i)
		}
		b, err := aspnet.Append(nil, v, values)
		require.NoError(t, err)
		return b
	}
	all := map[detect.Format]fixture{
		detect.PerfData:    {name: "sys.bin", data: sys, other: sys2},
		detect.BLG:         {name: "small.blg", data: log, other: log},
		detect.IPCBlock:    {name: "block.bin", data: table, other: file("ipcblock/sxs_x86.bin")},
		detect.Minidump:    {name: "app.dmp", data: dmp, other: changed(dmp, "\x9c\x01\x00\x00\x00\x00\x00\x00\x89", "\x9d\x01\x00\x00\x00\x00\x00\x00\x89")},
		detect.Titles:      {name: "titles.bin", data: titles, other: changed(titles, utf16("System"), utf16("Systam"))},
		detect.PerfStrings: {name: "backup.ini", data: backup, other: changed(backup, "System", "Systam")},
		detect.INIFile:     {name: "app.ini", data: ini, other: changed(ini, "How often", "How many")},
		detect.SymbolH:     {name: "app.h", data: h, other: changed(h, "2", "4")},
		detect.Reg:         {name: "machine.reg", data: reg, other: changed(reg, "OpenApp", "OpenUp")},
		detect.Hive:        {name: "system.hive", data: hive, other: changed(hive, utf16("OpenToaster"), utf16("OpenRoaster"))},
		detect.PDHCSV:      {name: "log.csv", data: csv, other: csv},
		detect.PDHTSV:      {name: "log.tsv", data: tsv, other: tsv},
		detect.Checkmk:     {name: "agent.txt", data: agent, other: agent2},
		detect.Manifest:    {name: "app.man", data: man, other: changed(man, "Things", "Thongs")},
		detect.PerfLib2:    {name: "sets.bin", data: file("perflib2/sets.bin"), other: changed(file("perflib2/sets.bin"), "C\x00:", "D\x00:"), named: true},
		detect.ASPNet2:     {name: "v2.bin", data: vector(aspnet.V20, 1), other: vector(aspnet.V20, 9), named: true},
		detect.ASPNet4:     {name: "v4.bin", data: vector(aspnet.V4x, 1), other: vector(aspnet.V4x, 9), named: true},
		detect.Memory:      {name: "image.raw", data: raw, other: raw, named: true},
		detect.Carve:       {name: "carved.raw", data: append(bytes.Repeat([]byte{0xA5}, 4096), sys...), other: append(bytes.Repeat([]byte{0xA5}, 4096), sys2...), named: true},
	}
	var inOrder []fixture
	for _, format := range allFormats(t) {
		f, ok := all[format]
		require.True(t, ok, "there is no fixture of the format %s", format)
		f.format = format
		inOrder = append(inOrder, f)
	}
	return inOrder
}

func captures(t *testing.T) string { return filepath.Join(repo(t), "testdata", "captures") }
