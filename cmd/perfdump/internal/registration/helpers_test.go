package registration_test

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/wire"
)

// files are the files of a machine by their names, whose endings say the format.
type files map[string]string

// pick returns some of the files.
func (f files) pick(names ...string) files {
	out := files{}
	for _, name := range names {
		out[name] = f[name]
	}
	return out
}

// with returns the files with a text replaced that must be in one of them once.
func (f files) with(t *testing.T, name, old, new string) files {
	t.Helper()
	out := maps.Clone(f)
	require.Equal(t, 1, strings.Count(f[name], old), "%q in %s", old, name)
	out[name] = strings.Replace(f[name], old, new, 1)
	return out
}

var formats = map[string]detect.Format{".ini": detect.INIFile, ".h": detect.SymbolH, ".reg": detect.Reg, ".dat": detect.Titles, ".INI": detect.PerfStrings, ".bin": detect.PerfData}

func input(name, text string) *detect.Input {
	return &detect.Input{Name: name, Format: formats[path.Ext(name)], Data: []byte(expand(text))}
}

// add gives the files to the doctor, in the order of their names.
func (f files) add(t *testing.T) *registration.Files {
	t.Helper()
	all := &registration.Files{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		require.NoError(t, all.Add(input(name, f[name]), registration.Options{}), name)
	}
	return all
}

var multi = regexp.MustCompile(`(multi|table)\(([^)]*)\)`)

// expand writes out the shorthand of the tests: in a .reg file multi(a|b) is a
// REG_MULTI_SZ, and a file that is table(1=a|2=b) is a table of names.
func expand(s string) string {
	strings0 := strings.NewReplacer("=", "\x00", "|", "\x00")
	if body, ok := strings.CutPrefix(s, "table("); ok {
		return string(wire.EncodeUTF16(nil, strings0.Replace(strings.TrimSuffix(body, ")"))+"\x00\x00"))
	}
	return multi.ReplaceAllStringFunc(s, func(m string) string {
		parts := multi.FindStringSubmatch(m)
		data := []byte(strings0.Replace(parts[2]) + "\x00\x00")
		if !strings.HasPrefix(s, "REGEDIT4") {
			data = wire.EncodeUTF16(nil, string(data))
		}
		return "hex(7):" + strings.ReplaceAll(fmt.Sprintf("% x", data), " ", ",")
	})
}

func hex32(n int) string { return fmt.Sprintf("dword:%08s", strconv.FormatInt(int64(n), 16)) }

// ids returns the ids of findings, each once, sorted.
func ids(all []registration.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, f.ID)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
