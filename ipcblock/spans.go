package ipcblock

import (
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// layoutOf returns the fields of a struct with their names in paths.
func layoutOf(v any) []wire.Field {
	fields, _ := wire.Layout(v)
	t := reflect.TypeOf(v)
	for i := range fields {
		fields[i].Name = t.Field(i).Tag.Get("name")
	}
	return fields
}

var layouts = sync.OnceValue(func() (l struct {
	chunk, entry, legacy32, legacy64, domain32, domain64, perf32, perf64, bare32, bare64 []wire.Field
},
) {
	l.chunk, l.entry = layoutOf(chunkHeader{}), layoutOf(Entry{})
	l.legacy32, l.legacy64 = layoutOf(legacyHeader32{}), layoutOf(legacyHeader64{})
	l.domain32, l.domain64 = layoutOf(appDomain32{}), layoutOf(AppDomain64{})
	l.perf32, l.perf64 = layoutOf(perfBlock32{}), layoutOf(PerfBlock64{})
	l.bare32, l.bare64 = clr1(l.perf32), clr1(l.perf64)
	return l
})

// clr1 returns the fields of a perf block as CLR 1.x names them.
func clr1(fields []wire.Field) []wire.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		if fields[i].Name == fieldPaths[ProcessID] {
			fields[i].Name = fieldPaths[PromotedFinalizationGen1]
		}
	}
	return fields
}

// Spans yields what each byte of the input means, as [perfdump.Span] says.
// Bytes that no field explains come as padding where they are zero, else as
// gaps; neither has a field in its path. A chunk that is Bad is a gap whole,
// one that is untouched is padding.
func (t *Table) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := spanWalk{table: t, yield: yield}
		for i := range t.chunks {
			if !w.chunk(&t.chunks[i]) {
				return
			}
		}
		note := "behind the end"
		if t.layout == SxS && len(t.raw) < tableSize {
			note = "part of a chunk"
		}
		w.fill(len(t.raw), levels.Root(), note)
	}
}

// IsGap reports whether a span is no field: a gap, or padding.
func IsGap(s perfdump.Span) bool { return s.Path.FieldName() == "" }

// spanWalk goes through a table in the order of its bytes. Its methods return
// false when the consumer wants no more.
type spanWalk struct {
	table *Table
	yield func(perfdump.Span) bool
	at    int // the end of what was covered
}

func (w *spanWalk) emit(off, size int, kind perfdump.Kind, path perfdump.Path, note string) bool {
	s := perfdump.Span{Off: int64(off), Size: int64(size), Kind: kind, Path: path, Note: note, Overlap: off < w.at}
	w.at = max(w.at, off+size)
	return w.yield(s)
}

// fill covers what lies between the last field and off.
func (w *spanWalk) fill(off int, path perfdump.Path, note string) bool {
	if off <= w.at {
		return true
	}
	kind := perfdump.KindGap
	if wire.AllZero(w.table.raw[w.at:off]) {
		kind = perfdump.KindPadding
	}
	return w.emit(w.at, off-w.at, kind, path, note)
}

func (w *spanWalk) fields(off int, fields []wire.Field, path perfdump.Path) bool {
	for i := range fields {
		f := &fields[i]
		at, note := path.Field(f.Name), ""
		if f.Kind == perfdump.KindPadding {
			at, note = path, f.Doc
		}
		if !w.emit(off+f.Off, f.Size, f.Kind, at, note) {
			return false
		}
	}
	return true
}

func (w *spanWalk) chunk(c *Chunk) bool {
	off, path := int(c.Offset), c.Path()
	end := off + len(c.raw)
	switch {
	case c.State == Untouched:
		return w.fill(end, path, "untouched chunk")
	case c.State == Bad:
		return w.fill(end, path, c.fault.Message())
	}
	l := layouts()
	header := l.chunk
	switch {
	case c.layout == Bare:
		header = nil
	case c.layout != SxS && c.width == X64:
		header = l.legacy64
	case c.layout != SxS:
		header = l.legacy32
	}
	if !w.fields(off, header, path) {
		return false
	}
	for i := range c.entryCount() {
		if !w.fields(off+c.directory+entrySize*i, l.entry, path.At(levelEntry, i)) {
			return false
		}
	}
	for _, p := range c.parts() {
		if p.off < 0 {
			continue
		}
		if !w.fill(off+p.off, path, "before the data") {
			return false
		}
		ok := true
		switch {
		case p.fields != nil:
			ok = w.fields(off+p.off, p.fields, path)
		case p.size > 0:
			ok = w.emit(off+p.off, p.size, p.kind, path.Field(p.name), "")
		}
		if !ok {
			return false
		}
	}
	note := "behind the data"
	if c.layout == SxS {
		note = "up to the next chunk"
	}
	return w.fill(end, path, note)
}

// part is something in a chunk that a directory points to.
type part struct {
	off, size int
	fields    []wire.Field
	kind      perfdump.Kind
	name      string
}

// parts returns what is known in c, by offset.
func (c *Chunk) parts() []part {
	l := layouts()
	perf := [...][]wire.Field{NoArch: nil, X86: l.perf32, X64: l.perf64}[c.Arch]
	if c.CLR1 {
		perf = [...][]wire.Field{NoArch: nil, X86: l.bare32, X64: l.bare64}[c.Arch]
	}
	domain := l.domain64
	if c.width == X86 {
		domain = l.domain32
	}
	parts := []part{
		{off: c.perf, fields: perf},
		{off: c.domain, fields: domain},
		{off: c.path, size: c.pathLen, kind: perfdump.KindUTF16, name: "path"},
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.off - b.off })
	return parts
}
