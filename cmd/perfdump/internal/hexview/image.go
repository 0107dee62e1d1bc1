package hexview

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// image is memory: a process dump, or a raw one. The IPC control blocks in it
// are shown field by field, the rest of the memory is a gap.
type image struct {
	*Document
	r      io.ReaderAt
	dump   *minidump.File   // nil for raw memory
	ranges []minidump.Range // of the dump
	tables []*imageTable

	// The current position among the spans, within a table.
	in   *imageTable
	span perfdump.Span // as the table has it
}

// imageTable is a table that was found.
type imageTable struct {
	*Document
	layout string
	index  int
	c      ipcblock.Candidate
	base   int64 // of its bytes in the file
}

// The levels of an image. Entries are those of the lists in streams.
const (
	imageTables = iota
	imageChunks
	imageStreams
	imageEntries
)

func newImage(b []byte, in Input) *image {
	d := &image{Document: newDocument(b, in, "table", "chunk", "stream", "entry")}
	if d.r = d.At; d.r == nil {
		d.r = bytes.NewReader(b)
	}
	d.Spans = d.spans
	d.Keeps[imageEntries], d.Keeps[imageChunks] = 4, 1
	d.Unfolded = func(_ perfdump.Path, level int) bool {
		return level == imageChunks && d.in.Unfolded(d.span.Path, 0)
	}
	d.Heading, d.Comment = d.heading, d.comment
	return d
}

// Minidump returns the document of a process dump, which is searched for IPC
// control blocks.
func Minidump(b []byte, in Input) *Document {
	d := newImage(b, in)
	dump, first, err := read(in, func(o perfdump.Options) (*minidump.File, error) { return minidump.Open(d.r, d.Size, o) })
	if err != nil {
		return unreadable(b, in, first, err)
	}
	d.dump, d.Err, d.ranges = dump, first, slices.Collect(dump.Ranges())
	d.remark(nil, dump.Anomalies().Kept()...)
	found, _, err := dump.Tables(minidump.TableOptions{Deep: true})
	d.found(found, err, in)
	return d.Document
}

// Memory returns the document of raw memory, which is searched for IPC control
// blocks.
func Memory(b []byte, in Input) *Document {
	d := newImage(b, in)
	found, _, err := ipcblock.Find(d.r, d.Size, ipcblock.FindOptions{Deep: true})
	d.found(found, err, in)
	return d.Document
}

// found adds the candidates of a search that are contiguous in the file.
func (d *image) found(found []ipcblock.Candidate, err error, in Input) {
	d.Err = cmp.Or(d.Err, err)
	in.Mode = perfdump.Salvage
	for i, c := range found {
		if c.Offset < 0 || c.Offset+int64(c.Size) > d.Size || d.dump != nil && !d.adjoins(&c) {
			continue
		}
		b := make([]byte, c.Size)
		if n, err := d.r.ReadAt(b, c.Offset); n < len(b) {
			d.Err = cmp.Or(d.Err, err)
			continue
		}
		table, err := ipcblock.Parse(b, ipcblock.Options{Options: in.Options})
		if err != nil {
			continue
		}
		t := &imageTable{blocksDocument(table, b, in, c.Offset), table.Layout().String(), i, c, c.Offset}
		for _, r := range t.Remarks {
			d.Remarks = append(d.Remarks, Remark{t.base + r.Off, r.text})
		}
		d.tables = append(d.tables, t)
	}
	d.remark(nil) // sorts them
	slices.SortFunc(d.tables, func(a, b *imageTable) int { return cmp.Compare(a.base, b.base) })
}

// adjoins reports whether the bytes of a candidate are contiguous in the file.
func (d *image) adjoins(c *ipcblock.Candidate) bool {
	i, ok := slices.BinarySearchFunc(d.ranges, c.Addr, func(r minidump.Range, va uint64) int { return cmp.Compare(r.VA, va) })
	if !ok {
		i--
	}
	return i >= 0 && c.Addr-d.ranges[i].VA <= d.ranges[i].Size-uint64(c.Size) && uint64(c.Size) <= d.ranges[i].Size
}

func (d *image) spans(yield func(perfdump.Span) bool) {
	w := imageWalk{image: d, tables: d.tables, yield: yield}
	if d.dump == nil {
		w.memory(perfdump.Span{Size: d.Size, Path: d.Levels.Root()}, func(int64) string { return "memory" })
		return
	}
	for s := range d.dump.Spans() {
		memory, ok := s.Path.Index(2)
		path := d.Levels.Root().Field(s.Path.FieldName())
		if i, ok := s.Path.Index(0); ok {
			path = path.At(imageStreams, i)
		}
		if i, ok := s.Path.Index(1); ok {
			path = path.At(imageEntries, i)
		}
		s.Path = path
		if ok {
			s.Kind = perfdump.KindGap
			ok = w.memory(s, func(off int64) string { return d.addresses(memory, off) })
		} else {
			ok = yield(s)
		}
		if !ok {
			return
		}
	}
}

// addresses says where in the process the bytes at an offset of a range were.
func (d *image) addresses(memory int, off int64) string {
	if memory >= len(d.ranges) {
		return "memory"
	}
	return fmt.Sprintf("memory at address 0x%x", d.ranges[memory].VA+uint64(off-d.ranges[memory].Off))
}

// imageWalk iterates over memory and the tables in it.
type imageWalk struct {
	*image
	tables []*imageTable // those still to come
	yield  func(perfdump.Span) bool
}

// memory yields a run of memory: the tables in it and what is between them, which
// note describes. It returns false when the consumer needs no more.
func (w *imageWalk) memory(s perfdump.Span, note func(off int64) string) bool {
	end := s.Off + s.Size
	s.Note = note(s.Off)
	for !s.Overlap {
		for len(w.tables) > 0 && w.tables[0].base < s.Off {
			w.tables = w.tables[1:]
		}
		if len(w.tables) == 0 || w.tables[0].base+w.tables[0].Size > end {
			break
		}
		t := w.tables[0]
		if before := t.base - s.Off; before > 0 {
			gap := s
			gap.Size = before
			if !w.yield(gap) {
				return false
			}
		}
		if !w.table(t) {
			return false
		}
		s.Off = t.base + t.Size
		s.Size = end - s.Off
		s.Note = note(s.Off)
	}
	return s.Size == 0 || w.yield(s)
}

func (w *imageWalk) table(t *imageTable) bool {
	defer func() { w.in = nil }()
	for s := range t.Spans {
		w.in, w.span = t, s
		path := w.Levels.Root().At(imageTables, t.index)
		field := s.Path.FieldName()
		if i, ok := s.Path.Index(0); ok {
			path = path.At(imageChunks, i)
		}
		if i, ok := s.Path.Index(1); ok {
			field = fmt.Sprintf("table[%d].%s", i, field)
		}
		s.Off += t.base
		s.Path = path.Field(field)
		if !w.yield(s) {
			return false
		}
	}
	return true
}

func (d *image) heading(dst []byte, p perfdump.Path) []byte {
	if i, ok := p.Index(imageStreams); ok {
		for k, s := range d.dump.Streams() {
			if k == i {
				return append(dst, s.Type.String()...)
			}
		}
	}
	i, ok := p.Index(imageTables)
	at := slices.IndexFunc(d.tables, func(t *imageTable) bool { return t.index == i })
	if !ok || at < 0 {
		return dst
	}
	t := d.tables[at]
	if chunk, ok := p.Index(imageChunks); ok {
		return t.Heading(dst, t.Levels.Root().At(0, chunk))
	}
	dst = append(dst, t.layout...)
	if d.dump != nil {
		dst = appendHex(append(dst, ", address "...), t.c.Addr)
	}
	dst = fmt.Appendf(dst, ", score %d, ", t.c.Score)
	return appendRange(dst, t.base, t.base+t.Size)
}

func (d *image) comment(dst []byte, s *perfdump.Span, b []byte) []byte {
	if d.in != nil {
		return d.in.Comment(dst, &d.span, b)
	}
	switch s.Path.FieldName() {
	case "StreamType":
		return append(dst, minidump.StreamType(wire.U32(b, 0)).String()...)
	case "ProcessorArchitecture":
		return append(dst, minidump.Arch(wire.U16(b, 0)).String()...)
	case "FileVersionMS", "ProductVersionMS", "FileVersionLS", "ProductVersionLS":
		return fmt.Appendf(dst, "%d.%d", wire.U16(b, 2), wire.U16(b, 0))
	case "TimeDateStamp":
		if _, entry := s.Path.Index(imageEntries); !entry {
			return append(dst, d.dump.Time().Format("2006-01-02 15:04:05 UTC")...)
		}
	}
	return dst
}
