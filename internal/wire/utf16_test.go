package wire

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// units is the slow twin's first step: bytes to 16-bit units.
func units(src []byte) []uint16 {
	u := make([]uint16, 0, len(src)/2)
	for i := 0; i+2 <= len(src); i += 2 {
		u = append(u, uint16(src[i])|uint16(src[i+1])<<8)
	}
	return u
}

func slowUTF16(src []byte) string { return string(utf16.Decode(units(src))) }

func slowValid(src []byte) bool {
	u := units(src)
	for i := 0; i < len(u); i++ {
		switch {
		case u[i] < 0xD800 || u[i] > 0xDFFF:
		case u[i] < 0xDC00 && i+1 < len(u) && u[i+1] >= 0xDC00 && u[i+1] <= 0xDFFF:
			i++
		default:
			return false
		}
	}
	return true
}

func slowIndexNUL(src []byte) int {
	for i, u := range units(src) {
		if u == 0 {
			return 2 * i
		}
	}
	return -1
}

func slowEncode(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func checkTwins(t *testing.T, src []byte) {
	t.Helper()
	want := slowUTF16(src)
	require.Equal(t, want, UTF16(src))
	require.Equal(t, "x"+want, string(AppendUTF16([]byte("x"), src)))
	require.Equal(t, len(want), utf16Len(src))
	require.Equal(t, slowValid(src), ValidUTF16(src))
	require.Equal(t, slowIndexNUL(src), IndexNUL16(src))
	require.Equal(t, slowEncode(want), EncodeUTF16(nil, want))
	if slowValid(src) {
		require.Equal(t, string(src[:len(src)&^1]), string(EncodeUTF16(nil, want)))
	}
}

var samples = []string{
	"", "a", "% Processor Time", "Überlast", "日本語のカウンター", "a\x00b", "12345678\x00", "12345678é12345678",
	"\U0001F600 smile", "twelve bytes\U0010FFFFand more of them", strings.Repeat("x", 100) + "é" + strings.Repeat("y", 33), "\uFFFD", "\uE000\uD7FF",
}

func TestUTF16AgainstItsTwin(t *testing.T) {
	for _, s := range samples {
		b := slowEncode(s)
		checkTwins(t, b)
		for cut := range b {
			checkTwins(t, b[:cut])
			checkTwins(t, b[cut:])
		}
	}
}

func TestUTF16SurrogatesAtEveryPlace(t *testing.T) {
	for _, bad := range []string{"\x00\xD8", "\x00\xDC", "\xFF\xDB", "\xFF\xDF", "\x00\xD8\x00\xD8", "\x00\xDC\x00\xD8", "\x00\xD8\x00\xE0", "\x00\xD8\x00\xDC", "\xFD\xFF", "\xFF\xD7", "\x00\xE0", "\x00\x00", "\x00\x01", "\x80\x00"} {
		for before := range 20 {
			for after := range 10 {
				checkTwins(t, []byte(strings.Repeat("a\x00", before)+bad+strings.Repeat("b\x00", after)))
			}
		}
	}
}

func TestEveryUnitAgainstItsTwin(t *testing.T) {
	for u := range 0x10000 {
		b := []byte{'a', 0, byte(u), byte(u >> 8), 'b', 0, 'c', 0, 'd', 0}
		require.Equal(t, slowUTF16(b), UTF16(b), "%#x", u)
		require.Equal(t, slowValid(b), ValidUTF16(b), "%#x", u)
		require.Equal(t, slowIndexNUL(b), IndexNUL16(b), "%#x", u)
	}
}

func TestEncodeUTF16ReplacesBadUTF8(t *testing.T) {
	require.Equal(t, slowEncode("a\uFFFDb\uFFFD\uFFFD"), EncodeUTF16(nil, "a\xFFb\xED\xA0")) // two bytes of a surrogate
	require.Equal(t, "zz", string(EncodeUTF16([]byte("zz"), "")))
}

func TestUTF16KeepsSpareCapacityAndAllocatesNothing(t *testing.T) {
	src := slowEncode("% Processor Time of 日本語")
	dst := make([]byte, 0, len(UTF16(src)))
	require.Zero(t, testing.AllocsPerRun(100, func() { dst = AppendUTF16(dst[:0], src) }))
	require.Zero(t, testing.AllocsPerRun(100, func() { ValidUTF16(src); IndexNUL16(src); utf16Len(src) }))

	ascii := slowEncode("% Processor Time")
	dst = make([]byte, 0, len(ascii)/2)
	require.Zero(t, testing.AllocsPerRun(100, func() { AppendUTF16(dst, ascii) }), "a room that is just enough is enough")

	short := make([]byte, 64)
	for i := range short {
		short[i] = '!'
	}
	AppendUTF16(short[:0:4], src)
	require.Equal(t, strings.Repeat("!", 60), string(short[4:]), "nothing is written past the capacity")
}

func FuzzUTF16Twin(f *testing.F) {
	for _, s := range samples {
		f.Add(slowEncode(s), s)
	}
	f.Fuzz(func(t *testing.T, src []byte, s string) {
		checkTwins(t, src)
		if got := EncodeUTF16(nil, s); string(got) != string(slowEncode(s)) {
			t.Fatalf("EncodeUTF16(%q) = % x", s, got)
		}
		if utf8.ValidString(s) && UTF16(EncodeUTF16(nil, s)) != s {
			t.Fatalf("%q does not come back", s)
		}
	})
}

func BenchmarkUTF16(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("\\Processor(_Total)\\% Processor Time", 100),
		"cjk":   strings.Repeat("プロセッサ時間", 400),
	} {
		src := slowEncode(s)
		dst := make([]byte, 0, 4*len(src))
		for rival, f := range map[string]func(){
			"append": func() { dst = AppendUTF16(dst[:0], src) },
			"stdlib": func() { _ = slowUTF16(src) },
			"valid":  func() { ValidUTF16(src) },
			"nul":    func() { IndexNUL16(src) },
		} {
			b.Run(rival+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
	}
}
