package wire_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

// TestTextReader: the same text in every encoding, a byte at a time too, and in
// pieces that split characters.
func TestTextReader(t *testing.T) {
	text := "(PDH) äö€ 𝄞" + strings.Repeat("x𝄞", 20_000) + "."
	units := utf16.Encode([]rune(text))
	le, be := make([]byte, 0, 2*len(units)), make([]byte, 0, 2*len(units))
	for _, u := range units {
		le, be = append(le, byte(u), byte(u>>8)), append(be, byte(u>>8), byte(u))
	}
	for name, c := range map[string]struct {
		input string
		mark  int64
		wide  bool
	}{
		"utf-8":              {text, 0, false},
		"utf-8 with a mark":  {"\xef\xbb\xbf" + text, 3, false},
		"utf-16":             {string(le), 0, true},
		"utf-16 with a mark": {"\xff\xfe" + string(le), 2, true},
		"big-endian":         {string(be), 0, true},
		"big, with a mark":   {"\xfe\xff" + string(be), 2, true},
		"a byte over":        {"\xff\xfe" + string(le) + "x", 2, true},
	} {
		for _, reader := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
			r := wire.NewTextReader(reader(strings.NewReader(c.input)))
			require.Zero(t, r.Mark())
			got, err := io.ReadAll(r)
			require.NoError(t, err, name)
			require.Equal(t, text, string(got), name)
			require.Equal(t, c.mark, r.Mark(), name)
			want := int64(len(text))
			if c.wide {
				want = int64(len(le))
			}
			require.Equal(t, want, r.Len(got), name)

			next, err := io.ReadAll(r.Continue(strings.NewReader(c.input[c.mark+2*int64(len("(PD")):])))
			require.NoError(t, err, name)
			if c.wide {
				require.Equal(t, text[len("(PD"):], string(next), name)
			} else {
				require.Equal(t, text[2*len("(PD"):], string(next), name)
			}
		}
	}
	_, err := io.ReadAll(wire.NewTextReader(iotest.ErrReader(io.ErrUnexpectedEOF)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
