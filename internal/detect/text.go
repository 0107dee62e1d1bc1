package detect

import (
	"bytes"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

// sample is what a format is found from.
type sample struct {
	head []byte
	tail []byte // the end of the input where it is available; for foreign formats
	size int64  // of the whole input, -1 where it is not known
	cut  bool   // more follows head

	decoded   bool
	firstLine string
	utf8      []byte
	isClean   bool
}

func (s *sample) decode() {
	if s.decoded {
		return
	}
	s.decoded = true
	s.utf8, s.isClean = decodeText(s.head, s.cut)
	s.utf8 = bytes.TrimLeft(s.utf8, " \t\r\n\f")
	line, _, _ := bytes.Cut(s.utf8, []byte("\n"))
	s.firstLine = strings.TrimRight(string(line), " \t\r")
}

// text returns the input as text without blank lines at its start.
func (s *sample) text() []byte {
	s.decode()
	return s.utf8
}

// first returns the first line of text.
func (s *sample) first() string {
	s.decode()
	return s.firstLine
}

// clean reports whether text has no control characters. The names in the
// header of a log, the values of a registry, the output of agents and the
// texts of an .ini may have them.
func (s *sample) clean() bool {
	s.decode()
	return s.isClean
}

// decodeText returns head as UTF-8 or, where it is neither that nor UTF-16, as
// the bytes of a code page that contains ASCII. It is false where there are
// control characters, which text has none of. cut says that more follows.
func decodeText(head []byte, cut bool) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		head = head[3:]
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		head = wire.AppendUTF16(nil, head[2:])
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		head = wire.AppendUTF16(nil, swap16(head[2:]))
	case len(head) >= 4 && head[1] == 0 && head[3] == 0: // as lodctr saves its database
		head = wire.AppendUTF16(nil, head)
	}
	head = bytes.TrimRight(head, "\x1A\x00")
	clean := !bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) })
	if i := bytes.LastIndexByte(head, '\n'); cut && i >= 0 {
		head = head[:i+1]
	}
	return head, clean && len(head) > 0
}

// swap16 returns b with the bytes of each unit exchanged.
func swap16(b []byte) []byte {
	s := make([]byte, len(b)&^1)
	for i := 0; i < len(s); i += 2 {
		s[i], s[i+1] = b[i+1], b[i]
	}
	return s
}

func isCheckmk(s *sample) bool {
	return strings.HasPrefix(s.first(), "<<<") && strings.HasSuffix(s.first(), ">>>") && bytes.Contains(s.text(), []byte("<<<winperf_"))
}

// isManifest reports whether text is a manifest of its own, or an assembly that has
// one in it.
func isManifest(text []byte) bool {
	switch rootElement(text) {
	case "instrumentationManifest":
		return true
	case "assembly":
		return bytes.Contains(text, []byte("<instrumentation")) || bytes.Contains(text, []byte(":instrumentation"))
	default:
		return false
	}
}

// rootElement returns the name of the first element of an XML text, without
// its prefix, or "".
func rootElement(text []byte) string {
	for bytes.HasPrefix(text, []byte("<")) {
		end := ">"
		switch {
		case bytes.HasPrefix(text, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(text, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(text, []byte("<!")):
		default:
			name := text[1:]
			if i := bytes.IndexAny(name, " \t\r\n/>"); i >= 0 {
				name = name[:i]
			}
			return string(name[bytes.IndexByte(name, ':')+1:])
		}
		_, rest, ok := bytes.Cut(text, []byte(end))
		if !ok {
			return ""
		}
		text = bytes.TrimLeft(rest, " \t\r\n")
	}
	return ""
}

// sniffLog recognises a log of PDH by its header: the first cell, or the paths
// in all others, which begin with two backslashes. The names in a header may
// hold control characters, but then it is quoted.
func sniffLog(s *sample) Format {
	header := s.first()
	if !s.clean() && !strings.HasPrefix(header, `"`) {
		return ""
	}
	bare := strings.TrimPrefix(header, `"`)
	switch {
	case strings.HasPrefix(bare, "(PDH-CSV "):
		return PDHCSV
	case strings.HasPrefix(bare, "(PDH-TSV "):
		return PDHTSV
	}
	i := strings.IndexAny(header, ",;\t")
	if i < 0 {
		return ""
	}
	if header[0] == '"' { // the first cell may hold what separates cells
		if i = strings.IndexByte(header[1:], '"') + 2; i < 2 || i >= len(header) || !strings.ContainsRune(",;\t", rune(header[i])) {
			return ""
		}
	}
	paths := 0
	for cell := range strings.SplitSeq(header[i+1:], header[i:i+1]+`"`) {
		if cell = strings.TrimPrefix(cell, `"`); !strings.HasPrefix(cell, `\\`) {
			return ""
		}
		paths++
	}
	switch {
	case paths == 0:
		return ""
	case header[i] == '\t':
		return PDHTSV
	default:
		return PDHCSV
	}
}

// sniffINI finds the two kinds of .ini by their sections and keys together, since
// files of other programs have such sections too. Only comments may come before
// the first section, and most lines after it must be keys: this excludes source
// and documents that quote an .ini.
func sniffINI(s *sample) Format {
	text := s.text()
	if !s.clean() && !bytes.HasPrefix(text, []byte("[")) {
		return ""
	}
	var found Format
	section, keys, others := "", 0, 0
	inSection := false
	for line := range bytes.Lines(text) {
		l := strings.ToLower(strings.Trim(string(line), " \t\r\n\f\x1A"))
		name, opens := strings.CutPrefix(l, "[")
		key, _, ok := strings.Cut(l, "=")
		switch {
		case l == "", l[0] == ';', l[0] == '#', strings.HasPrefix(l, "//"):
			continue
		case opens && strings.HasSuffix(name, "]"):
			section, inSection = strings.TrimSuffix(name, "]"), true
			continue
		case !inSection:
			return ""
		case !ok:
			others++
			continue
		}
		keys++
		key = strings.TrimRight(key, " \t")
		switch {
		case found != "":
		case section == "info" && (key == "drivername" || key == "symbolfile"),
			(section == "text" || section == "objects") && isTextKey(key):
			found = INIFile
		case section == "perflib" && (key == "base index" || key == "last counter" || key == "last help"),
			strings.HasPrefix(section, "perf_") && (strings.HasPrefix(key, "first ") || strings.HasPrefix(key, "last ")),
			strings.HasPrefix(section, "perfstrings_") && isIndex([]byte(key)):
			return PerfStrings // its texts may have lines of their own
		}
	}
	if others > keys {
		found = ""
	}
	return found
}

// isTextKey reports whether key has the form symbol_langid_name or _help. The langid
// has a digit.
func isTextKey(key string) bool {
	rest, name := strings.CutSuffix(key, "_name")
	if !name {
		var help bool
		if rest, help = strings.CutSuffix(key, "_help"); !help {
			return false
		}
	}
	i := strings.LastIndexByte(rest, '_')
	return i > 0 && strings.ContainsAny(rest[i+1:], "0123456789") && len(rest)-i <= 5
}

// isSymbols reports whether text is nothing but comments and lines that begin
// with #, and defines decimal numbers, most of them even, more than anything
// else: a header of counters, and few others.
func isSymbols(text []byte) bool {
	var numbers, even, others int
	comment := false
	for line := range bytes.Lines(text) {
		code := string(line)
		if comment {
			_, rest, ok := strings.Cut(code, "*/")
			if !ok {
				continue
			}
			code, comment = rest, false
		}
		if before, after, ok := strings.Cut(code, "/*"); ok {
			_, rest, closed := strings.Cut(after, "*/")
			code, comment = before+rest, !closed
		}
		code, _, _ = strings.Cut(code, "//")
		fields := strings.Fields(code)
		switch {
		case len(fields) == 0:
		case fields[0][0] != '#':
			return false
		case len(fields) < 3 || fields[0] != "#define":
		default:
			value := strings.TrimSuffix(fields[2], ";")
			if len(fields) > 3 || !isIndex([]byte(value)) {
				others++
				continue
			}
			numbers++
			if (value[len(value)-1]-'0')%2 == 0 {
				even++
			}
		}
	}
	return numbers > others && 4*even >= 3*numbers
}
