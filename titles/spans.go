package titles

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields what each byte of the file means, in order and without a hole:
// a string's span has its NUL too. A table made from a list has none.
func (t *Table) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		if t.list {
			return
		}
		kind := perfdump.KindUTF16
		if !t.enc.UTF16() {
			kind = perfdump.KindANSI
		}
		s := wire.NewTextSpans(t.enc.CodePage, yield)
		s.To(t.start(), perfdump.KindHex, levels.Root().Field("BOM"), "")
		n := 0
		t.walk(func(it item, at place) bool {
			path := levels.Root().At(0, n)
			switch it.kind {
			case skipped:
				s.To(at.end, perfdump.KindGap, perfdump.Path{}, "no index, skipped")
			case lone:
				s.To(at.end, kind, path.Field("Index"), "")
			case entry:
				s.To(at.text, kind, path.Field("Index"), "")
				s.To(at.end, kind, path.Field("Text"), "")
				n++
			}
			return !s.Done()
		})
		s.To(t.bodyEnd(), perfdump.KindPadding, perfdump.Path{}, "end of the table")
		s.To(t.size, perfdump.KindGap, perfdump.Path{}, "odd last byte")
	}
}
