package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// shared is test data beside the checkout; tests skip without it.
const shared = "../../../../../shared/captures"

func files(t *testing.T, dirs ...string) []string {
	t.Helper()
	var all []string
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(shared, dir, "*.bin"))
		require.NoError(t, err)
		all = append(all, names...)
	}
	if len(all) == 0 {
		t.Skip("no captures in " + shared)
	}
	return all
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return b
}

// blocks decodes a file, and is false where it is refused.
func blocks(b []byte, o perfdump.Options) ([]*perfdata.Block, bool) {
	var all []*perfdata.Block
	for blk, err := range perfdata.Blocks(b, o) {
		if err != nil {
			return all, false
		}
		all = append(all, blk)
	}
	return all, true
}

func dump(t testing.TB, b []byte, o document.Options) []byte {
	t.Helper()
	all, ok := blocks(b, perfdump.Options{Mode: o.Mode})
	require.True(t, ok, "the input is refused: % x", b[:min(len(b), 200)])
	var out bytes.Buffer
	require.NoError(t, document.WritePerfData(&out, "x.bin", b, slices.Values(all), o))
	return out.Bytes()
}

func dumpTitles(t testing.TB, b []byte, table *titles.Table) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, document.WriteTitles(&out, "perfc009.dat", b, table, document.Options{}))
	return out.Bytes()
}

func encode(t testing.TB, doc []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, formats.Encode(&out, bytes.NewReader(doc)))
	return out.Bytes()
}

// refuse wants an error and no output.
func refuse(t testing.TB, doc []byte) *perfdump.FormatError {
	t.Helper()
	var out bytes.Buffer
	err := formats.Encode(&out, bytes.NewReader(doc))
	require.Error(t, err)
	require.Zero(t, out.Len(), "an error and output")
	var fe *perfdump.FormatError
	require.True(t, errors.As(err, &fe), "%T %v", err, err)
	return fe
}

// object is a document as encoding/json reads it, with exact numbers.
type object = map[string]any

func parse(t testing.TB, doc []byte) object {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var m object
	require.NoError(t, d.Decode(&m))
	require.False(t, d.More())
	return m
}

// edit changes a document. It comes back with its keys in the order of the
// alphabet, as jq -S writes them.
func edit(t testing.TB, doc []byte, f func(object)) []byte {
	t.Helper()
	m := parse(t, doc)
	f(m)
	b, err := json.Marshal(m)
	require.NoError(t, err)
	return b
}

// at finds a value: "blocks.0.objects.1.wire".
func at(t testing.TB, v any, path string) any {
	t.Helper()
	for part := range strings.SplitSeq(path, ".") {
		if list, ok := v.([]any); ok {
			i, err := strconv.Atoi(part)
			require.NoError(t, err)
			v = list[i]
			continue
		}
		v = v.(object)[part]
	}
	return v
}

// set sets a key, or deletes it where v is nil.
func set(t testing.TB, m object, path string, v any) {
	t.Helper()
	i := strings.LastIndexByte(path, '.')
	var parent any = m
	if i >= 0 {
		parent = at(t, m, path[:i])
	}
	key := path[i+1:]
	switch p := parent.(type) {
	case []any:
		n, err := strconv.Atoi(key)
		require.NoError(t, err)
		p[n] = v
	case object:
		if v == nil {
			delete(p, key)
		} else {
			p[key] = v
		}
	}
}

// strip takes all wires and gaps out.
func strip(v any) {
	switch v := v.(type) {
	case object:
		delete(v, "wire")
		delete(v, "gaps")
		for _, e := range v {
			strip(e)
		}
	case []any:
		for _, e := range v {
			strip(e)
		}
	}
}
