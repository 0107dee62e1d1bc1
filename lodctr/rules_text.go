package lodctr

import (
	"strings"
	"unicode"

	"github.com/perfdump/perfdump/inifile"
)

// languageRules look at the languages of an .ini.
var languageRules = []rule{
	{Rule{"E11", Error, "a langid is not three hex digits", "write 009, 00C and so on"}, checkLanguageIDs},
	{Rule{"W01", Warning, "a language is listed and has no text", "remove it, or add the texts: old Windows set Last Counter to 0"}, checkSilent},
	{Rule{"W02", Warning, "there is text for a language that is not listed", "list it in [languages], or remove the texts"}, checkUnlisted},
	{Rule{"W03", Warning, "there is no English, 009", "add English: tools fall back to it"}, checkEnglish},
	{Rule{"W05", Warning, "there is text but none under 009, or more than a tenth of the letters under 009 are outside ASCII", "check the langids (WiX writes them decimal: 00C becomes 012, Korean)"}, checkLooksEnglish},
	{Rule{"W13", Warning, "Chinese or Portuguese is written as 004 or 016", "use 404, 804, 416 or 816"}, checkSublanguage},
}

// textRules look at the texts of an .ini.
var textRules = []rule{
	{Rule{"E09", Error, "a NAME is empty", "give it a name: an empty string damages the table for all"}, checkEmptyNames},
	{Rule{"W08", Warning, "a symbol with a NAME has no HELP", "add it"}, checkHelp},
}

func checkLanguageIDs(x *exam) {
	for _, p := range x.pairs {
		seen := map[string]bool{}
		for _, l := range p.listed {
			seen[fold(l.ID)] = true
			if !inifile.ValidLanguage(l.ID) {
				x.report(p.name, l.Line, l.ID, "%q in [languages] is no langid; three hex digits are expected", clip(l.ID))
			}
		}
		for t := range p.ini.Texts() {
			if id := fold(t.Language); !seen[id] && !inifile.ValidLanguage(id) {
				x.report(p.name, t.Line, t.Language, "%q in a key of [text] is no langid; three hex digits are expected", clip(t.Language))
				seen[id] = true
			}
		}
	}
}

func checkSilent(x *exam) {
	for _, p := range x.pairs {
		for _, l := range p.listed {
			if !p.speaks(l.ID) {
				x.report(p.name, l.Line, l.ID, "the language %s is listed and has no text", l.ID)
			}
		}
	}
}

func checkUnlisted(x *exam) {
	for _, p := range x.pairs {
		told := map[string]bool{}
		for _, l := range p.listed {
			told[fold(l.ID)] = true
		}
		for t := range p.ini.Texts() {
			if id := fold(t.Language); !told[id] {
				told[id] = true
				x.report(p.name, t.Line, t.Language, "there is text for %s, which [languages] does not list", t.Language)
			}
		}
	}
}

// english is the language that tools fall back to.
const english = "009"

func (p *pair) lists(language string) bool {
	for _, l := range p.listed {
		if strings.EqualFold(l.ID, language) {
			return true
		}
	}
	return false
}

func checkEnglish(x *exam) {
	for _, p := range x.pairs {
		if !p.lists(english) {
			x.report(p.name, p.section("languages"), english, "[languages] has no %s, which is English", english)
		}
	}
}

func checkLooksEnglish(x *exam) {
	for _, p := range x.pairs {
		letters, foreign, line := 0, 0, 0
		for t := range p.ini.Texts() {
			if t.Language != english {
				continue
			}
			for _, r := range t.Text {
				if !unicode.IsLetter(r) {
					continue
				}
				letters++
				if r > unicode.MaxASCII {
					if foreign++; line == 0 {
						line = t.Line
					}
				}
			}
		}
		switch {
		case len(p.languages) > 0 && !p.speaks(english):
			x.report(p.name, p.section("text"), english, "there is text for %s and none for %s", strings.Join(first(p.languages, 8), ", "), english)
		case foreign*10 > letters:
			x.report(p.name, line, english, "%d of the %d letters under %s are outside ASCII; is it English?", foreign, letters, english)
		}
	}
}

// first returns as many of a list as there should be in a message.
func first[T any](all []T, n int) []T { return all[:min(len(all), n)] }

func checkSublanguage(x *exam) {
	broad := map[string]string{"004": "Chinese is 404 or 804", "016": "Portuguese is 416 or 816"}
	for _, p := range x.pairs {
		for _, l := range p.listed {
			if text := broad[l.ID]; text != "" {
				x.report(p.name, l.Line, l.ID, "%s is no language of Windows: %s", l.ID, text)
			}
		}
	}
}

func checkEmptyNames(x *exam) {
	for _, p := range x.pairs {
		for t := range p.ini.Texts() {
			if t.Kind == inifile.Name && t.Text == "" {
				x.report(p.name, t.Line, t.Symbol, "the NAME of %s in %s is empty", t.Symbol, t.Language)
			}
		}
	}
}

func checkHelp(x *exam) {
	for _, p := range x.pairs {
		missing := map[*symbol][]string{}
		for t := range p.ini.Texts() {
			s := p.symbol(t.Symbol)
			if _, ok := p.text(s, t.Language, inifile.Help); t.Kind == inifile.Name && !ok {
				missing[s] = append(missing[s], t.Language)
			}
		}
		for _, s := range p.symbols {
			if in := missing[s]; len(in) > 0 {
				x.report(p.name, s.line, s.name, "%s has a NAME and no HELP for %s", s.name, strings.Join(first(in, 8), ", "))
			}
		}
	}
}
