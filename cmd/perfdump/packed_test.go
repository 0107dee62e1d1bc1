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

// A packed file that is cut is opened again where it is too large to be kept, and
// where there is something to advise: salvage mode has the same of it again, and
// tells once that it is cut.
func TestCutPackedAgain(t *testing.T) {
	block, err := os.ReadFile("../../testdata/captures/small.bin")
	require.NoError(t, err)
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = w.Write(append(block, make([]byte, 33<<20)...))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	name := filepath.Join(t.TempDir(), "cut.gz")
	require.NoError(t, os.WriteFile(name, packed.Bytes()[:packed.Len()-500], 0o600))

	for line, want := range map[string]string{
		`cook -o csv -c \Processor(0)\%*`:         `,Processor,`,
		`dump -o csv -c \Processor(0)\%* ` + name: `,Processor,`,
		`cook -c \Nope(*)\*`:                      `objects here: System, Memory, `,
	} {
		code, stdout, stderr := runWith(t, nil, append(strings.Fields(line), "--mode", "salvage", name)...)
		assert.Equal(t, cmdutil.ExitInput, code, line)
		assert.Contains(t, stdout+stderr, want, line)
		assert.Equal(t, strings.Count(line+name, name), strings.Count(stderr, "data are cut short"), line)
	}
}
