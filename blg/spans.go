package blg

import (
	"io"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
)

// tiler yields the spans of a log or an event. Bytes that two structs of a damaged log
// share are explained once.
type tiler struct{ *wire.Tiler }

func newTiler(yield func(perfdump.Span) bool, path perfdump.Path, note string) *tiler {
	t := &tiler{wire.NewTiler(yield)}
	t.Once, t.Path, t.Note = true, path, note
	return t
}

// fill yields a gap up to an offset.
func (t *tiler) fill(to int64) { t.Fill(to, t.Path, t.Note) }

// text yields the span of the text at the start of b, with its NUL.
func (t *tiler) text(off int64, b []byte, path perfdump.Path) (size int) {
	text, rest := cutText(b)
	size = len(b) - len(rest)
	if rest == nil {
		size = len(text)
	}
	t.Put(perfdump.Span{Off: off, Size: int64(size), Kind: perfdump.KindUTF16, Path: path})
	return size
}

// Spans yields the meaning of each byte of the log, in the order of the file, see
// [perfdump.Span]. A field that two parts of an event share yields two spans, each in its
// own record. It reads the log while iterating, and holds the events whose parts are in the
// next 64 buffers; after an error of the reader the rest is a gap.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		if t := f.spans(0, f.size, yield); !t.Done() {
			t.fill(f.size)
		}
	}
}

// SpansWithin yields the spans of the buffers that hold the bytes from one offset to
// another, and reads no more than these and those that an event may begin in. It is nil if
// there is no buffer where one should be: then only [File.Spans] finds them.
func SpansWithin(r io.ReaderAt, size, from, to int64, o Options) iter.Seq[perfdump.Span] {
	s, err := newStream(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return nil
	}
	f := &File{r: r, size: size, options: o, stride: s.stride, first: slices.Clone(s.first())}
	f.header = *f.Reader().Header()
	for _, at := range []int64{from, to - 1} {
		head := make([]byte, probe)
		n, _ := r.ReadAt(head, at/int64(f.stride)*int64(f.stride))
		if !startsBuffer(head[:n], f.stride) {
			return nil
		}
	}
	return func(yield func(perfdump.Span) bool) { f.spans(int(from/int64(f.stride)), to, yield) }
}

// spans yields the spans of the buffers from one on, up to that which reaches an offset.
func (f *File) spans(index int, to int64, yield func(perfdump.Span) bool) *tiler {
	t := newTiler(yield, levels.Root(), "no readable record")
	t.Begin(int64(index) * int64(f.stride))
	var quiet problems
	src := f.streamAt(index)
	w := walker{problems: &quiet, stride: f.stride}
	parts := newPartSpans(f, max(0, index-spansAhead))
	defer parts.stop()
	for !t.Done() && src.off+int64(src.n) < to {
		s, err := src.next()
		if err != nil {
			break
		}
		w.start(&s)
		f.bufferSpans(t, &w, s.b, parts)
	}
	return t
}

// streamAt returns a source of the log from a buffer on, in the order of the file.
func (f *File) streamAt(index int) *stream {
	s := f.stream(nil, window)
	s.index, s.off = index, int64(index)*int64(f.stride)
	s.r = io.NewSectionReader(f.r, s.off, f.size-s.off)
	return s
}

func (f *File) bufferSpans(t *tiler, w *walker, b []byte, parts *partSpans) {
	path := levels.Root().At(levelBuffer, w.index)
	t.Path = path
	if w.hasHeader() {
		t.Struct(w.off, etl.BufferHeader{}, path)
	}
	used := w.off + int64(w.end)
	if w.end > 0 {
		if w.index == 0 && f.header.Valid {
			f.headerSpans(t, b)
		}
		for !t.Done() {
			p, ok := w.next()
			if !ok {
				break
			}
			at := p.off - etl.PartHeaderSize - etl.EventHeaderSize
			t.Struct(at, etl.EventHeader{}, p.path())
			t.Struct(at+etl.EventHeaderSize, etl.PartHeader{}, p.path())
			parts.put(t, &p)
		}
		t.fill(used)
		t.Put(perfdump.Span{Off: used, Size: w.off + int64(len(b)) - used, Kind: perfdump.KindPadding, Path: path, Note: "unused"})
	}
	t.fill(w.off + int64(len(b)))
}

// headerSpans yields the header of the log, unless another buffer begins within it.
func (f *File) headerSpans(t *tiler, b []byte) {
	path := levels.Root().At(levelBuffer, 0).At(levelRecord, 0)
	at := int64(etl.BufferHeaderSize)
	pointer := int64(f.header.log.PointerSize)
	if int64(len(b)) < at+etl.SystemHeaderSize+etl.LogHeaderSize+2*pointer+etl.TimeZoneSize+etl.ZonePadding+etl.LogTailSize {
		return
	}
	size := int(wire.U16(b, etl.BufferHeaderSize+4))
	rec := b[etl.BufferHeaderSize:min(len(b), etl.BufferHeaderSize+size)]
	t.Struct(at, etl.SystemHeader{}, path)
	at += etl.SystemHeaderSize
	t.Struct(at, etl.LogHeader{}, path)
	at += etl.LogHeaderSize
	for _, name := range []string{"LoggerNamePointer", "LogFileNamePointer"} {
		t.Put(perfdump.Span{Off: at, Size: pointer, Kind: perfdump.KindHex, Path: path.Field(name)})
		at += pointer
	}
	t.Struct(at, etl.TimeZone{}, path)
	t.Struct(at+etl.TimeZoneSize+etl.ZonePadding, etl.LogTail{}, path)
	at += etl.TimeZoneSize + etl.ZonePadding + etl.LogTailSize
	rest := rec[at-etl.BufferHeaderSize:]
	n := t.text(at, rest, path.Field("LoggerName"))
	t.text(at+int64(n), rest[n:], path.Field("LogFileName"))
}

// partSpans yields the spans of event data. It reads ahead to join the parts of events.
type partSpans struct {
	src      *stream
	walk     walker
	join     joiner
	problems problems
	ended    bool
	whole    map[int64]eventPart // by the offsets of the parts
}

// eventSpans yields the spans of an event of several parts.
type eventSpans struct {
	next  func() (perfdump.Span, bool)
	stop  func()
	span  perfdump.Span // the rest of the current one
	at    int           // what it covers of the data
	parts int           // still to come
}

// eventPart is a part that begins at an offset of the event's data.
type eventPart struct {
	*eventSpans

	begin int
}

// take returns the next n bytes of spans at most.
func (e *eventSpans) take(n int) (perfdump.Span, bool) {
	if e.span.Size == 0 {
		s, ok := e.next()
		if !ok {
			return s, false
		}
		e.span = s
	}
	s := e.span
	s.Size = min(s.Size, int64(n))
	e.span.Size -= s.Size
	e.at += int(s.Size)
	return s, true
}

// spansAhead is how many buffers an event may span to be shown whole.
const spansAhead = 64

func newPartSpans(f *File, index int) *partSpans {
	p := &partSpans{src: f.streamAt(index), whole: map[int64]eventPart{}}
	p.walk = walker{problems: &p.problems, stride: f.stride}
	p.join.problems = &p.problems
	return p
}

func (ps *partSpans) stop() {
	for _, e := range ps.whole {
		e.stop()
	}
}

// put yields the spans of the data of a part.
func (ps *partSpans) put(t *tiler, p *piece) {
	if p.part == 1 && p.parts == 1 {
		e := event{typ: p.typ, data: p.data, first: *p}
		for s := range e.spans() {
			s.Off += p.off
			t.Put(s)
			if t.Done() {
				return
			}
		}
		return
	}
	e := ps.find(p)
	if e.eventSpans == nil {
		t.Put(perfdump.Span{Off: p.off, Size: int64(len(p.data)), Kind: perfdump.KindBytes, Path: p.path(), Note: "part of an incomplete event"})
		return
	}
	for e.at < e.begin { // parts that are not shown
		if _, ok := e.take(e.begin - e.at); !ok {
			break
		}
	}
	for end := e.begin + len(p.data); e.at < end; {
		off := p.off + int64(e.at-e.begin)
		s, ok := e.take(end - e.at)
		if !ok {
			break
		}
		s.Off, s.Path = off, p.rebase(s.Path)
		t.Put(s)
	}
	delete(ps.whole, p.off)
	if e.parts--; e.parts == 0 {
		e.stop()
	}
}

// rebase converts a path in an event to one in the record p.
func (p *piece) rebase(path perfdump.Path) perfdump.Path {
	out := p.path()
	for _, level := range []int{levelSeries, levelInstance} {
		if i, ok := path.Index(level); ok {
			out = out.At(level, i)
		}
	}
	if field := path.FieldName(); field != "" {
		out = out.Field(field)
	}
	return out
}

// find returns the event of a part, without one if it is incomplete.
func (ps *partSpans) find(p *piece) eventPart {
	for ps.whole[p.off].eventSpans == nil {
		q, ok := ps.walk.next()
		if !ok {
			if ps.ended || ps.walk.index > p.buffer+spansAhead {
				return eventPart{}
			}
			s, err := ps.src.next()
			if err != nil {
				ps.ended = true
				return eventPart{}
			}
			ps.walk.start(&s)
			continue
		}
		if q.parts == 1 {
			continue
		}
		if e := ps.join.add(&q); e != nil {
			s := &eventSpans{parts: len(e.pieces)}
			s.next, s.stop = iter.Pull(e.spans())
			for _, c := range e.pieces {
				ps.whole[c.off] = eventPart{s, c.at}
			}
		}
	}
	return ps.whole[p.off]
}
