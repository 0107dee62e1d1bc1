package lodctr_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The seeds of FuzzDoctor are the machines of the tests.
func TestSeeds(t *testing.T) {
	dir := "../fuzz/testdata/fuzz/FuzzDoctor"
	if *update {
		require.NoError(t, os.MkdirAll(dir, 0o750))
	}
	free := unloaded(t)
	for name, m := range map[string]files{
		"loaded": {"app.ini": app["app.ini"], "app.h": app["app.h"], "machine.reg": app["machine.reg"], "perfc009.dat": app["perfc009.dat"]},
		"free":   {"app.ini": app["app.ini"], "app.h": app["app.h"], "machine.reg": free["machine.reg"], "perfc009.dat": free["perfc009.dat"]},
		"backup": backedUp,
		"web":    {"machine.reg": web["web.reg"]},
		"sql":    {"app.ini": sql["perf-MSSQL$SQL2008sqlctr.ini"], "app.h": sql["sqlctr.h"], "machine.reg": sql["sql.reg"]},
	} {
		seed := "go test fuzz v1\n"
		for _, file := range []string{"app.ini", "app.h", "machine.reg", "PerfStringBackup.INI", "perfc009.dat"} {
			seed += fmt.Sprintf("[]byte(%q)\n", expand(m[file]))
		}
		seed += "uint32(0)\n"
		file := filepath.Join(dir, name)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(seed), 0o600))
		}
		is, err := os.ReadFile(file)
		require.NoError(t, err, "run go test with -update")
		assert.Equal(t, seed, string(is), "run go test with -update")
	}
}
