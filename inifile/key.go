package inifile

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

// Kind is the purpose of a text.
type Kind uint8

// The kinds of texts.
const (
	Name Kind = iota // the name of an object or counter
	Help             // its explanation
)

// String returns the end of a text's key: "NAME" or "HELP".
func (k Kind) String() string {
	if k == Help {
		return "HELP"
	}
	return "NAME"
}

// splitKey splits a key of [objects] or [text] from the right, since symbols
// contain _ and digits: DEVICE_COUNTER_10_009_NAME is the name of
// DEVICE_COUNTER_10 in language 009. NAME and HELP may be in any case. The
// language is not checked; ok is false where a part is missing or empty, or the
// end is another.
func splitKey(key string) (symbol, language string, kind Kind, ok bool) {
	suffix := strings.LastIndexByte(key, '_')
	at := strings.LastIndexByte(key[:max(suffix, 0)], '_')
	if at < 1 || at+1 == suffix {
		return "", "", Name, false
	}
	switch strings.ToUpper(key[suffix+1:]) {
	case "NAME":
	case "HELP":
		kind = Help
	default:
		return "", "", Name, false
	}
	return key[:at], key[at+1 : suffix], kind, true
}

// ValidLanguage reports whether id is three hexadecimal digits.
func ValidLanguage(id string) bool {
	return len(id) == 3 && strings.Trim(id, "0123456789ABCDEFabcdef") == ""
}

// languagePages are the ANSI code pages of Windows by the primary language, where
// it is not 1252. The files were written on machines of these languages.
var languagePages = map[uint64]uint32{
	0x01: 1256, 0x02: 1251, 0x04: 936, 0x05: 1250, 0x08: 1253, 0x0D: 1255, 0x0E: 1250, 0x11: 932, 0x12: 949,
	0x15: 1250, 0x18: 1250, 0x19: 1251, 0x1A: 1250, 0x1B: 1250, 0x1C: 1250, 0x1E: 874, 0x1F: 1254, 0x20: 1256,
	0x22: 1251, 0x23: 1251, 0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x29: 1256, 0x2A: 1258, 0x2F: 1251,
}

// languagePage returns the code page of texts of a language, 0 where it is 1252
// or id is no language.
func languagePage(id string) uint32 {
	n, err := strconv.ParseUint(id, 16, 16)
	if err != nil {
		return 0
	}
	switch n {
	case 0x404, 0xC04, 0x1404: // Chinese in Taiwan, Hong Kong and Macao
		return 950
	}
	return languagePages[n&0x3FF]
}

// in sets the section of a line. A text of a file in 8 bits is read in the code
// page of its language, unless it is not valid there.
func (f *File) in(section string, l Line) Line {
	l.Section = section
	if !f.byLanguage || l.Kind != Key || !strings.EqualFold(section, nameText) {
		return l
	}
	_, language, _, ok := splitKey(l.Key())
	if page := languagePage(language); ok && page != 0 {
		if enc, err := textlines.CodePage(page); err == nil && enc.Inverts(l.line.Raw) {
			l.enc = enc
		}
	}
	return l
}
