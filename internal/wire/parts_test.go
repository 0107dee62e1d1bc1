package wire

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPartsAreTheWhole reads texts whose characters lie across the ends of
// parts, in all pages.
func TestPartsAreTheWhole(t *testing.T) {
	for _, n := range allPages() {
		p := page(t, n)
		for _, char := range []string{"x", "é", "ｱ", "処", "я", "\U00010000"} {
			if _, ok := p.Encode(nil, char); !ok {
				continue
			}
			for shift := range 5 {
				want := strings.Repeat("a", shift) + strings.Repeat(char, 2*partSize/len(char)) + "b"
				src, ok := p.Encode(nil, want)
				require.True(t, ok, "%d %s", n, char)
				got, ok := p.Append([]byte("-"), src)
				assert.True(t, ok && string(got) == "-"+want, "%d %s %d: Append", n, char, shift)
				assert.True(t, p.Valid(src), "%d %s %d: Valid", n, char, shift)

				var joined []byte
				parts := 0
				for part := range p.Parts(src) {
					assert.True(t, utf8.Valid(part), "%d %s %d: half a character", n, char, shift)
					joined = append(joined, part...)
					parts++
				}
				assert.Greater(t, parts, 1, n)
				assert.True(t, string(joined) == want, "%d %s %d: Parts", n, char, shift)
			}
		}
	}
}

// TestPartsEndAtDamage damages the last bytes of a text of several parts.
func TestPartsEndAtDamage(t *testing.T) {
	for n, ends := range map[uint32][]string{
		932: {"\x81"}, 936: {"\xFF"}, 54936: {"\x84\x31\xA4"}, 65001: {"\xE3\x81", "\x80\x80\x80\x80\x80"},
		1200: {"\x00", "\x00\xD8"}, 1201: {"\xDC\x00"}, 12000: {"\x00\xD8\x00\x00", "a"}, 20127: {"\x80"},
	} {
		p := page(t, n)
		src, ok := p.Encode(nil, strings.Repeat("x", 3*partSize))
		require.True(t, ok)
		require.True(t, p.Valid(src), n)
		for _, end := range ends {
			bad := append(bytes.Clone(src), end...)
			assert.False(t, p.Valid(bad), n)
			got, ok := p.Append([]byte("-"), bad)
			assert.False(t, ok, n)
			assert.Equal(t, "-", string(got), n)
		}
	}
	// Not a byte of it is UTF-8.
	assert.False(t, page(t, 65001).Valid(slices.Repeat([]byte{0x80}, 2*partSize)))
}
