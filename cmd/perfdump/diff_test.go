package main_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// A Duration holds 292 years. Two snapshots that are further apart are no 292
// years apart.
func TestDiffOfFarTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	block := perftest.Block{Objects: []perftest.Object{{Title: 2, Counters: []perftest.Counter{{Title: 6, Type: 0x00010000}}}}}
	require.NoError(t, os.WriteFile("now.bin", block.Bytes(), 0o600))
	block.PerfTime100nSec = perftest.DefaultTime + 300*365*24*3600*1e7
	require.NoError(t, os.WriteFile("far.bin", block.Bytes(), 0o600))
	_, out, _ := runWith(t, nil, "diff", "now.bin", "far.bin")
	assert.Contains(t, out, " UTC, more than 292 years later\n")
	_, out, stderr := runWith(t, nil, "diff", "far.bin", "now.bin")
	assert.Contains(t, out, " UTC, more than 292 years earlier\n")
	assert.Contains(t, stderr, "the second file is the older one")
	_, out, _ = runWith(t, nil, "diff", "-o", "json", "now.bin", "far.bin")
	assert.Contains(t, out, `"interval":null`)
}
