package document_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// The documents of docs/outputs.md are what they say.
func TestDocumentsOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/outputs.md")
	require.NoError(t, err)
	var docs []string
	for part := range strings.SplitSeq(string(page), "```json\n") {
		doc, _, ok := strings.Cut(part, "```")
		if ok && strings.HasPrefix(doc, "{") {
			docs = append(docs, doc)
		}
	}
	require.Len(t, docs, 9)

	b := encode(t, []byte(docs[0]))
	require.Equal(t, docs[0], string(dump(t, b, document.Options{})))
	_, err = perfdata.Parse(b, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)

	require.Equal(t, docs[1], string(dumpSets(t, encode(t, []byte(docs[1])))))
	docs = docs[1:]

	b = encode(t, []byte(docs[1]))
	table, err := titles.Parse(b, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	require.Equal(t, docs[1], string(dumpTitles(t, b, table)))

	b = encode(t, []byte(docs[2]))
	blocks, err := ipcblock.Parse(b, ipcblock.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
	require.NoError(t, err)
	require.Equal(t, uint64(4711), blocks.Chunk(0).Uint64(ipcblock.ProcessID))

	b = encode(t, []byte(docs[3]))
	backup, err := perfstrings.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	var doc bytes.Buffer
	require.NoError(t, document.WritePerfStrings(&doc, "b.ini", backup, document.Options{}))
	require.Equal(t, docs[3], doc.String())

	for i, name := range []string{"c.ini", "c.h", "c.reg"} {
		b = encode(t, []byte(docs[4+i]))
		require.Equal(t, docs[4+i], string(dumpLines(t, name, b)))
	}

	b = encode(t, []byte(docs[7]))
	_, err = perfdata.Parse(b, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	require.True(t, bytes.Contains(b, []byte("H\x00O\x00S\x00T\x00")))
}
