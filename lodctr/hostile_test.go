package lodctr_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/lodctr"
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
// memory than 64 MiB and four times their bytes.
func TestHostileFiles(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	const n = 20000
	head := "[info]\ndrivername=App\nsymbolfile=app.h\n[languages]\n"
	symbols := "#define S0 0\n"
	for name, m := range map[string]files{
		"languages": {"app.ini": head + many(n, "%x=x\n") + "[text]\n" + many(n, "S_%x_NAME=x\n"), "app.h": symbols},
		"symbols and languages": {
			"app.ini": head + many(n/2, "%x=x\n") + "[objects]\n" + many(n/2, "S%d_009_NAME=\n") + "[text]\n" + many(n/2, "S%d_009_NAME=x\n") + many(n/2, "S0_%x_NAME=x\n"),
			"app.h":   many(n/2, "#define S%d 0\n"),
		},
		"one offset": {"app.ini": head + "009=x\n[objects]\n" + many(n, "S%d_009_NAME=\n"), "app.h": many(n, "#define S%d S0\n")},
		"providers": {
			"app.ini": head + "009=x\n[objects]\n" + many(n/2, "S%d_009_NAME=\n") + "[text]\n" + many(n/2, "S%d_009_NAME=x\n"), "app.h": many(n/2, "#define S%d 2\n"),
			"machine.reg": "REGEDIT4\n" + many(n, "[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\A%d\\Performance]\n\"First Counter\"=dword:748\n\"Last Counter\"=dword:fffffff0\n") +
				"[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\App\\Performance]\n\"First Counter\"=dword:748\n\"Last Counter\"=dword:fffffff0\n\"Object List\"=\"" + many(n, "%d ") + "\"\n",
			"perfc009.dat": "table(" + strings.TrimSuffix(many(n, "%d=x|"), "|") + ")",
		},
		"nameless": {
			"app.ini": head + "009=x\n[objects]\n" + many(n, "S%d_009_NAME=\n") + "[text]\n" + many(n, "S%d_009_NAME=x\n"), "app.h": symbols,
			"machine.reg":  "REGEDIT4\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\App\\Performance]\n\"Library\"=\"a\"\n",
			"perfc009.dat": "table(" + strings.TrimSuffix(many(n, "%d=x|"), "|") + ")",
		},
	} {
		t.Run(name, func(t *testing.T) {
			all, size := &lodctr.Files{}, 0
			var inputs []*detect.Input
			for name, text := range m {
				in := &detect.Input{Name: name, Format: format(name), Data: expand(text)}
				inputs = append(inputs, in)
				size += len(in.Data)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			for _, in := range inputs {
				require.NoError(t, all.Add(in, lodctr.Options{}), in.Name)
			}
			found := all.Examine()
			_, _ = all.Load("app.ini", lodctr.LoadOptions{})
			assert.Less(t, time.Since(start), 20*time.Second)
			runtime.GC()
			runtime.ReadMemStats(&after)
			assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(64<<20+4*size))
			assert.Less(t, len(found), 3000)
			runtime.KeepAlive(all)
		})
	}
}

// More texts than are taken are an error, as are more languages of a table.
func TestLimits(t *testing.T) {
	all := &lodctr.Files{}
	text := "[info]\ndrivername=App\nsymbolfile=app.h\n[text]\n" + many(70000, "S%d_009_NAME=\n")
	require.NoError(t, all.Add(&detect.Input{Name: "a.ini", Format: detect.INIFile, Data: []byte(text)}, lodctr.Options{}))
	err := all.Add(&detect.Input{Name: "b.ini", Format: detect.INIFile, Data: []byte(text)}, lodctr.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)
	assert.Equal(t, []string{"a.ini"}, all.Names())

	err = all.Add(&detect.Input{Name: "x.INI", Format: detect.PerfStrings, Data: []byte(many(65, "[PerfStrings_%03x]\n2=x\n"))}, lodctr.Options{})
	require.ErrorIs(t, err, perfdump.ErrLimit)

	err = all.Add(&detect.Input{Name: "x.csv", Format: detect.PDHCSV}, lodctr.Options{})
	require.ErrorIs(t, err, perfdump.ErrUnknownFormat)
}

// A table in no order has one finding, not one an index.
func TestTablesHaveFewFindings(t *testing.T) {
	table := strings.Builder{}
	for i := 5000; i > 1000; i -= 2 {
		fmt.Fprintf(&table, "%d=x|", i)
	}
	var messages []string
	for _, f := range (files{"perfc009.dat": "table(" + strings.TrimSuffix(table.String(), "|") + ")"}).add(t).Examine() {
		if f.ID == "E20" {
			messages = append(messages, f.Message)
		}
	}
	assert.Equal(t, []string{"index 4998 stands behind 5000 (offset 0xe); and 1998 more like it"}, messages)
}

// Of a rule no more than fifty findings are kept for a file, and one that tells
// of the others.
func TestFindingsAreBounded(t *testing.T) {
	all := files{"app.ini": app["app.ini"] + many(200, "LOST%d_009_NAME=x\n"), "app.h": app["app.h"]}.add(t).Examine()
	n := 0
	var last lodctr.Finding
	for _, f := range all {
		if f.ID == "E03" {
			n++
			last = f
		}
	}
	assert.Equal(t, 51, n)
	assert.Equal(t, "150 more of these are not shown", last.Message)
}
