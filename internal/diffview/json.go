package diffview

import (
	"encoding/hex"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
)

// object is a JSON object that is being written.
type object struct {
	b     []byte
	begun bool
	out   *writer // where what is long goes before the object ends
}

func newObject(b []byte, out *writer) *object { return &object{b: append(b, '{'), out: out} }

// within begins an object within o; o.b goes on with its end.
func (o *object) within() *object { return newObject(o.b, o.out) }

// partSize is how much of a text is appended at a time.
const partSize = 16 << 10

// spill writes what there is, of an object with something long in it.
func (o *object) spill() {
	o.out.bytes(o.b)
	o.b = o.b[:0]
}

// string appends a text, a long one in parts of whole characters.
func (o *object) string(v string) {
	if len(v) <= partSize {
		o.b = export.AppendJSONString(o.b, v)
		return
	}
	o.b = append(o.b, '"')
	for len(v) > 0 {
		n := min(len(v), partSize)
		for n < len(v) && n > partSize-utf8.UTFMax && !utf8.RuneStart(v[n]) {
			n--
		}
		from := len(o.b)
		o.b = export.AppendJSONString(o.b, v[:n])
		o.b = append(o.b[:from], o.b[from+1:len(o.b)-1]...) // without its quotes
		o.spill()
		v = v[n:]
	}
	o.b = append(o.b, '"')
}

func (o *object) end() []byte { return append(o.b, '}') }

// key appends a key, after which its value is appended to o.b.
func (o *object) key(k string) {
	if o.begun {
		o.b = append(o.b, ',')
	}
	o.begun = true
	o.b = append(export.AppendJSONString(o.b, k), ':')
}

func (o *object) text(k, v string) { o.key(k); o.string(v) }
func (o *object) int(k string, v int64) {
	o.key(k)
	o.b = strconv.AppendInt(o.b, v, 10)
}

func (o *object) bool(k string, v bool) { o.key(k); o.b = strconv.AppendBool(o.b, v) }
func (o *object) null(k string)         { o.key(k); o.b = append(o.b, "null"...) }

// textOr is a text, or null.
func (o *object) textOr(k, v string, ok bool) {
	if ok {
		o.text(k, v)
	} else {
		o.null(k)
	}
}

func (o *object) file(k string, in *detect.Input) {
	o.key(k)
	f := o.within()
	f.text("file", in.Name)
	f.int("size", in.Size())
	o.b = f.end()
}

func (o *object) snapshot(k string, s *capture.Snapshot) {
	if s == nil {
		o.null(k)
		return
	}
	o.key(k)
	f := o.within()
	f.text("host", s.Host)
	f.textOr("time", timeText(s.Time), !s.Time.IsZero())
	o.b = f.end()
}

func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func (o *object) any(k string, v any) {
	switch v := v.(type) {
	case int64:
		o.int(k, v)
	case uint64:
		o.key(k)
		o.b = strconv.AppendUint(o.b, v, 10)
	case string:
		o.text(k, v)
	case countertypes.Type:
		o.text(k, v.String())
	case time.Time:
		o.text(k, timeText(v))
	default:
		o.null(k)
	}
}

func (o *object) field(f capture.FieldChange) {
	o.text("field", f.Field)
	o.any("older", f.Older)
	o.any("newer", f.Newer)
	if by, ok := fieldDelta(f); ok {
		o.key("delta")
		o.b = by.Append(o.b, 10)
	}
}

func (o *object) fields(k string, fields []capture.FieldChange) {
	o.key(k)
	o.b = append(o.b, '[')
	for i, f := range fields {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		one := o.within()
		one.field(f)
		o.b = one.end()
	}
	o.b = append(o.b, ']')
}

// name is null where there is none but the index.
func (o *object) name(k string, index uint32, name string) {
	o.textOr(k, name, !unnamed(index, name))
}

func (o *object) counter(c *capture.CounterDiff) {
	o.text("change", string(c.Change))
	o.int("index", int64(c.Index))
	o.name("name", c.Index, c.Name)
	o.textOr("base_of", c.BaseOf, c.BaseOf != "")
	o.text("type", c.Type.String())
	o.fields("fields", c.Fields)
}

func (o *object) instance(name string, in *capture.InstanceDiff) {
	o.textOr(name, in.Name, !in.None)
	o.textOr("parent", in.Parent, in.HasParent)
	o.int("instance_index", int64(in.Repeat))
	o.int("unique_id", int64(in.UniqueID))
}

func (o *object) value(v *capture.ValueDiff) {
	c := v.Counter
	o.name("counter", c.Index, c.Name)
	o.int("counter_index", int64(c.Index))
	o.textOr("base_of", c.BaseOf, c.BaseOf != "")
	o.text("type", c.Type.String())
	o.raw("older", v.Older)
	o.raw("newer", v.Newer)
	negative, by, ok := v.Delta()
	switch {
	case !ok || isDouble(c, v.Newer):
		o.null("delta")
	default:
		o.key("delta")
		if negative {
			o.b = append(o.b, '-')
		}
		o.b = strconv.AppendUint(o.b, by, 10)
	}
	if v.Older.HasMulti {
		o.int("older_multi", int64(v.Older.Multi))
	}
	if v.Newer.HasMulti {
		o.int("newer_multi", int64(v.Newer.Multi))
	}
}

// raw is a value as dump -o json writes it.
func (o *object) raw(k string, v capture.Value) {
	switch v.Kind {
	case capture.Number:
		o.key(k)
		o.b = strconv.AppendUint(o.b, v.Uint, 10)
	case capture.Text:
		o.text(k, v.Text)
	case capture.Bytes:
		o.key(k)
		o.b = append(o.b, `{"hex":"`...)
		for part := range slices.Chunk(v.Bytes, partSize) {
			if o.b = hex.AppendEncode(o.b, part); len(v.Bytes) > partSize {
				o.spill()
			}
		}
		o.b = append(o.b, `"}`...)
	default:
		o.null(k)
	}
}

func (o *object) entry(e capture.TitleDiff) {
	o.text("change", string(e.Change))
	o.int("index", int64(e.Index))
	o.textOr("older", e.Older, e.Change != capture.New)
	o.textOr("newer", e.Newer, e.Change != capture.Gone)
}

func (o *object) said(e *capture.TextDiff) {
	o.text("change", string(e.Change))
	o.text("key", e.Key)
	o.textOr("older", e.Older, e.Change != capture.New)
	o.textOr("newer", e.Newer, e.Change != capture.Gone)
}

func (o *object) byteDiff(d *capture.ByteDiff) {
	o.int("count", d.Count)
	o.int("first", d.First)
	o.textOr("path", d.Path, d.Path != "")
	o.bool("fields", d.Fields)
}

// interval is in seconds, exact to the millisecond that headers have.
func (o *object) interval(s *capture.SnapshotDiff) {
	by, ok := s.Interval()
	if !ok {
		o.null("interval")
		return
	}
	o.key("interval")
	o.b = strconv.AppendFloat(o.b, math.Round(by.Seconds()*1e7)/1e7, 'f', -1, 64)
}

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
