package diffview

import (
	"io"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// document writes one JSON document.
type document struct {
	writer
	older, newer *detect.Input
	buf          []byte
	items        int    // of the list that is being written
	layout       string // of the table that is compared, in dumps
}

// NewJSON returns a printer of one JSON document, in which all stands that
// differs.
func NewJSON(w io.Writer) Printer { return &document{writer: newWriter(w)} }

func (d *document) Begin(older, newer *detect.Input) {
	d.older, d.newer = older, newer
	o := newObject(nil, &d.writer)
	o.text("format", string(newer.Format))
	o.file("older", older)
	o.file("newer", newer)
	d.bytes(o.b)
	if newer.Format == detect.PerfData {
		d.text(`,"blocks":[`)
	}
}

// item begins the next item of a list: each stands on a line of its own.
func (d *document) item(n *int) {
	if *n > 0 {
		d.text(",")
	}
	d.text("\n")
	*n++
}

func (d *document) Block(s *capture.SnapshotDiff) {
	if s.Record > 0 {
		d.text(",")
	}
	d.text("\n")
	o := newObject(d.buf[:0], &d.writer)
	o.int("block", int64(s.Record))
	if s.Change == capture.Changed {
		o.text("change", "both") // whether it has is known at the end
	} else {
		o.text("change", string(s.Change))
	}
	o.snapshot("older", s.Older)
	o.snapshot("newer", s.Newer)
	o.interval(s)
	o.fields("header", s.Header)
	d.put(o.b)
	d.text(`,"objects":[`)
	d.items = 0
}

// put writes b and keeps its memory for the next.
func (d *document) put(b []byte) {
	d.bytes(b)
	d.buf = b[:0]
}

func (d *document) Object(od *capture.ObjectDiff) {
	d.item(&d.items)
	o := newObject(d.buf[:0], &d.writer)
	o.text("change", string(od.Change))
	o.int("index", int64(od.Index))
	o.name("name", od.Index, od.Name)
	if od.Change != capture.Changed {
		d.put(o.end())
		return
	}
	o.fields("fields", od.Fields)
	d.put(o.b)
	d.text(`,"counters":[`)
	for i := range od.Counters {
		if i > 0 {
			d.text(",")
		}
		c := newObject(d.buf[:0], &d.writer)
		c.counter(&od.Counters[i])
		d.put(c.end())
	}
	d.text(`],"instances":[`)
	n := 0
	for in := range od.Instances() {
		d.item(&n)
		d.instance(in)
		if d.Err() != nil {
			return
		}
	}
	d.text("]}")
}

func (d *document) instance(in *capture.InstanceDiff) {
	o := newObject(d.buf[:0], &d.writer)
	o.text("change", string(in.Change))
	o.instance("name", in)
	if in.Change == capture.Changed {
		o.bool("replaced", in.Replaced)
		o.fields("fields", in.Fields)
		o.key("values")
		o.b = append(o.b, '[')
		for i := range in.Values {
			if i > 0 {
				o.b = append(o.b, ',')
			}
			v := o.within()
			v.value(&in.Values[i])
			o.b = v.end()
		}
		o.b = append(o.b, ']')
	}
	d.put(o.end())
}

func (d *document) EndBlock() { d.text("]}") }

func (d *document) Tables(header []capture.FieldChange) {
	d.list(header, "entries")
}

// list writes what headers tell and begins a list.
func (d *document) list(header []capture.FieldChange, key string) {
	o := &object{begun: true, out: &d.writer}
	o.fields("header", header)
	o.key(key)
	d.bytes(append(o.b, '['))
}

func (d *document) Entry(e capture.TitleDiff) {
	d.item(&d.items)
	o := newObject(d.buf[:0], &d.writer)
	o.entry(e)
	d.put(o.end())
}

func (d *document) Said(e *capture.TextDiff) {
	d.item(&d.items)
	o := newObject(d.buf[:0], &d.writer)
	o.said(e)
	d.put(o.end())
}

func (d *document) End(t *Total) {
	d.text("]")
	tail := newObject(d.buf[:0], &d.writer)
	tail.begun = true
	tail.b = tail.b[:0]
	tail.key("bytes")
	if t.Bytes == nil {
		tail.b = append(tail.b, "null"...)
	} else {
		b := tail.within()
		b.byteDiff(t.Bytes)
		tail.b = b.end()
	}
	tail.key("summary")
	s := tail.within()
	for _, c := range t.counts(d.newer.Format) {
		s.int(c.key, int64(c.n))
	}
	tail.b = s.end()
	tail.bool("partial", t.Failed)
	tail.bool("same", !t.Any())
	d.put(append(tail.end(), '\n'))
}
