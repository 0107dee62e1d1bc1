package registration_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
)

const cookbook = "../../../../docs/doctor.md"

// finds is a folder of testdata/registration and what the doctor finds there.
type finds struct {
	files files
	want  []string
}

func fixtures(t *testing.T) map[string]finds {
	pair := app.pick("app.ini", "app.h")
	whole := app.pick("app.ini", "app.h", "machine.reg", "net.ini", "net.h")
	return map[string]finds{
		"sound":     {app, nil},
		"mismatch":  {pair.with(t, "app.h", "RATE 4", "RATES 4").with(t, "app.h", "LAST_APP RATE", "LAST_APP RATES"), []string{"E03", "E04"}},
		"version":   {whole.with(t, "app.h", "COUNT 2\n#define RATE 4", "ADDED 2\n#define COUNT 4\n#define RATE 6"), []string{"E04", "W30", "W31"}},
		"disabled":  {whole.with(t, "machine.reg", "\"Object List\"=\"1848\"\n", "\"Object List\"=\"1848\"\n\"Disable Performance Counters\"=dword:00000004\n\"1008\"=hex(b):00,88,10,29,f0,b5,dc,01\n"), []string{"W33", "W39"}},
		"library":   {whole.with(t, "machine.reg", "\"Library\"=\"app.dll\"\n\"Open\"=\"OpenApp\"\n", ""), []string{"E34"}},
		"copied":    {whole.with(t, "machine.reg", "1854=Net Object|1856=Net One", "1854=Other|1856=Two").with(t, "machine.reg", numbers(1854, 1856), numbers(1852, 1862)), []string{"E22", "E31", "E32", "N30", "W30", "W31"}},
		"damaged":   {app.pick("app.ini", "app.h", "perfc009.dat").with(t, "perfc009.dat", "1850=App Count", "1850="), []string{"E21"}},
		"split":     {app.pick("perfc009.dat").with(t, "perfc009.dat", "1850=App Count", "1850="+strings.Repeat("a", 1024)+"|rest"), []string{"E20", "W24"}},
		"lost":      {whole.with(t, "machine.reg", numbers(1848, 1852), ""), []string{"E33", "W23"}},
		"langid":    {files{"app.ini": strings.ReplaceAll(app["app.ini"], "_00C_", "_012_"), "app.h": app["app.h"]}, []string{"W01", "W02"}},
		"stale":     {backup.with(t, "PerfStringBackup.INI", "Last Counter=1852\nLast Help=1853\n\n[PERF", "Last Counter=1850\nLast Help=1851\n\n[PERF"), []string{"E22", "E32"}},
		"aspnet":    {web.with(t, "web.reg", "1852=Requests", "1852=Requests Current"), []string{"A01", "W38"}},
		"sqlserver": {sql.with(t, "sql.reg", "1850=Page reads/sec", "1850=Page lookups/sec").with(t, "sql.reg", `"Export"=multi(SQL2008)`, ""), []string{"S02", "S05"}},
	}
}

// The folders of testdata hold the fixtures, and the doctor finds there what the
// page says.
func TestFixtures(t *testing.T) {
	page, err := os.ReadFile(cookbook)
	require.NoError(t, err)
	seen := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^### .*`testdata/registration/(\\w+)`(?: \\(([A-Z0-9, ]+)\\))?$").FindAllStringSubmatch(string(page), -1) {
		seen[m[1]] = strings.Fields(strings.ReplaceAll(m[2], ",", " "))
	}
	all := fixtures(t)
	for dir, c := range all {
		t.Run(dir, func(t *testing.T) {
			assert.Equal(t, c.want, ids(c.files.add(t).Examine()))
			assert.ElementsMatch(t, c.want, seen[dir], "%s says otherwise", cookbook)
			for name, text := range c.files {
				golden.File(t, filepath.Join("../../../../testdata/registration", dir, name), []byte(expand(text)))
			}
		})
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(seen)))
}

// The page has each rule as the code has it.
func TestDocs(t *testing.T) {
	page := doctest.Open(t, cookbook)
	var table strings.Builder
	table.WriteString("| id | severity | condition | what to do |\n|---|---|---|---|\n")
	for _, r := range registration.Rules() {
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", r.ID, r.Severity, r.Condition, r.Advice)
	}
	page.Set("rules", table.String())
	page.Close()
}
