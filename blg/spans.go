package blg

import (
	"iter"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

var layouts = sync.OnceValue(func() (l struct {
	buffer, system, log, zone, tail, event, part, list, item, sub, value, instances, entry, catalogue, object, instance []wire.Field
},
) {
	l.buffer, _ = wire.Layout(bufferHeader{})
	l.system, _ = wire.Layout(systemHeader{})
	l.log, _ = wire.Layout(LogHeader{})
	l.zone, _ = wire.Layout(TimeZone{})
	l.tail, _ = wire.Layout(LogTail{})
	l.event, _ = wire.Layout(eventHeader{})
	l.part, _ = wire.Layout(partHeader{})
	l.list, _ = wire.Layout(itemListHeader{})
	l.item, _ = wire.Layout(ItemHeader{})
	l.sub, _ = wire.Layout(subHeader{})
	l.value, _ = wire.Layout(valueBody{})
	l.instances, _ = wire.Layout(instancesBody{})
	l.entry, _ = wire.Layout(instanceEntry{})
	l.catalogue, _ = wire.Layout(catalogueHeader{})
	l.object, _ = wire.Layout(catalogueObject{})
	l.instance, _ = wire.Layout(catalogueInstance{})
	return l
})

// tiler yields spans so that they tile: what nothing explains comes as a gap,
// or as padding where it is short, and what has been explained is not
// explained again.
type tiler struct {
	at    int64
	note  string // of gaps
	root  perfdump.Path
	yield func(perfdump.Span) bool
	ended bool
}

func (t *tiler) put(s perfdump.Span) {
	if s.Off > t.at {
		t.fill(s.Off)
	}
	if t.ended || s.Off < t.at || s.Size <= 0 {
		return
	}
	t.at += s.Size
	s.Overlap = false
	t.ended = !t.yield(s)
}

// fill explains what lies before an offset.
func (t *tiler) fill(to int64) {
	n := to - t.at
	if t.ended || n <= 0 {
		return
	}
	s := perfdump.Span{Off: t.at, Size: n, Kind: perfdump.KindGap, Path: t.root, Note: t.note}
	if n < 8 {
		s.Kind, s.Note = perfdump.KindPadding, ""
	}
	t.at = to
	t.ended = !t.yield(s)
}

func (t *tiler) fields(off int64, fields []wire.Field, path perfdump.Path) {
	for i := range fields {
		f := &fields[i]
		t.put(perfdump.Span{Off: off + int64(f.Off), Size: int64(f.Size), Kind: f.Kind, Path: path.Field(f.Name)})
	}
}

// text puts a text with its NUL, which b begins with.
func (t *tiler) text(off int64, b []byte, path perfdump.Path) (size int) {
	text, rest := cutText(b)
	size = len(b) - len(rest)
	if rest == nil {
		size = len(text)
	}
	t.put(perfdump.Span{Off: off, Size: int64(size), Kind: perfdump.KindUTF16, Path: path})
	return size
}

// Spans yields what each byte of the log means, in the order of the file, as
// [perfdump.Span] says; a field that two parts of an event share comes as two
// spans, each in its own record. It reads the log as it goes, and holds the events whose
// parts are in the next 64 buffers; an error of the reader ends in a gap.
func (f *File) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		t := &tiler{yield: yield, root: levels.Root(), note: "no record that can be read"}
		var quiet told
		src := f.stream(nil, window)
		w := walker{told: &quiet, stride: f.stride}
		parts := newPartSpans(f)
		defer parts.stop()
		for !t.ended {
			s, err := src.next()
			if err != nil {
				break
			}
			w.start(&s)
			f.bufferSpans(t, &w, s.b, parts)
		}
		t.fill(f.size)
	}
}

func (f *File) bufferSpans(t *tiler, w *walker, b []byte, parts *partSpans) {
	l := layouts()
	path := levels.Root().At(levelBuffer, w.index)
	t.root = path
	if w.headed() {
		t.fields(w.off, l.buffer, path)
	}
	used := w.off + int64(w.end)
	if w.end > 0 {
		if w.index == 0 && f.header.Valid {
			f.headerSpans(t, b)
		}
		for !t.ended {
			p, ok := w.next()
			if !ok {
				break
			}
			at := p.off - partHeaderSize - eventHeaderSize
			t.fields(at, l.event, p.path())
			t.fields(at+eventHeaderSize, l.part, p.path())
			parts.put(t, &p)
		}
		t.fill(used)
		t.put(perfdump.Span{Off: used, Size: w.off + int64(len(b)) - used, Kind: perfdump.KindPadding, Path: path, Note: "unused"})
	}
	t.fill(w.off + int64(len(b)))
}

// headerSpans explains the header of the log, unless another buffer begins
// within it.
func (f *File) headerSpans(t *tiler, b []byte) {
	l := layouts()
	path := levels.Root().At(levelBuffer, 0).At(levelRecord, 0)
	at := int64(bufferHeaderSize)
	pointer := int64(f.header.PointerSize)
	if int64(len(b)) < at+systemHeaderSize+logHeaderSize+2*pointer+timeZoneSize+zonePadding+logTailSize {
		return
	}
	size := int(wire.U16(b, bufferHeaderSize+4))
	rec := b[bufferHeaderSize:min(len(b), bufferHeaderSize+size)]
	t.fields(at, l.system, path)
	at += systemHeaderSize
	t.fields(at, l.log, path)
	at += logHeaderSize
	for _, name := range []string{"LoggerNamePointer", "LogFileNamePointer"} {
		t.put(perfdump.Span{Off: at, Size: pointer, Kind: perfdump.KindHex, Path: path.Field(name)})
		at += pointer
	}
	t.fields(at, l.zone, path)
	t.fields(at+timeZoneSize+zonePadding, l.tail, path)
	at += timeZoneSize + zonePadding + logTailSize
	rest := rec[at-bufferHeaderSize:]
	n := t.text(at, rest, path.Field("LoggerName"))
	t.text(at+int64(n), rest[n:], path.Field("LogFileName"))
}

// partSpans explains the data of events, of which it reads ahead so that those
// of several parts are whole.
type partSpans struct {
	src   *stream
	walk  walker
	join  joiner
	told  told
	ended bool
	whole map[int64]*eventSpans // by the places of the parts
}

// eventSpans are the spans of an event of several parts.
type eventSpans struct {
	next  func() (perfdump.Span, bool)
	stop  func()
	span  perfdump.Span // what is left of the current one
	parts int           // still to come
}

// spansAhead is how many buffers an event may span to be shown whole.
const spansAhead = 64

func newPartSpans(f *File) *partSpans {
	p := &partSpans{src: f.stream(nil, window), whole: map[int64]*eventSpans{}}
	p.walk = walker{told: &p.told, stride: f.stride}
	p.join.told = &p.told
	return p
}

func (ps *partSpans) stop() {
	for _, e := range ps.whole {
		e.stop()
	}
}

// put explains the data of a part.
func (ps *partSpans) put(t *tiler, p *piece) {
	if p.part == 1 && p.parts == 1 {
		e := event{typ: p.typ, data: p.data, first: *p}
		for s := range e.spans() {
			s.Off += p.off
			t.put(s)
			if t.ended {
				return
			}
		}
		return
	}
	e := ps.find(p)
	if e == nil {
		t.put(perfdump.Span{Off: p.off, Size: int64(len(p.data)), Kind: perfdump.KindBytes, Path: p.path(), Note: "of an event that is not whole"})
		return
	}
	for left := int64(len(p.data)); left > 0; {
		if e.span.Size == 0 {
			s, ok := e.next()
			if !ok {
				break
			}
			e.span = s
		}
		s := e.span
		s.Off, s.Size, s.Path = p.off+int64(len(p.data))-left, min(left, s.Size), p.rebase(s.Path)
		e.span.Size -= s.Size
		left -= s.Size
		t.put(s)
	}
	delete(ps.whole, p.off)
	if e.parts--; e.parts == 0 {
		e.stop()
	}
}

// rebase returns the path of something in an event as something in the record
// that p is.
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

// find returns the event that a part belongs to, nil where it is not whole.
func (ps *partSpans) find(p *piece) *eventSpans {
	for ps.whole[p.off] == nil {
		q, ok := ps.walk.next()
		if !ok {
			if ps.ended || ps.walk.index > p.buffer+spansAhead {
				return nil
			}
			s, err := ps.src.next()
			if err != nil {
				ps.ended = true
				return nil
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
				ps.whole[c.off] = s
			}
		}
	}
	return ps.whole[p.off]
}
