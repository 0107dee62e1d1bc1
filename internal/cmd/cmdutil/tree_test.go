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
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

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
				Owner:  &capture.Owner{Host: fmt.Sprint("host", i), Object: "Memory"},
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

// TestPartitionWithoutCase wants hosts whose names differ in case alone to have
// files of other names: on some systems their folders are one.
func TestPartitionWithoutCase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	p := cmdutil.Parquet{Partition: true}
	w, err := p.Cooked(&cmdutil.Factory{}, io.Discard, dir, nil, nil)
	require.NoError(t, err)
	for i, host := range []string{"WEB", "web"} {
		s := &capture.Series{ID: i, Owner: &capture.Owner{Host: host}, Metric: &capture.Metric{}}
		require.NoError(t, w.WriteFrame(&capture.Frame{Cells: []capture.Cell{{Series: s}}}))
	}
	require.NoError(t, w.Close())
	assert.FileExists(t, filepath.Join(dir, "host=WEB", "date=__HIVE_DEFAULT_PARTITION__", "part-0.parquet"))
	assert.FileExists(t, filepath.Join(dir, "host=web", "date=__HIVE_DEFAULT_PARTITION__", "part-1.parquet"))
}
