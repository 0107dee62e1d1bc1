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
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

// ipcBlocks returns the samples of the format, and the seeds of its fuzzer.
func ipcBlocks(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	names, err := filepath.Glob("../testdata/ipcblock/*.bin")
	require.NoError(t, err)
	for _, name := range names {
		all[filepath.Base(name)] = read(t, name)
	}
	names, err = filepath.Glob("../fuzz/testdata/fuzz/FuzzIPCDecode/*")
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
	require.NoError(t, document.WriteIPCBlock(&out, document.IPCBlock{File: "x.bin", Data: b, Table: table}, o))
	require.True(t, json.Valid(out.Bytes()))
	return out.Bytes()
}

// The fields and the gaps of a document hold each byte.
func TestIPCBlockDocuments(t *testing.T) {
	for name, b := range ipcBlocks(t) {
		table, err := ipcblock.Parse(b, ipcblock.Options{})
		if err != nil {
			continue
		}
		var doc struct {
			Size   int64
			Layout string
			Chunks []struct {
				Offset int64
				State  string
				Fields []struct {
					Section, Field string
					Offset, Size   int64
					Value          json.Number
				}
			}
			Gaps []struct {
				Offset int64
				Hex    string
				Zero   int64
			}
		}
		require.NoError(t, json.Unmarshal(dumpIPCBlock(t, b, table, document.Options{}), &doc))
		require.Equal(t, int64(len(b)), doc.Size, name)
		require.Equal(t, table.Layout().String(), doc.Layout, name)
		gaps := int64(0)
		for _, g := range doc.Gaps {
			gaps += g.Zero + int64(len(g.Hex)/2)
		}
		fields := int64(0)
		end := int64(0)
		for s := range table.Spans() {
			if !ipcblock.IsGap(s) {
				fields += max(0, s.Off+s.Size-max(s.Off, end))
			}
			end = max(end, s.Off+s.Size)
		}
		require.Equal(t, doc.Size, gaps+fields, name)
		for _, c := range doc.Chunks {
			for _, f := range c.Fields {
				field, ok := ipcblock.FieldByName(f.Section, f.Field)
				require.True(t, ok, "%s: %s.%s", name, f.Section, f.Field)
				for _, chunk := range table.Chunks() {
					if chunk.Offset == c.Offset {
						require.Equal(t, chunk.FieldOffset(field), f.Offset)
						require.Equal(t, strconv.FormatUint(chunk.Uint64(field), 10), f.Value.String())
					}
				}
			}
		}
	}
}

func TestIPCBlockGolden(t *testing.T) {
	all := ipcBlocks(t)
	for name, sample := range map[string]string{"ipcblock-sxs.json": "sxs_x86.bin", "ipcblock-private.json": "private-x64"} {
		b := all[sample]
		table, err := ipcblock.Parse(b, ipcblock.Options{})
		require.NoError(t, err)
		golden(t, name, dumpIPCBlock(t, b, table, document.Options{}))
	}
}

// A document with filters has the fields that feed a counter asked for.
func TestIPCBlockFilter(t *testing.T) {
	b, err := os.ReadFile("../testdata/ipcblock/sxs_x64.bin")
	require.NoError(t, err)
	table, err := ipcblock.Parse(b, ipcblock.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	p, err := pdhpath.Compile(`\.NET CLR Memory(*)\# Bytes in all Heaps`)
	require.NoError(t, err)
	doc := string(dumpIPCBlock(t, b, table, document.Options{Counters: []*pdhpath.Pattern{p}}))
	require.Contains(t, doc, `"partial":true`)
	require.Contains(t, doc, `"gaps":[]`)
	require.Equal(t, 3, strings.Count(doc, `"section"`), "the three addends")
}
