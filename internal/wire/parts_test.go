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
// parts, in all pages, and spells them part by part.
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

				var joined, spelled []byte
				encode, parts := p.Encoder(), 0
				for part := range p.Parts(src) {
					assert.True(t, utf8.Valid(part), "%d %s %d: half a character", n, char, shift)
					joined = append(joined, part...)
					spelled, ok = encode(spelled, string(part), false)
					assert.True(t, ok, n)
					parts++
				}
				spelled, _ = encode(spelled, "", true)
				assert.Greater(t, parts, 1, n)
				assert.True(t, string(joined) == want, "%d %s %d: Parts", n, char, shift)
				assert.True(t, bytes.Equal(spelled, src), "%d %s %d: Encoder", n, char, shift)
			}
		}
	}
}

// TestPartsEndAtDamage damages the last bytes of a text of several parts.
func TestPartsEndAtDamage(t *testing.T) {
	for _, c := range []struct {
		page uint32
		end  string
	}{
		{932, "\x81"},
		{936, "\xFF"},
		{54936, "\x84\x31\xA4"},
		{65001, "\xE3\x81"},
		{65001, "\x80\x80\x80\x80\x80"},
		{1200, "\x00"},
		{1200, "\x00\xD8"},
		{1201, "\xDC\x00"},
		{12000, "\x00\xD8\x00\x00"},
		{12000, "a"},
		{20127, "\x80"},
	} {
		p := page(t, c.page)
		src, ok := p.Encode(nil, strings.Repeat("x", 3*partSize))
		require.True(t, ok)
		require.True(t, p.Valid(src), c.page)
		src = append(src, c.end...)
		assert.False(t, p.Valid(src), c.page)
		got, ok := p.Append([]byte("-"), src)
		assert.False(t, ok, c.page)
		assert.Equal(t, "-", string(got), c.page)
	}
	// Not a byte of it is UTF-8.
	assert.False(t, page(t, 65001).Valid(slices.Repeat([]byte{0x80}, 2*partSize)))
}

func TestUTF16Parts(t *testing.T) {
	for _, unit := range []string{"x\x00", "\x00\x4e", "\x00\xD8\x00\xDC", "\x00\xD8", "\x00\xDC"} {
		for shift := range 3 {
			src := []byte(strings.Repeat("a\x00", shift) + strings.Repeat(unit, 3*partSize/len(unit)) + "!")
			var joined []byte
			for part := range UTF16Parts(src) {
				joined = append(joined, part...)
			}
			assert.True(t, bytes.Equal(joined, AppendUTF16(nil, src)), "%x %d", unit, shift)
		}
	}
	for range UTF16Parts([]byte("a\x00")) {
		break
	}
}

func TestASCIIParts(t *testing.T) {
	src := bytes.Repeat([]byte("a\x80"), partSize)
	var joined []byte
	for part := range ASCIIParts(src) {
		joined = append(joined, part...)
	}
	assert.True(t, bytes.Equal(joined, AppendASCII(nil, src)))
	assert.True(t, bytes.Equal(joined, bytes.Repeat([]byte("a\uFFFD"), partSize)))
}
