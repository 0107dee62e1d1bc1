package hexdump

import "github.com/perfdump/perfdump"

// outliner is a document with elements that keep a line each where they are
// folded, so that all of them are there to be seen.
type outliner interface {
	// AppendOutline appends what stands for an element and is not its path.
	// Nothing appended means that it is counted with those beside it.
	AppendOutline(dst []byte, p perfdump.Path, level int) []byte
	// Stands reports whether an element is shown though those beside it are
	// folded.
	Stands(p perfdump.Path, level int) bool
}

// outline returns the path of an element that is folded by itself and what
// stands for it, or nil for one that is counted. The document must be at it.
func (d *dumper) outline(s *perfdump.Span, level int) []byte {
	o, ok := d.doc.(outliner)
	if !ok {
		return nil
	}
	path := d.levels.Root()
	for l := range level + 1 {
		if i, ok := s.Path.Index(l); ok {
			path = path.At(l, i)
		}
	}
	line := append(path.Append(append(d.scratch[:0], "… "...)), "  "...)
	d.scratch = o.AppendOutline(line, path, level)
	if len(d.scratch) == len(line) {
		return nil
	}
	return d.scratch
}

func (d *dumper) stands(s *perfdump.Span, level int) bool {
	o, ok := d.doc.(outliner)
	return ok && o.Stands(s.Path, level)
}

// beginOutline begins the line of an element that is folded by itself; those
// that follow each other stand close.
func (d *dumper) beginOutline() {
	if !d.outlined {
		d.buf = append(d.buf, '\n')
	}
	d.some, d.outlined = true, true
	if d.o.Color {
		d.buf = append(d.buf, sgrDim...)
	}
}
