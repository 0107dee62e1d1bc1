package wire

import (
	"encoding/binary"
	"sync"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// The table of pages, made when the first one is looked up. It is ours since
// the indexes of x/text go by names and miss many of Windows' numbers.
var pageTable = sync.OnceValue(newPages)

// LookupCodePage returns the page with the number that Windows gives it, and
// whether it is known. The page is shared; it costs no allocation but the
// table's, once. Zero and the other numbers that mean "the system's page" are
// not known: the caller has to say what that is.
func LookupCodePage(n uint32) (*CodePage, bool) {
	p, ok := pageTable()[n]
	return p, ok
}

func newPages() map[uint32]*CodePage {
	m := make(map[uint32]*CodePage, 80)
	add := func(n uint32, name string, c codec) { m[n] = &CodePage{number: n, name: name, codec: c} }
	one := func(n uint32, name string, t *charmap.Charmap) { add(n, name, &single{table: t, super: true}) }

	one(437, "IBM437", charmap.CodePage437)
	one(850, "IBM850", charmap.CodePage850)
	one(852, "IBM852", charmap.CodePage852)
	one(855, "IBM855", charmap.CodePage855)
	one(858, "IBM00858", charmap.CodePage858)
	one(860, "IBM860", charmap.CodePage860)
	one(862, "IBM862", charmap.CodePage862)
	one(863, "IBM863", charmap.CodePage863)
	one(865, "IBM865", charmap.CodePage865)
	one(866, "IBM866", charmap.CodePage866)
	one(874, "windows-874", charmap.Windows874)
	one(1250, "windows-1250", charmap.Windows1250)
	one(1251, "windows-1251", charmap.Windows1251)
	one(1252, "windows-1252", charmap.Windows1252)
	one(1253, "windows-1253", charmap.Windows1253)
	one(1254, "windows-1254", charmap.Windows1254)
	one(1255, "windows-1255", charmap.Windows1255)
	one(1256, "windows-1256", charmap.Windows1256)
	one(1257, "windows-1257", charmap.Windows1257)
	one(1258, "windows-1258", charmap.Windows1258)
	one(10000, "macintosh", charmap.Macintosh)
	one(10007, "x-mac-cyrillic", charmap.MacintoshCyrillic)
	one(20866, "koi8-r", charmap.KOI8R)
	one(21866, "koi8-u", charmap.KOI8U)
	one(28591, "iso-8859-1", charmap.ISO8859_1)
	one(28592, "iso-8859-2", charmap.ISO8859_2)
	one(28593, "iso-8859-3", charmap.ISO8859_3)
	one(28594, "iso-8859-4", charmap.ISO8859_4)
	one(28595, "iso-8859-5", charmap.ISO8859_5)
	one(28596, "iso-8859-6", charmap.ISO8859_6)
	one(28597, "iso-8859-7", charmap.ISO8859_7)
	one(28598, "iso-8859-8", charmap.ISO8859_8)
	one(28599, "iso-8859-9", charmap.ISO8859_9)
	one(28600, "iso-8859-10", charmap.ISO8859_10)
	one(28603, "iso-8859-13", charmap.ISO8859_13)
	one(28604, "iso-8859-14", charmap.ISO8859_14)
	one(28605, "iso-8859-15", charmap.ISO8859_15)
	one(28606, "iso-8859-16", charmap.ISO8859_16)
	one(38598, "iso-8859-8-i", charmap.ISO8859_8)

	add(37, "IBM037", &single{table: charmap.CodePage037})
	add(1047, "IBM01047", &single{table: charmap.CodePage1047})
	add(1140, "IBM01140", &single{table: charmap.CodePage1140})

	add(932, "shift_jis", multi{enc: japanese.ShiftJIS})
	add(936, "gb2312", multi{enc: simplifiedchinese.GBK})
	add(949, "ks_c_5601-1987", multi{enc: korean.EUCKR})
	add(950, "big5", multi{enc: traditionalchinese.Big5})
	add(20932, "euc-jp", multi{enc: japanese.EUCJP})
	add(51932, "euc-jp", multi{enc: japanese.EUCJP})
	add(50220, "iso-2022-jp", multi{enc: japanese.ISO2022JP, shifted: true})
	add(52936, "hz-gb-2312", multi{enc: simplifiedchinese.HZGB2312, shifted: true})
	add(54936, "gb18030", multi{enc: simplifiedchinese.GB18030, replaced: gbReplaced})

	add(12000, "utf-32", &utf32Page{binary.LittleEndian})
	add(12001, "utf-32BE", &utf32Page{binary.BigEndian})
	add(1200, "utf-16", utf16Page{})
	add(1201, "utf-16BE", utf16Page{big: true})
	add(20127, "us-ascii", ascii7{})
	add(65001, "utf-8", utf8Page{})
	return m
}
