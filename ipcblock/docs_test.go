package ipcblock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/doctest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

const page = "../docs/ipcblock.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, page)
	p.Struct("Header of a chunk", ipcblock.ChunkHeader{})
	p.Struct("Entry of a directory", ipcblock.Entry{})
	p.Struct("Header of a legacy block, x86", ipcblock.LegacyHeader32{})
	p.Struct("Header of a legacy block, x64", ipcblock.LegacyHeader64{})
	p.Struct("AppDomain block, x86", ipcblock.AppDomain32{})
	p.Struct("AppDomain block, x64", ipcblock.AppDomain64{})
	p.Struct("Element of the AppDomain list, x86", ipcblock.AppDomainElement32{})
	p.Struct("Element of the AppDomain list, x64", ipcblock.AppDomainElement64{})
	p.Set("PerfBlock", perfTable())
	p.Close()
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
	anomalies, remarks := doctest.Section(t, page, "Anomalies"), doctest.Section(t, page, "Remarks")
	codes := doctest.Codes(t, "anomalies.go")
	require.Len(t, codes, 26)
	for _, c := range codes {
		in := anomalies
		if strings.HasPrefix(c.Const, "Remark") {
			in = remarks
		}
		require.Regexp(t, `(?m)^\| `+c.Code+` \|`, in)
	}
}
