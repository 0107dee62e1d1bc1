package titles_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/titles"
)

func TestDatNames(t *testing.T) {
	for name, want := range map[string]string{
		"perfc009.dat": "009 counter", `C:\Windows\System32\PERFH00C.DAT`: "00c help", "x/perfd0404.dat": "0404 counter", "perfi00a.dat": "00a help",
		"perfc009.bin": "", "perfc.dat": "", "xperfc009.dat": "", "perfc00g.dat": "",
	} {
		language, kind, ok := titles.ParseDatName(name)
		require.Equal(t, want != "", ok, name)
		if ok {
			require.Equal(t, want, language+" "+kind.String(), name)
		}
	}
	require.Equal(t, "perfc009.dat", titles.DatName("009", titles.Counter))
	require.Equal(t, "perfh00C.dat", titles.DatName("00C", titles.Help))
}
