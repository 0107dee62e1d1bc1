package capture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

func textInput(f detect.Format, text string) *detect.Input {
	return &detect.Input{Name: "x", Format: f, Data: []byte(text)}
}

func TestDiffTextCounts(t *testing.T) {
	older := textInput(detect.INIFile, "[info]\na=1\nA=2\nb=1\n[INFO]\nc=1\n")
	newer := textInput(detect.INIFile, "[Info]\nC = 1\nA=1\nd=\n")
	all, err := capture.DiffText(older, newer, capture.Options{})
	require.NoError(t, err)
	require.Equal(t, []capture.TextDiff{
		{Change: capture.Gone, Key: "[info] b", Older: "1"},
		{Change: capture.New, Key: "[Info] d"},
	}, all)
	older.Format, newer.Format = detect.Reg, detect.Reg
	older.Data = []byte("Windows Registry Editor Version 5.00\n[HKEY_CLASSES_ROOT\\A]\n\"a\"=\"1\"\n\"A\"=\"2\"\n\"u\"=hex(1):61,00\n")
	newer.Data = []byte("Windows Registry Editor Version 5.00\n[HKEY_CLASSES_ROOT\\a]\n\"a\"=\"2\"\n\"u\"=\"a\"\n")
	all, err = capture.DiffText(older, newer, capture.Options{})
	require.NoError(t, err)
	require.Len(t, all, 1, "the last value counts; a text without its NUL is another")
}

func TestDiffTextBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString("[Perflib]\nLast Help=1\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "[PerfStrings_%03x]\n2=x\n", i)
	}
	in := textInput(detect.PerfStrings, b.String())
	_, err := capture.DiffText(in, in, capture.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)
	b.Reset()
	b.WriteString("#define A 0\n")
	for i := range 1 << 18 {
		fmt.Fprintf(&b, "#define A%d 0\n", i)
	}
	in = textInput(detect.SymbolH, b.String())
	_, err = capture.DiffText(in, in, capture.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)
}
