package detect

import (
	"bytes"
	"strings"
)

// sniffText tells the format of text without blank lines in front. The first line
// is enough for most; an .ini, a .h and a list of names are known by all lines.
func sniffText(text []byte) (Format, bool) {
	first := firstLine(text)
	if f, ok := sniffFirst(first, text); ok {
		return f, true
	}
	switch {
	case rootElement(text) == "instrumentationManifest":
		return Manifest, true
	case isTitleList(text):
		return Titles, true
	case isSymbols(text):
		return SymbolH, true
	}
	if f, ok := sniffLog(first); ok {
		return f, true
	}
	return sniffINI(text)
}

// sniffMarked tells the format of text with control characters by how it begins:
// the names in the header of a log, the values of a registry, what agents send and
// the texts of an .ini may hold them.
func sniffMarked(text []byte) (Format, bool) {
	first := firstLine(text)
	if f, ok := sniffFirst(first, text); ok {
		return f, true
	}
	switch {
	case strings.HasPrefix(first, `"`):
		return sniffLog(first)
	case strings.HasPrefix(first, "["):
		return sniffINI(text)
	default:
		return "", false
	}
}

// sniffFirst tells the formats that the first line tells.
func sniffFirst(first string, text []byte) (Format, bool) {
	switch {
	case first == "Windows Registry Editor Version 5.00", first == "REGEDIT4":
		return Reg, true
	case strings.HasPrefix(first, "<<<") && strings.HasSuffix(first, ">>>") && bytes.Contains(text, []byte("<<<winperf_")):
		return Checkmk, true
	default:
		return "", false
	}
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return strings.TrimRight(string(line), " \t\r")
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
// in all others, which begin with two backslashes.
func sniffLog(header string) (Format, bool) {
	bare := strings.TrimPrefix(header, `"`)
	switch {
	case strings.HasPrefix(bare, "(PDH-CSV "):
		return PDHCSV, true
	case strings.HasPrefix(bare, "(PDH-TSV "):
		return PDHTSV, true
	}
	i := strings.IndexAny(header, ",;\t")
	if i < 0 {
		return "", false
	}
	if header[0] == '"' { // the first cell may hold what separates cells
		if i = strings.IndexByte(header[1:], '"') + 2; i < 2 || i >= len(header) || !strings.ContainsRune(",;\t", rune(header[i])) {
			return "", false
		}
	}
	paths := 0
	for cell := range strings.SplitSeq(header[i+1:], header[i:i+1]+`"`) {
		if cell = strings.TrimPrefix(cell, `"`); !strings.HasPrefix(cell, `\\`) {
			return "", false
		}
		paths++
	}
	switch {
	case paths == 0:
		return "", false
	case header[i] == '\t':
		return PDHTSV, true
	default:
		return PDHCSV, true
	}
}

// sniffINI tells the two kinds of .ini by their sections and keys together:
// files of other programs have sections of these names too.
func sniffINI(text []byte) (Format, bool) {
	section := ""
	for line := range bytes.Lines(text) {
		s := strings.ToLower(strings.TrimSpace(string(line)))
		if name, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(name, "]") {
			section = strings.TrimSuffix(name, "]")
			continue
		}
		key, _, ok := strings.Cut(s, "=")
		if !ok || strings.HasPrefix(key, ";") || strings.HasPrefix(key, "#") || strings.HasPrefix(key, "//") {
			continue
		}
		key = strings.TrimRight(key, " \t")
		switch {
		case section == "info" && (key == "drivername" || key == "symbolfile"),
			(section == "text" || section == "objects") && (strings.HasSuffix(key, "_name") || strings.HasSuffix(key, "_help")):
			return INIFile, true
		case section == "perflib" && (key == "base index" || key == "last counter" || key == "last help"),
			strings.HasPrefix(section, "perf_") && (strings.HasPrefix(key, "first ") || strings.HasPrefix(key, "last ")),
			strings.HasPrefix(section, "perfstrings_") && isIndex([]byte(key)):
			return PerfStrings, true
		}
	}
	return "", false
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
