package perfstrings

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields the meaning of each byte of the file, in order and without a hole.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		kind, page := f.enc().Kind()
		s := wire.NewTiler(yield)
		s.Page = page
		s.To(int64(len(f.enc().BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		for _, p := range f.lines() {
			path := levels.Root().At(0, p.Number-1)
			off := int64(p.Off)
			end := off + int64(len(p.Raw))
			switch {
			case p.kind == lineSection:
				s.To(end, kind, path.Field("Section"), "")
			case p.kind == linePair && p.section == sectionStrings:
				s.To(off+int64(p.value), kind, path.Field("Index"), "")
				s.To(end, kind, path.Field("Text"), "")
			case p.kind == linePair:
				s.To(off+int64(p.value), kind, path.Field("Key"), "")
				s.To(end, kind, path.Field("Value"), "")
			case p.kind == lineOther:
				s.To(end, perfdump.KindGap, perfdump.Path{}, "no key and no section")
			default:
				s.To(end, kind, path, "")
			}
			s.To(off+int64(p.Size()), perfdump.KindPadding, perfdump.Path{}, "end of the line")
			if s.Done() {
				return
			}
		}
	}
}
