package titles

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields the meaning of each byte of the file, in order and without a hole: a
// string's span includes its NUL. A table made from a list has none.
func (t *Table) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		if t.list {
			return
		}
		kind := perfdump.KindUTF16
		if !t.enc.UTF16() {
			kind = perfdump.KindANSI
		}
		s := wire.NewTiler(yield)
		s.Page = t.enc.CodePage
		s.To(int64(t.start()), perfdump.KindHex, levels.Root().Field("BOM"), "")
		n := 0
		for i, it := range t.all() {
			end := int64(t.items[i+1].pos)
			path := levels.Root().At(0, n)
			switch it.kind {
			case skipped:
				for k := range int64(it.index) {
					s.To(int64(it.pos)+(k+1)*int64(t.unit()), perfdump.KindGap, perfdump.Path{}, "no index, skipped")
				}
				s.To(end, perfdump.KindGap, perfdump.Path{}, "no index, skipped")
			case lone:
				s.To(end, kind, path.Field("Index"), "")
			case entry:
				s.To(int64(it.textPos), kind, path.Field("Index"), "")
				s.To(end, kind, path.Field("Text"), "")
				n++
			}
			if s.Done() {
				return
			}
		}
		s.To(int64(t.bodyEnd()), perfdump.KindPadding, perfdump.Path{}, "end of the table")
		s.To(int64(len(t.file)), perfdump.KindGap, perfdump.Path{}, "odd last byte")
	}
}
