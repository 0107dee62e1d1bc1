package main_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

// files are the verbs that write files. %s stands for the input.
var files = []string{
	"dump -w out %s", "dump -o json -w out %s", "dump -o jsonl -w out %s", "dump -o csv -w out %s", "dump -o sql -w out %s",
	"dump -o openmetrics -w out %s", "dump -o influx -w out %s", "dump -o parquet -w out %s", "dump -o parquet --partition -w out %s", "dump -o checkmk -w out %s",
	"cook -w out %s", "cook -o csv -w out %s", "cook -o jsonl -w out %s", "cook -o pdh-csv -w out %s", "cook -o sql -w out %s",
	"cook -o openmetrics -w out %s", "cook -o influx -w out %s", "cook -o parquet -w out %s", "cook -o parquet --partition -w out %s",
	"cook --summary -w out %s", "plot -w out %s", "report -w out %s", "encode -w out %s", "titles -o json -w out %s", "titles -o dat -w out %s",
}

// TestFilesAreWholeOrNotThere holds that no verb leaves a part of a file, where
// its input is missing or damaged, or it is interrupted in the middle of it. What
// stood under the name of the output stays as it was.
func TestFilesAreWholeOrNotThere(t *testing.T) {
	sys, err := os.ReadFile(filepath.Join(captures(t), "sys-238-x86_64-1.bin"))
	require.NoError(t, err)
	names := func() (all []string) {
		entries, err := os.ReadDir(".")
		require.NoError(t, err)
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	for _, line := range files {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			tree := strings.Contains(line, "--partition")
			if !tree {
				require.NoError(t, os.WriteFile("out", []byte("as it was"), 0o600))
			}
			before := names()
			same := func() {
				t.Helper()
				if tree { // its directory may be there, with no file in it
					_ = filepath.WalkDir("out", func(name string, d os.DirEntry, err error) error {
						assert.False(t, err == nil && !d.IsDir(), name)
						return nil
					})
					return
				}
				assert.Equal(t, before, names())
				was, err := os.ReadFile("out")
				assert.NoError(t, err)
				assert.Equal(t, "as it was", string(was))
			}
			for _, fast := range []string{"", " --fail-fast"} {
				if fast != "" && strings.HasPrefix(line, "encode") {
					continue
				}
				code, _, _ := runWith(t, nil, strings.Fields(strings.ReplaceAll(line, "%s", "missing.bin")+fast)...)
				assert.Equal(t, cmdutil.ExitInput, code)
				same()
				code, _, _ = runWith(t, []byte("PERF damaged"), strings.Fields(strings.ReplaceAll(line, "%s", "-")+fast)...)
				assert.NotZero(t, code)
				same()
			}

			ctx, cancel := context.WithCancel(t.Context())
			ios, _, _, _ := iostreams.Test()
			r, w := io.Pipe()
			defer r.Close()
			ios.In = r
			begin := sys[:len(sys)/2]
			if strings.HasPrefix(line, "encode") {
				begin = []byte(`{"format":"perfdata","blocks":[{`)
			}
			go func() {
				_, _ = w.Write(begin)
				time.Sleep(5 * time.Millisecond)
				cancel()
				_ = w.Close() // a process is ended while it waits: TestSignalsEndEveryVerb
			}()
			assert.Equal(t, cmdutil.ExitInterrupted, root.Run(ctx, ios, strings.Fields(strings.ReplaceAll(line, "%s", "-"))))
			same()
		})
	}
}

// TestOutputsAreTheSameOnAnyMachine wants the same bytes on one processor and on
// eight, of each output: nothing of them goes by who was first.
func TestOutputsAreTheSameOnAnyMachine(t *testing.T) {
	log := filepath.Join(repo(t), "testdata", "blg", "small.blg")
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, line := range files {
		line = strings.Replace(strings.ReplaceAll(line, "%s", log), "-w out ", "", 1)
		if strings.HasPrefix(line, "encode") || strings.HasPrefix(line, "titles") || strings.Contains(line, "--partition") {
			continue
		}
		t.Run(line, func(t *testing.T) {
			runtime.GOMAXPROCS(1)
			code, one, stderr := runWith(t, nil, strings.Fields(line)...)
			require.LessOrEqual(t, code, cmdutil.ExitUsage, stderr)
			for range 3 {
				runtime.GOMAXPROCS(8)
				again, eight, _ := runWith(t, nil, strings.Fields(line)...)
				require.Equal(t, code, again)
				require.Equal(t, one, eight)
			}
		})
	}
}
