package cmdutil_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/export"
)

// host returns the name of a host; some differ in case alone.
func host(i int) string {
	if i%2 == 1 {
		return fmt.Sprint("HOST", i/2)
	}
	return fmt.Sprint("host", i/2)
}

// treeOf begins a tree with values of some hosts, one after the other and then
// once more.
func treeOf(t *testing.T, dir string, hosts int) export.FrameWriter {
	t.Helper()
	p := cmdutil.Parquet{Compression: "zstd", Partition: true}
	w, err := p.Cooked(&cmdutil.Factory{}, io.Discard, dir, nil, []string{"x.blg"})
	require.NoError(t, err)
	for range 2 {
		for i := range hosts {
			s := &capture.Series{
				ID:     i,
				Owner:  &capture.Owner{Host: host(i), Object: "Memory"},
				Metric: &capture.Metric{Counter: "Pages/sec"},
			}
			f := capture.Frame{Time: time.Date(2020, 3, 18, 0, 0, 0, 0, time.UTC), Cells: []capture.Cell{{Series: s, Value: 1}}}
			require.NoError(t, w.WriteFrame(&f))
		}
	}
	return w
}

// TestPartition holds that a tree has a file for each host, more where there
// are more hosts than files may be open, and that it is there whole or not at
// all.
func TestPartition(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "tree")
	for hosts, parts := range map[int]int{3: 1, 10: 2} {
		w := treeOf(t, dir, hosts)
		_, err := os.Stat(dir)
		require.ErrorIs(t, err, os.ErrNotExist, "it has its name at the end")
		require.NoError(t, w.Close())
		files, err := filepath.Glob(filepath.Join(dir, "host=*", "date=2020-03-18", "part-*.parquet"))
		require.NoError(t, err)
		assert.Len(t, files, hosts*parts)
		cmdutil.Discard(w)
		assert.DirExists(t, dir, "what is closed stays")
		require.NoError(t, os.RemoveAll(dir))
	}

	cmdutil.Discard(treeOf(t, dir, 10))
	left, err := os.ReadDir(parent)
	require.NoError(t, err)
	assert.Empty(t, left)

	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "lost+found"), 0o700))
	require.NoError(t, treeOf(t, dir, 1).Close(), "an empty directory is as none, and so is an empty mount point")
	p := cmdutil.Parquet{Partition: true}
	_, err = p.Raw(&cmdutil.Factory{}, io.Discard, dir, nil, nil)
	var usage *cmdutil.UsageError
	require.ErrorAs(t, err, &usage)
	assert.Contains(t, usage.Text, "not empty")
}
