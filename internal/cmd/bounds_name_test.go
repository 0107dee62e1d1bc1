package cmd_test

import (
	"fmt"
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
)

// huge is an input with one text that is nearly all of it.
type huge struct {
	format detect.Format
	name   string
	make   func(n int) []byte
}

// inOrder yields pairs.
func inOrder(words ...string) iter.Seq2[string, string] {
	return func(yield func(a, b string) bool) {
		for i := 0; i < len(words) && yield(words[i], words[i+1]); i += 2 {
		}
	}
}

// hugeNames are inputs of about n bytes, nearly all of them one name, value or
// text, and some with a few such names.
func hugeNames() (all []huge) {
	block := func(name string, f func(n int) perftest.Block) {
		all = append(all, huge{detect.PerfData, name, func(n int) []byte { b := f(n); return b.Bytes() }})
	}
	units := func(unit string, n int) []byte { return append(slices.Repeat([]byte(unit), n/len(unit)), 0, 0) }
	number := []perftest.Counter{{Title: 4, Type: 0x00010000}}
	named := func(name []byte) perftest.Object {
		return perftest.Object{Title: 2, Counters: number, Instances: []perftest.Instance{{RawName: name}}}
	}
	for name, unit := range inOrder("ASCII", "x\x00", "CJK", "\x00\x4e", "e", "\xe9\x00", "quotes", "\"\x00", "controls", "\x01\x00", "ampersands", "&\x00", "surrogates", "\x00\xd8", "blanks", "a\x00 \x00", "backslashes", "\\\x00") {
		block("instance, "+name, func(n int) perftest.Block {
			return perftest.Block{Objects: []perftest.Object{named(units(unit, n))}}
		})
	}
	for _, page := range []uint32{1252, 932, 54936, 65001} {
		block(fmt.Sprint("instance, page ", page), func(n int) perftest.Block {
			o := named(append([]byte("x"), units("\xb1", n)...))
			o.CodePage = page
			return perftest.Block{Objects: []perftest.Object{o}}
		})
	}
	block("parent", func(n int) perftest.Block {
		child := perftest.Object{Title: 6, Counters: number, Instances: []perftest.Instance{{Name: "a", ParentTitle: 2}, {RawName: units("x\x00", n/2), ParentTitle: 2}}}
		return perftest.Block{Objects: []perftest.Object{named(units("x\x00", n/2)), child}}
	})
	block("instance of many counters", func(n int) perftest.Block {
		o := named(units("\x00\x4e", n))
		for i := range 15 {
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(6 + 2*i), Type: 0x00010000})
		}
		return perftest.Block{Objects: []perftest.Object{o}}
	})
	block("four instances", func(n int) perftest.Block {
		o := named(units("\x00\x4e", n/4))
		for i := range 3 {
			o.Instances = append(o.Instances, perftest.Instance{RawName: units(string([]byte{byte(i + 1), 0x4e}), n/4)})
		}
		return perftest.Block{Objects: []perftest.Object{o}}
	})
	for _, long := range []int{1000, 60000, 1000000} {
		block(fmt.Sprint("instances of ", long), func(n int) perftest.Block {
			o := named(nil)
			o.Instances = nil
			for i := range n / (long + 40) {
				o.Instances = append(o.Instances, perftest.Instance{RawName: append(wire.EncodeUTF16(nil, fmt.Sprint(i)), units("\x00\x4e", long)...)})
			}
			return perftest.Block{Objects: []perftest.Object{o}}
		})
	}
	block("host", func(n int) perftest.Block {
		o := named([]byte("a\x00\x00\x00"))
		return perftest.Block{Name: strings.Repeat("\u4e00", n/2), Objects: []perftest.Object{o}}
	})
	block("value, UTF-16", func(n int) perftest.Block {
		o := named([]byte("a\x00\x00\x00"))
		o.Counters = []perftest.Counter{{Title: 4, Type: 0x00000B00, Size: n}}
		o.Instances[0].Raw = map[int][]byte{0: units("\x00\x4e", n-2)}
		return perftest.Block{Objects: []perftest.Object{o}}
	})
	block("value, bytes", func(n int) perftest.Block {
		o := named([]byte("a\x00\x00\x00"))
		o.Counters = []perftest.Counter{{Title: 4, Type: 0x00010000, Size: n}}
		o.Instances[0].Raw = map[int][]byte{0: slices.Repeat([]byte{1, 2, 3, 4}, n/4)}
		return perftest.Block{Objects: []perftest.Object{o}}
	})
	block("value, ANSI", func(n int) perftest.Block {
		o := named([]byte("a\x00\x00\x00"))
		o.CodePage = 932
		o.Counters = []perftest.Counter{{Title: 4, Type: 0x00010B00, Size: n}}
		o.Instances[0].Raw = map[int][]byte{0: units("\xb1", n-2)}
		return perftest.Block{Objects: []perftest.Object{o}}
	})
	all = append(all, huge{detect.PerfData, "instance in two blocks", func(n int) []byte {
		var b []byte
		for i := range 2 {
			o := named(units("\x00\x4e", n/2))
			o.Counters = []perftest.Counter{{Title: 4, Type: 0x10410400}}
			block := perftest.Block{PerfTime: int64(i+1) * 1e7, PerfTime100nSec: perftest.DefaultTime + int64(i)*1e7, Objects: []perftest.Object{o}}
			b = append(b, block.Bytes()...)
		}
		return b
	}}, huge{detect.Carve, "instance", func(n int) []byte {
		b := perftest.Block{Objects: []perftest.Object{named(units("\x00\x4e", n))}}
		return append(make([]byte, 4096), b.Bytes()...)
	}})

	text := func(format detect.Format, name string, f func(s string) string) {
		for what, unit := range inOrder("ASCII", "x", "e", "\u00e9", "Latin-1", "\xe9") {
			all = append(all, huge{format, name + ", " + what, func(n int) []byte { return []byte(f(strings.Repeat(unit, n/len(unit)))) }})
		}
	}
	textWide := func(format detect.Format, name string, f func(s string) string) {
		text(format, name, f)
		all = append(all, huge{format, name + ", UTF-16", func(n int) []byte {
			return wire.EncodeUTF16([]byte("\xFF\xFE"), f(strings.Repeat("\u4e00", n/2)))
		}})
	}
	const stamp = `"11/26/2016 13:46:30.874"`
	const zone = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)"`
	csv := func(path, value string) string {
		return zone + `,"` + path + `"` + "\r\n" + stamp + `,"` + value + `"` + "\r\n" + `"11/26/2016 13:46:31.874","2"` + "\r\n"
	}
	text(detect.PDHCSV, "instance", func(s string) string { return csv(`\\h\P(`+s+`)\C`, "1") })
	text(detect.PDHCSV, "counter", func(s string) string { return csv(`\\h\P(a)\`+s, "1") })
	text(detect.PDHCSV, "object", func(s string) string { return csv(`\\h\`+s+`\C`, "1") })
	text(detect.PDHCSV, "host", func(s string) string { return csv(`\\`+s+`\P\C`, "1") })
	text(detect.PDHCSV, "path", func(s string) string { return csv(s, "1") })
	text(detect.PDHCSV, "value", func(s string) string { return csv(`\\h\P\C`, s) })
	text(detect.PDHCSV, "zone", func(s string) string { return strings.Replace(csv(`\\h\P\C`, "1"), "Pacific", s, 1) })
	text(detect.Checkmk, "instance", func(s string) string {
		return "<<<winperf_x>>>\n1584558341.12 238 10000000\n1 instances: " + s + "\n2 1 rawcount\n"
	})
	text(detect.Checkmk, "section", func(s string) string {
		return "<<<winperf_" + s + ">>>\n1584558341.12 238 10000000\n2 1 rawcount\n"
	})
	text(detect.Checkmk, "type", func(s string) string {
		return "<<<winperf_x>>>\n1584558341.12 238 10000000\n2 1 " + s + "\n"
	})
	const info = "[info]\ndrivername=App\nsymbolfile=app.h\n[languages]\n009=English\n"
	textWide(detect.INIFile, "section", func(s string) string { return info + "[" + s + "]\n" })
	textWide(detect.INIFile, "key", func(s string) string { return info + "[text]\nA" + s + "_009_NAME=x\n" })
	textWide(detect.INIFile, "value", func(s string) string { return info + "[text]\nA_009_NAME=" + s + "\n" })
	textWide(detect.INIFile, "driver", func(s string) string { return "[info]\ndrivername=" + s + "\nsymbolfile=app.h\n" })
	text(detect.SymbolH, "symbol", func(s string) string { return "#define A" + s + " 0\n#define B 2\n" })
	text(detect.SymbolH, "value", func(s string) string { return "#define A 0\n#define B " + s + "\n" })
	const services = `[HKEY_LOCAL_MACHINE\SYSTEM\ControlSet001\Services\`
	textWide(detect.Reg, "key", func(s string) string {
		return "REGEDIT4\n" + services + s + "\\Performance]\n\"First Counter\"=dword:7d0\n"
	})
	textWide(detect.Reg, "name", func(s string) string { return "REGEDIT4\n" + services + "A\\Performance]\n\"" + s + "\"=\"\"\n" })
	textWide(detect.Reg, "value", func(s string) string {
		return "REGEDIT4\n" + services + "A\\Performance]\n\"Library\"=\"" + s + "\"\n\"First Counter\"=dword:7d0\n"
	})
	all = append(all, huge{detect.Reg, "hex", func(n int) []byte {
		return []byte("REGEDIT4\n" + services + "A\\Performance]\n\"Library\"=hex(2):" + strings.Repeat("41,00,\\\n", n/8) + "00,00\n")
	}})
	const perflib = `[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\009]` + "\n"
	all = append(all, huge{detect.Reg, "title", func(n int) []byte {
		return []byte("REGEDIT4\n" + perflib + "\"Counter\"=hex(7):32,00,00,00," + strings.Repeat("00,4e,\\\n", min(n/8, 500<<10)) + "00,00,00,00\n")
	}})
	textWide(detect.PerfStrings, "string", func(s string) string { return "[Perflib]\r\nBase Index=1847\r\n[PerfStrings_009]\r\n2=" + s + "\r\n" })
	all = append(all, huge{detect.Titles, "name", func(n int) []byte {
		return wire.EncodeUTF16(nil, "1\x001847\x002\x00System\x004\x00"+strings.Repeat("\u4e00", min(n/2, 500<<10))+"\x00\x00")
	}}, huge{detect.Titles, "names", func(n int) []byte {
		var b strings.Builder
		b.WriteString("1\x001847\x00")
		for i := range n >> 20 {
			fmt.Fprintf(&b, "%d\x00%s\x00", 2+2*i, strings.Repeat("\u4e00", 500<<10))
		}
		return wire.EncodeUTF16(nil, b.String()+"\x00")
	}})
	for what, unit := range inOrder("ASCII", "x", "CJK", "\u4e00") {
		log := func(name string, f func(w *blg.Writer, s string)) {
			all = append(all, huge{detect.BLG, name + ", " + what, func(n int) []byte {
				w := blg.NewWriter(blg.WriterOptions{})
				f(w, strings.Repeat(unit, n/2))
				b, err := w.Bytes()
				if err != nil {
					panic(name + ": " + err.Error())
				}
				return b
			}})
		}
		const noon, second = 132366960000000000, 10_000_000
		item := func(p pdhpath.Path) blg.NewItem { return blg.NewItem{Path: p, Type: 0x10000} }
		values := func(w *blg.Writer) {
			for i := range 3 {
				at := noon + int64(i)*second
				w.Sample(at, blg.NewSeries{Kind: blg.Single, Local: at, Values: []blg.NewValue{{Multi: 1, First: uint64(i)}}})
			}
		}
		log("counter", func(w *blg.Writer, s string) {
			w.Items(noon, item(pdhpath.Path{Machine: "ONE", Object: "O", Counter: s}))
			values(w)
		})
		log("object", func(w *blg.Writer, s string) {
			w.Items(noon, item(pdhpath.Path{Machine: "ONE", Object: s, Counter: "c"}))
			values(w)
		})
		log("machine", func(w *blg.Writer, s string) {
			w.Items(noon, item(pdhpath.Path{Machine: s, Object: "O", Counter: "c"}))
			values(w)
		})
		log("item's instance", func(w *blg.Writer, s string) {
			w.Items(noon, item(pdhpath.Path{Machine: "ONE", Object: "O", Instance: s, HasInstance: true, Counter: "c"}))
			values(w)
		})
		log("instance", func(w *blg.Writer, s string) {
			w.Items(noon, item(pdhpath.Path{Machine: "ONE", Object: "O", Instance: "*", HasInstance: true, Counter: "c"}))
			for i := range 2 {
				at := noon + int64(i)*second
				w.Sample(at, blg.NewSeries{Kind: blg.Instances, Local: at, Values: []blg.NewValue{{Name: s[:len(s)/2/len(unit)*len(unit)], First: 1}}})
			}
		})
		log("title", func(w *blg.Writer, s string) {
			w.Items(noon, item(pdhpath.Path{Machine: "ONE", Object: "O", Counter: "c"}))
			w.Titles(noon, `\\ONE`, "2", s)
			values(w)
		})
		log("whole object", func(w *blg.Writer, s string) {
			w.Items(noon, blg.NewItem{Path: pdhpath.Path{Machine: "ONE", Object: "P", Counter: "*"}, Type: 0x10})
			b := perftest.Block{Objects: []perftest.Object{named(append(perftest.UTF16(s), 0, 0))}}
			w.Sample(noon, blg.NewSeries{Kind: blg.Object, Local: noon, Body: b.Bytes()[perftest.HeaderSize:]})
		})
	}
	add := func(name string, f func(n int) []byte) { all = append(all, huge{detect.Manifest, name, f}) }
	add("name", func(n int) []byte {
		return []byte(`<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><counters>` +
			`<provider applicationIdentity="a" providerGuid="{ffddaaee-965a-4cf9-9c07-fe25378c2a24}"><counterSet name="` + strings.Repeat("\u00e9", min(n, 2000000)/2) + `"/></provider></counters></instrumentation></instrumentationManifest>`)
	})
	all = append(all, huge{detect.Hive, "value", func(n int) []byte {
		w := &hive{perftest.NewHive(2 * n)}
		v := []uint32{w.value("Library", 1, slices.Repeat([]byte{0, 0x4e}, n/2)), w.value("First Counter", 4, []byte{0, 8, 0, 0})}
		set := w.key("ControlSet001", []uint32{w.key("Services", []uint32{w.key("S", []uint32{w.key("Performance", nil, v)}, nil)}, nil)}, nil)
		root := w.key("ROOT", []uint32{set}, nil)
		w.B[root+4+2] |= 4
		return w.Bytes(root)
	}})
	return all
}

// quick are those that run in every test.
var quick = []string{"perfdata/instance, CJK", "perfdata/instance, page 932", "perfdata/instance of many counters", "pdh-csv/instance, Latin-1", "blg/object, ASCII"}

// TestHugeNamesStayWithinMemory runs each row of the matrix on inputs that are
// one text of 8 MB with PERFDUMP_LONG=1; else a third of the rows on some of them.
func TestHugeNamesStayWithinMemory(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	long := os.Getenv("PERFDUMP_LONG") != ""
	m, root := readMatrix(t), repo(t)
	t.Chdir(t.TempDir())
	found := 0
	for i, h := range hugeNames() {
		name := string(h.format) + "/" + h.name
		if slices.Contains(quick, name) {
			found++
		} else if !long {
			continue
		}
		t.Run(name, func(t *testing.T) {
			input := h.make(8 << 20)
			require.NoError(t, os.WriteFile("input", input, 0o600))
			other := slices.Clone(input)
			other[len(other)/2] ^= 1
			require.NoError(t, os.WriteFile("other", other, 0o600))
			runDiscarding(t, "dump -o json -w document input --format "+string(h.format))
			document, _ := os.ReadFile("document") // some have none
			_ = os.Remove("document")
			if document != nil {
				require.NoError(t, os.WriteFile("document", document, 0o600))
			}
			for j, r := range m.rows {
				if strings.Contains("no - 3", r.cells[h.format]) || strings.Contains(r.line, "CUT") || !long && (i+j)%3 != 0 {
					continue
				}
				of := input
				if r.verb() == "encode" {
					if of = document; of == nil {
						continue
					}
				}
				line := strings.NewReplacer("FILE", "input", "OTHER", "other", "DOCUMENT", "document",
					"sys.bin", root+"/testdata/captures/sys-238-x86_64-1.bin",
					"app.ini", root+"/testdata/registration/sound/app.ini").Replace(r.line)
				if h.format == detect.Carve && !strings.Contains(line, "--") && r.verb() != "encode" {
					line += " --format carve"
				}
				bounded(t, line, of)
			}
		})
	}
	require.Equal(t, len(quick), found, "a name that is no input")
}
