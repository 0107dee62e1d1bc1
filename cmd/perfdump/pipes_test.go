package main_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// A pipe is bad input, not wrong usage, also where a flag names it.
func TestPipesAreBadInput(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no mkfifo:", err)
	}
	log := filepath.Join(repo(t), "testdata", "blg", "small.blg")
	for _, line := range [][]string{{"info", pipe}, {"cook", log, "--counter-file", pipe}, {"cook", log, "--titles", pipe}} {
		code, _, stderr := runWith(t, nil, line...)
		assert.Equal(t, cmdutil.ExitInput, code, stderr)
	}
}
