package document_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// Long names are written in parts, of whole characters, and come back.
func TestLongNamesComeBack(t *testing.T) {
	for page, unit := range map[uint32]string{0: "\x3d\xd8\x00\xde\"\x00\x28\x20", 932: "\x88\xeax\"", 65001: "\xe4\xb8\x80\xf0\x9f\x98\x80\\"} {
		one, nul := "x", "\x00"
		if page == 0 {
			one, nul = "x\x00", "\x00\x00"
		}
		o := perftest.Object{Title: 2, CodePage: page, Counters: []perftest.Counter{{Title: 4, Type: 0x10000}}}
		for shift := range 4 { // the parts end elsewhere
			o.Instances = append(o.Instances, perftest.Instance{RawName: []byte(strings.Repeat(one, shift) + strings.Repeat(unit, 20000) + nul)})
		}
		data := (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
		block, err := perfdata.Parse(data, perfdata.Options{})
		require.NoError(t, err)
		var doc, back bytes.Buffer
		in := document.PerfData{Data: data, Name: "a", Blocks: slices.Values([]*perfdata.Block{block})}
		require.NoError(t, document.WritePerfData(&doc, in, document.Options{}))
		require.True(t, json.Valid(doc.Bytes()))
		assert.False(t, bytes.Contains(doc.Bytes(), []byte(`{"name":{"hex"`)), "page %d", page)
		require.NoError(t, document.Encode(&back, &doc))
		assert.True(t, bytes.Equal(data, back.Bytes()), "page %d", page)
	}
}

// A page that shifts by escapes is spelled whole: each part of a text would
// shift anew.
func TestLongNamesThatShiftComeBack(t *testing.T) {
	name := "\x1b$B" + strings.Repeat("\x46\x7c", 20000) + "\x1b(B\x00" // ISO-2022-JP
	data := (&perftest.Block{Objects: []perftest.Object{{
		Title: 2, CodePage: 50220, Counters: []perftest.Counter{{Title: 4, Type: 0x10000}},
		Instances: []perftest.Instance{{RawName: []byte(name)}},
	}}}).Bytes()
	block, err := perfdata.Parse(data, perfdata.Options{})
	require.NoError(t, err)
	var doc, back bytes.Buffer
	in := document.PerfData{Data: data, Name: "a", Blocks: slices.Values([]*perfdata.Block{block})}
	require.NoError(t, document.WritePerfData(&doc, in, document.Options{}))
	assert.True(t, bytes.Contains(doc.Bytes(), []byte(`{"name":"`+strings.Repeat("日", 20000)+`"`)), "as text, not as bytes")
	require.NoError(t, document.Encode(&back, &doc))
	assert.True(t, bytes.Equal(data, back.Bytes()))
}

// A value may begin inside a long text, at any of its parts.
func TestLongTextsUnderOtherValuesComeBack(t *testing.T) {
	var text []byte
	for i := range 15_000 {
		text = perftest.Uint32s(text, 0x4e004e00+uint32(i%251)+uint32(i/251)<<16)
	}
	for _, at := range []int{8, 100, 16 << 10, 40_000, 59_996} {
		data := (&perftest.Block{Objects: []perftest.Object{{
			Title: 2, Counters: []perftest.Counter{
				{Title: 4, Type: 0x00000B00, Size: 60_000, Offset: 8},
				{Title: 6, Type: 0x00010000, Offset: at},
				{Title: 8, Type: 0x00010000, Offset: at + 4},
			},
			Instances: []perftest.Instance{{Name: "a", Raw: map[int][]byte{0: text}}},
		}}}).Bytes()
		copy(data[bytes.Index(data, text[:100])+at-8:], text[at-8:][:8]) // where the builder put 0
		block, err := perfdata.Parse(data, perfdata.Options{})
		require.NoError(t, err)
		var doc, back bytes.Buffer
		in := document.PerfData{Data: data, Name: "a", Blocks: slices.Values([]*perfdata.Block{block})}
		require.NoError(t, document.WritePerfData(&doc, in, document.Options{}))
		assert.True(t, bytes.Contains(doc.Bytes(), []byte(`"values":["一一丁一丂一`)), "at %d: as text", at)
		require.NoError(t, document.Encode(&back, &doc))
		assert.True(t, bytes.Equal(data, back.Bytes()), "at %d", at)
	}
}
