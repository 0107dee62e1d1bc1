package titles

import (
	"iter"

	"github.com/perfdump/perfdump"
)

// Spans yields what each byte of the file means, in order and without a hole:
// a string's span has its NUL too. A table made from a list has none.
func (t *Table) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		if t.list {
			return
		}
		s := spanner{yield: yield, kind: perfdump.KindUTF16}
		if !t.enc.UTF16() {
			s.kind, s.page = perfdump.KindANSI, t.enc.CodePage
		}
		s.emit(t.start(), perfdump.KindHex, levels.Root().Field("BOM"), "")
		n := 0
		t.walk(func(it item, at place) bool {
			path := levels.Root().At(0, n)
			switch it.kind {
			case skipped:
				s.emit(at.end, perfdump.KindGap, perfdump.Path{}, "no index, skipped")
			case lone:
				s.emit(at.end, s.kind, path.Field("Index"), "")
			case entry:
				s.emit(at.text, s.kind, path.Field("Index"), "")
				s.emit(at.end, s.kind, path.Field("Text"), "")
				n++
			}
			return !s.done
		})
		s.emit(t.bodyEnd(), perfdump.KindPadding, perfdump.Path{}, "end of the table")
		s.emit(t.size, perfdump.KindGap, perfdump.Path{}, "odd last byte")
	}
}

// spanner yields spans each of which begins where the one before it ended.
type spanner struct {
	yield func(perfdump.Span) bool
	kind  perfdump.Kind
	page  uint32
	pos   int64
	done  bool
}

func (s *spanner) emit(end int64, kind perfdump.Kind, path perfdump.Path, note string) {
	if s.done || end <= s.pos {
		return
	}
	span := perfdump.Span{Off: s.pos, Size: end - s.pos, Kind: kind, Path: path, Note: note}
	if kind == perfdump.KindANSI {
		span.CodePage = s.page
	}
	s.pos = end
	s.done = !s.yield(span)
}
