package checkmk_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
)

// wide is text in UTF-16.
func wide(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// TestEncodings wants the output of an agent to be read in each encoding that a
// shell saves it in, with offsets that are those of the file. The name of an
// instance has bytes of line ends in UTF-16.
func TestEncodings(t *testing.T) {
	text := "<<<uptime>>>\r\n7\r\n" + disk + "<<<<h\u00e4st>>>>\n<<<winperf_x>>>\n3 10 5\r\n1 instances: \u0a0a\u010d\u0d0a\U0001f40a\n4 8 odd\n7\n"
	plain, odd, err := read(t, text, checkmk.Options{})
	require.NoError(t, err)
	require.Len(t, plain, 2)
	require.Len(t, odd, 2)
	require.Equal(t, []string{"\u0a0a\u010d\u0d0a\U0001f40a"}, plain[1].Instances)
	for name, x := range map[string]struct {
		text  string
		mark  int64
		place func(string) int // of a text before it
	}{
		"utf-8":          {text, 0, func(s string) int { return len(s) }},
		"utf-8 marked":   {"\ufeff" + text, 3, func(s string) int { return len(s) }},
		"utf-16":         {wide("\ufeff"+text, false), 2, func(s string) int { return len(wide(s, false)) }},
		"utf-16 big":     {wide("\ufeff"+text, true), 2, func(s string) int { return len(wide(s, false)) }},
		"utf-16 without": {wide(text, false), 0, func(s string) int { return len(wide(s, false)) }},
		"half a unit":    {wide(text, false) + "x", 0, func(s string) int { return len(wide(s, false)) }},
	} {
		got, oddities, err := read(t, x.text, checkmk.Options{})
		require.NoError(t, err, name)
		require.Len(t, got, 2, name)
		for i := range got {
			before := text[:plain[i].Off]
			assert.Equal(t, x.mark+int64(x.place(before)), got[i].Off, name)
			got[i].Off = plain[i].Off
		}
		assert.Equal(t, plain, got, name)
		require.Len(t, oddities, 2, name)
		for i, line := range []string{"4 8 odd", "7\n"} {
			at := strings.LastIndex(text, "\n"+line) + 1
			what, _, _ := strings.Cut(odd[i], " (offset")
			assert.Equal(t, fmt.Sprintf("%s (offset 0x%x)", what, x.mark+int64(x.place(text[:at]))), oddities[i], name)
		}

		r := checkmk.NewReader(iotest.OneByteReader(strings.NewReader(x.text)), checkmk.Options{})
		n := 0
		for s, err := range r.Sections() {
			require.NoError(t, err, name)
			assert.Equal(t, plain[n].Counters, s.Counters, name)
			n++
		}
		assert.Equal(t, 2, n, name)
	}

	// The last line may have no end.
	all, _, err := read(t, wide("\ufeff"+strings.TrimSuffix(disk, "\n"), true), checkmk.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Len(t, all[0].Counters, 3)
	for _, text := range []string{"\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\xff\xfea", "a\x00", "a\x00\n"} {
		_, _, err := read(t, text, checkmk.Options{})
		require.ErrorIs(t, err, perfdump.ErrSignature, "%q", text)
	}
	_, _, err = read(t, "\xff\xfe"+strings.Repeat("a\x00", 9<<20), checkmk.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)
}
