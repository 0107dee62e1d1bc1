package blg_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/wire"
)

const page = "../docs/blg.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	got := string(b)
	for _, v := range []any{
		blg.BufferHeader{},
		blg.SystemHeader{},
		blg.LogHeader{},
		blg.TimeZone{},
		blg.LogTail{},
		blg.EventHeader{},
		blg.PartHeader{},
		blg.ItemListHeader{},
		blg.ItemHeader{},
		blg.SubHeader{},
		blg.ValueBody{},
		blg.InstancesBody{},
		blg.InstanceEntry{},
		blg.CatalogueHeader{},
		blg.CatalogueObject{},
		blg.CatalogueInstance{},
	} {
		typ := reflect.TypeOf(v).Name()
		typ = strings.ToUpper(typ[:1]) + typ[1:]
		fields, size := wire.Layout(v)
		var table strings.Builder
		fmt.Fprintf(&table, "%s, %d bytes:\n\n| offset | size | field | meaning |\n|---|---|---|---|\n", typ, size)
		for _, f := range fields {
			fmt.Fprintf(&table, "| 0x%02X | %d | %s | %s |\n", f.Off, f.Size, f.Name, f.Doc)
		}
		section := regexp.MustCompile(`(?s)<!-- begin ` + typ + ` -->\n.*?<!-- end ` + typ + ` -->`)
		require.Regexp(t, section, got)
		got = section.ReplaceAllLiteralString(got, "<!-- begin "+typ+" -->\n"+table.String()+"<!-- end "+typ+" -->")
	}
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(got), 0o600))
		return
	}
	require.Equal(t, got, string(b), "run go test ./blg -run Docs -update")
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	source, err := os.ReadFile("anomalies.go")
	require.NoError(t, err)
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	codes := regexp.MustCompile(`perfdump\.Code = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, codes)
	_, table, _ := strings.Cut(string(b), "## Anomalies")
	for _, c := range codes {
		require.Regexp(t, `(?m)^\| `+c[1]+` \|`, table)
	}
	for r := blg.Reason(0); r.String() != "unknown"; r++ {
		require.Contains(t, string(b), "`"+r.String()+"`")
	}
}
