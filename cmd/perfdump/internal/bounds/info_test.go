package bounds_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// The errors of info are written in pieces: each is there once, in order.
func TestInfoOfManyErrors(t *testing.T) {
	all := worsts()
	i := slices.IndexFunc(all, func(w worst) bool { return w.name == "perfdata/faults in salvage" })
	require.GreaterOrEqual(t, i, 0)
	name := filepath.Join(t.TempDir(), "faults.bin")
	require.NoError(t, os.WriteFile(name, all[i].make(256<<10), 0o600))
	code, stdout, _ := runWith(t, nil, "info", "-o", "json", "--mode", "salvage", name)
	assert.Equal(t, cmdutil.ExitInput, code)
	var d struct{ Errors []struct{ Offset int64 } }
	require.NoError(t, json.Unmarshal([]byte(stdout), &d))
	require.Greater(t, len(d.Errors), 1000)
	for i, e := range d.Errors[1:] {
		require.Greater(t, e.Offset, d.Errors[i].Offset)
	}
}
