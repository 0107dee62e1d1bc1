package inifile

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields what each byte of the file means, in order and without a hole.
// Blanks belong to what stands before them, the = to the key, a line's end to
// the line.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		enc := f.text.Encoding()
		kind, page := enc.Kind()
		s := wire.NewTextSpans(page, yield)
		s.To(int64(len(enc.BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		for l := range f.Lines() {
			end := l.Off + int64(l.line.Size())
			switch l.Kind {
			case Key:
				s.To(l.ValueOff(), kind, l.path().Field("Key"), "")
				s.To(end, kind, l.path().Field("Value"), "")
			case Section:
				s.To(end, kind, l.path().Field("Section"), "")
			case Comment:
				s.To(end, kind, l.path().Field("Comment"), "")
			case Blank:
				s.To(end, perfdump.KindPadding, l.path(), "blank line")
			case CtrlZ, Other:
				s.To(end, perfdump.KindGap, l.path(), "no key, no effect")
			}
			if s.Done() {
				return
			}
		}
	}
}
