package symbolh

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields what each byte of the file means, in order and without a hole.
// What stands before a name or a value belongs to it, what follows and the
// line's end to the line.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		enc := f.text.Encoding()
		kind, page := enc.Kind()
		s := wire.NewTextSpans(page, yield)
		s.To(int64(len(enc.BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		for l := range f.Lines() {
			end := l.Off + int64(l.line.Size())
			switch l.Kind {
			case Definition:
				s.To(l.Off+int64(l.b), kind, l.path().Field("Name"), "")
				if l.c < l.d {
					s.To(l.Off+int64(l.d), kind, l.path().Field("Value"), "")
				}
				s.To(end, kind, l.path().Field("End"), "")
			case Comment:
				s.To(end, kind, l.path().Field("Comment"), "")
			case Directive:
				s.To(end, kind, l.path().Field("Directive"), "")
			case Blank:
				s.To(end, perfdump.KindPadding, l.path(), "blank line")
			case CtrlZ, Other:
				s.To(end, perfdump.KindGap, l.path(), "no #define, passed over")
			}
			if s.Done() {
				return
			}
		}
	}
}
