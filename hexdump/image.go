package hexdump

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/minidump"
)

// image is the document of memory: a process dump, or a raw one. The IPC
// control blocks in it are shown field by field, the rest of the memory is a
// gap.
type image struct {
	plain
	at
	dump    *minidump.File   // nil for raw memory
	ranges  []minidump.Range // of the dump
	streams []minidump.Stream
	entries map[int]int // of the lists in the streams
	tables  []imageTable

	// Where the run through the spans is, within a table.
	in   *imageTable
	span perfdump.Span // as the table has it
}

// imageTable is a table that was found.
type imageTable struct {
	*ipcBlock
	index int
	c     ipcblock.Candidate
}

// The levels of an image. Entries are those of the lists in streams.
const (
	imageTables = iota
	imageChunks
	imageStreams
	imageEntries
)

var imageLevels = perfdump.Levels{"table", "chunk", "stream", "entry"}

// keepListed is how many entries of a list are shown where arrays are folded.
const keepListed = 4

// Minidump returns the document of a process dump, which is searched for IPC
// control blocks.
func Minidump(b []byte, in Input) Document {
	return newMinidump(at{bytes.NewReader(b), int64(len(b))}, b, in)
}

// newMinidump takes the bytes of a, or nil where they are not all at hand.
func newMinidump(a at, b []byte, in Input) Document {
	d := &image{plain: plain{bytes: b, levels: imageLevels}, at: a, entries: map[int]int{}}
	o := minidump.Options{Mode: in.Mode}
	if d.dump, d.err = minidump.NewFile(a.r, a.size, o); d.err != nil {
		o.Mode = perfdump.Salvage
		dump, err := minidump.NewFile(a.r, a.size, o)
		if err != nil {
			return &raw{plain{bytes: b, err: d.err}, a, err.Error()}
		}
		d.dump = dump
	}
	d.ranges = slices.Collect(d.dump.Ranges())
	for _, s := range d.dump.Streams() {
		d.streams = append(d.streams, s)
	}
	for s := range d.dump.Spans() {
		stream, _ := s.Path.Index(0)
		if i, ok := s.Path.Index(1); ok {
			d.entries[stream] = max(d.entries[stream], i+1)
		}
	}
	for _, a := range d.dump.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	found, _, err := d.dump.Tables(minidump.TableOptions{Deep: true})
	d.found(found, err, in)
	return d
}

// Memory returns the document of raw memory, which is searched for IPC control
// blocks.
func Memory(b []byte, in Input) Document {
	return newMemory(at{bytes.NewReader(b), int64(len(b))}, b, in)
}

func newMemory(a at, b []byte, in Input) Document {
	d := &image{plain: plain{bytes: b, levels: imageLevels}, at: a}
	found, _, err := ipcblock.Find(a.r, a.size, ipcblock.FindOptions{Deep: true})
	d.found(found, err, in)
	return d
}

// found takes what a search has found: what the file has in one piece.
func (d *image) found(found []ipcblock.Candidate, err error, in Input) {
	if d.err == nil {
		d.err = err
	}
	for i, c := range found {
		from, to := c.Offset, c.Offset+int64(c.Size)
		if from < 0 || to > d.size || d.dump != nil && !d.adjoins(&c) {
			continue
		}
		b := d.bytes
		if b != nil {
			b = b[from:to:to]
		} else if b = make([]byte, to-from); !d.read(b, from) {
			continue
		}
		t, ok := IPCBlock(b, in).(*ipcBlock)
		if !ok {
			continue
		}
		t.base = from
		for _, r := range t.remarks {
			d.remarks = append(d.remarks, Remark{from + r.Off, r.text})
		}
		d.tables = append(d.tables, imageTable{t, i, c})
	}
	slices.SortFunc(d.tables, func(a, b imageTable) int { return cmp.Compare(a.base, b.base) })
	slices.SortStableFunc(d.remarks, func(a, b Remark) int { return cmp.Compare(a.Off, b.Off) })
}

// read fills b with the bytes at off.
func (d *image) read(b []byte, off int64) bool {
	n, err := d.r.ReadAt(b, off)
	if n == len(b) {
		return true
	}
	if d.err == nil {
		d.err = err
	}
	return false
}

// adjoins reports whether the bytes of a candidate stand together in the file.
func (d *image) adjoins(c *ipcblock.Candidate) bool {
	i, ok := slices.BinarySearchFunc(d.ranges, c.Addr, func(r minidump.Range, va uint64) int { return cmp.Compare(r.VA, va) })
	if !ok {
		i--
	}
	return i >= 0 && c.Addr-d.ranges[i].VA <= d.ranges[i].Size-uint64(c.Size) && uint64(c.Size) <= d.ranges[i].Size
}

func (d *image) Spans() iter.Seq[perfdump.Span] { return d.spans((*ipcBlock).Spans) }

// Brief is Spans with the chunks that nobody has touched in one run.
func (d *image) Brief() iter.Seq[perfdump.Span] { return d.spans((*ipcBlock).Brief) }

func (d *image) spans(of func(*ipcBlock) iter.Seq[perfdump.Span]) iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		w := imageWalk{image: d, of: of, tables: d.tables, yield: yield}
		if d.dump == nil {
			w.memory(perfdump.Span{Size: d.size, Path: d.levels.Root()}, func(int64) string { return "memory" })
			return
		}
		for s := range d.dump.Spans() {
			memory, ok := s.Path.Index(2)
			path := d.levels.Root().Field(s.Path.FieldName())
			if i, ok := s.Path.Index(0); ok {
				path = path.At(imageStreams, i)
			}
			if i, ok := s.Path.Index(1); ok {
				path = path.At(imageEntries, i)
			}
			s.Path = path
			if !ok {
				if !yield(s) {
					return
				}
				continue
			}
			s.Kind = perfdump.KindGap
			if !w.memory(s, func(off int64) string { return d.addresses(memory, off) }) {
				return
			}
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

// imageWalk goes through memory and the tables in it.
type imageWalk struct {
	*image
	of     func(*ipcBlock) iter.Seq[perfdump.Span]
	tables []imageTable // those still to come
	yield  func(perfdump.Span) bool
}

// memory yields a run of memory: the tables that lie in it and what is between
// them, which note describes. It returns false when the consumer wants no more.
func (w *imageWalk) memory(s perfdump.Span, note func(off int64) string) bool {
	end := s.Off + s.Size
	s.Note = note(s.Off)
	for !s.Overlap {
		for len(w.tables) > 0 && w.tables[0].base < s.Off {
			w.tables = w.tables[1:]
		}
		if len(w.tables) == 0 || w.tables[0].base+int64(len(w.tables[0].bytes)) > end {
			break
		}
		t := &w.tables[0]
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
		s.Off = t.base + int64(len(t.bytes))
		s.Size = end - s.Off
		s.Note = note(s.Off)
	}
	return s.Size == 0 || w.yield(s)
}

func (w *imageWalk) table(t *imageTable) bool {
	defer func() { w.in = nil }()
	for s := range w.of(t.ipcBlock) {
		w.in, w.span = t, s
		path := w.levels.Root().At(imageTables, t.index)
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

func (d *image) Elements(p perfdump.Path, level int) (n, keep int) {
	if i, ok := p.Index(imageStreams); ok && level == imageEntries {
		return d.entries[i], keepListed
	}
	return 0, 0
}

func (d *image) AppendHeading(dst []byte, p perfdump.Path) []byte {
	if i, ok := p.Index(imageStreams); ok && i < len(d.streams) {
		return append(dst, d.streams[i].Type.String()...)
	}
	i, ok := p.Index(imageTables)
	at := slices.IndexFunc(d.tables, func(t imageTable) bool { return t.index == i })
	if !ok || at < 0 {
		return dst
	}
	t := &d.tables[at]
	if chunk, ok := p.Index(imageChunks); ok {
		return t.AppendHeading(dst, t.levels.Root().At(0, chunk))
	}
	dst = append(dst, t.table.Layout().String()...)
	if d.dump != nil {
		dst = appendHex(append(dst, ", address "...), t.c.Addr)
	}
	dst = fmt.Appendf(dst, ", score %d, ", t.c.Score)
	return appendRange(dst, t.base, t.base+int64(len(t.bytes)))
}

func (d *image) AppendComment(dst []byte, s *perfdump.Span, b []byte) []byte {
	if d.in != nil {
		return d.in.AppendComment(dst, &d.span, b)
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
