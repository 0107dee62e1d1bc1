package inifile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/inifile"
)

// A text in 8 bits is in the code page of the language of its key, unless the
// page is given or the text is not valid there.
func TestTextsInTheCodePageOfTheirLanguage(t *testing.T) {
	const text = "[text]\nA_011_NAME=\x83v\x83\x8d\nA_012_NAME=\xc7\xd1\nA_404_NAME=\xa4\xa4\nA_804_NAME=\xd6\xd0\nA_019_NAME=\xd1\xf7\nA_00C_NAME=\xe9\n" +
		"B_011_NAME=\x83\nA_XYZ_NAME=\xe9\nC_=\xe9\n"
	names := func(o inifile.Options) (all []string) {
		f, err := inifile.Parse([]byte(text), o)
		require.NoError(t, err)
		for l := range f.Keys("text") {
			again, ok := f.Get("text", l.Key())
			require.True(t, ok)
			require.Equal(t, l.Value(), again.Value())
			all = append(all, l.Value())
		}
		return all
	}
	require.Equal(t, []string{"プロ", "한", "中", "中", "Сч", "é", "ƒ", "é", "é"}, names(inifile.Options{}))
	require.Equal(t, []string{"ƒvƒ\u008d", "ÇÑ", "¤¤", "ÖÐ", "Ñ÷", "é", "ƒ", "é", "é"}, names(inifile.Options{CodePage: 1252}))
}
