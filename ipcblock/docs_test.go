package ipcblock_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

var update = flag.Bool("update", false, "write the byte tables of docs/ipcblock.md and the seeds of the fuzz targets")

const page = "../docs/ipcblock.md"

func setSection(t *testing.T, text, name, body string) string {
	t.Helper()
	section := regexp.MustCompile(`(?s)<!-- begin ` + name + ` -->\n.*?<!-- end ` + name + ` -->`)
	require.Regexp(t, section, text)
	return section.ReplaceAllLiteralString(text, "<!-- begin "+name+" -->\n"+body+"<!-- end "+name+" -->")
}

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	got := string(text)
	for _, s := range []struct {
		title string
		v     any
	}{
		{"Header of a chunk", ipcblock.ChunkHeader{}},
		{"Entry of a directory", ipcblock.Entry{}},
		{"Header of a legacy block, x86", ipcblock.LegacyHeader32{}},
		{"Header of a legacy block, x64", ipcblock.LegacyHeader64{}},
		{"AppDomain block, x86", ipcblock.AppDomain32{}},
		{"AppDomain block, x64", ipcblock.AppDomain64{}},
		{"Element of the AppDomain list, x86", ipcblock.AppDomainElement32{}},
		{"Element of the AppDomain list, x64", ipcblock.AppDomainElement64{}},
	} {
		fields, size := wire.Layout(s.v)
		var table strings.Builder
		fmt.Fprintf(&table, "%s, %d bytes:\n\n| offset | size | field | meaning |\n|---|---|---|---|\n", s.title, size)
		for _, f := range fields {
			fmt.Fprintf(&table, "| %d | %d | %s | %s |\n", f.Off, f.Size, f.Name, f.Doc)
		}
		got = setSection(t, got, reflect.TypeOf(s.v).Name(), table.String())
	}
	got = setSection(t, got, "PerfBlock", perfTable())
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(got), 0o600))
		return
	}
	require.Equal(t, got, string(text), "run go test ./ipcblock -run Docs -update")
}

// perfTable is that of both widths, made from the structs.
func perfTable() string {
	x86, size86 := wire.Layout(ipcblock.PerfBlock32{})
	x64, size64 := wire.Layout(ipcblock.PerfBlock64{})
	var b strings.Builder
	fmt.Fprintf(&b, "Perf block, %d bytes on x86 and %d on x64 (decimal offsets; in a chunk add 40):\n\n", size86, size64)
	b.WriteString("| section | field | x86 offset | size | x64 offset | size | perfmon counters |\n|---|---|---|---|---|---|---|\n")
	i := 0
	for _, f := range x64 {
		if strings.HasPrefix(f.Name, "Padding") {
			fmt.Fprintf(&b, "| | | | | %d | %d | padding |\n", f.Off, f.Size)
			continue
		}
		field := ipcblock.Field(i)
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %s |\n", field.Section(), field.Name(), x86[i].Off, x86[i].Size, f.Off, f.Size,
			strings.ReplaceAll(field.CounterName(), "|", "; "))
		i++
	}
	return b.String()
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	source, err := os.ReadFile("anomalies.go")
	require.NoError(t, err)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	codes := regexp.MustCompile(`(\w+) +perfdump\.Code = "([a-z0-9-]+)"`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, codes, 26)
	_, table, ok := strings.Cut(string(text), "## Anomalies")
	require.True(t, ok)
	anomalies, rest, ok := strings.Cut(table, "## Remarks")
	require.True(t, ok)
	for _, c := range codes {
		in := anomalies
		if strings.HasPrefix(c[1], "Remark") {
			in = rest
		}
		require.Regexp(t, `(?m)^\| `+c[2]+` \|`, in)
	}
}
