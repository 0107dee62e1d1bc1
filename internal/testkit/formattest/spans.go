package formattest

import (
	"iter"
	"testing"

	"github.com/perfdump/perfdump"
)

// Tile wants spans to cover all bytes between two offsets in order, without a
// hole and without an overlap.
func Tile(t testing.TB, spans iter.Seq[perfdump.Span], from, to int64) {
	t.Helper()
	for s := range spans {
		if s.Off != from || s.Size <= 0 || s.Overlap {
			t.Fatalf("span %+v (%s) at 0x%x", s, s.Path, from)
		}
		from += s.Size
	}
	if from != to {
		t.Fatalf("spans end at 0x%x, the bytes at 0x%x", from, to)
	}
}

// Cover is Tile for formats of which fields may share bytes: spans overlap
// where they say so, and nowhere else.
func Cover(t testing.TB, spans iter.Seq[perfdump.Span], from, to int64) {
	t.Helper()
	for s := range spans {
		if s.Off > from || s.Size <= 0 || s.Overlap != (s.Off < from) {
			t.Fatalf("span %+v (%s) at 0x%x", s, s.Path, from)
		}
		from = max(from, s.Off+s.Size)
	}
	if from != to {
		t.Fatalf("spans end at 0x%x, the bytes at 0x%x", from, to)
	}
}
