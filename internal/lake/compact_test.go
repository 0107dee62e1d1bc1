package lake_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/lake"
)

func check(t testing.TB, dir string) *lake.Checked {
	t.Helper()
	c, err := lake.Check(t.Context(), dir, lake.Options{Piece: 5 * bufferSize})
	require.NoError(t, err)
	return c
}

// TestCompact joins the files of each recording and day, then changes what has been joined:
// the rows are always those of cooking the logs.
func TestCompact(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	o := lake.Options{Piece: 5 * bufferSize}
	compact := func() lake.Result {
		res, err := lake.Compact(t.Context(), out, o)
		require.NoError(t, err)
		require.Equal(t, cooked(t, in), rows(t, out))
		require.Equal(t, rows(t, out), rowsOf(t, out, counted(t, out)))
		require.Empty(t, check(t, out).Wrong)
		return res
	}
	fleet(t, in, 10)
	long{to: 40}.write(t, filepath.Join(in, "m7", "1.blg"))
	run(t, out, in, o)
	before := len(counted(t, out))
	require.Equal(t, 8, compact().Written, "four machines, two days")
	require.Len(t, counted(t, out), 8)
	require.Less(t, 8, before)
	require.Zero(t, compact().Written)
	require.Zero(t, run(t, out, in, o).Cooked)

	// Another night, a log that is another one, one that has gone.
	fleet(t, in, 12)
	rolled(t, filepath.Join(in, "m1", "02.blg"), "web02", loggers+"1", 2, 3)
	run(t, out, in, o)
	require.Equal(t, cooked(t, in), rows(t, out))
	require.Empty(t, check(t, out).Wrong)
	require.Positive(t, compact().Written)
	require.NoError(t, os.Remove(filepath.Join(in, "m2", "04.blg")))
	all := rows(t, out)
	run(t, out, in, o)
	require.Equal(t, all, rows(t, out))
	o.Prune = true
	run(t, out, in, o)
	compact()
}

// TestCheck damages a lake and changes its inputs.
func TestCheck(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	fleet(t, in, 4)
	run(t, out, in, lake.Options{})
	c := check(t, out)
	require.Empty(t, c.Wrong)
	require.Empty(t, c.Gone)
	require.Equal(t, 6, c.Pieces)
	require.Len(t, rows(t, out), int(c.Rows))
	before := counted(t, out)

	require.NoError(t, os.Remove(filepath.Join(in, "m0", "00.blg")))
	require.Equal(t, []string{filepath.Join(in, "m0", "00.blg")}, check(t, out).Gone)
	require.Equal(t, 4, check(t, out).Pieces, "the next one has rates that need it")

	name := filepath.Join(out, counted(t, out)[0])
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	for what, bytes := range map[string][]byte{"bytes": append(slices.Clone(b[:40]), append([]byte{b[40] + 1}, b[41:]...)...), "instead of": b[:40]} {
		require.NoError(t, os.WriteFile(name, bytes, 0o600))
		require.Len(t, check(t, out).Wrong, 1)
		require.Contains(t, check(t, out).Wrong[0], what)
		_, err = lake.Compact(t.Context(), out, lake.Options{})
		require.Error(t, err)
		require.Equal(t, before, counted(t, out))
	}
	require.NoError(t, os.WriteFile(name, b, 0o600))

	// Rows that the inputs do not give.
	manifest := filepath.Join(out, "_lake", "manifest.jsonl")
	text, err := os.ReadFile(manifest)
	require.NoError(t, err)
	wrong := strings.Replace(string(text), `"sum":"`, `"sum":"1`, 1)
	require.NoError(t, os.WriteFile(manifest, []byte(wrong[:strings.Index(wrong, `"sum":"`)+8]+wrong[strings.Index(wrong, `"sum":"`)+12:]), 0o600))
	require.Len(t, check(t, out).Wrong, 1, fmt.Sprint(check(t, out).Wrong))
}
