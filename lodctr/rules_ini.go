package lodctr

import (
	"strings"
	"unicode/utf16"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/symbolh"
)

// iniRules look at an .ini file as a file.
var iniRules = []rule{
	{Rule{"E01", Error, "the .ini has no [info], no drivername or no symbolfile", "add it; lodctr needs all three"}, checkInfo},
	{Rule{"E02", Error, "the symbol file is not there; case does not count, and of a path the last part does", "put the .h beside the .ini"}, checkSymbolFile},
	{Rule{"E08", Error, "a key of [text] comes twice", "remove one; which one wins is not defined"}, checkDuplicates},
	{Rule{"E10", Error, "a line of a section has no =", "repair the line; it is ignored"}, checkLines},
	{Rule{"W09", Warning, "a text has a TAB or another control character, blanks at its end, or quotes around it", "remove them; blanks are trimmed, quotes are shown"}, checkCharacters},
	{Rule{"W10", Warning, "the .ini has characters outside ASCII and is not UTF-16LE with a byte order mark", "save it as UTF-16LE with a byte order mark"}, checkEncoding},
	{Rule{"W11", Warning, "the .ini is UTF-8, which lodctr takes for ANSI", "save it as UTF-16LE with a byte order mark"}, checkUTF8},
	{Rule{"W12", Warning, "the .ini or its .h has a Ctrl-Z or a NUL", "remove it"}, checkControl},
	{Rule{"W15", Warning, `drivername is longer than 80 characters, or has " or \`, "rename the driver"}, checkDriverName},
	{Rule{"N01", Note, "the symbol file is spelled in another case", "none needed: Windows does not look at the case"}, checkSymbolCase},
	{Rule{"N03", Note, "a text is longer than 1023 UTF-16 units", "shorten it"}, checkLength},
}

func checkInfo(x *exam) {
	for _, p := range x.pairs {
		at := p.section("info")
		switch {
		case at == 0:
			x.report(p.name, 0, "[info]", "there is no section [info]; it names the driver and the symbol file")
		default:
			if p.ini.DriverName() == "" {
				x.report(p.name, p.line("info", "drivername"), "drivername", "[info] names no driver: drivername=NAME of the service key is expected")
			}
			if p.ini.SymbolFile() == "" {
				x.report(p.name, p.line("info", "symbolfile"), "symbolfile", "[info] names no symbol file: symbolfile=NAME.h is expected")
			}
		}
	}
}

func checkSymbolFile(x *exam) {
	for _, p := range x.pairs {
		if want := symbolName(p.ini); want != "" && p.h == nil {
			x.report(p.name, p.line("info", "symbolfile"), want, "the symbol file %s is not among the files", want)
		}
	}
}

func checkSymbolCase(x *exam) {
	for _, p := range x.pairs {
		if want := symbolName(p.ini); p.h != nil && want != baseName(p.h.name) {
			x.report(p.name, p.line("info", "symbolfile"), want, "the symbol file %s is spelled %s", want, baseName(p.h.name))
		}
	}
}

func checkDuplicates(x *exam) {
	for _, p := range x.pairs {
		for l := range p.ini.Keys("text") {
			if first, ok := p.ini.Get("text", l.Key()); ok && first.Number != l.Number {
				x.report(p.name, l.Number, l.Key(), "the key %s stands in line %d already", l.Key(), first.Number)
			}
		}
	}
}

func checkLines(x *exam) {
	for _, p := range x.pairs {
		for l := range p.ini.Lines() {
			if l.Kind == inifile.Other && l.Section != "" {
				x.report(p.name, l.Number, "", "%q in [%s] has no =; key=value is expected", clip(l.Text()), l.Section)
			}
		}
	}
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

func checkCharacters(x *exam) {
	for _, p := range x.pairs {
		for l := range p.ini.Keys("text") {
			value, raw := l.Value(), l.RawValue()
			switch {
			case strings.ContainsFunc(value, isControl):
				x.report(p.name, l.Number, l.Key(), "a TAB or another control character in the text")
			case value != "" && strings.TrimRight(raw, " \t") != raw:
				x.report(p.name, l.Number, l.Key(), "blanks behind the text")
			case len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"':
				x.report(p.name, l.Number, l.Key(), "quotes around the text")
			}
		}
	}
}

// isControl leaves out NUL and Ctrl-Z, which W12 tells of.
func isControl(r rune) bool { return r < ' ' && r != 0 && r != 0x1A || r >= 0x7F && r < 0xA0 }

func checkEncoding(x *exam) {
	for _, p := range x.pairs {
		switch e := p.ini.Encoding(); {
		case p.ini.ASCII() || e == "utf-16le-bom" || isUTF8(e):
		case e == "utf-16le":
			x.report(p.name, 1, "", "UTF-16LE without a byte order mark is read as bytes in a code page")
		default:
			x.report(p.name, 0, "", "text outside ASCII in 8 bits: what it means depends on the code page of the machine that loads it")
		}
	}
}

func isUTF8(encoding string) bool { return strings.HasPrefix(encoding, "utf-8") }

func checkUTF8(x *exam) {
	for _, p := range x.pairs {
		if e := p.ini.Encoding(); isUTF8(e) && !(p.ini.ASCII() && e == "utf-8") {
			x.report(p.name, 1, "", "the file is %s", strings.ToUpper(strings.TrimSuffix(e, "-bom")))
		}
	}
}

func checkControl(x *exam) {
	seen := map[*symbolFile]bool{}
	for _, p := range x.pairs {
		x.control(p.name, p.ini.Anomalies(), inifile.CodeCtrlZ, inifile.CodeNUL)
		if p.h != nil && !seen[p.h] {
			seen[p.h] = true
			x.control(p.h.name, p.h.f.Anomalies(), symbolh.CodeCtrlZ, symbolh.CodeNUL)
		}
	}
}

func (x *exam) control(name string, all *perfdump.Anomalies, ctrlZ, nul perfdump.Code) {
	for _, a := range all.Kept() {
		if a.Code == ctrlZ {
			x.report(name, lineOf(a), "", "a Ctrl-Z, the end of a file of DOS")
		} else if a.Code == nul {
			x.report(name, lineOf(a), "", "a NUL")
		}
	}
}

// lineOf returns the line of an anomaly of a text file, whose paths count them
// from 0.
func lineOf(a perfdump.Anomaly) int {
	if i, ok := a.Path.Index(0); ok {
		return i + 1
	}
	return 0
}

func checkDriverName(x *exam) {
	for _, p := range x.pairs {
		name := p.ini.DriverName()
		switch n := units(name); {
		case n > 80:
			x.report(p.name, p.line("info", "drivername"), clip(name), "the name of the driver has %d characters, 80 are the most", n)
		case strings.ContainsAny(name, `"\`):
			x.report(p.name, p.line("info", "drivername"), clip(name), `the name of the driver has " or \, which the name of a key cannot have`)
		}
	}
}

// units returns the length of s in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

func checkLength(x *exam) {
	for _, p := range x.pairs {
		for l := range p.ini.Keys("text") {
			if n := units(l.Value()); n > 1023 {
				x.report(p.name, l.Number, l.Key(), "the text has %d UTF-16 units; editors cut at 1024", n)
			}
		}
	}
}
