package lodctr_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/lodctr"
)

// files are the files of a case by their names. What the ending tells is their
// format.
type files map[string]string

// with returns the files with a text replaced that must stand in one of them
// once.
func (f files) with(t *testing.T, name, old, new string) files {
	t.Helper()
	out := maps.Clone(f)
	require.Equal(t, 1, strings.Count(f[name], old), "%q in %s", old, name)
	out[name] = strings.Replace(f[name], old, new, 1)
	return out
}

func format(name string) detect.Format {
	switch name[strings.LastIndexByte(name, '.'):] {
	case ".ini":
		return detect.INIFile
	case ".h":
		return detect.SymbolH
	case ".reg":
		return detect.Reg
	case ".dat":
		return detect.Titles
	case ".INI":
		return detect.PerfStrings
	default:
		return detect.PerfData
	}
}

// add gives the files to the doctor, in the order of their names.
func (f files) add(t *testing.T) *lodctr.Files {
	t.Helper()
	all := &lodctr.Files{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		in := &detect.Input{Name: name, Format: format(name), Data: expand(f[name])}
		require.NoError(t, all.Add(in, lodctr.Options{}), name)
	}
	return all
}

var multi = regexp.MustCompile(`(multi|table)\(([^)]*)\)`)

// expand writes out what the cases have shorthand for: in a .reg file
// multi(a|b) is a REG_MULTI_SZ, and a file that is table(1=a|2=b) is a table of
// names.
func expand(s string) []byte {
	if body, ok := strings.CutPrefix(s, "table("); ok {
		return utf16LE(join(strings.TrimSuffix(body, ")")))
	}
	return []byte(multi.ReplaceAllStringFunc(s, func(m string) string {
		var b strings.Builder
		b.WriteString("hex(7):")
		parts := multi.FindStringSubmatch(m)
		body := strings.ReplaceAll(parts[2], "|", "\x00") + "\x00\x00"
		if parts[1] == "table" {
			body = join(parts[2])
		}
		data := utf16LE(body)
		if strings.HasPrefix(s, "REGEDIT4") {
			data = []byte(body)
		}
		for i, c := range data {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%02x", c)
		}
		return b.String()
	}))
}

// join makes the strings of a table of 1=a|2=b.
func join(body string) string {
	return strings.NewReplacer("=", "\x00", "|", "\x00").Replace(body) + "\x00\x00"
}

func utf16LE(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

func hex32(n int) string { return fmt.Sprintf("dword:%08s", strconv.FormatInt(int64(n), 16)) }

// ids returns the ids of findings, each once, in the order of the alphabet.
func ids(all []lodctr.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, f.ID)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
