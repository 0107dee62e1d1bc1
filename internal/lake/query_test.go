package lake_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/testkit/perftest/serverlog"
	"github.com/perfdump/perfdump/internal/testkit/story"
	"github.com/perfdump/perfdump/internal/wire"
)

// TestQueries runs each query of docs/fleet.md in DuckDB, as it is written, on a lake of the
// story, of ten machines like those in it, and of two larger ones on another day. Of these a
// query for one of a hundred counters reads less than 5 % of the bytes.
func TestQueries(t *testing.T) {
	if os.Getenv("NODE_PATH") == "" {
		t.Skip("needs DuckDB: .ci/run fleet installs it with npm")
	}
	dir, logs := t.TempDir(), t.TempDir()
	write := func(name string, b []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(logs, name+".blg"), b, 0o600))
	}
	for i := range 10 {
		r := []func() *story.Recording{story.SQL, story.Quiet}[i%2]()
		name := r.Machine[:len(r.Machine)-2] + fmt.Sprint(10+i)
		write(name, bytes.ReplaceAll(r.Log, wire.EncodeUTF16(nil, r.Machine), wire.EncodeUTF16(nil, name)))
	}
	for i := range 2 {
		name := fmt.Sprint("SRV-APP-", i)
		write(name, (&serverlog.Server{Machine: name, Counters: 50, Instances: 20}).Log(700))
	}
	_, err := lake.Run(t.Context(), filepath.Join(dir, "lake"), []string{logs, filepath.FromSlash("../../testdata/story")}, lake.Options{})
	require.NoError(t, err)

	page, err := os.ReadFile(filepath.FromSlash("../../docs/fleet.md"))
	require.NoError(t, err)
	queries := regexp.MustCompile("(?s)\n\n([^\n]*):\n\n```sql\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, queries, bytes.Count(page, []byte("```sql\n")))
	for _, q := range queries {
		rows, read := duckdb(t, dir, string(q[2]))
		require.NotEmpty(t, rows, "%s", q[1])
		t.Logf("%s: %d rows, %d bytes read\n%v", q[1], len(rows), read, rows[:min(len(rows), 5)])
	}

	size := int64(0)
	all, err := filepath.Glob(filepath.Join(dir, "lake", "host=*", "date=2020-06-15", "*"))
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, name := range all {
		info, err := os.Stat(name)
		require.NoError(t, err)
		size += info.Size()
	}
	rows, read := duckdb(t, dir, "SELECT host, avg(value) FROM read_parquet('lake/host=*/date=2020-06-15/*.parquet') WHERE object = 'Thread' AND counter = 'Counter 7' GROUP BY host")
	require.Len(t, rows, 2)
	t.Logf("one counter of one day: %d of %d bytes read, %.1f %%", read, size, 100*float64(read)/float64(size))
	require.Less(t, read, size/20)
}

// duckdb returns the rows that SQL gives in a folder, and how many bytes it reads.
func duckdb(t *testing.T, dir, sql string) ([][]any, int64) {
	t.Helper()
	script, err := filepath.Abs(filepath.FromSlash("testdata/duckdb.cjs"))
	require.NoError(t, err)
	cmd := exec.Command("node", script, sql)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	b, err := cmd.Output()
	require.NoError(t, err, sql)
	var answer struct {
		Read int64
		Rows [][]any
	}
	require.NoError(t, json.Unmarshal(b, &answer))
	return answer.Rows, answer.Read
}
