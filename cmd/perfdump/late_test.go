package main_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// server2019 is a log of other people whose titles, item list and registrations
// stand behind the samples.
const server2019 = "../../../shared/corpus/blg/jagilber_PerfLog-Short_04011208.blg"

// Standard input and gzip give the rows of the file byte for byte, also where
// what names them comes last. The log names its own counters: no index of it is
// said to lack a name.
func TestLogFromAStream(t *testing.T) {
	log, err := os.ReadFile(server2019)
	if err != nil {
		t.Skipf("the corpus of logs is not here: %v", err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err = w.Write(log)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	packed := filepath.Join(t.TempDir(), "log.blg.gz")
	require.NoError(t, os.WriteFile(packed, b.Bytes(), 0o600))

	for _, line := range []string{`cook -o csv`, `dump -o csv`} {
		args := strings.Fields(line)
		code, file, told := runWith(t, nil, append(args, server2019)...)
		require.Zero(t, code, told)
		assert.Empty(t, told)
		assert.Contains(t, file, `,# Gen 0 Collections,`)
		for name, stdin := range map[string][]byte{"-": log, packed: nil} {
			code, out, told := runWith(t, stdin, append(args, name)...)
			require.Zero(t, code, told)
			assert.True(t, file == out, "%s %s gives other rows than the file", line, name)
		}
	}
}

// A counter set that had no instance has no series, and advice says so.
func TestAdviceForASetWithoutInstances(t *testing.T) {
	if _, err := os.Stat(server2019); err != nil {
		t.Skipf("the corpus of logs is not here: %v", err)
	}
	for _, line := range []string{"cook", "dump", "dump -o csv", "dump -o checkmk"} {
		args := append(strings.Fields(line), server2019, "-c")
		code, _, told := runWith(t, nil, append(args, `\Netlogon(*)\Semaphore*`)...)
		assert.Equal(t, cmdutil.ExitFindings, code)
		assert.Contains(t, told, `the counter set "Netlogon" is there and has no instances`, line)
		_, _, told = runWith(t, nil, append(args, `\Nope(*)\*`)...)
		assert.Contains(t, told, "Netlogon", line)
		// Names with commas are quoted, or the list could not be read.
		_, _, told = runWith(t, nil, append(args, `\Processor Information(9,9)\*`)...)
		assert.Contains(t, told, `its instances are: _Total, "0,_Total", "0,1", "0,0";`, line)
	}
}
