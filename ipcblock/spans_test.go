package ipcblock_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/ipcblock"
)

// TestSpansOfWhatIsNoField: zeros are padding, other bytes a gap with a note.
func TestSpansOfWhatIsNoField(t *testing.T) {
	b := put32(table(t, live(0, ipcblock.X64), live(1, ipcblock.X64)), 2048+28, 0)
	b = patched(append(b, 0, 0, 7), 44, 1)
	type gap struct {
		off, size int64
		kind      perfdump.Kind
		note      string
	}
	var got []gap
	for s := range parse(t, b).Spans() {
		if ipcblock.IsGap(s) && s.Size != 2048 || s.Off == 2048 || s.Off == 4096 {
			got = append(got, gap{s.Off, s.Size, s.Kind, s.Note})
		}
	}
	align := "alignment"
	require.Equal(t, []gap{
		{44, 4, perfdump.KindPadding, align},
		{260, 4, perfdump.KindPadding, align},
		{316, 4, perfdump.KindPadding, align},
		{388, 4, perfdump.KindPadding, align},
		{396, 4, perfdump.KindPadding, align},
		{424, 1624, perfdump.KindPadding, "up to the next chunk"},
		{2048, 2048, perfdump.KindGap, "0 entries instead of 1"},
		{4096, 2048, perfdump.KindPadding, "untouched chunk"},
		{65536, 3, perfdump.KindGap, "after the end"},
	}, got)
}

// TestSequencesStop breaks off each sequence of a table at every place.
func TestSequencesStop(t *testing.T) {
	for _, b := range samples(t) {
		tab := parse(t, b)
		formattest.Stops(t, tab.Spans())
		formattest.Stops(t, formattest.Firsts(tab.Chunks()))
		for c := range tab.Live() {
			if !c.HasPerf() {
				continue
			}
			formattest.Stops(t, c.Fields())
			if tab.Layout() != ipcblock.Bare {
				formattest.Stops(t, formattest.Firsts(c.Entries()))
			}
			formattest.Stops(t, c.Cook(c, time.Second, nil), c.Cook(nil, 0, nil))
		}
	}
	formattest.Stops(t, parse(t, table(t, live(0, ipcblock.X86), live(3, ipcblock.X64))).Live())
	torn := map[string]uint64{"head.attributes": 0, "gc.processId": 0, "gc.timeInGC": 9, "gc.timeInGCBase": 3, "jit.timeInJit": 3, "jit.timeInJitBase": 9}
	formattest.Stops(t, parse(t, table(t, with(ipcblock.X86, torn), in(ipcblock.Free, 1, ipcblock.X64), live(2, ipcblock.X86))).Remarks())
	mem := append(oneLive(t, ipcblock.X86), oneLive(t, ipcblock.X64)...)
	formattest.Stops(t, ipcblock.ScanBytes(mem, ipcblock.FindOptions{}))
	formattest.Stops(t, formattest.Firsts(ipcblock.Scan(bytes.NewReader(mem), int64(len(mem)), ipcblock.FindOptions{})))
}

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
	p.Set("PerfBlock", perfTable())
	p.Close()
}

// perfTable is that of both widths.
func perfTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Perf block, %d bytes on x86 and %d on x64 (decimal offsets; in a chunk add 40):\n\n", ipcblock.X86.PerfSize(), ipcblock.X64.PerfSize())
	b.WriteString("| section | field | x86 offset | size | x64 offset | size | perfmon counters |\n|---|---|---|---|---|---|---|\n")
	end := 0
	for f := range ipcblock.PromotedFinalizationGen1 {
		at, size := f.Offset(ipcblock.X64), f.Size(ipcblock.X64)
		if at > end {
			fmt.Fprintf(&b, "| | | | | %d | %d | padding |\n", end, at-end)
		}
		end = at + size
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %s |\n", f.Section(), f.Name(), f.Offset(ipcblock.X86), f.Size(ipcblock.X86), at, size,
			strings.ReplaceAll(f.CounterName(), "|", "; "))
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
		if strings.HasPrefix(c.Const, "remark") {
			in = remarks
		}
		require.Regexp(t, `(?m)^\| `+c.Code+` \|`, in)
	}
}
