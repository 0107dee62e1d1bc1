package detect_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/golden"
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

// TestSniff finds the formats of testdata, or what an input of none looks like.
func TestSniff(t *testing.T) {
	golden.Cases(t, "testdata/sniff.txt", func(in string) string {
		format, ok := detect.Sniff([]byte(in), int64(len(in)))
		require.Equal(t, format != "", ok)
		if ok {
			return string(format) + "\n"
		}
		_, err := detect.Open("-", detect.Options{Stdin: strings.NewReader(in)})
		like := detect.Resembles("", []byte(in))
		require.True(t, in == "" || strings.Contains(err.Error(), like))
		if like == "" || in == "" {
			return string(code(t, err)) + "\n"
		}
		// What no --format would read has no list of them.
		return fmt.Sprintf("like %s, %v\n", like, strings.Contains(err.Error(), "name it: --format"))
	})
}

// TestSniffBinary finds the formats whose structs are far into the input.
func TestSniffBinary(t *testing.T) {
	guid := "84c9b5fa-8231-45ce-87a3-3814569c135f"
	for _, c := range []struct {
		name string
		data string
		want detect.Format
	}{
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
		{"legacy private, 32 bits", words(0x390, 0, 2, 2, 2, 2, 7, 4, 4, 0x390, 16, 4, 7, 24, 4, 280), detect.IPCBlock},
		{"legacy private, 64 bits", words(0x410, 0, 2, 2, 2, 2, 3, 4, 4, 0x410, 20, 4, 7, 24, 4, 24, 28, 4, 384), detect.IPCBlock},
		{"legacy private of CLR 1", words(0x300, 0, 4, 2, 4, 4, 0x300, 16, 4, 5, 24, 4, 280), detect.IPCBlock},
		{"a hive with the type of a log", "regf" + words(4092, 24, 4, 6) + "hbin", detect.Hive},
		{"a digit and zeros", "5" + strings.Repeat("\x00", 4096), ""},
	} {
		got, _ := detect.Sniff([]byte(c.data), int64(len(c.data)))
		require.Equal(t, c.want, got, c.name)
	}
	require.Equal(t, "an event trace (.etl)", detect.Resembles("a", []byte(trace("NT Kernel Logger", 8)))[:21])
	require.Contains(t, detect.Resembles("a.PMW", []byte("\x01\x02\x03")), "an unknown performance log format; try carving")
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
		_, err := titles.Parse(b, perfdump.Options{})
		if err == nil || errors.Is(err, perfdump.ErrBigEndian) {
			return
		}
		_, err = titles.ParseText(b, perfdump.Options{})
		require.NoError(t, err)
	})
}
