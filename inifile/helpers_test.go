package inifile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/ini.v1"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

const corpus = "../../shared/corpus/registration"

func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(corpus, name))
	if os.IsNotExist(err) {
		t.Skipf("no corpus at hand: %v", err)
	}
	require.NoError(t, err)
	return b
}

func wide(s string) string { return string(wire.EncodeUTF16(nil, s)) }

func parse(t testing.TB, in string) *inifile.File {
	t.Helper()
	f, err := inifile.Parse([]byte(in), inifile.Options{})
	require.NoError(t, err, "%q", in)
	check(t, in, f)
	return f
}

// check holds what is so for every file.
func check(t testing.TB, in string, f *inifile.File) {
	t.Helper()
	out, err := f.AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, in, string(out))
	formattest.Tile(t, f.Spans(), 0, int64(len(in)))

	n, keys := 0, 0
	for l := range f.Lines() {
		n++
		require.Equal(t, n, l.Number)
		again, ok := f.Line(n)
		require.True(t, ok)
		require.Equal(t, l, again)
		require.Equal(t, n, f.LineAt(l.Off))
		if l.Kind != inifile.Key {
			require.Empty(t, l.Key()+l.Value())
			continue
		}
		keys++
		first, ok := f.Get(l.Section, l.Key())
		require.True(t, ok, "line %d", n)
		require.LessOrEqual(t, first.Number, n)
		require.Equal(t, strings.ToLower(first.Key()), strings.ToLower(l.Key()))
	}
	require.Equal(t, n, f.NumLines())
	require.Equal(t, keys, f.NumKeys())
	for _, a := range f.Anomalies().Kept() {
		require.NotContains(t, a.Message(), "!", "a verb without its argument")
		require.LessOrEqual(t, a.Off, int64(len(in)))
	}
	out, err = f.Edit().AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, in, string(out), "an edit without changes")
	sameKeys(t, f)
}

// sameKeys holds the lines and the view of ini.v1 equal, in both directions.
func sameKeys(t testing.TB, f *inifile.File) {
	t.Helper()
	view, err := f.INI()
	require.NoError(t, err)
	want := map[string][]string{}
	for l := range f.Lines() {
		if l.Kind == inifile.Key {
			at := strings.ToLower(l.Section) + "\x00" + strings.ToLower(l.Key())
			if l.Section == "" {
				at = "default" + at
			}
			if want[at] == nil || l.Value() != "" { // ini.v1 does not tell further ones that are empty
				want[at] = append(want[at], l.Value())
			}
		}
	}
	require.Equal(t, want, contents(view))
}

// contents returns all values by lower-case section and key.
func contents(view *ini.File) map[string][]string {
	got := map[string][]string{}
	for _, s := range view.Sections() {
		for _, k := range s.Keys() {
			at := s.Name() + "\x00" + k.Name()
			values := k.ValueWithShadows()
			got[at] = append([]string{k.Value()}, values[min(len(values), btoi(k.Value() != "")):]...)
		}
	}
	return got
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// told returns the anomalies as code:line.
func told(f *inifile.File) string {
	var s []string
	for _, a := range f.Anomalies().Kept() {
		s = append(s, fmt.Sprintf("%s:%d", a.Code, f.LineAt(a.Off)))
	}
	return strings.Join(s, " ")
}

func formatError(t *testing.T, err error) *perfdump.FormatError {
	t.Helper()
	var fe *perfdump.FormatError
	require.ErrorAs(t, err, &fe)
	return fe
}
