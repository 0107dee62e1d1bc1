package ipcblock_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/formattest"
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
	align := "alignment: kept, no counter"
	require.Equal(t, []gap{
		{44, 4, perfdump.KindPadding, align},
		{260, 4, perfdump.KindPadding, align},
		{316, 4, perfdump.KindPadding, align},
		{388, 4, perfdump.KindPadding, align},
		{396, 4, perfdump.KindPadding, align},
		{424, 1624, perfdump.KindPadding, "up to the next chunk"},
		{2048, 2048, perfdump.KindGap, "0 entries, not 1"},
		{4096, 2048, perfdump.KindPadding, "untouched chunk"},
		{65536, 3, perfdump.KindGap, "behind the end"},
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
	mem := append(oneLive(t, ipcblock.X86), oneLive(t, ipcblock.X64)...)
	formattest.Stops(t, ipcblock.ScanBytes(mem, ipcblock.FindOptions{}))
	formattest.Stops(t, formattest.Firsts(ipcblock.Scan(bytes.NewReader(mem), int64(len(mem)), ipcblock.FindOptions{})))
}
