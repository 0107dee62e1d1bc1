package wire

import "github.com/perfdump/perfdump"

// TextSpans yields the spans of a text, each of which begins where the one
// before it ended.
type TextSpans struct {
	yield func(perfdump.Span) bool
	page  uint32
	pos   int64
	done  bool
}

// NewTextSpans begins at the first byte. Spans of kind ANSI are in a page.
func NewTextSpans(page uint32, yield func(perfdump.Span) bool) *TextSpans {
	return &TextSpans{yield: yield, page: page}
}

// To yields what the bytes up to end mean, if there are any left.
func (s *TextSpans) To(end int64, kind perfdump.Kind, path perfdump.Path, note string) {
	if s.done || end <= s.pos {
		return
	}
	span := perfdump.Span{Off: s.pos, Size: end - s.pos, Kind: kind, Path: path, Note: note}
	if kind == perfdump.KindANSI {
		span.CodePage = s.page
	}
	s.pos, s.done = end, !s.yield(span)
}

// Done reports whether no more spans are wanted.
func (s *TextSpans) Done() bool { return s.done }
