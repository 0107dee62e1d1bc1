package wire_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

func tiled(gap func(perfdump.Span) (perfdump.Kind, string)) iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		t := wire.NewTiler(yield)
		t.Page, t.Note, t.Gap = 932, "auto", gap
		t.To(2, perfdump.KindANSI, perfdump.Path{}, "text")
		t.Put(perfdump.Span{Off: 5, Size: 4, Kind: perfdump.KindUint})
		t.Put(perfdump.Span{Off: 6, Size: 1, Kind: perfdump.KindANSI, CodePage: 1252})
		t.Put(perfdump.Span{Off: 20, Size: 2, Kind: perfdump.KindHex})
		t.Put(perfdump.Span{Off: 21, Kind: perfdump.KindHex})
		t.Struct(22, header{}, perfdump.Path{})
		t.Fill(60, perfdump.Path{}, "inside")
		t.Fill(80, perfdump.Path{}, "last")
	}
}

// TestTiler: spans and gaps cover the whole, also where fields share bytes.
func TestTiler(t *testing.T) {
	formattest.Cover(t, tiled(nil), 0, 80)
	formattest.Stops(t, tiled(nil))
	var got []perfdump.Span
	for s := range tiled(nil) {
		if s.Path.FieldName() == "" {
			got = append(got, s)
		}
	}
	require.Equal(t, []perfdump.Span{
		{Off: 0, Size: 2, Kind: perfdump.KindANSI, CodePage: 932, Note: "text"},
		{Off: 2, Size: 3, Kind: perfdump.KindPadding},
		{Off: 5, Size: 4, Kind: perfdump.KindUint},
		{Off: 6, Size: 1, Kind: perfdump.KindANSI, CodePage: 1252, Overlap: true},
		{Off: 9, Size: 11, Kind: perfdump.KindGap, Note: "auto"},
		{Off: 20, Size: 2, Kind: perfdump.KindHex},
		{Off: 47, Size: 3, Kind: perfdump.KindPadding, Note: "alignment"},
		{Off: 66, Size: 14, Kind: perfdump.KindGap, Note: "last"},
	}, got)
	for s := range tiled(func(s perfdump.Span) (perfdump.Kind, string) { return s.Kind, s.Note + "!" }) {
		if s.Kind == perfdump.KindGap {
			require.Contains(t, []string{"auto!", "last!"}, s.Note)
		}
	}
}
