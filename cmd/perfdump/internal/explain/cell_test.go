package explain_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
	"github.com/perfdump/perfdump/countertypes"
)

func perfdump(t *testing.T, args ...string) string {
	t.Helper()
	io, _, out, errOut := iostreams.Test()
	require.Equal(t, cmdutil.ExitOK, root.Run(context.Background(), io, args), "%q: %s", args, errOut)
	return out.String()
}

// cooked is a value as cook and explain write it.
type cooked struct {
	Path   string
	Time   time.Time
	Value  *json.Number
	Status string
}

func (c *cooked) String() string {
	if c.Value == nil {
		return c.Status
	}
	v, _ := c.Value.Float64()
	return fmt.Sprint(v, " ", c.Status)
}

// TestValueIsThatOfCook holds that explain shows the value that cook does, for
// cells of each type and status that the fixtures have.
func TestValueIsThatOfCook(t *testing.T) {
	data := "../../../../testdata/"
	shared := "../../../../../shared/captures/wine/"
	types := map[countertypes.Type]bool{}
	for _, files := range [][]string{
		{data + "captures/small.bin", data + "captures/small-next.bin"},
		{data + "captures/sys-238-x86_64-1.bin", data + "captures/sys-238-x86_64-2.bin"},
		{data + "captures/basic-x86_64-1.bin"},
		{shared + "basic-x86_64-1.bin", shared + "basic-x86_64-2.bin", shared + "basic-x86_64-3.bin"},
		{data + "blg/small.blg"},
		{data + "blg/sets.blg"},
	} {
		dir := t.TempDir()
		r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
		for _, name := range files {
			content, err := os.ReadFile(name)
			if os.IsNotExist(err) {
				continue // shared data is not everywhere
			}
			require.NoError(t, err)
			copied := filepath.Join(dir, filepath.Base(name))
			require.NoError(t, os.WriteFile(copied, content, 0o600))
			in, err := capture.Open(copied)
			require.NoError(t, err)
			require.NoError(t, r.Add(in))
		}
		if r.Len() == 0 {
			continue
		}
		want := map[string]*cooked{}
		lines := bufio.NewScanner(strings.NewReader(perfdump(t, "cook", "-o", "jsonl", dir)))
		for lines.Scan() {
			c := &cooked{}
			require.NoError(t, json.Unmarshal(lines.Bytes(), c))
			want[c.Path+c.Time.String()] = c
		}
		seen := map[string]int{}
		for f, err := range r.Frames() {
			require.NoError(t, err)
			for _, cell := range f.Cells {
				kind := fmt.Sprint(cell.Series.Type, cell.Status)
				path := cell.Series.Path()
				if seen[kind]++; seen[kind] > 2 || strings.ContainsAny(path, "*[") {
					continue
				}
				types[cell.Series.Type] = true
				at := f.Time.Format(time.RFC3339Nano)
				var got cooked
				require.NoError(t, json.Unmarshal([]byte(perfdump(t, "explain", "-o", "json", dir, path, at)), &got))
				expected := want[path+f.Time.String()]
				require.NotNil(t, expected, path)
				assert.Equal(t, expected.String(), got.String(), "%s at %s", path, at)
				assert.True(t, expected.Time.Equal(got.Time), path)
				text := perfdump(t, "explain", dir, path, at)
				assert.Contains(t, text, "status   "+got.Status)
				for line := range strings.Lines(text) {
					assert.LessOrEqual(t, len([]rune(line)), 81, line)
				}
			}
		}
		require.NoError(t, r.Close())
	}
	assert.Greater(t, len(types), 20)
}

// TestOtherWords holds what happens to what is no value.
func TestOtherWords(t *testing.T) {
	log := "../../../../testdata/blg/small.blg"
	for _, c := range []struct {
		args []string
		exit int
		want string
	}{
		{[]string{log, `\Processor(*)\*`, "5m"}, cmdutil.ExitUsage, "is more than one counter"},
		{[]string{log, `\Processor(_Total)\% Processor Time`, "yesterday"}, cmdutil.ExitUsage, "yesterday: neither a time nor a duration"},
		{[]string{log, `\Processor(_Total)\% Nothing`, "5m"}, cmdutil.ExitFindings, "nothing matches"},
		{[]string{log, `\Processor(_Total)\% Processor Time`, "1999-01-01"}, cmdutil.ExitFindings, "no snapshot is at or before 1999-01-01"},
		{[]string{"missing.blg", `\Processor(_Total)\% Processor Time`, "5m"}, cmdutil.ExitInput, "missing.blg"},
	} {
		io, _, _, errOut := iostreams.Test()
		assert.Equal(t, c.exit, root.Run(context.Background(), io, append([]string{"explain"}, c.args...)), c.args)
		assert.Contains(t, errOut.String(), c.want)
	}
}
