package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// roundTrip wants the document of b to be JSON and to encode to b, also with
// its keys in another order.
func roundTrip(t *testing.T, name string, b []byte) {
	t.Helper()
	doc := dump(t, b, document.Options{})
	require.True(t, json.Valid(doc), name)
	require.True(t, utf8.Valid(doc), name)
	require.True(t, bytes.Equal(b, encode(t, doc)), name)
	if len(b) < 1<<20 {
		require.True(t, bytes.Equal(b, encode(t, edit(t, doc, func(object) {}))), "%s with sorted keys", name)
	}
}

func TestCapturesComeBack(t *testing.T) {
	n := 0
	for _, name := range files(t, "wine", "busy", "malformed") {
		b := read(t, name)
		if _, ok := blocks(b, perfdump.Options{}); ok {
			roundTrip(t, name, b)
			n++
		}
	}
	require.Greater(t, n, 100)
}

func TestTablesOfNamesComeBack(t *testing.T) {
	n := 0
	for _, name := range files(t, "wine", "busy", "malformed-titles") {
		b := read(t, name)
		pages := []uint32{0, 1200, 1251, 932, 65001}
		if perftest.Race { // which makes it slow
			pages = pages[:1]
		}
		for _, page := range pages {
			table, err := titles.Parse(b, perfdump.Options{CodePage: page})
			if err != nil {
				continue
			}
			doc := dumpTitles(t, b, table)
			require.True(t, json.Valid(doc), name)
			require.True(t, bytes.Equal(b, encode(t, doc)), "%s in page %d", name, page)
			require.True(t, bytes.Equal(b, encode(t, edit(t, doc, func(object) {}))), "%s in page %d with sorted keys", name, page)
			n++
		}
		if table, err := titles.ParseText(b, perfdump.Options{}); err == nil {
			require.True(t, bytes.Equal(b, encode(t, dumpTitles(t, b, table))), "%s as a list", name)
		}
	}
	require.Greater(t, n, 20)
}

// Blocks with all that is hard to hold in JSON.
func oddBlocks() map[string][]byte {
	counter := func(typ uint32, size, off int) perftest.Counter {
		return perftest.Counter{Title: 10, Type: typ, Size: size, Offset: off}
	}
	one := func(o perftest.Object) []byte {
		o.Title = 5000
		b := perftest.Block{Name: "HOST", NameGap: 3, HeaderGap: 9, Tail: 40, Objects: []perftest.Object{o, {Title: 6, Counters: o.Counters, NumInstances: -2}}}
		return b.Bytes()
	}
	raw := func(names ...string) (all []perftest.Instance) {
		for _, n := range names {
			all = append(all, perftest.Instance{RawName: []byte(n)})
		}
		return all
	}
	all := map[string][]byte{
		"bare":        (&perftest.Block{}).Bytes(),
		"no counters": one(perftest.Object{Instances: raw("a\x00\x00\x00")}),
		"names": one(perftest.Object{
			Counters:  []perftest.Counter{counter(0x10410500, 8, 0)},
			Instances: raw("a\x00\x00\x00", "a\x00", "\x00\x00", "\x00", "a\x00\x00\x00b\x00", "a\x00\x00\x00\x00\x00", "\x00\xD8\x00\x00", "\x28\x20\x29\x20\x00\x00", "\x01\x00\"\x00\\\x00\x00\x00", "a\x00b", "\x3D\xD8\x00\xDE"),
		}),
		"ANSI":              one(perftest.Object{CodePage: 1252, Counters: []perftest.Counter{counter(0x10410500, 8, 0)}, Instances: raw("caf\xe9\x00", "caf\xe9", "\x00", "\x81\x00", "a\x00b\x00", "a\x00\x00\x00", "")}),
		"932":               one(perftest.Object{CodePage: 932, Counters: []perftest.Counter{counter(0x10410500, 8, 0)}, Instances: raw("\x83v\x00", "\x81\x00", "\xfa\x4a\x00", "\x87\x54\x00", "\xed\x40\x00")}),
		"page that is none": one(perftest.Object{CodePage: 7, Counters: []perftest.Counter{counter(0x10410500, 8, 0)}, Instances: raw("abc\x00", "a\x00b\x00\x00\x00")}),
		"UTF-16 as page":    one(perftest.Object{CodePage: 1200, Counters: []perftest.Counter{counter(0x10410500, 8, 0)}, Instances: raw("abc\x00", "a\x00b\x00\x00\x00", "\x00\x30\x00\x00")}),
		"overlaps":          one(perftest.Object{Counters: []perftest.Counter{counter(0x10410500, 8, 8), counter(0x00010000, 4, 12), counter(0x00010000, 4, 10), counter(0x00000b00, 6, 9), counter(0x00010000, 4, 2)}, Instances: raw("a\x00\x00\x00", "b\x00\x00\x00"), BlockExtra: 24}),
		"past the block":    one(perftest.Object{Counters: []perftest.Counter{counter(0x00010000, 4, 8), counter(0x00010000, 4, 16), counter(0x10410500, 8, 8)}, Instances: raw("a\x00\x00\x00")}),
		"multi":             one(perftest.Object{Counters: []perftest.Counter{counter(0x22410500, 8, 8), counter(0x42030500, 8, 24), counter(0x22410500, 8, 32)}, Instances: []perftest.Instance{{Name: "a", Values: []uint64{1, 2, 3}}}, BlockExtra: 16}),
		"multi over others": one(perftest.Object{Counters: []perftest.Counter{counter(0x22410500, 8, 8), counter(0x10410500, 8, 16)}, Instances: []perftest.Instance{{Name: "a", Values: []uint64{1, 2}}}, BlockExtra: 16}),
		"texts": one(perftest.Object{CodePage: 1251, Counters: []perftest.Counter{counter(0x00000b00, 12, 8), counter(0x00010b00, 12, 24)}, Instances: []perftest.Instance{
			{Name: "a", Raw: map[int][]byte{0: []byte("a\x00b\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 1: []byte("\xcf\xf0\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")}},
			{Name: "b", Raw: map[int][]byte{0: []byte("a\x00b\x00\x00\x00\x00\x00\x00\x00\x01\x00"), 1: []byte("\xcf\xf0\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01")}},
			{Name: "c", Raw: map[int][]byte{0: []byte("a\x00b\x00c\x00d\x00e\x00f\x00"), 1: []byte("abcdefghijkl")}},
			{Name: "d", Raw: map[int][]byte{0: []byte("\x00\xd8b\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 1: []byte("\x98\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")}},
		}}),
		"sizes":  one(perftest.Object{Counters: []perftest.Counter{counter(0x00010000, 1, 8), counter(0x00010000, 3, 9), counter(0x00010000, 64, 16), counter(0x40000200, 0, 4), counter(0x12345678, 4, 80)}, Instances: raw("a\x00\x00\x00")}),
		"packed": one(perftest.Object{Packed: true, HeaderExtra: 8, DefinitionGap: 20, BlockExtra: 5, Tail: 30, Counters: []perftest.Counter{{Title: 2, Type: 0x10410500, Extra: 12}}, Instances: raw("a\x00\x00\x00", "bc\x00")}),
		"single": one(perftest.Object{Single: true, BlockExtra: 16, Counters: []perftest.Counter{counter(0x10410500, 8, 0)}}),
	}
	past := all["past the block"]
	put32(past[get32(past[24:])+64+40+36:], 4000)       // the offset of the second counter
	put32(past[get32(past[24:])+64+80+32:], 0x7fffffff) // the size of the third
	all["two"] = slices.Concat(all["names"], all["single"])
	over := slices.Concat(all["single"][:len(all["single"])-40], all["names"])
	put32(over[20:], uint32(len(over))) // the first block's length
	all["over the next"] = over
	all["trailing"] = slices.Concat(all["two"], []byte("behind the block"))
	all["long zeros"] = slices.Concat(all["single"], make([]byte, 200_000), []byte{1})
	all["samba"] = slices.Clone(all["single"])
	samba := all["samba"][:len(all["samba"])-40]
	put32(samba[20:], uint32(len(samba))-get32(samba[24:]))
	all["samba"] = samba
	broken := slices.Clone(all["names"])
	copy(broken[36:56], bytes.Repeat([]byte{0xff}, 20)) // the time and its padding
	put32(broken[8:], 0)                                // the flag
	put32(broken[12:], 3)                               // the version
	put32(broken[80:], 4000)                            // the name's length
	all["header"] = broken
	far := slices.Clone(all["names"])
	put32(far[36:], 12000|1<<16) // a time past the year 9999
	all["far"] = far
	return all
}

func get32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func put32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func TestOddBlocksComeBack(t *testing.T) {
	bs, _ := blocks(oddBlocks()["over the next"], perfdump.Options{})
	require.Len(t, bs, 2)
	for name, b := range oddBlocks() {
		roundTrip(t, name, b)
	}
}

// The values of a document are those of the block, and the gaps are the bytes that
// no span explains.
func TestDocumentsSayWhatTheBlockSays(t *testing.T) {
	all := oddBlocks()
	names, _ := filepath.Glob(filepath.Join(shared, "*", "*.bin"))
	for _, name := range names {
		all[name] = read(t, name)
	}
	for name, b := range all {
		bs, ok := blocks(b, perfdump.Options{})
		if !ok {
			continue
		}
		m := parse(t, dump(t, b, document.Options{}))
		covered := make([]bool, len(b))
		for i, blk := range bs {
			for j, o := range blk.Objects() {
				for k, in := range o.Instances() {
					got := at(t, m, fmt.Sprintf("blocks.%d.objects.%d.instances.%d.values", i, j, k)).([]any)
					for c, v := range in.Values() {
						require.Equal(t, shown(v), textOf(got[c]), name)
					}
				}
			}
			for s := range blk.Spans() {
				field := s.Path.FieldName()
				if field == "Padding" || field == "" && (s.Kind == perfdump.KindGap || s.Kind == perfdump.KindPadding) {
					continue
				}
				for at := s.Off; at < s.Off+s.Size; at++ {
					covered[at] = true
				}
			}
		}
		for _, g := range m["gaps"].([]any) {
			g := g.(object)
			hex, _ := g["hex"].(string)
			off, _ := g["offset"].(json.Number).Int64()
			zero, _ := g["zero"].(json.Number)
			size, _ := zero.Int64()
			for at := off; at < off+size+int64(len(hex)/2); at++ {
				require.False(t, covered[at], "%s: byte 0x%x is in a gap and in a field, or twice in gaps", name, at)
				covered[at] = true
			}
		}
		require.NotContains(t, covered, false, name)
	}
}

// textOf returns a value of a document as shown does.
func textOf(v any) string {
	if m, ok := v.(object); ok {
		if text, ok := m["text"]; ok {
			return fmt.Sprint(text)
		}
		return m["hex"].(string)
	}
	return fmt.Sprint(v)
}

func shown(v perfdata.Value) string {
	switch v.Kind {
	case perfdata.Absent:
		return "<nil>"
	case perfdata.Text:
		return v.Text()
	case perfdata.Bytes:
		return fmt.Sprintf("%x", v.Raw)
	default:
		return strconv.FormatUint(v.Uint, 10)
	}
}

func TestNamesThatAreNoTextAreHex(t *testing.T) {
	m := parse(t, dump(t, oddBlocks()["names"], document.Options{}))
	instances := at(t, m, "blocks.0.objects.0.instances").([]any)
	var got []any
	for _, in := range instances {
		got = append(got, in.(object)["name"])
	}
	require.Equal(t, []any{
		"a", "a", "",
		object{"hex": "00", "text": ""},
		object{"hex": "610000006200", "text": "a"},
		object{"hex": "610000000000", "text": "a"},
		object{"hex": "00d80000", "text": "\uFFFD"},
		"\u2028\u2029", "\x01\"\\",
		object{"hex": "610062", "text": "a"},
		"\U0001F600",
	}, got)
	require.Equal(t, "a#1", at(t, instances[1], "display"))
	m = parse(t, dump(t, oddBlocks()["texts"], document.Options{}))
	require.Equal(t, []any{"ab", "Пр"}, at(t, m, "blocks.0.objects.0.instances.0.values"))
	require.Equal(t, []any{object{"hex": "610062000000000000000100", "text": "ab"}, object{"hex": "cff000000000000000000001", "text": "Пр"}}, at(t, m, "blocks.0.objects.0.instances.1.values"))
	require.Equal(t, []any{"abcdef", "abcdefghijkl"}, at(t, m, "blocks.0.objects.0.instances.2.values"))
}

func TestStringsAreAsEncodingJSONReadsThem(t *testing.T) {
	for _, text := range []string{"", "plain", "\x00\x01\b\f\n\r\t\x1f\x7f\"\\/<>&", "\u2028\u2029\u2027\u202a", "é日\U0001F600", "a\xffb\xc3", "\xed\xa0\x80", strings.Repeat("long é ", 30_000)} {
		var out bytes.Buffer
		require.NoError(t, document.WritePerfData(&out, text, nil, slices.Values([]*perfdata.Block(nil)), document.Options{}))
		got := parse(t, out.Bytes())["file"]
		require.Equal(t, string([]rune(text)), got)
		require.NotContains(t, out.String(), "\u2028")
		require.NotContains(t, out.String(), "\u2029")
		require.NotContains(t, out.String(), "\x7f")
		require.Empty(t, encode(t, out.Bytes()))
	}
}

func TestPartialDocumentsSayAndAreRefused(t *testing.T) {
	cut := perftest.Busy(1, perftest.Small)
	cut = cut[:len(cut)-3000]
	all, _ := blocks(cut, perfdump.Options{Mode: perfdump.Salvage})
	require.NotZero(t, all[0].NumFaults())
	var out bytes.Buffer
	require.NoError(t, document.WritePerfData(&out, "", cut, slices.Values(all), document.Options{}))
	require.Equal(t, true, parse(t, out.Bytes())["partial"])
	err := refuse(t, out.Bytes())
	require.Equal(t, perfdump.CodeReadOnly, err.Code)
	require.Contains(t, err.Error(), "salvage")

	whole := oddBlocks()["names"]
	require.Equal(t, true, parse(t, dump(t, whole, document.Options{Mode: perfdump.Salvage}))["partial"])
	require.NotContains(t, parse(t, dump(t, whole, document.Options{})), "partial")
	require.Equal(t, whole, encode(t, []byte(strings.Replace(string(dump(t, whole, document.Options{Mode: perfdump.Salvage})), `"partial":true`, `"partial":false`, 1))))
}
