package minidump_test

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
	"github.com/perfdump/perfdump/minidump"
)

var update = flag.Bool("update", false, "write the byte tables of docs/minidump.md")

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	const name = "../docs/minidump.md"
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	got := string(page)
	for title, v := range map[string]any{
		"MINIDUMP_HEADER": minidump.Header{}, "MINIDUMP_DIRECTORY": minidump.DirectoryEntry{},
		"MINIDUMP_SYSTEM_INFO": minidump.SystemInfo{}, "MINIDUMP_MISC_INFO": minidump.MiscInfo{},
		"MINIDUMP_MODULE_LIST and MINIDUMP_MEMORY_LIST": minidump.ListHeader{}, "MINIDUMP_MODULE": minidump.ModuleEntry{},
		"MINIDUMP_MEMORY_DESCRIPTOR": minidump.MemoryDescriptor{}, "MINIDUMP_MEMORY64_LIST": minidump.Memory64List{},
		"MINIDUMP_MEMORY_DESCRIPTOR64": minidump.MemoryDescriptor64{}, "MINIDUMP_MEMORY_INFO_LIST": minidump.MemoryInfoList{},
		"MINIDUMP_MEMORY_INFO": minidump.MemoryInfo{}, "MINIDUMP_HANDLE_DATA_STREAM": minidump.HandleDataHeader{},
		"MINIDUMP_HANDLE_DESCRIPTOR": minidump.HandleDescriptor{},
	} {
		typ := reflect.TypeOf(v).Name()
		fields, size := wire.Layout(v)
		var table strings.Builder
		fmt.Fprintf(&table, "%s, %d bytes:\n\n| offset | size | field | meaning |\n|---|---|---|---|\n", title, size)
		for _, f := range fields {
			fmt.Fprintf(&table, "| %d | %d | %s | %s |\n", f.Off, f.Size, f.Name, f.Doc)
		}
		section := regexp.MustCompile(`(?s)<!-- begin ` + typ + ` -->\n.*?<!-- end ` + typ + ` -->`)
		require.Regexp(t, section, got)
		got = section.ReplaceAllLiteralString(got, "<!-- begin "+typ+" -->\n"+table.String()+"<!-- end "+typ+" -->")
	}
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o600))
		return
	}
	require.Equal(t, got, string(page), "run go test ./minidump -run Docs -update")
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	source, err := os.ReadFile("anomalies.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../docs/minidump.md")
	require.NoError(t, err)
	codes := regexp.MustCompile(`perfdump\.Code = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, codes)
	_, table, _ := strings.Cut(string(page), "## Anomalies")
	for _, c := range codes {
		require.Regexp(t, `(?m)^\| `+c[1]+` \|`, table)
	}
}
