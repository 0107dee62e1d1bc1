package ipcblock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
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
