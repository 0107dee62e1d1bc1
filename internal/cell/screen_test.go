package cell

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a terminal would do something for is shown, however it is cut into
// writes; everything else is as it was.
func TestScreen(t *testing.T) {
	bold, dim, red := sequences[Bold], sequences[Dim], sequences[Red]
	yes := func() bool { return true }
	for text, want := range map[string]string{
		"a,\"b\"\tc\r\n": "a,\"b\"\tc\r\n",
		"日本 Überwachung 👩\u200d💻 a\u00ad\n":                    "日本 Überwachung 👩\u200d💻 a\u00ad\n",
		bold + "VM" + reset + dim + red + "x" + reset + "\n":   bold + "VM" + reset + dim + red + "x" + reset + "\n",
		"a\x1b[2Jb\x1b]0;t\x07\x1b[8mc\x1b[31;1m\x1b\x1b[1m\n": `a\x1b[2Jb\x1b]0;t\x07\x1b[8mc\x1b[31;1m\x1b` + bold + "\n",
		"over\rwrite\x08\x7f\x00\r\r\n":                        `over\rwrite\x08\x7f\x00\r` + "\r\n",
		"\u009b2J\u202eevil\u2066\u2028\u200f\u061c\n":         `\x9b2J\u202eevil\u2066\u2028\u200f\u061c` + "\n",
		"caf\xe9,\x9b31m\xf0\x9f\n":                            `caf\xe9,\x9b31m\xf0\x9f` + "\n",
	} {
		var whole, single bytes.Buffer
		n, err := Screen(&whole, yes).Write([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, len(text), n)
		assert.Equal(t, want, whole.String())
		s := Screen(&single, yes)
		for i := range len(text) {
			n, err = s.Write([]byte(text[i : i+1]))
			require.NoError(t, err)
			assert.Equal(t, 1, n)
		}
		assert.Equal(t, want, single.String())
	}
	var plain bytes.Buffer
	_, err := Screen(&plain, func() bool { return false }).Write([]byte(bold + "VM" + reset + "\n"))
	require.NoError(t, err)
	assert.Equal(t, `\x1b[1mVM\x1b[0m`+"\n", plain.String())
}
