package diffview

import (
	"io"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// lines writes a JSON object a line for each difference.
type lines struct {
	writer
	record  int
	buf     []byte
	single  bool   // a file has no blocks that would be counted
	layout  string // of the table that is compared, in dumps
	partial bool   // only a part is compared: headers are no difference
}

// NewLines returns a printer of a JSON object a line for each difference. partial
// says that only what is selected is compared, of which headers are no part.
func NewLines(w io.Writer, partial bool) Printer {
	return &lines{writer: newWriter(w), partial: partial}
}

func (l *lines) Begin(_, newer *detect.Input) { l.single = newer.Format != detect.PerfData }

// what begins a line.
func (l *lines) what(what string, change capture.Change) *object {
	o := newObject(l.buf[:0], &l.writer)
	o.text("what", what)
	if !l.single {
		o.int("block", int64(l.record))
	}
	if change != "" {
		o.text("change", string(change))
	}
	return o
}

func (l *lines) put(o *object) {
	l.buf = append(o.end(), '\n')
	l.bytes(l.buf)
}

func (l *lines) header(fields []capture.FieldChange) {
	for _, f := range fields {
		o := l.what("header", capture.Changed)
		o.field(f)
		l.put(o)
	}
}

func (l *lines) Block(s *capture.SnapshotDiff) {
	l.record = s.Record
	if s.Change != capture.Changed {
		o := l.what("block", s.Change)
		o.snapshot("older", s.Older)
		o.snapshot("newer", s.Newer)
		l.put(o)
		return
	}
	if !l.partial {
		l.header(s.Header)
	}
}

// of begins a line about something of an object.
func (l *lines) of(od *capture.ObjectDiff, what string, change capture.Change) *object {
	o := l.what(what, change)
	o.text("object", od.Name)
	return o
}

func (l *lines) Object(od *capture.ObjectDiff) {
	if od.Change != capture.Changed {
		o := l.of(od, "object", od.Change)
		o.int("index", int64(od.Index))
		l.put(o)
		return
	}
	for _, f := range od.Fields {
		o := l.of(od, "object-field", od.Change)
		o.field(f)
		l.put(o)
	}
	for i := range od.Counters {
		c := &od.Counters[i]
		o := l.of(od, "counter", "")
		o.counter(c)
		l.put(o)
	}
	for in := range od.Instances() {
		l.instance(od, in)
		if l.Err() != nil {
			return
		}
	}
}

func (l *lines) instance(od *capture.ObjectDiff, in *capture.InstanceDiff) {
	if in.Change != capture.Changed || in.Replaced || len(in.Fields) > 0 {
		o := l.of(od, "instance", in.Change)
		o.instance("instance", in)
		if in.Change == capture.Changed {
			o.bool("replaced", in.Replaced)
			o.fields("fields", in.Fields)
		}
		l.put(o)
	}
	for i := range in.Values {
		o := l.of(od, "value", in.Change)
		o.instance("instance", in)
		o.value(&in.Values[i])
		l.put(o)
	}
}

func (l *lines) EndBlock() {}

func (l *lines) Tables(header []capture.FieldChange) { l.header(header) }

func (l *lines) Entry(e capture.TitleDiff) {
	o := l.what("entry", "")
	o.entry(e)
	l.put(o)
}

func (l *lines) Said(e *capture.TextDiff) {
	o := l.what("entry", "")
	o.said(e)
	l.put(o)
}

func (l *lines) End(t *Total) {
	if t.Bytes != nil {
		l.record = 0
		o := l.what("bytes", capture.Changed)
		o.byteDiff(t.Bytes)
		l.put(o)
	}
}
