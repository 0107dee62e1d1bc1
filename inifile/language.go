package inifile

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
)

// languagePages are the ANSI code pages of Windows by the primary language, where
// it is not 1252. The files were written on machines of these languages.
var languagePages = map[uint64]uint32{
	0x01: 1256, 0x02: 1251, 0x04: 936, 0x05: 1250, 0x08: 1253, 0x0D: 1255, 0x0E: 1250, 0x11: 932, 0x12: 949,
	0x15: 1250, 0x18: 1250, 0x19: 1251, 0x1A: 1250, 0x1B: 1250, 0x1C: 1250, 0x1E: 874, 0x1F: 1254, 0x20: 1256,
	0x22: 1251, 0x23: 1251, 0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x29: 1256, 0x2A: 1258, 0x2F: 1251,
}

// traditional is the code page of Chinese as written in Taiwan, Hong Kong and Macao.
const traditional = 950

// languagePage returns the code page of texts of a language, 0 where it is 1252 or
// the language is none.
func languagePage(id string) uint32 {
	n, err := strconv.ParseUint(id, 16, 16)
	if err != nil {
		return 0
	}
	switch n {
	case 0x404, 0xC04, 0x1404:
		return traditional
	default:
		return languagePages[n&0x3FF]
	}
}

// in puts a line in its section. A text of a file in 8 bits is read in the code
// page of its language, unless it is not valid there.
func (f *File) in(section string, l Line) Line {
	l.Section = section
	if !f.byLanguage || l.Kind != Key || !strings.EqualFold(section, nameText) {
		return l
	}
	_, language, _, ok := SplitKey(l.Key())
	if page := languagePage(language); ok && page != 0 {
		if enc, err := textlines.CodePage(page); err == nil && enc.Inverts(l.line.Raw) {
			l.enc = enc
		}
	}
	return l
}
