package bounds_test

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// fill returns head and as many units as make n bytes.
func fill(head, unit string) func(n int) []byte {
	return func(n int) []byte { return []byte(head + strings.Repeat(unit, max(1, (n-len(head))/len(unit)))) }
}

// distinct returns head and lines with a number in each.
func distinct(head, form string) func(n int) []byte {
	return func(n int) []byte {
		b := append(make([]byte, 0, n+len(form)+16), head...)
		args := strings.Count(form, "%") - 2*strings.Count(form, "%%")
		for i := 0; len(b) < n; i++ {
			list := make([]any, args)
			for j := range list {
				list[j] = i
			}
			b = fmt.Appendf(b, form, list...)
		}
		return b
	}
}

// descending is distinct with numbers that fall.
func descending(head, form string) func(n int) []byte {
	return func(n int) []byte {
		b := append(make([]byte, 0, n+64), head...)
		for i := n / 4; len(b) < n; i-- {
			b = fmt.Appendf(b, form, i)
		}
		return b
	}
}

func then(a, b func(n int) []byte) func(n int) []byte {
	return func(n int) []byte { return append(a(n/2), b(n/2)...) }
}

func wide(f func(n int) []byte) func(n int) []byte {
	return func(n int) []byte { return wire.EncodeUTF16([]byte("\xFF\xFE"), string(f(n/2))) }
}

func multisz(f func(n int) []byte) func(n int) []byte {
	return func(n int) []byte {
		return wire.EncodeUTF16(nil, strings.ReplaceAll(string(f(n/2)), "|", "\x00")+"\x00")
	}
}

func worstTexts() (all []worst) {
	add := func(name string, f func(n int) []byte) { all = append(all, worst{name: name, make: f}) }

	const info = "[info]\ndrivername=App\nsymbolfile=app.h\n"
	add("inifile/lines", fill(info, "\n"))
	add("inifile/sections", fill(info, "[a]\n"))
	add("inifile/sections of names", distinct(info, "[s%x]\n"))
	add("inifile/keys", distinct(info+"[text]\n", "A%x_009_NAME=\n"))
	add("inifile/pairs", distinct(info+"[languages]\n009=x\n[objects]\nO_009_NAME=\n[text]\n", "A%x_009_NAME=x\nA%x_009_HELP=y\n"))
	add("inifile/objects", distinct(info+"[languages]\n009=x\n[objects]\n", "A%x_009_NAME=\n"))
	add("inifile/one key", fill(info+"[text]\n", "A_009_NAME=\n"))
	add("inifile/languages", distinct(info+"[text]\n", "A_%x_NAME=\n"))
	add("inifile/declared languages", distinct(info+"[languages]\n", "%x=x\n"))
	add("inifile/oddities", fill(info+"[text]\n", "x\n"))
	add("inifile/drivers", fill("", "[info]\ndrivername=App\n"))
	add("inifile/long key", fill(info+"[text]\nA", "_009_NAME"))
	add("inifile/long value", fill(info+"[text]\nA_009_NAME=", "\xe9"))
	add("inifile/wide", wide(distinct(info+"[text]\n", "A%x_009_NAME=\n")))

	add("symbolh/defines", distinct("", "#define A%x 0\n"))
	add("symbolh/even", distinct("", "#define A%x %d0\n"))
	add("symbolh/one name", fill("", "#define A 0\n"))
	add("symbolh/chain", distinct("#define A0 0\n", "#define A%d A%d\n"))
	add("symbolh/chain of sums", func(n int) []byte {
		b := []byte("#define A0 0\n")
		for i := 1; len(b) < n; i++ {
			b = fmt.Appendf(b, "#define A%d (A%d+2)\n", i, i-1)
		}
		return b
	})
	add("symbolh/comments", fill("#define A 0\n", "/**/"))
	add("symbolh/open comment", fill("#define A 0\n/*", "/*\n"))
	add("symbolh/continued", fill("#define A 0\n#define B ", "\\\n"))
	add("symbolh/lines", fill("#define A 0\n#define B 2\n", "\n"))
	add("symbolh/parentheses", fill("#define A 0\n#define B ", "("))

	const reg = "REGEDIT4\n"
	const services = `[HKEY_LOCAL_MACHINE\SYSTEM\ControlSet001\Services\`
	add("reg/keys", distinct(reg, services+"%x]\n"))
	add("reg/services", distinct(reg, services+"%x\\Performance]\n\"First Counter\"=dword:7d0\n\"Last Counter\"=dword:7d2\n"))
	add("reg/one service", fill(reg, services+"A\\Performance]\n\"First Counter\"=dword:7d0\n"))
	add("reg/values", distinct(reg+services+"A\\Performance]\n", "\"%x\"=\"\"\n"))
	add("reg/one value", fill(reg+services+"A\\Performance]\n", "@=\"\"\n"))
	add("reg/blank", fill(reg, "\n"))
	add("reg/rubbish", fill(reg, "x\n"))
	add("reg/hex", fill(reg+services+"A\\Performance]\n\"a\"=hex:", "0,"))
	add("reg/hex lines", fill(reg+services+"A\\Performance]\n\"a\"=hex:\\\n", "0,\\\n"))
	add("reg/text", fill(reg+services+"A\\Performance]\n\"Object List\"=\"", "2 "))
	const perflib = `[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\009]` + "\n"
	add("reg/table", fill(reg+perflib+"\"Counter\"=hex(7):", "31,00,00,00,41,00,00,00,"))
	add("reg/table one name", fill(reg+perflib+"\"Counter\"=hex(7):", "31,00,41,00,"))
	add("reg/languages", distinct(reg, `[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\%x]`+"\n\"Counter\"=hex(7):31,00,41,00,00\n"))
	add("reg/deletes", then(distinct(reg, services+"%x]\n"), descending("", "[-"+services[1:]+"%x]\n")))
	add("reg/deep", fill(reg+services+"A", `\a`))

	add("perfstrings/entries", distinct("[PerfStrings_009]\r\n", "%d=\r\n"))
	add("perfstrings/down", descending("[PerfStrings_009]\r\n", "%d=x\r\n"))
	add("perfstrings/repeats", fill("[PerfStrings_009]\r\n", "1=\r\n"))
	add("perfstrings/languages", distinct("[Perflib]\r\nBase Index=1847\r\n", "[PerfStrings_%03x]\r\n2=A\r\n3=B\r\n"))
	add("perfstrings/providers", distinct("[Perflib]\r\nBase Index=1847\r\n", "[PERF_%x]\r\nFirst Counter=2\r\nLast Counter=2\r\n"))
	add("perfstrings/one provider", fill("[Perflib]\r\nBase Index=1847\r\n", "[PERF_x]\r\n"))
	add("perfstrings/lines", fill("[Perflib]\r\nBase Index=1847\r\n", "\r\n"))
	add("perfstrings/oddities", fill("[Perflib]\r\nBase Index=1847\r\n[PerfStrings_009]\r\n", "x=\n"))
	add("perfstrings/long", fill("[PerfStrings_009]\r\n1=", "\xe9"))

	add("titles/pairs", multisz(distinct("1|1847|", "%d|x|")))
	add("titles/down", multisz(descending("1|1847|", "%d|x|")))
	add("titles/one index", multisz(fill("1|1847|2|System|", "2|System|")))
	add("titles/one name", multisz(distinct("1|1847|", "%d|System|")))
	add("titles/empty names", multisz(distinct("1|1847|2|System|", "%d||")))
	add("titles/empty", multisz(fill("1|1847|2|System|", "|")))
	add("titles/bad indexes", multisz(fill("1|1847|2|System|", "x|y|")))
	add("titles/long", multisz(fill("1|1847|2|System|4|", "\u4e00")))
	add("titles/list", distinct("", "%d : x\n"))
	add("titles/list one index", fill("2 : System\n", "2 : System\n"))
	add("titles/far", multisz(descending("1|1847|2|System|", "429%07d|x|")))

	const events = `<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><counters>`
	const set = events + `<provider applicationIdentity="a" providerGuid="{ffddaaee-965a-4cf9-9c07-fe25378c2a24}">`
	add("manifest/providers", distinct(events, `<provider symbol="s%x"/>`))
	add("manifest/sets", distinct(set, `<counterSet name="s%x"/>`))
	add("manifest/counters", distinct(set+`<counterSet name="s">`, `<counter name="c%x" id="%d"/>`))
	add("manifest/equal counters", fill(set+`<counterSet name="s">`, `<counter id="1"/>`))
	add("manifest/attributes", distinct(set+`<counterSet name="s">`+`<counter `, `a%x="" `))
	add("manifest/counter attributes", fill(set+`<counterSet name="s"><counter><counterAttributes>`, `<counterAttribute name="x"/>`))
	add("manifest/deep", fill(set, `<a>`))
	add("manifest/text", fill(set, `x`))
	add("manifest/entities", fill(set+"<provider symbol=\"", `&amp;`))
	add("manifest/comments", fill(set, `<!---->`))
	add("manifest/strings", distinct(set+"</provider></counters></instrumentation><localization><resources><stringTable>", `<string id="s%x" value="x"/>`))
	add("manifest/references", then(distinct(set+`<counterSet name="s">`, `<counter id="%d" nameID="$(string.s%x)"/>`), distinct("</counterSet></provider></counters></instrumentation><localization><resources><stringTable>", `<string id="s%x" value="x"/>`)))
	return all
}
