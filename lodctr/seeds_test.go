package lodctr_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/golden"
)

// The seeds of FuzzDoctor are the machines of the tests.
func TestSeeds(t *testing.T) {
	free := unloaded(t)
	for name, m := range map[string]files{
		"loaded": {"app.ini": app["app.ini"], "app.h": app["app.h"], "machine.reg": app["machine.reg"], "perfc009.dat": app["perfc009.dat"]},
		"free":   {"app.ini": app["app.ini"], "app.h": app["app.h"], "machine.reg": free["machine.reg"], "perfc009.dat": free["perfc009.dat"]},
		"backup": backedUp,
		"web":    {"machine.reg": web["web.reg"]},
		"sql":    {"app.ini": sql["perf-MSSQL$SQL2008sqlctr.ini"], "app.h": sql["sqlctr.h"], "machine.reg": sql["sql.reg"]},
	} {
		var args []any
		for _, file := range []string{"app.ini", "app.h", "machine.reg", "PerfStringBackup.INI", "perfc009.dat"} {
			args = append(args, expand(m[file]))
		}
		golden.Seed(t, "FuzzDoctor", name, append(args, uint32(0))...)
	}
}
