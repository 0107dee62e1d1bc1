package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// carrier is an input that has any bytes where a text belongs.
type carrier struct {
	format detect.Format
	name   string
	make   func(text []byte) []byte
}

// carriers are inputs of all formats that have texts.
func carriers() (all []carrier) {
	add := func(format detect.Format, name string, f func(text []byte) []byte) {
		all = append(all, carrier{format, name, f})
	}
	object := func(page uint32, raw []byte) perftest.Object {
		return perftest.Object{
			Title: 2, CodePage: page, Counters: []perftest.Counter{{Title: 4, Type: 0x00010000}},
			Instances: []perftest.Instance{{RawName: append(bytes.Clone(raw), 0, 0)}},
		}
	}
	for _, page := range []uint32{0, 1252, 932, 54936, 65001, 50220, 4711} {
		add(detect.PerfData, fmt.Sprint("instance, page ", page), func(b []byte) []byte {
			o := object(page, b)
			o.Counters = append(o.Counters, perftest.Counter{Title: 6, Type: 0x00010B00, Size: len(b)}, perftest.Counter{Title: 8, Type: 0x00000B00, Size: len(b)})
			o.Instances[0].Raw = map[int][]byte{1: b, 2: b}
			return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
		})
	}
	add(detect.PerfData, "parent", func(b []byte) []byte {
		child := object(0, b)
		child.Title, child.Instances[0].ParentTitle = 6, 2
		return (&perftest.Block{Objects: []perftest.Object{object(932, b), child}}).Bytes()
	})
	add(detect.PerfData, "host", func(b []byte) []byte {
		name := strings.Repeat("x", len(b)/2)
		block := perftest.Block{Name: name, Objects: []perftest.Object{object(0, []byte("a\x00"))}}
		return bytes.Replace(block.Bytes(), wire.EncodeUTF16(nil, name), b[:len(name)*2], 1)
	})
	add(detect.Carve, "instance", func(b []byte) []byte {
		return append(make([]byte, 512), (&perftest.Block{Objects: []perftest.Object{object(0, b)}}).Bytes()...)
	})

	// within puts the text in the place of a % of a text file.
	within := func(format detect.Format, name, file string) {
		add(format, name, func(b []byte) []byte { return bytes.ReplaceAll([]byte(file), []byte("%"), b) })
	}
	wide := func(format detect.Format, name, file string) {
		within(format, name, file)
		before, after, _ := strings.Cut(file, "%")
		add(format, name+", UTF-16", func(b []byte) []byte {
			return wire.EncodeUTF16(append(wire.EncodeUTF16([]byte("\xFF\xFE"), before), b...), after)
		})
	}
	const csv = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\h\P(a)\C"` + "\r\n" + `"11/26/2016 13:46:30.874","1"` + "\r\n"
	within(detect.PDHCSV, "instance", strings.Replace(csv, "(a)", "(%)", 1))
	within(detect.PDHCSV, "path", strings.Replace(csv, `\\h\P(a)\C`, "%", 1))
	within(detect.PDHCSV, "zone", strings.Replace(csv, "Pacific", "%", 1))
	within(detect.PDHCSV, "value", strings.Replace(csv, `"1"`, `"%"`, 1))
	within(detect.PDHTSV, "instance", strings.ReplaceAll(strings.Replace(csv, "(a)", "(%)", 1), ",", "\t"))
	const section = "<<<winperf_x>>>\n1584558341.12 238 10000000\n"
	within(detect.Checkmk, "instance", section+"1 instances: %\n2 1 rawcount\n")
	within(detect.Checkmk, "host", "<<<<%>>>>\n"+section+"2 1 rawcount\n")
	within(detect.Checkmk, "section", "<<<winperf_%>>>\n1584558341.12 238 10000000\n2 1 rawcount\n")
	within(detect.Checkmk, "type", section+"2 1 %\n")
	const info = "[info]\ndrivername=App\nsymbolfile=app.h\n[languages]\n009=English\n"
	wide(detect.INIFile, "section", info+"[%]\n")
	wide(detect.INIFile, "key", info+"[text]\nA%_009_NAME=x\n")
	wide(detect.INIFile, "value", info+"[text]\nA_009_NAME=%\n")
	wide(detect.INIFile, "driver", "[info]\ndrivername=%\nsymbolfile=app.h\n")
	within(detect.SymbolH, "symbol", "#define A% 0\n#define B 2\n")
	within(detect.SymbolH, "value", "#define A 0\n#define B %\n")
	const services = "REGEDIT4\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\n\"Counter\"=hex(7):32,00,41,00,00\n" +
		`[HKEY_LOCAL_MACHINE\SYSTEM\ControlSet001\Services\`
	wide(detect.Reg, "key", services+"%\\Performance]\n\"First Counter\"=dword:7d0\n")
	wide(detect.Reg, "value", services+"A\\Performance]\n\"Library\"=\"%\"\n\"First Counter\"=dword:7d0\n\"%\"=\"\"\n")
	wide(detect.PerfStrings, "string", "[Perflib]\r\nBase Index=1847\r\n[PerfStrings_009]\r\n2=%\r\n")
	wide(detect.Titles, "name", "1\x001847\x002\x00%\x00\x00")
	within(detect.Manifest, "name", `<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><counters>`+
		`<provider applicationIdentity="a" providerGuid="{ffddaaee-965a-4cf9-9c07-fe25378c2a24}"><counterSet name="%"/></provider></counters></instrumentation></instrumentationManifest>`)
	add(detect.BLG, "item", func(b []byte) []byte {
		name := strings.Repeat("x", len(b)/2)
		w := blgwriter.New(blgwriter.Options{})
		const noon = 132366960000000000
		w.Items(noon, blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: name, Instance: name, HasInstance: true, Counter: name}, Type: 0x10000})
		w.Titles(noon, `\\ONE`, "2", name)
		w.Sample(noon, blgwriter.Series{Kind: blg.Single, Local: noon, Values: []blgwriter.Value{{Multi: 1, First: 1}}})
		log, err := w.Bytes()
		if err != nil {
			panic(err)
		}
		return bytes.ReplaceAll(log, wire.EncodeUTF16(nil, name), b[:len(name)*2])
	})
	add(detect.Minidump, "module", func(b []byte) []byte {
		return (&perftest.Dump{Version: 0xA793, Streams: []perftest.DumpStream{{Kind: 4, Body: func(at uint32) []byte {
			m := perftest.Uint32s(append(perftest.Uint32s(nil, 1), make([]byte, 20)...), at+4+108)
			m = append(m, make([]byte, 84)...)
			return append(append(perftest.Uint32s(m, uint32(len(b))), b...), 0, 0)
		}}}}).Bytes()
	})
	add(detect.Hive, "value", func(b []byte) []byte {
		w := perftest.NewHive(4 * len(b))
		v := []uint32{w.Value([]byte("Library"), 1, b), w.Value([]byte("First Counter"), 4, []byte{0, 8, 0, 0})}
		set := w.Key("ControlSet001", []uint32{w.Key("Services", []uint32{w.Key("S", []uint32{w.Key("Performance", nil, v)}, nil)}, nil)}, nil)
		root := w.Key("ROOT", []uint32{set}, nil)
		w.B[root+4+2] |= 4
		return w.Bytes(root)
	})
	return all
}

// hostileTexts are no texts in most encodings: bytes that only go on, that only
// begin, longer forms than need be, lone surrogates, marks of byte order, NULs.
// They end around where something is cut or read in parts.
func hostileTexts() (all [][]byte) {
	units := []string{"\x80", "\xe3\x81", "\xc0\x80", "\xff", "x\x81", "\x00\xd8", "\x3d\xd8\x00\xde", "\xef\xbb\xbf", "\xff\xfe", "x\x00\x00\x00", "\x1b$B!", "\xe4\xb8\x80"}
	for _, n := range []int{1024, 2048, 4096, 16 << 10, 32 << 10, 64 << 10} {
		for _, more := range []int{-3, -1, 0, 1, 2, 4} {
			for _, unit := range units {
				all = append(all, bytes.Repeat([]byte(unit), n+4)[:n+more])
			}
		}
	}
	return all
}

// found are the verbs that end with 1 for what they found.
var found = []string{"check", "diff", "doctor", "lodctr", "unlodctr"}

// TestHostileTexts runs the rows of the matrix on inputs that have other bytes
// where texts belong: all of them with PERFDUMP_LONG=1, else each input with
// a fifth of the rows and a text each.
func TestHostileTexts(t *testing.T) {
	m, root := readMatrix(t), repo(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("plain", []byte("REGEDIT4\n"), 0o600))
	texts, next := hostileTexts(), 0
	for k, c := range carriers() {
		t.Run(string(c.format)+"/"+c.name, func(t *testing.T) {
			var rows []row
			for _, r := range m.rows {
				if !strings.Contains("- 3", r.cells[c.format]) && !strings.Contains(r.line, "CUT") && r.verb() != "encode" {
					rows = append(rows, r)
				}
			}
			for i := range max(len(texts), len(rows)) {
				if os.Getenv("PERFDUMP_LONG") == "" && (i >= len(rows) || (i+k)%5 != 0) {
					continue
				}
				text := texts[next%len(texts)]
				next += 7 // which leads through all of them
				require.NoError(t, os.WriteFile("input", c.make(text), 0o600))
				r := rows[i%len(rows)]
				line := strings.NewReplacer("FILE", "input", "OTHER", "input",
					"sys.bin", root+"/testdata/captures/sys-238-x86_64-1.bin",
					"app.ini", root+"/testdata/registration/sound/app.ini").Replace(r.line)
				if !strings.Contains(line, "--titles") && !strings.Contains(line, "--reg") {
					line += " --format " + string(c.format)
				}
				answers(t, r, line, c.format, fmt.Sprintf("%d bytes of %x", len(text), text[:min(4, len(text))]))
			}
			comesBack(t, m, c, texts[next%len(texts)])
		})
	}
}

// answers runs a line and holds what comes of it against what is documented.
func answers(t *testing.T, r row, line string, format detect.Format, about string) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s, %s: panic: %v", line, about, p)
		}
	}()
	code, out, stderr := runWith(t, nil, strings.Fields(line)...)
	switch {
	case r.cells[format] == "no" && (r.verb() == "lodctr" || !strings.Contains(line, "--format")): // not all is known for what it is
		assert.Contains(t, []int{cmdutil.ExitInput, cmdutil.ExitUsage}, code, "%s, %s", line, about)
	case r.cells[format] == "no":
		assert.Equal(t, cmdutil.ExitUsage, code, "%s, %s", line, about)
	case strings.HasPrefix(r.output(), "pdh-") && code == cmdutil.ExitUsage: // one moment makes no rates
		assert.Contains(t, stderr, "-o "+r.output(), "%s, %s", line, about)
	case slices.Contains(found, r.verb()):
		assert.LessOrEqual(t, code, cmdutil.ExitInput, "%s, %s", line, about)
	case code == cmdutil.ExitFindings:
		assert.Contains(t, stderr, "nothing matches", "%s, %s", line, about)
		assert.Empty(t, out, "%s, %s", line, about)
		return
	default:
		assert.Contains(t, []int{cmdutil.ExitOK, cmdutil.ExitInput}, code, "%s, %s", line, about)
	}
	if code >= cmdutil.ExitInput {
		assert.NotEmpty(t, stderr, "%s, %s", line, about)
	}
	assert.True(t, utf8.ValidString(stderr), "%s, %s: an error that is no UTF-8", line, about)
	switch r.output() {
	case "json", "jsonl":
		for d := json.NewDecoder(strings.NewReader(out)); ; {
			var v any
			err := d.Decode(&v)
			if errors.Is(err, io.EOF) || !assert.NoError(t, err, "%s, %s", line, about) {
				break
			}
		}
	case "parquet", "multisz", "dat", "reg", "perfstrings":
		return
	}
	assert.True(t, utf8.ValidString(out), "%s, %s: what is no UTF-8", line, about)
}

// comesBack wants a document to encode to the bytes that it is of.
func comesBack(t *testing.T, m *matrix, c carrier, text []byte) {
	t.Helper()
	for _, r := range m.rows {
		if r.line != "encode DOCUMENT" || r.cells[c.format] != "+" || c.format == detect.Carve {
			continue
		}
		input := c.make(text)
		require.NoError(t, os.WriteFile("input", input, 0o600))
		code, out, _ := runWith(t, nil, "dump", "-o", "json", "--format", string(c.format), "input")
		if code != cmdutil.ExitOK {
			continue
		}
		require.NoError(t, os.WriteFile("document", []byte(out), 0o600))
		code, out, stderr := runWith(t, nil, "encode", "document")
		assert.Zero(t, code, stderr)
		assert.True(t, out == string(input), "%d bytes of %x do not come back", len(text), text[:4])
	}
}
