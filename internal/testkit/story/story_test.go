package story_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/story"
)

const dir = "../../../testdata/story"

// TestFiles holds that the files of testdata are what the package makes; -update
// writes them.
func TestFiles(t *testing.T) {
	flag.Parse()
	var truth []*story.Recording
	for name, make := range map[string]func() *story.Recording{"srv-sql-01": story.SQL, "srv-quiet-01": story.Quiet} {
		r := make()
		truth = append(truth, r)
		file := filepath.Join(dir, name+".blg.gz")
		if *golden.Update {
			var b bytes.Buffer
			z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
			_, err := z.Write(r.Log)
			require.NoError(t, err)
			require.NoError(t, z.Close())
			require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
		}
		packed, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Less(t, len(packed), 1_500_000, "%s: %d unpacked", name, len(r.Log))
		z, err := gzip.NewReader(bytes.NewReader(packed))
		require.NoError(t, err)
		log, err := io.ReadAll(z)
		require.NoError(t, err)
		require.True(t, bytes.Equal(r.Log, log), "%s: -update writes it", name)
		t.Logf("%s: %d bytes, packed %d", name, len(log), len(packed))
	}
	b, err := json.MarshalIndent(map[string]any{"SRV-SQL-01": story.SQL(), "SRV-QUIET-01": story.Quiet()}, "", "  ")
	require.NoError(t, err)
	golden.File(t, filepath.Join(dir, "truth.json"), append(b, '\n'))
	require.Len(t, truth, 2)
}
