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
	case isManifest(text):
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
// files of other programs have sections of these names too. Nothing but comments
// stands before the first section, and most lines behind it are keys; that leaves
// out source and documents that quote an .ini.
func sniffINI(text []byte) (Format, bool) {
	var found Format
	section, keys, others := "", 0, 0
	inSection := false
	for line := range bytes.Lines(text) {
		s := strings.ToLower(strings.Trim(string(line), " \t\r\n\f\x1A"))
		name, opens := strings.CutPrefix(s, "[")
		key, _, ok := strings.Cut(s, "=")
		switch {
		case s == "", s[0] == ';', s[0] == '#', strings.HasPrefix(s, "//"):
			continue
		case opens && strings.HasSuffix(name, "]"):
			section, inSection = strings.TrimSuffix(name, "]"), true
			continue
		case !inSection:
			return "", false
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
			return PerfStrings, true // its texts may have lines of their own
		}
	}
	if others > keys {
		found = ""
	}
	return found, found != ""
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
