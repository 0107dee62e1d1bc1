package wire

import (
	"bytes"
	"slices"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func page(t testing.TB, n uint32) *CodePage {
	p, ok := LookupCodePage(n)
	require.True(t, ok, "page %d", n)
	require.Equal(t, n, p.Number())
	require.NotEmpty(t, p.Name())
	return p
}

func allPages() []uint32 {
	LookupCodePage(0)
	var all []uint32
	for n := range pageTable() {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

func TestPagesThatAreNeededAreThere(t *testing.T) {
	for _, n := range []uint32{
		437, 850, 852, 855, 858, 860, 862, 863, 865, 866, 874, 932, 936, 949, 950, 1200, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258,
		20127, 20866, 21866, 28591, 28592, 28593, 28594, 28595, 28596, 28597, 28598, 28599, 28600, 28603, 28604, 28605, 28606, 54936, 65001,
	} {
		page(t, n)
	}
	for _, n := range []uint32{0, 1, 2, 3, 42, 737, 65000, 1 << 31} {
		_, ok := LookupCodePage(n)
		require.False(t, ok, n)
	}
}

// The pairs come from the Windows tables, not from x/text.
func TestKnownTexts(t *testing.T) {
	for _, c := range []struct {
		page  uint32
		bytes string
		text  string
	}{
		{437, "\x81ber \xE1", "über ß"},
		{850, "caf\x82 \xD5", "café ı"},
		{858, "\xD5", "€"},
		{866, "\x8F\xE0", "Пр"},
		{874, "\xA1\x80", "ก€"},
		{932, "\x83v\x83\x8D\x83Z\x83b\x83T", "プロセッサ"},
		{932, "\xB1\xDD", "ｱﾝ"},
		{936, "\xB4\xA6\xC0\xED\xC6\xF7", "处理器"},
		{936, "\x80", "€"},
		{949, "\xC7\xC1\xB7\xCE\xBC\xBC\xBC\xAD", "프로세서"},
		{950, "\xB3\x42\xB2\x7A\xBE\xB9", "處理器"},
		{1250, "\xE8\xE1st", "část"},
		{1251, "\xCF\xF0\xEE\xF6\xE5\xF1\xF1\xEE\xF0", "Процессор"},
		{1252, "caf\xE9 \x80 \x99", "café € ™"},
		{1252, "\x81\x8D\x8F\x90\x9D", "\u0081\u008D\u008F\u0090\u009D"},
		{1253, "\xC1\x81", "Α\u0081"},
		{1257, "\xE8\x81", "č\u0081"},
		{20866, "\xF0", "П"},
		{28591, "\xE9\x81", "é\u0081"},
		{28605, "\xA4", "€"},
		{54936, "\x84\x31\xA4\x37", "\uFFFD"},
		{54936, "\x90\x30\x81\x30\xB4\xA6", "\U00010000处"},
		{65001, "caf\xC3\xA9\xEF\xBF\xBD", "café\uFFFD"},
		{1200, "a\x00\xFD\xFF\x3D\xD8\x00\xDE", "a\uFFFD\U0001F600"},
		{1201, "\x00a\x00\xE9", "aé"},
		{12000, "a\x00\x00\x00", "a"},
		{12001, "\x00\x01\xF6\x00", "\U0001F600"},
		{20127, "plain", "plain"},
		{37, "\xC1\xF0", "A0"},
		{50220, "\x1b$B%W\x1b(B", "プ"},
	} {
		p := page(t, c.page)
		got, ok := p.Append([]byte("> "), []byte(c.bytes))
		require.True(t, ok, "%d %q", c.page, c.bytes)
		require.Equal(t, "> "+c.text, string(got), "%d", c.page)
		if c.bytes == "\x80" && c.page == 936 || c.page == 50220 {
			continue // a form of € that the encoder does not write; the closing escape is optional
		}
		back, ok := p.Encode([]byte("> "), c.text)
		require.True(t, ok, "%d %q", c.page, c.text)
		require.Equal(t, "> "+c.bytes, string(back), "%d", c.page)
	}
}

func TestInvalidTextIsRefusedAndLeavesDstAlone(t *testing.T) {
	dst := append(make([]byte, 0, 64), "> "...)
	for n, texts := range map[uint32][]string{
		20127: {"caf\xE9"}, 65001: {"a\xFF", "\xED\xA0\x80"}, 932: {"ok \x83", "\x85\xFF", "\xFD"}, 936: {"\xFF", "\xB4"},
		949: {"\xC7"}, 950: {"\xB3\x20"}, 1253: {"\xAA"}, 1255: {"\xD9"}, 1257: {"\xA1"}, 874: {"\xDB"}, 28596: {"\xA1"},
		54936: {"\x84\x31\xA4\x37\xFF", "\x84\x31\xA4", "\xFE\x39\xFE\x39", "\x84\x31\xA4\x37\x81"},
		1200:  {"a", "a\x00\x00", "\x00\xD8"}, 1201: {"\xDC\x00"},
		12000: {"abc", "\x00\xD8\x00\x00"}, 12001: {"\x7F\x00\x00\x00", "\xFF\xFF\xFF\xFF"},
	} {
		for _, text := range texts {
			got, ok := page(t, n).Append(dst, []byte(text))
			require.False(t, ok, "%d % x gives %q", n, text, got)
			require.Equal(t, "> ", string(got))
		}
	}
	for n, texts := range map[uint32][]string{
		20127: {"é", "\x80"}, 1252: {"日", "\uFFFD", "a\xFF", "a\x80", "\u0080"}, 1253: {"\u00AA"}, 874: {"\uFFFD"}, 28596: {"\uFFFD"},
		932: {"\U0001F600", "\uFFFD"}, 936: {"\U0001F600"}, 949: {"\U0001F600"}, 37: {"日"},
		65001: {"\xFF"}, 1200: {"\xFF"}, 12000: {"\xFF"}, 54936: {"\xFF"},
	} {
		for _, text := range texts {
			got, ok := page(t, n).Encode(dst, text)
			require.False(t, ok, "%d %q gives % x", n, text, got)
			require.Equal(t, "> ", string(got))
		}
	}
}

func TestEverySingleByteInverts(t *testing.T) {
	holes := map[uint32]string{}
	for _, n := range allPages() {
		p := page(t, n)
		if _, ok := p.codec.(*single); !ok {
			continue
		}
		for b := range 256 {
			text, ok := p.Append(nil, []byte{byte(b)})
			if !ok {
				holes[n] += string(rune(b))
				continue
			}
			require.False(t, bytes.ContainsRune(text, utf8.RuneError))
			back, ok := p.Encode(nil, string(text))
			require.True(t, ok, "%d %#x", n, b)
			require.Equal(t, []byte{byte(b)}, back, "%d", n)
		}
	}
	for _, n := range []uint32{437, 850, 852, 855, 858, 860, 862, 863, 865, 866, 1250, 1251, 1252, 1254, 1256, 1258, 20866, 21866, 28591, 28605} {
		require.Empty(t, holes[n], n)
	}
	require.Equal(t, "\u00AA\u00D2\u00FF", holes[1253])
	require.Equal(t, "\u00A1\u00A5", holes[1257])
	require.Equal(t, "ÛÜÝÞüýþÿ", holes[874])
}

func TestASCIIIsItselfWhereThePageSaysSo(t *testing.T) {
	text := "0123456789 % Processor Time ~!@#$^&*()\\/"
	for _, n := range allPages() {
		p := page(t, n)
		got, ok := p.Encode(nil, text)
		require.True(t, ok, n)
		if n != 50220 && n != 52936 { // these write ASCII as it is, but read it otherwise behind an escape
			require.Equal(t, p.ASCII(), string(got) == text, "%d % x", n, got)
		}
	}
	require.False(t, page(t, 50220).ASCII())
	require.False(t, page(t, 1200).ASCII())
	require.True(t, page(t, 932).ASCII())
}

func TestPagesAreSafeForConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				for _, n := range []uint32{932, 50220, 54936, 1252} {
					p, _ := LookupCodePage(n)
					b, ok := p.Encode(nil, "aé")
					if n == 1252 && (!ok || string(b) != "a\xE9") {
						t.Error("1252")
					}
					if got, ok := p.Append(nil, []byte("plain")); !ok || string(got) != "plain" {
						t.Error(n)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestASCIIAllocatesNothing(t *testing.T) {
	p := page(t, 932)
	dst, src := make([]byte, 0, 64), []byte("% Processor Time, of all")
	require.Zero(t, testing.AllocsPerRun(100, func() { dst, _ = p.Append(dst[:0], src) }))
	p = page(t, 1252)
	src = []byte("caf\xE9")
	require.Zero(t, testing.AllocsPerRun(100, func() { dst, _ = p.Append(dst[:0], src) }))
	require.Zero(t, testing.AllocsPerRun(100, func() { LookupCodePage(1252) }))
}

// repeats says why decode, then encode need not give the same bytes; the text
// must still come back the same.
var repeats = map[uint32]string{
	932:   "NEC and IBM characters stand in several rows",
	936:   "0x80 and A2E3 are both €",
	949:   "kept on the safe side: the WHATWG table is larger than the page",
	950:   "Big5 has several characters twice",
	20932: "JIS X 0208 and 0212 overlap", 51932: "JIS X 0208 and 0212 overlap",
	50220: "escapes may be repeated", 52936: "escapes may be repeated",
	54936: "0x80 and A2E3 are both €",
}

func FuzzCodePageRoundTrip(f *testing.F) {
	for _, n := range allPages() {
		f.Add(n, []byte("plain"), "plain")
		f.Add(n, []byte("caf\xE9 \x81\x40\x84\x31\xA4\x37"), "日本 é \uFFFD")
	}
	f.Fuzz(func(t *testing.T, n uint32, src []byte, s string) {
		p, ok := LookupCodePage(n)
		if !ok {
			all := allPages()
			p, _ = LookupCodePage(all[int(n)%len(all)])
		}
		n = p.Number()
		if text, ok := p.Append(nil, src); ok {
			if !utf8.Valid(text) {
				t.Fatalf("page %d: % x gives invalid UTF-8", n, src)
			}
			if p.ASCII() && asciiPrefix(src) == len(src) && string(text) != string(src) {
				t.Fatalf("page %d: ASCII %q became %q", n, src, text)
			}
			back, ok := p.Encode(nil, string(text))
			if repeats[n] != "" {
				if !ok {
					return // the encoder lacks what only the decoder knows
				}
				again, ok := p.Append(nil, back)
				if !ok || !bytes.Equal(again, text) {
					t.Fatalf("page %d: % x is %q, then % x, then %q", n, src, text, back, again)
				}
			} else if !ok || !bytes.Equal(back, src) {
				t.Fatalf("page %d: % x is %q, then % x", n, src, text, back)
			}
		} else if len(text) != 0 {
			t.Fatalf("page %d: refused, but appended %q", n, text)
		}
		if b, ok := p.Encode(nil, s); ok {
			if again, ok := p.Append(nil, b); repeats[n] == "" && (!ok || string(again) != s) {
				t.Fatalf("page %d: %q is % x, then %q", n, s, b, again)
			}
		}
		if slow := slowPrefix(src); slow != asciiPrefix(src) {
			t.Fatalf("ASCII prefix of % x: %d, want %d", src, asciiPrefix(src), slow)
		}
	})
}

func slowPrefix(b []byte) int {
	for i, c := range b {
		if c >= 0x80 {
			return i
		}
	}
	return len(b)
}
