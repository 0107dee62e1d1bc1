package english

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/golden"
)

// TestPacked checks names.tsv.gz against the table that it is made of; -update makes it
// again.
func TestPacked(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", "counter-names-by-language.tsv"))
	if err != nil {
		t.Skip("the table of names is not next to the checkout:", err)
	}
	want := pack(t, string(source))
	if *golden.Update {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = io.WriteString(w, want)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoError(t, os.WriteFile("names.tsv.gz", b.Bytes(), 0o600))
		packed = b.Bytes()
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "run go test with -update")
}

// pack makes the text of names.tsv.gz of the table: kind, object, counter, and
// the name in each language. Names that fold to the English one are left out.
func pack(t *testing.T, source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		require.Len(t, fields, 15)
		name := fields[2]
		switch fields[0] {
		case "object":
			name = fields[1]
		case "counter":
			b.WriteByte('\t')
		default:
			require.Equal(t, "kind", fields[0])
			continue
		}
		names := []string{html.UnescapeString(name)}
		for _, local := range fields[3:] {
			local = Fold(html.UnescapeString(local))
			if local != "" && local != Fold(names[0]) && !slices.Contains(names[1:], local) {
				names = append(names, local)
			}
		}
		b.WriteString(strings.Join(names, "\t") + "\n")
	}
	return b.String()
}
