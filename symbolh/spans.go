package symbolh

import (
	"iter"

	"github.com/perfdump/perfdump"
)

// Spans yields what each byte of the file means, in order and without a hole.
// What stands before a name or a value belongs to it, what follows and the
// line's end to the line.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		enc := f.text.Encoding()
		kind, page := enc.Kind()
		pos, going := int64(0), true
		emit := func(end int64, k perfdump.Kind, path perfdump.Path, note string) {
			if !going || end <= pos {
				return
			}
			s := perfdump.Span{Off: pos, Size: end - pos, Kind: k, Path: path, Note: note}
			if k == perfdump.KindANSI {
				s.CodePage = page
			}
			pos, going = end, yield(s)
		}
		emit(int64(len(enc.BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		for l := range f.Lines() {
			end := l.Off + int64(l.line.Size())
			switch l.Kind {
			case Definition:
				emit(l.Off+int64(l.b), kind, l.path().Field("Name"), "")
				if l.c < l.d {
					emit(l.Off+int64(l.d), kind, l.path().Field("Value"), "")
				}
				emit(end, kind, l.path().Field("End"), "")
			case Comment:
				emit(end, kind, l.path().Field("Comment"), "")
			case Directive:
				emit(end, kind, l.path().Field("Directive"), "")
			case Blank:
				emit(end, perfdump.KindPadding, l.path(), "blank line")
			case CtrlZ, Other:
				emit(end, perfdump.KindGap, l.path(), "no #define, passed over")
			}
			if !going {
				return
			}
		}
	}
}
