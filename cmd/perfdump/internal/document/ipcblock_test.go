package document_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

// ipcBlocks returns the samples of the format, and the seeds of its fuzzer.
func ipcBlocks(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	names, err := filepath.Glob("../../../../testdata/ipcblock/*.bin")
	require.NoError(t, err)
	for _, name := range names {
		all[filepath.Base(name)] = read(t, name)
	}
	names, err = filepath.Glob("../../../../fuzz/testdata/fuzz/FuzzIPCDecode/*")
	require.NoError(t, err)
	for _, name := range names {
		lines := strings.Split(string(read(t, name)), "\n")
		require.Greater(t, len(lines), 2)
		s, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(lines[1], "[]byte("), ")"))
		require.NoError(t, err, name)
		all[filepath.Base(name)] = []byte(s)
	}
	require.Greater(t, len(all), 12)
	return all
}

func dumpIPCBlock(t *testing.T, b []byte, table *ipcblock.Table, o document.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, document.WriteIPCBlock(&out, "x.bin", b, table, o))
	require.True(t, json.Valid(out.Bytes()))
	return out.Bytes()
}

// What a document is made of comes back, also with its keys in another order.
func TestIPCBlocksComeBack(t *testing.T) {
	n := 0
	for name, b := range ipcBlocks(t) {
		for layout := range ipcblock.Layout(5) {
			table, err := ipcblock.Parse(b, ipcblock.Options{Layout: layout})
			if err != nil {
				continue
			}
			doc := dumpIPCBlock(t, b, table, document.Options{})
			require.True(t, bytes.Equal(b, encode(t, doc)), "%s as %s", name, layout)
			require.True(t, bytes.Equal(b, encode(t, edit(t, doc, func(object) {}))), "%s as %s with sorted keys", name, layout)
			n++
		}
	}
	require.Greater(t, n, 25)
}

// A document without wire and gaps is laid out anew.
func TestIPCBlockByHand(t *testing.T) {
	for _, doc := range []string{
		`{"format":"ipcblock","layout":"sxs","chunks":[{"arch":"x86","runtime_id":3},{"index":4,"arch":"x64","runtime_id":4,"fields":[
			{"section":"gc","field":"processId","value":4711},{"section":"security","field":"timeAuthorize","value":18446744073709551615}]}]}`,
		`{"format":"ipcblock","layout":"sxs","chunks":[{"index":4,"arch":"x64","runtime_id":4,"fields":[
			{"section":"gc","field":"processId","value":4711},{"section":"security","field":"timeAuthorize","value":-9223372036854775808}]}]}`,
		`{"chunks":[{"arch":"x64","fields":[{"section":"gc","field":"processId","value":4711}]}],"layout":"legacy_public","format":"ipcblock"}`,
		`{"format":"ipcblock","layout":"legacy_private","chunks":[{"arch":"x86","flags":7,"path":"C:\\clr.dll","app_domain":{"total_slots":0}}]}`,
		`{"format":"ipcblock","layout":"perf","chunks":[{"arch":"x86","fields":[{"section":"gc","field":"gen0Collections","value":7}]}]}`,
	} {
		b := encode(t, []byte(doc))
		table, err := ipcblock.Parse(b, ipcblock.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
		require.NoError(t, err, doc)
		if table.Layout() == ipcblock.SxS {
			require.Equal(t, uint64(4711), table.Chunk(4).Uint64(ipcblock.ProcessID))
		}
		require.True(t, bytes.Equal(b, encode(t, dumpIPCBlock(t, b, table, document.Options{}))), doc)
	}
}

// What does not fit together is refused.
func TestIPCBlockErrors(t *testing.T) {
	b := ipcBlocks(t)["sxs_x86.bin"]
	table, err := ipcblock.Parse(b, ipcblock.Options{})
	require.NoError(t, err)
	doc := dumpIPCBlock(t, b, table, document.Options{})
	for _, c := range []struct {
		change object
		code   perfdump.Code
		text   string
	}{
		{object{"layout": "x"}, "syntax", "no layout"},
		{object{"layout": "auto"}, "syntax", "no layout"},
		{object{"layout": "perf"}, "length", ""},
		{object{"chunks.0.state": "x"}, "syntax", "no state"},
		{object{"chunks.0.arch": "arm"}, "syntax", "no architecture"},
		{object{"chunks.0.index": 32}, "syntax", "0..31"},
		{object{"chunks.0.index": 1}, "length", "begins at 0x800"},
		{object{"chunks.0.version": 65536}, "syntax", "65535"},
		{object{"chunks.0.entries.0.size": 384}, "length", "the field"},
		{object{"chunks.0.fields.3.offset": 57}, "length", "the field"},
		{object{"chunks.0.fields.3.size": 8}, "length", "the field"},
		{object{"chunks.0.fields.3.value": int64(1 << 32)}, "length", "does not fit"},
		{object{"chunks.0.fields.3.value": -1}, "syntax", "cannot be negative"},
		{object{"chunks.0.fields.3.field": "gen0Collections"}, "syntax", "given twice"},
		{object{"chunks.0.fields.3.field": "nothing"}, "syntax", "no field"},
		{object{"chunks.0.fields": []any{}}, "length", "no field and no gap"},
		{object{"gaps": []any{}}, "length", "no field and no gap"},
		{object{"gaps.0.offset": 316}, "length", ""},
		{object{"gaps.0": object{"offset": 320, "zero": int64(1 << 35)}}, "limit", "limit"},
		{object{"size": int64(1 << 35)}, "limit", "limit"},
		{object{"size": 2048}, "length", ""},
		{object{"blocks": []any{}}, "syntax", "does not belong"},
	} {
		err := refuse(t, edit(t, doc, func(m object) {
			for path, v := range c.change {
				set(t, m, path, v)
			}
		}))
		require.Equal(t, c.code, err.Code, "%v: %v", c.change, err)
		require.Contains(t, err.Error(), c.text, "%v", c.change)
	}
	for _, doc := range []string{
		`{"format":"ipcblock","chunks":[]}`, `{"format":"ipcblock","layout":"sxs"}`, `{"format":"ipcblock","layout":"perf","chunks":[]}`,
		`{"format":"ipcblock","layout":"sxs","chunks":[{"fields":[{"section":"gc","field":"processId"}]}]}`,
		`{"format":"ipcblock","layout":"sxs","chunks":[` + strings.Repeat("{},", 32) + `{}]}`,
	} {
		refuse(t, []byte(doc))
	}
}

func TestIPCBlockGolden(t *testing.T) {
	all := ipcBlocks(t)
	for name, sample := range map[string]string{"ipcblock-sxs.json": "sxs_x86.bin", "ipcblock-private.json": "private-x64"} {
		b := all[sample]
		table, err := ipcblock.Parse(b, ipcblock.Options{})
		require.NoError(t, err)
		goldenFile(t, name, dumpIPCBlock(t, b, table, document.Options{}))
	}
}

// A document with filters has the fields that feed a counter asked for.
func TestIPCBlockFilter(t *testing.T) {
	b, err := os.ReadFile("../../../../testdata/ipcblock/sxs_x64.bin")
	require.NoError(t, err)
	table, err := ipcblock.Parse(b, ipcblock.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
	require.NoError(t, err)
	p, err := pdhpath.Compile(`\.NET CLR Memory(*)\# Bytes in all Heaps`)
	require.NoError(t, err)
	doc := string(dumpIPCBlock(t, b, table, document.Options{Counters: []*pdhpath.Pattern{p}}))
	require.Contains(t, doc, `"partial":true`)
	require.Contains(t, doc, `"gaps":[]`)
	require.Equal(t, 3, strings.Count(doc, `"section"`), "the three addends")
}
