package wire

import "github.com/perfdump/perfdump"

// Tiler yields spans that cover a document exactly, as [perfdump.Span] says:
// what lies between two fields comes as a gap. Once the consumer stops, its
// methods do nothing.
type Tiler struct {
	Page uint32        // code page of the spans of kind ANSI that name none
	Path perfdump.Path // of the gaps that [Tiler.Put] finds
	Note string        // of the same

	// Once drops what begins before the end of what is covered, in place of
	// marking it as Overlap.
	Once bool

	// Base is added to the offsets of all spans.
	Base int64

	// Gap returns the kind and the note of a gap. nil makes up to 7 bytes
	// padding without a note.
	Gap func(perfdump.Span) (perfdump.Kind, string)

	yield func(perfdump.Span) bool
	pos   int64
	done  bool
}

// NewTiler returns a tiler that starts at offset 0.
func NewTiler(yield func(perfdump.Span) bool) *Tiler { return &Tiler{yield: yield} }

// Begin makes the tiler start at an offset.
func (t *Tiler) Begin(off int64) { t.pos = off }

// Pos returns the end of what is covered.
func (t *Tiler) Pos() int64 { return t.pos }

// Done reports whether the consumer has stopped.
func (t *Tiler) Done() bool { return t.done }

// Put yields s and before it the gap up to it, if there is one. It sets
// Overlap where s begins before the end of what is covered. An empty s is
// dropped.
func (t *Tiler) Put(s perfdump.Span) { t.put(&s) }

// put takes a pointer, since a span is long and a walk has millions of them.
func (t *Tiler) put(s *perfdump.Span) {
	if s.Size <= 0 || t.Once && s.Off < t.pos {
		return
	}
	if s.Off > t.pos {
		t.Fill(s.Off, t.Path, t.Note)
	}
	if s.Kind == perfdump.KindANSI && s.CodePage == 0 {
		s.CodePage = t.Page
	}
	s.Overlap = s.Off < t.pos
	t.emit(s)
}

// To yields what the bytes from [Tiler.Pos] up to end mean, if there are any.
func (t *Tiler) To(end int64, kind perfdump.Kind, path perfdump.Path, note string) {
	t.Put(perfdump.Span{Off: t.pos, Size: end - t.pos, Kind: kind, Path: path, Note: note})
}

// Struct yields the fields of a struct at off; only the type of v matters. A
// field without a name in paths has its doc as its note.
func (t *Tiler) Struct(off int64, v any, path perfdump.Path) {
	fields, _ := Layout(v)
	for i := range fields {
		f := &fields[i]
		s := perfdump.Span{Off: off + int64(f.Off), Size: int64(f.Size), Kind: f.Kind, Path: path.Field(f.Path)}
		if f.Path == "" {
			s.Note = f.Doc
		}
		t.put(&s)
	}
}

// Fill yields a gap up to end, if there are bytes before it that nothing covers.
func (t *Tiler) Fill(end int64, path perfdump.Path, note string) {
	if t.done || end <= t.pos {
		return
	}
	s := perfdump.Span{Off: t.pos, Size: end - t.pos, Kind: perfdump.KindGap, Path: path, Note: note}
	switch {
	case t.Gap != nil:
		s.Kind, s.Note = t.Gap(s)
	case s.Size < 8:
		s.Kind, s.Note = perfdump.KindPadding, ""
	}
	t.emit(&s)
}

func (t *Tiler) emit(s *perfdump.Span) {
	if t.done {
		return
	}
	t.pos = max(t.pos, s.Off+s.Size)
	s.Off += t.Base
	t.done = !t.yield(*s)
}
