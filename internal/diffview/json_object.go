package diffview

import (
	"encoding/hex"
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

// interval is in seconds, exact to the millisecond that headers have; null beyond
// 292 years.
func (o *object) interval(s *capture.SnapshotDiff) {
	by, ok := s.Interval()
	if !ok {
		o.null("interval")
		return
	}
	o.key("interval")
	o.b = strconv.AppendFloat(o.b, math.Round(by.Seconds()*1e7)/1e7, 'f', -1, 64)
}
