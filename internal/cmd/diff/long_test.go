package diff_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/cmd/root"
	"github.com/perfdump/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/perftest"
)

// difference is a line of -o jsonl.
type difference struct {
	What         string
	Older, Newer any
}

// differences runs diff on two files and returns the lines of a kind.
func differences(t *testing.T, what string, older, newer []byte) (all []difference) {
	t.Helper()
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("older", older, 0o600))
	require.NoError(t, os.WriteFile("newer", newer, 0o600))
	for _, output := range []string{"json", "jsonl"} {
		ios, _, stdout, stderr := iostreams.Test()
		require.Equal(t, cmdutil.ExitFindings, root.Run(t.Context(), ios, []string{"diff", "-o", output, "older", "newer"}), stderr)
		if output == "json" {
			require.True(t, json.Valid(stdout.Bytes()))
			continue
		}
		for line := range strings.Lines(stdout.String()) {
			var d difference
			require.True(t, json.Unmarshal([]byte(line), &d) == nil)
			if d.What == what {
				all = append(all, d)
			}
		}
	}
	return all
}

// Long texts are written in parts of whole characters, and long bytes in parts.
func TestLongValuesAreWrittenWhole(t *testing.T) {
	text := strings.Repeat("\u4e00\"\U0001f600\t", 9001)
	reg := func(text string) []byte {
		key := "Windows Registry Editor Version 5.00\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\A\\Performance]\n"
		return []byte(key + `"Library"="` + strings.ReplaceAll(text, `"`, `\"`) + "\"\n")
	}
	for shift := range 4 { // the parts end elsewhere
		a, b := strings.Repeat("x", shift)+text, "y"+text
		all := differences(t, "entry", reg(a), reg(b))
		require.Len(t, all, 1)
		assert.True(t, all[0].Older == "REG_SZ "+strconv.Quote(a), "%d", shift)
		assert.True(t, all[0].Newer == "REG_SZ "+strconv.Quote(b), "%d", shift)
	}

	raw := slices.Repeat([]byte{1, 2, 3, 4, 5}, 9000)
	block := func() *perftest.Block {
		return &perftest.Block{Objects: []perftest.Object{{
			Title: 2, Counters: []perftest.Counter{{Title: 4, Type: 0x00010000, Size: len(raw)}},
			Instances: []perftest.Instance{{Name: "a", Raw: map[int][]byte{0: raw}}},
		}}}
	}
	older := block().Bytes()
	raw = slices.Clone(raw)
	raw[20_000] ^= 1
	all := differences(t, "value", older, block().Bytes())
	require.Len(t, all, 1)
	got, ok := all[0].Newer.(map[string]any)
	require.True(t, ok)
	assert.True(t, got["hex"] == hex.EncodeToString(raw))
}
