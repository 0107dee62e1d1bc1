package detect

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/once"
)

// look is something that is not read here but occurs where performance data
// are collected.
type look struct {
	magic string
	what  string // and what to do about it
}

var looks = []look{
	{"PK\x03\x04", "a zip archive (or an Office document): unpack it first"},
	{"7z\xBC\xAF\x27\x1C", "a 7-Zip archive: unpack it first"},
	{"Rar!\x1A\x07", "a RAR archive: unpack it first"},
	{"MSCF", "a cabinet: unpack it first, by expand or cabextract"},
	{"\xFD7zXZ\x00", "xz data: unpack them first"},
	{"BZh", "bzip2 data: unpack them first"},
	{"\xFF\xD8\xFF", "a picture"},
	{"GIF8", "a picture"},
	{"MZ", "a program or DLL of Windows: its counters are registered by an .ini and a .h, or by a .man"},
	{"\x7FELF", "a program of a Unix system"},
	{"ElfFile\x00", "an event log (.evtx): it holds events, not counters"},
	{"%PDF-", "a PDF document"},
	{"SQLite format 3\x00", "an SQLite database"},
	{"PAGEDU64", crash},
	{"PAGEDUMP", crash},
	{"SCCA", "a prefetch file"},
	{"\x89PNG", "a picture"},
	{"(PDH-BIN", nt4},
	{"\"(PDH-BIN", nt4},
}

// nt4 is what can be said of the logs before .blg, whose form was never
// published.
const nt4 = "an unknown performance log format; try carving: --format carve"

const crash = "a crash dump of the kernel; try carving: --format carve"

func unknown(name string, head []byte) error {
	text := "unknown format: it begins " + preview(head)
	if what := signature(name, head); what != "" {
		return perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{}, "%s, which looks like %s", text, what)
	}
	search := ""
	if what := resembles(head); what != "" {
		text += ", which looks like " + what
	} else {
		search = "; carve searches any file for what can be read"
	}
	return perfdump.NewError(perfdump.CodeUnknownFormat, -1, perfdump.Path{},
		"%s. If you know what it is, name it: --format %s%s", text, strings.Join(Names(), ", "), search)
}

func preview(head []byte) string {
	head = head[:min(len(head), 16)]
	ascii := bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, head)
	return fmt.Sprintf("% x |%s|", head, ascii)
}

// Resembles says what an input of no known format looks like, by its name and
// its first bytes, of which 128 KiB are enough; "" where neither says. It is
// part of the error that [Open] returns.
func Resembles(name string, head []byte) string {
	return cmp.Or(signature(name, head), resembles(head))
}

// signature returns what an input looks like that no --format would read, by its signature
// or its name; "" where neither says.
func signature(name string, head []byte) string {
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case isNT4Log(head), ext == ".pma", ext == ".pmw", ext == ".pmr", ext == ".pml":
		return nt4
	case len(head) > tarMagic && bytes.HasPrefix(head[tarMagic:], []byte("ustar")):
		return "a tar archive: unpack it first"
	}
	for _, l := range looks {
		if bytes.HasPrefix(head, []byte(l.magic)) {
			return l.what
		}
	}
	return ""
}

// resembles returns what an input may be, "" for anything.
func resembles(head []byte) string {
	switch {
	case isETW(head):
		return "an event trace (.etl) without a log of performance counters"
	case strings.HasPrefix(string(head), "PERF"), nearly(perfMagic, head):
		return "performance data with a damaged signature, which should be 50 00 45 00 52 00 46 00"
	case len(bytes.TrimLeft(head, "\x00")) == 0:
		return "a failed copy: it begins with nothing but zeros"
	}
	text, ok := decodeText(head, len(head) == HeadSize)
	switch {
	case !ok || !utf8.Valid(text):
		return ""
	case bytes.HasPrefix(bytes.TrimLeft(text, "[ \t\r\n"), []byte(`{"format":`)):
		return "a document of dump -o json: encode turns it into what it was made of"
	case bytes.Contains(text, []byte("#define ")):
		return "a C header, or source: one of counters holds nothing but #define lines with decimal numbers"
	case markup().Match(text):
		return "HTML or XML, such as a page in the place of a download: of these only manifests of counters are read"
	default:
		return "text of another kind"
	}
}

const tarMagic = 257

var markup = once.Regexp(`^(?i)[\x{FEFF} \t\r\n]*<(\?xml|!doctype|html)`)

// nearly reports whether one byte of magic is wrong in head.
func nearly(magic, head []byte) bool {
	if len(head) < len(magic) {
		return false
	}
	wrong := 0
	for i, c := range magic {
		if head[i] != c {
			wrong++
		}
	}
	return wrong == 1
}
