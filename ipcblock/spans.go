package ipcblock

import (
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Spans yields the meaning of each byte of the input. Bytes that are in no field are
// padding if they are zero, otherwise gaps; neither has a field in its path. A Bad chunk is
// one gap, an untouched one is padding.
func (t *Table) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := wire.NewTiler(yield)
		w.Gap = func(s perfdump.Span) (perfdump.Kind, string) {
			if wire.AllZero(t.raw[s.Off : s.Off+s.Size]) {
				return perfdump.KindPadding, s.Note
			}
			return s.Kind, s.Note
		}
		for i := range t.chunks {
			t.chunks[i].spans(w)
		}
		note := "after the end"
		if t.layout == SxS && len(t.raw) < tableSize {
			note = "part of a chunk"
		}
		w.Fill(int64(len(t.raw)), levels.Root(), note)
	}
}

// IsGap reports whether a span is not a field, but a gap or padding.
func IsGap(s perfdump.Span) bool { return s.Path.FieldName() == "" }

func (c *Chunk) spans(w *wire.Tiler) {
	path := c.Path()
	end := c.Offset + int64(len(c.raw))
	switch {
	case c.State == Untouched:
		w.Fill(end, path, "untouched chunk")
		return
	case c.State == Bad:
		w.Fill(end, path, c.fault.Message())
		return
	case c.layout == Bare:
	case c.layout == SxS:
		w.Struct(c.Offset, chunkHeader{}, path)
	case c.width == X64:
		w.Struct(c.Offset, legacyHeader64{}, path)
	default:
		w.Struct(c.Offset, legacyHeader32{}, path)
	}
	for i := range c.entryCount() {
		w.Struct(c.Offset+int64(c.directory+entrySize*i), Entry{}, path.At(levelEntry, i))
	}
	parts := []part{{c.perf, c.perfSpans}, {c.domain, c.appDomainSpans}, {c.path, c.pathSpan}}
	slices.SortStableFunc(parts, func(a, b part) int { return a.off - b.off })
	for _, p := range parts {
		if p.off >= 0 {
			off := c.Offset + int64(p.off)
			w.Fill(off, path, "before the data")
			p.show(w, off)
		}
	}
	note := "after the data"
	if c.layout == SxS {
		note = "up to the next chunk"
	}
	w.Fill(end, path, note)
}

// part is the target of an entry of a chunk.
type part struct {
	off  int // -1 if there is none
	show func(w *wire.Tiler, off int64)
}

func (c *Chunk) perfSpans(w *wire.Tiler, off int64) {
	at := off
	for f := range c.Fields() {
		start, size := off+int64(f.Offset(c.Arch)), int64(f.Size(c.Arch))
		if start > at {
			w.Put(perfdump.Span{Off: at, Size: start - at, Kind: perfdump.KindPadding, Path: c.Path(), Note: "alignment"})
		}
		kind := perfdump.KindUint
		if f.Signed() {
			kind = perfdump.KindInt
		}
		w.Put(perfdump.Span{Off: start, Size: size, Kind: kind, Path: c.fieldPath(f)})
		at = start + size
	}
}

func (c *Chunk) appDomainSpans(w *wire.Tiler, off int64) {
	if c.width == X86 {
		w.Struct(off, appDomain32{}, c.Path())
	} else {
		w.Struct(off, AppDomain64{}, c.Path())
	}
}

func (c *Chunk) pathSpan(w *wire.Tiler, off int64) {
	w.Put(perfdump.Span{Off: off, Size: int64(c.pathLen), Kind: perfdump.KindUTF16, Path: c.Path().Field("path")})
}
