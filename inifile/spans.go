package inifile

import (
	"iter"

	"github.com/perfdump/perfdump"
)

// Spans yields what each byte of the file means, in order and without a hole.
// Blanks belong to what stands before them, the = to the key, a line's end to
// the line.
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
			case Key:
				emit(l.ValueOff(), kind, l.path().Field("Key"), "")
				emit(end, kind, l.path().Field("Value"), "")
			case Section:
				emit(end, kind, l.path().Field("Section"), "")
			case Comment:
				emit(end, kind, l.path().Field("Comment"), "")
			case Blank:
				emit(end, perfdump.KindPadding, l.path(), "blank line")
			case CtrlZ, Other:
				emit(end, perfdump.KindGap, l.path(), "no key, no effect")
			}
			if !going {
				return
			}
		}
	}
}
