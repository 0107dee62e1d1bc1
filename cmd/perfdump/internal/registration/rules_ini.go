package registration

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
)

// english is the language that tools fall back to.
const english = "009"

func checkInfo(x *exam, p *pair) {
	if p.section("info") == 0 {
		x.report(p.name, 0, "[info]", "there is no section [info]; it names the driver and the symbol file")
		return
	}
	if p.ini.DriverName() == "" {
		x.report(p.name, p.infoLine("drivername"), "drivername", "[info] names no driver: drivername=NAME of the service key is expected")
	}
	if p.ini.SymbolFile() == "" {
		x.report(p.name, p.infoLine("symbolfile"), "symbolfile", "[info] names no symbol file: symbolfile=NAME.h is expected")
	}
}

func checkSymbolFile(x *exam, p *pair) {
	if want := symbolName(p.ini); want != "" && p.h == nil {
		x.report(p.name, p.infoLine("symbolfile"), want, "the symbol file %s is not among the files", want)
	}
}

func checkSymbolCase(x *exam, p *pair) {
	if want := symbolName(p.ini); p.h != nil && want != baseName(p.h.name) {
		x.report(p.name, p.infoLine("symbolfile"), want, "the symbol file %s is spelled %s", want, baseName(p.h.name))
	}
}

func checkDriverName(x *exam, p *pair) {
	name := p.ini.DriverName()
	if n := units(name); n > 80 {
		x.report(p.name, p.infoLine("drivername"), clip(name), "the name of the driver has %d characters; the limit is 80", n)
	} else if strings.ContainsAny(name, `"\`) {
		x.report(p.name, p.infoLine("drivername"), clip(name), `the name of the driver has " or \, which the name of a key cannot have`)
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

// clip shortens a text for a message.
func clip(s string) string {
	const limit = 60
	n := 0
	for i := range s {
		if n++; n > limit {
			return s[:i] + "…"
		}
	}
	return s
}

func checkLines(x *exam, p *pair) {
	for l := range p.ini.Lines() {
		if l.Kind == inifile.Other && l.Section != "" {
			x.report(p.name, l.Number, "", "%q in [%s] has no =; key=value is expected", clip(l.Text()), l.Section)
		}
	}
}

func checkDuplicates(x *exam, p *pair, l inifile.Line) {
	if first, ok := p.ini.Get("text", l.Key()); ok && first.Number != l.Number {
		x.report(p.name, l.Number, l.Key(), "the key %s is in line %d already", l.Key(), first.Number)
	}
}

func checkLength(x *exam, p *pair, l inifile.Line) {
	if n := units(l.Value()); n > 1023 {
		x.report(p.name, l.Number, l.Key(), "the text has %d UTF-16 units; editors cut at 1024", n)
	}
}

func checkCharacters(x *exam, p *pair, l inifile.Line) {
	value, line := l.Value(), l.Text()
	switch {
	case strings.ContainsFunc(value, isControl):
		x.report(p.name, l.Number, l.Key(), "a TAB or another control character in the text")
	case value != "" && strings.TrimRight(line, " \t") != line:
		x.report(p.name, l.Number, l.Key(), "blanks after the text")
	case len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"':
		x.report(p.name, l.Number, l.Key(), "quotes around the text")
	}
}

// isControl leaves out NUL and Ctrl-Z, which W12 reports.
func isControl(r rune) bool { return r < ' ' && r != 0 && r != 0x1A || r >= 0x7F && r < 0xA0 }

func checkEncoding(x *exam, p *pair) {
	switch e := p.ini.Encoding(); {
	case p.ini.ASCII() || e == "utf-16le-bom" || isUTF8(e):
	case e == "utf-16le":
		x.report(p.name, 1, "", "UTF-16LE without a byte order mark is read as bytes in a code page")
	default:
		x.report(p.name, 0, "", "text outside ASCII in 8 bits: what it means depends on the code page of the machine that loads it")
	}
}

func isUTF8(encoding string) bool { return strings.HasPrefix(encoding, "utf-8") }

func checkUTF8(x *exam, p *pair) {
	if e := p.ini.Encoding(); isUTF8(e) && !(p.ini.ASCII() && e == "utf-8") {
		x.report(p.name, 1, "", "the file is %s", strings.ToUpper(strings.TrimSuffix(e, "-bom")))
	}
}

func checkControl(x *exam) {
	seen := map[*symbolFile]bool{nil: true}
	for _, p := range x.pairs {
		x.control(p.name, p.ini.Anomalies())
		if !seen[p.h] {
			seen[p.h] = true
			x.control(p.h.name, p.h.Anomalies())
		}
	}
}

func (x *exam) control(name string, all *perfdump.Anomalies) {
	texts := map[perfdump.Code]string{"ctrl-z": "a Ctrl-Z, the end-of-file mark of DOS", "nul": "a NUL"}
	for _, a := range all.Kept() {
		if text := texts[a.Code]; text != "" {
			x.report(name, lineOf(a), "", "%s", text)
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

func checkLanguageIDs(x *exam, p *pair) {
	seen := map[string]bool{}
	for _, l := range p.listed {
		seen[fold(l.ID)] = true
		if !inifile.ValidLanguage(l.ID) {
			x.report(p.name, l.Line, l.ID, "%q in [languages] is no langid; three hex digits are expected", clip(l.ID))
		}
	}
	for t := range p.ini.Texts() {
		if id := fold(t.Language); !seen[id] && !inifile.ValidLanguage(id) {
			seen[id] = true
			x.report(p.name, t.Line, t.Language, "%q in a key of [text] is no langid; three hex digits are expected", clip(t.Language))
		}
	}
}

func checkSilent(x *exam, p *pair) {
	for _, l := range p.listed {
		if !p.speaks(l.ID) {
			x.report(p.name, l.Line, l.ID, "the language %s is listed and has no text", l.ID)
		}
	}
}

func checkUnlisted(x *exam, p *pair) {
	seen := map[string]bool{}
	for t := range p.ini.Texts() {
		if id := fold(t.Language); !seen[id] && !p.isListed[id] {
			seen[id] = true
			x.report(p.name, t.Line, t.Language, "there is text for %s, which [languages] does not list", t.Language)
		}
	}
}

func checkEnglish(x *exam, p *pair) {
	if !p.isListed[english] {
		x.report(p.name, p.section("languages"), english, "[languages] has no %s, which is English", english)
	}
}

func checkLooksEnglish(x *exam, p *pair) {
	letters, foreign, line := 0, 0, 0
	for t := range p.ini.Texts() {
		if t.Language != english {
			continue
		}
		for _, r := range t.Text {
			if unicode.IsLetter(r) {
				letters++
				if r > unicode.MaxASCII {
					foreign++
					line = cmp.Or(line, t.Line)
				}
			}
		}
	}
	if len(p.languages) > 0 && !p.speaks(english) {
		x.report(p.name, p.section("text"), english, "there is text for %s and none for %s", few(p.languages), english)
	} else if foreign*10 > letters {
		x.report(p.name, line, english, "%d of the %d letters under %s are outside ASCII; is it English?", foreign, letters, english)
	}
}

func checkSublanguage(x *exam, p *pair) {
	broad := map[string]string{"004": "Chinese is 404 or 804", "016": "Portuguese is 416 or 816"}
	for _, l := range p.listed {
		if text := broad[l.ID]; text != "" {
			x.report(p.name, l.Line, l.ID, "%s is no language of Windows: %s", l.ID, text)
		}
	}
}

func checkEmptyNames(x *exam, p *pair) {
	for t := range p.ini.Texts() {
		if t.Kind == inifile.Name && t.Text == "" {
			x.report(p.name, t.Line, t.Symbol, "the NAME of %s in %s is empty", t.Symbol, t.Language)
		}
	}
}

func checkHelp(x *exam, p *pair) {
	missing := map[*symbol][]string{}
	for t := range p.ini.Texts() {
		s := p.symbol(t.Symbol)
		if _, ok := p.text(s, t.Language, inifile.Help); t.Kind == inifile.Name && !ok {
			missing[s] = append(missing[s], t.Language)
		}
	}
	for _, s := range p.symbols {
		if in := missing[s]; len(in) > 0 {
			x.report(p.name, s.line, s.name, "%s has a NAME and no HELP for %s", s.name, few(in))
		}
	}
}
