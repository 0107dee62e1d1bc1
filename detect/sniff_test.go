package detect_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/titles"
)

func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func utf16be(s string) string {
	b := []byte(utf16le(s))
	for i := 0; i < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

// words writes little-endian values at offsets of a buffer of n bytes: a width
// of 2 or 4 follows each offset.
func words(n int, at ...int64) string {
	b := make([]byte, n)
	for i := 0; i+2 < len(at); i += 3 {
		if at[i+1] == 2 {
			binary.LittleEndian.PutUint16(b[at[i]:], uint16(at[i+2]))
		} else {
			binary.LittleEndian.PutUint32(b[at[i]:], uint32(at[i+2]))
		}
	}
	return string(b)
}

// trace is the first buffer of an event trace.
func trace(logger string, pointer int) string {
	b := []byte(words(0x10000, 0, 4, 0x10000, 0x30, 4, 0x240, 0x48, 4, 0xC0020000, 0x4C, 4, 0x1E2, 0x68, 4, 0x10000, 0x94, 4, int64(pointer)))
	copy(b[0xA0+2*pointer+172+4+24+8:], utf16le(logger+"\x00"))
	return string(b)
}

func chunk(perf, flags int64) string {
	return words(2048, 0, 4, 2, 4, 4, 16, 16, 2, 4, 18, 2, flags, 20, 4, 40+perf, 28, 4, 1, 32, 4, 40, 36, 4, perf, 40, 2, perf)
}

const table = "1\x001847\x002\x00System\x004\x00Memory\x006\x00% Processor Time\x00\x00"

func TestSniff(t *testing.T) {
	block := string((&perftest.Block{Name: "HOST"}).Bytes())
	pdh := `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\h\o(i)\c"` + "\r\n\"11/26/2016 13:46:30.874\",\" \"\r\n"
	ini := "[info]\r\ndrivername=X\r\nsymbolfile=x.h\r\n"
	store := "\r\n\r\n[Perflib]\r\nBase Index=1847\r\n"
	guid := "84c9b5fa-8231-45ce-87a3-3814569c135f"
	for _, c := range []struct {
		name string
		data string
		want detect.Format
	}{
		{"a block", block, detect.PerfData},
		{"a signature", block[:8], detect.PerfData},
		{"a cut signature", block[:5], detect.PerfData},
		{"too little of a signature", block[:3], ""},
		{"big-endian", "\x00P\x00E\x00R\x00F\x00\x00", detect.PerfData},
		{"NT 4", utf16le("PERF LOG\x00\x00"), ""},

		{"a log", trace(guid, 8), detect.BLG},
		{"a log of 32 bits", trace(guid, 4), detect.BLG},
		{"a log whose first word is damaged", "\x01" + trace(guid, 8)[1:], detect.BLG},
		{"a log whose first buffer says that it is empty", trace(guid, 8)[:0x30] + "\x00\x00" + trace(guid, 8)[0x32:], detect.BLG},
		{"a log of which two words are damaged", "\x01" + trace(guid, 8)[1:0x30] + "\x00\x00" + trace(guid, 8)[0x32:], ""},
		{"a log that says no size", "\x01" + strings.Replace(trace(guid, 8)[1:], "\x00\x00\x01\x00", "\x01\x00\x01\x00", 1), ""},
		{"a trace whose first word is damaged", "\x01" + trace("NT Kernel Logger", 8)[1:], ""},
		{"a trace", trace("NT Kernel Logger", 8), ""},
		{"a trace with events of PDH", trace("x", 8)[:0x8000] + "\xb3\x3b\x3f\x93\x3e\x94\x0d\x49\x9c\xed\x3c\xbb\x14\xc1\x44\x79", detect.BLG},
		{"a log without its record", strings.Replace(trace(guid, 8), "\xC0", "\xC1", 1), ""},
		{"a GUID with a wrong digit", trace("84c9b5fa-8231-45ce-87a3-3814569c135g", 8), ""},
		{"a GUID that goes on", trace(guid+"x", 8), ""},

		{"a table of 32 bits", chunk(280, 7) + strings.Repeat("\x00", 63488), detect.IPCBlock},
		{"a table of 64 bits", chunk(384, 3) + strings.Repeat("\x00", 63488), detect.IPCBlock},
		{"one chunk", chunk(384, 3), detect.IPCBlock},
		{"a table used from its second chunk", strings.Repeat("\x00", 2048) + chunk(384, 3) + strings.Repeat("\x00", 61440), detect.IPCBlock},
		{"memory with a chunk", strings.Repeat("\x00", 2048) + chunk(384, 3), ""},
		{"a chunk of another size", chunk(281, 3), ""},
		{"an unused table", strings.Repeat("\x00", 65536), ""},
		{"legacy public, 32 bits", words(0x134, 0, 2, 3, 2, 2, 7, 4, 4, 0x134, 16, 4, 1, 24, 4, 280, 28, 2, 280), detect.IPCBlock},
		{"legacy public, 64 bits", words(0x1A0, 0, 2, 3, 4, 4, 0x1A0, 20, 4, 1, 24, 4, 24, 28, 4, 384, 32, 2, 384), detect.IPCBlock},
		{"legacy private, 32 bits", words(0x390, 0, 2, 2, 2, 2, 7, 4, 4, 0x390, 16, 4, 7, 24, 4, 280), detect.IPCBlock},
		{"legacy private, 64 bits", words(0x410, 0, 2, 2, 2, 2, 3, 4, 4, 0x410, 20, 4, 7, 24, 4, 24, 28, 4, 384), detect.IPCBlock},
		{"legacy private of CLR 1", words(0x300, 0, 4, 2, 4, 4, 0x300, 16, 4, 5, 24, 4, 280), detect.IPCBlock},
		{"a bare block", words(280, 0, 2, 280, 2, 2, 3), detect.IPCBlock},
		{"a bare block and more", words(281, 0, 2, 280, 2, 2, 3), ""},

		{"a dump", "MDMP\x93\xa7\x00\x00", detect.Minidump},
		{"MDMP and no dump", "MDMP is a word", ""},
		{"a log of a hive", "regf" + words(508, 24, 4, 1), ""},
		{"a hive with the type of a log", "regf" + words(4092, 24, 4, 6) + "hbin", detect.Hive},
		{"a hive", "regf\x01\x00\x00\x00", detect.Hive},

		{"a table of names", utf16le(table), detect.Titles},
		{"with a byte order mark", "\xFF\xFE" + utf16le(table), detect.Titles},
		{"high byte first", utf16be(table), detect.Titles},
		{"in a code page", table, detect.Titles},
		{"in a code page, from index 10 on", "10\x00File Read\x0012\x00caf\xE9\x00\x00", detect.Titles},
		{"with an empty name", utf16le("2\x00\x004\x00Memory\x00\x00"), detect.Titles},
		{"cut", utf16le(table)[:51], detect.Titles},
		{"zeros behind it", utf16le(table) + strings.Repeat("\x00", 64), detect.Titles},
		{"control characters", "2\x00Sys\x01tem\x004\x00Memory\x00\x00", ""},
		{"a command line", "7\x00-x\x00-y\x00file\x00", ""},
		{"names without indexes", "2\x00a\x00b\x00c\x00d\x00e\x00f\x00g\x00h\x00", ""},
		{"long names without indexes", "2\x00alpha\x00beta\x00gamma\x00delta\x00epsilon\x00zeta\x00", ""},
		{"a third of the names without indexes", "2\x00alpha\x00beta\x004\x00gamma\x00delta\x00", detect.Titles},
		{"numbers", utf16le("2\x003\x004\x005\x006\x007\x00"), ""},
		{"a digit and zeros", "5" + strings.Repeat("\x00", 4096), ""},
		{"a digit and noise", "5\x00\x83\x00\x10\x99\xfe\x01", ""},
		{"digits and noise without an end", "5301\x00\xff78340", ""},
		{"no surrogates in pairs", utf16le("2\x00") + strings.Repeat("\x00\xD8", 20) + utf16le("\x00"), ""},

		{"a list", "6 : % Processor Time\n238 : Processor\n", detect.Titles},
		{"a list of one", "6 : % Processor Time\n", detect.Titles},
		{"an aligned list", "    6 : % Processor Time\n  238 : Processor\n", detect.Titles},
		{"a list with tabs", "6\t% Processor Time\n238\tProcessor\n", detect.Titles},
		{"a list with a header", "index\tname\n6\t% Processor Time\n", detect.Titles},
		{"a list in UTF-16", "\xFF\xFE" + utf16le("6\t% Processor Time\r\n238\tProcessor\r\n"), detect.Titles},
		{"numbered lines", "     1\tfoo\n     2\tbar\n", ""},
		{"a table of numbers", "1\t2\n3\t4\n", ""},
		{"three columns", "1\ta\tb\n2\tc\td\n", ""},
		{"sizes", "4\t./b\n4\t./a\n12\t.\n", ""},
		{"a log of a program", "12:30:01 started\n12:30:02 ended\n", ""},
		{"YAML", "200: OK\n404: Not Found\n", ""},
		{"one numbered line", "6\tfoo\n", ""},

		{"a store", store, detect.PerfStrings},
		{"a store without a byte order mark", utf16le(store), detect.PerfStrings},
		{"names of a store", "[PerfStrings_009]\r\n1=1847\r\n", detect.PerfStrings},
		{"providers of a store", "[PERF_.NET CLR Data]\r\nFirst Counter=2000\r\n", detect.PerfStrings},
		{"a section that is none", "[perf_test]\nrepeat=3\n", ""},
		{"an .ini", ini, detect.INIFile},
		{"an .ini with a mark", "\xEF\xBB\xBF" + ini, detect.INIFile},
		{"an .ini in UTF-16", "\xFF\xFE" + utf16le("\r\n;made\r\n"+ini), detect.INIFile},
		{"an .ini that begins with its texts", "[text]\nA_009_Name=a\n", detect.INIFile},
		{"an .ini that ends in Ctrl-Z", ini + "\x1A", detect.INIFile},
		{"an .ini of something else", "[info]\nversion=1\n[text]\nfont=Arial\n", ""},
		{"a README that quotes an .ini", "# Counters\n\nWrite this:\n\n" + ini, ""},
		{"a C file that writes an .ini", "#include <stdio.h>\n// writes an .ini\nconst char *text =\n\"\\\n" + ini + "\";\n", ""},
		{"a script that writes an .ini", "#!/bin/sh\n# for lodctr\ncat >x.ini <<END\n" + ini + "END\n", ""},
		{"settings of git", "[user]\n\tname = x\n[text]\n\tfile_name = y\n\tmy_own_help = z\n", ""},
		{"an .ini before a text", ini + strings.Repeat("a line of text\n", 3), ""},
		{"an .ini with a line without =", ini + "a line of text\n", detect.INIFile},
		{"an .ini behind comments", "# made\n; by\n// hand\n\n" + ini, detect.INIFile},
		{"a commented key", "[info]\n;drivername=X\n", ""},
		{"symbols", "#define OBJ 0\n#define C1 2;\n", detect.SymbolH},
		{"symbols with all that is allowed", "/* a\nb */ #ifndef X\n#define X\n#All these\n#define A 0 // zero\n#define LAST A\n#define B\t2\n#endif\x1a", detect.SymbolH},
		{"a header with a declaration", "#define OBJ 0\nint x;\n", ""},
		{"a header of flags", "#define A 0x1\n#define B 0x2\n#define C 4\n", ""},
		{"a header of numbers", "#define A 0\n#define B 1\n#define C 2\n#define D 3\n", ""},
		{"a script", "#!/bin/sh\n# define nothing\n", ""},

		{".reg", "Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE]\r\n", detect.Reg},
		{".reg in UTF-16", "\xFF\xFE" + utf16le("Windows Registry Editor Version 5.00\r\n"), detect.Reg},
		{".reg in UTF-16, high byte first", "\xFE\xFF" + utf16be("Windows Registry Editor Version 5.00\r\n"), detect.Reg},
		{".reg of NT 4", "REGEDIT4\r\n", detect.Reg},
		{".reg of another case", "regedit4\r\n", ""},

		{"pdh-csv", pdh, detect.PDHCSV},
		{"pdh-tsv", strings.NewReplacer(",", "\t", "CSV", "TSV").Replace(pdh), detect.PDHTSV},
		{"in UTF-16", "\xFF\xFE" + utf16le(pdh), detect.PDHCSV},
		{"a control character in a .reg", "\xFF\xFE" + utf16le("Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SYSTEM]\r\n\"a\"=\"\x1b\x01\"\r\n"), detect.Reg},
		{"in what an agent sent", "<<<check_mk>>>\nVersion: 2\n<<<logwatch>>>\n\x1b[31mE\n<<<winperf_mem>>>\n1 4 5\n", detect.Checkmk},
		{"in an .ini", "\r\n[info]\r\ndrivername=A\x07\r\n", detect.INIFile},
		{"in a backup", utf16le("\r\n[Perflib]\r\nBase Index=1847\r\n[PerfStrings_009]\r\n2=Sys\x01tem\r\n"), detect.PerfStrings},
		{"in UTF-16, high byte first", "\xFE\xFF" + utf16be(pdh), detect.PDHCSV},
		{"a control character in a name", strings.Replace(pdh, "(i)", "(i\x1b\x7f)", 1), detect.PDHCSV},
		{"the same in UTF-16", "\xFF\xFE" + utf16le(strings.Replace(pdh, "(i)", "(i\x01)", 1)), detect.PDHCSV},
		{"blank lines before that", "\r\n" + strings.Replace(pdh, "(i)", "(i\x01)", 1), detect.PDHCSV},
		{"an older export with a control character", `"(Pacific Daylight Time)(420)","\\h\o(i` + "\x01" + `)\c"` + "\n", detect.PDHCSV},
		{"control characters in another csv", "\"time\",\"va\x01lue\"\n", ""},
		{"an older export", `"(Pacific Daylight Time)(420)","\\h\o\c","\\h\o\d"` + "\n", detect.PDHCSV},
		{"bare cells by semicolons", `Time;\\h\o\c;\\h\o\d` + "\n", detect.PDHCSV},
		{"bare cells by tabs", "Time\t\\\\h\\o\\c\n", detect.PDHTSV},
		{"a comma in the first cell", `"a,b","\\h\o\c"`, detect.PDHCSV},
		{"another csv", "time,value\n1,2\n", ""},
		{"csv with a path in it", `"time","\\h\o\c","note"` + "\n", ""},
		{"a first cell without an end", `"time,\\h\o\c` + "\n", ""},

		{"checkmk", "<<<winperf_phydisk>>>\n1352457622.31 234 3579545\n", detect.Checkmk},
		{"checkmk, a host before", "<<<<host>>>>\n<<<uptime>>>\n1\n<<<winperf_if:sep(32)>>>\n", detect.Checkmk},
		{"checkmk as PowerShell saves it", "\xff\xfe" + utf16le("<<<winperf_phydisk>>>\r\n1352457622.31 234 3579545\r\n"), detect.Checkmk},
		{"checkmk without counters", "<<<uptime>>>\n1\n", ""},
		{"a manifest", "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- a > b -->\n<instrumentationManifest xmlns='x'>", detect.Manifest},
		{"a manifest with a prefix", "<m:instrumentationManifest>", detect.Manifest},
		{"a manifest in an assembly", "<assembly><instrumentationManifest>", detect.Manifest},
		{"an assembly with counters", "<assembly xmlns='x'>\n<w:instrumentation><counters/>", detect.Manifest},
		{"an assembly", "<assembly><file/></assembly>", ""},
		{"another root", "<root><instrumentationManifest/></root>", ""},
		{"an open comment", "<!-- <instrumentationManifest>", ""},

		{"empty", "", ""},
		{"one byte", "1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := detect.Sniff([]byte(c.data), int64(len(c.data)))
			require.Equal(t, c.want, got)
			require.Equal(t, c.want != "", ok)
		})
	}
}

func TestSniffOfACutHead(t *testing.T) {
	var b strings.Builder
	for range 9000 {
		b.WriteString("2\x00System and Others\x00")
	}
	long := utf16le(b.String())
	for _, n := range []int{1000, 1001, 1002, 1003, 4096} {
		f, ok := detect.Sniff([]byte(long[:n]), -1)
		require.True(t, ok)
		require.Equal(t, detect.Titles, f)
	}
	f, _ := detect.Sniff([]byte("6\tSix\n8\tEight\n10"), 1000)
	require.Equal(t, detect.Titles, f, "the last line is not whole")
	f, _ = detect.Sniff([]byte("P\x00E\x00"), -1)
	require.Empty(t, f, "who gives 4 bytes of a longer input is told nothing")
}

func TestParseFormat(t *testing.T) {
	for _, name := range []string{"perfdata", "pdh-tsv", "aspnet:4.x", "carve"} {
		f, err := detect.ParseFormat(name)
		require.NoError(t, err)
		require.Equal(t, detect.Format(name), f)
	}
	_, err := detect.ParseFormat("etl")
	require.ErrorIs(t, err, perfdump.ErrUnknownFormat)
	require.ErrorContains(t, err, `"etl"`)
	require.ErrorContains(t, err, "perfdata, blg")
	_, err = detect.ParseFormat("")
	require.Error(t, err)
}

func FuzzSniff(f *testing.F) {
	for _, s := range []string{"", table, utf16le(table), utf16be(table), "6 : x\n8 : y\n", "6\tx\n", "\xFF\xFE", "PERF", "[info]\ndrivername=x", "#define A 0\n", "<?xml?><a>", `"a","\\b"`, "<<<winperf_x>>>\n", chunk(280, 7), trace("x", 4)[:0x300]} {
		f.Add([]byte(s), int64(len(s)))
		f.Add([]byte(s), int64(-1))
	}
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		kept := string(b)
		format, ok := detect.Sniff(b, size)
		require.Equal(t, ok, format != "")
		require.Equal(t, kept, string(b), "the head is only read")
		if format != detect.Titles || size != int64(len(b)) {
			return
		}
		// What is called a table can be read as one, in one of its forms.
		_, err := titles.Parse(b, titles.Options{})
		if err == nil || errors.Is(err, perfdump.ErrBigEndian) {
			return
		}
		_, err = titles.ParseText(b, titles.Options{})
		require.NoError(t, err)
	})
}
