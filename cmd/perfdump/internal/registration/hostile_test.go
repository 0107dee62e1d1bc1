package registration_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// many returns lines made of a format with a number in it, n of them.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Files that are made to cost much are examined in seconds, and take no more
// memory than 64 MiB and 24 times their bytes.
func TestHostileFiles(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	const n = 10000
	head := "[info]\ndrivername=App\nsymbolfile=app.h\n[languages]\n"
	service := func(name, values string) string {
		return "[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\" + name + "\\Performance]\n" + values
	}
	const values = "\"First Counter\"=dword:748\n\"Last Counter\"=dword:fffffff0\n"
	objects := head + "009=x\n[objects]\n" + many(n, "S%d_009_NAME=\n") + "[text]\n" + many(n, "S%d_009_NAME=x\n")
	table := "table(" + strings.TrimSuffix(many(n, "%d=x|"), "|") + ")"
	for name, m := range map[string]files{
		"symbols and languages": {
			"app.ini": head + many(n/2, "%x=x\n") + "[objects]\n" + many(n/2, "S%d_009_NAME=\n") + "[text]\n" + many(n/2, "S%d_009_NAME=x\n") + many(n/2, "S0_%x_NAME=x\n"),
			"app.h":   many(n/2, "#define S%d 0\n"),
		},
		"one offset": {"app.ini": head + "009=x\n[objects]\n" + many(n, "S%d_009_NAME=\n"), "app.h": many(n, "#define S%d S0\n")},
		"providers": {
			"app.ini": objects, "app.h": many(n/2, "#define S%d 2\n"), "perfc009.dat": table,
			"machine.reg": "REGEDIT4\n" + many(n, service("A%d", values)) + service("App", values) + "\"Object List\"=\"" + many(n, "%d ") + "\"\n",
		},
		"nameless": {"app.ini": objects, "app.h": "#define S0 0\n", "perfc009.dat": table, "machine.reg": "REGEDIT4\n" + service("App", "\"Library\"=\"a\"\n")},
	} {
		t.Run(name, func(t *testing.T) {
			all, size := &registration.Files{}, 0
			var inputs []*detect.Input
			for name, text := range m {
				inputs = append(inputs, input(name, text))
				size += len(inputs[len(inputs)-1].Data)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			for _, in := range inputs {
				require.NoError(t, all.Add(in, registration.Options{}), in.Name)
			}
			found := all.Examine()
			_, _ = all.Load("app.ini", 0)
			assert.Less(t, time.Since(start), 10*time.Second)
			runtime.GC()
			runtime.ReadMemStats(&after)
			assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(16<<20+24*size))
			assert.Less(t, len(found), 3000)
			runtime.KeepAlive(all)
		})
	}
}

// More texts than are taken are an error, as are more languages of a table.
func TestLimits(t *testing.T) {
	all := &registration.Files{}
	text := "[info]\ndrivername=App\nsymbolfile=app.h\n[text]\n" + many(70000, "S%d_009_NAME=\n")
	require.NoError(t, all.Add(input("a.ini", text), registration.Options{}))
	require.ErrorIs(t, all.Add(input("b.ini", text), registration.Options{}), perfdump.ErrLimit)
	assert.Equal(t, []string{"a.ini"}, all.Names())
	require.ErrorIs(t, all.Add(input("x.INI", many(65, "[PerfStrings_%03x]\n2=x\n")), registration.Options{}), perfdump.ErrLimit)
	require.ErrorIs(t, all.Add(&detect.Input{Format: detect.PDHCSV}, registration.Options{}), perfdump.ErrUnknownFormat)
}

// Of a rule no more than 50 findings are kept for a file, and one that counts the
// others.
func TestFindingsAreBounded(t *testing.T) {
	all := files{"app.ini": app["app.ini"] + many(200, "LOST%d_009_NAME=x\n"), "app.h": app["app.h"]}.add(t).Examine()
	all = slices.DeleteFunc(all, func(f registration.Finding) bool { return f.ID != "E03" })
	require.Len(t, all, 51)
	assert.Equal(t, "150 more of these are not shown", all[50].Message)
}
