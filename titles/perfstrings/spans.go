package perfstrings

import (
	"iter"

	"github.com/perfdump/perfdump"
)

// Spans yields what each byte of the file means, in order and without a hole.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		kind, page := f.enc().Kind()
		pos, done := int64(0), false
		emit := func(end int64, kind perfdump.Kind, path perfdump.Path, note string) {
			if done || end <= pos {
				return
			}
			s := perfdump.Span{Off: pos, Size: end - pos, Kind: kind, Path: path, Note: note}
			if kind == perfdump.KindANSI {
				s.CodePage = page
			}
			pos, done = end, !yield(s)
		}
		emit(int64(len(f.enc().BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		f.walk(func(_ *walker, p piece) bool {
			path := levels.Root().At(0, p.Number-1)
			off := int64(p.Off)
			end := off + int64(len(p.Raw))
			switch {
			case p.kind == lineSection:
				emit(end, kind, path.Field("Section"), "")
			case p.kind == linePair && p.section == sectionStrings:
				emit(off+int64(p.value), kind, path.Field("Index"), "")
				emit(end, kind, path.Field("Text"), "")
			case p.kind == linePair:
				emit(off+int64(p.value), kind, path.Field("Key"), "")
				emit(end, kind, path.Field("Value"), "")
			case p.kind == lineOther:
				emit(end, perfdump.KindGap, perfdump.Path{}, "no key and no section")
			default:
				emit(end, kind, path, "")
			}
			emit(off+int64(p.Size()), perfdump.KindPadding, perfdump.Path{}, "end of the line")
			return !done
		})
	}
}
