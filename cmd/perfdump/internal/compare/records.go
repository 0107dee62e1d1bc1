package compare

import (
	"io"

	"github.com/perfdump/perfdump/internal/detect"
)

// records writes JSON: one document, or a line for each difference.
type records struct {
	js
	lines bool
	total *Total
	block int // the position of the block
}

// NewJSON returns a printer of one JSON document with everything that differs.
func NewJSON(w io.Writer) Printer { return &records{js: js{w: w}} }

// NewLines returns a printer of a JSON object a line for each difference.
func NewLines(w io.Writer) Printer { return &records{js: js{w: w}, lines: true} }

// start begins an item of a list, with blanks before it, or a line about
// something of an object.
func (r *records) start(before, what string, change Change, of *Object) {
	if !r.lines {
		r.item(before)
	}
	r.begin("{")
	if r.lines {
		r.text("what", what, true)
		if r.total.List == "blocks" {
			r.int("block", int64(r.block))
		}
	}
	if change != "" {
		r.text("change", string(change), true)
	}
	if r.lines && of != nil {
		r.text("object", of.Name, true)
	}
}

func (r *records) finish() {
	if r.end("}"); r.lines {
		r.end("\n")
	}
}

// fields writes a line for each field, or a list under the key.
func (r *records) fields(key, what string, fields []Field, of *Object) {
	if !r.lines {
		r.keys(key, fields)
		return
	}
	for i := range fields {
		r.start("", what, Changed, of)
		r.field(&fields[i])
		r.finish()
	}
}

// in begins a list of the document.
func (r *records) in(key string) {
	if !r.lines {
		r.list(key)
	}
}

// out ends what the document has.
func (r *records) out(brackets string) {
	if !r.lines {
		r.end(brackets)
	}
}

func (r *records) Begin(older, newer *detect.Input, header []Field, t *Total) {
	r.total = t
	if !r.lines {
		r.begin("{")
		r.keys("format", string(newer.Format))
		for i, in := range []*detect.Input{older, newer} {
			r.key([]string{"older", "newer"}[i])
			r.begin("{")
			r.keys("file", in.Name, "size", in.Size())
			r.end("}")
		}
	}
	if r.lines || t.List != "blocks" {
		r.fields("header", "header", header, nil)
	}
	r.in(t.List)
}

func (r *records) Block(b *Block) {
	r.block = b.Record
	switch {
	case !r.lines:
		change := b.Change
		if change == Changed {
			change = "both" // whether it has is known at the end
		}
		r.start("\n", "", "", nil)
		r.keys("block", b.Record, "change", change, "older", b.Older, "newer", b.Newer, "interval", interval(b), "header", b.Header)
		r.list("objects")
	case b.Change != Changed:
		r.start("", "block", b.Change, nil)
		r.keys("older", b.Older, "newer", b.Newer)
		r.finish()
	case !r.total.Partial:
		r.fields("", "header", b.Header, nil)
	}
}

func (r *records) EndBlock() { r.out("]}") }

func (r *records) Object(o *Object) {
	if !r.lines || o.Change != Changed {
		r.start("\n", "object", o.Change, o)
		r.keys("index", o.Index)
		if !r.lines {
			r.text("name", o.Name, !unnamed(o.Index, o.Name))
		}
	}
	if o.Change != Changed {
		r.finish()
		return
	}
	r.fields("fields", "object-field", o.Fields, o)
	r.in("counters")
	for _, c := range o.Counters {
		r.start("", "counter", "", o)
		r.counter(c)
		r.finish()
	}
	r.out("]")
	r.in("instances")
	for in := range o.Instances() {
		if r.one(o, in); r.Err() != nil {
			return
		}
	}
	r.out("]}")
}

// one writes an instance.
func (r *records) one(o *Object, in *Instance) {
	if !r.lines {
		r.start("\n", "", in.Change, o)
		r.instance("name", in)
		if in.Change == Changed {
			r.keys("replaced", in.Replaced, "fields", in.Fields)
			r.list("values")
			for i := range in.Values {
				r.start("", "", "", nil)
				r.changed(&in.Values[i])
				r.finish()
			}
			r.end("]")
		}
		r.finish()
		return
	}
	if in.Change != Changed || in.Replaced || len(in.Fields) > 0 {
		r.start("", "instance", in.Change, o)
		r.instance("instance", in)
		if in.Change == Changed {
			r.keys("replaced", in.Replaced, "fields", in.Fields)
		}
		r.finish()
	}
	for i := range in.Values {
		r.start("", "value", Changed, o)
		r.instance("instance", in)
		r.changed(&in.Values[i])
		r.finish()
	}
}

func (r *records) Entry(e *Entry) {
	r.start("\n", "entry", e.Change, nil)
	if r.total.Numbered {
		r.key("index")
		r.end(e.Key)
	} else {
		r.text("key", e.Key, true)
	}
	r.text("older", e.Older, e.Change != New)
	r.text("newer", e.Newer, e.Change != Gone)
	r.finish()
}

func (r *records) Chunk(c *Chunk) {
	start := func(what string) {
		r.start("\n", what, c.Change, nil)
		if c.Dump {
			r.keys("layout", c.Layout.String())
		}
		index := "chunk"
		if !r.lines {
			index = "index"
		}
		r.keys(index, c.Index)
	}
	if !r.lines || c.Change != Changed {
		start("chunk")
		r.runtime("older", c.Older)
		r.runtime("newer", c.Newer)
	}
	switch {
	case c.Change != Changed:
		r.finish()
	case r.lines:
		for i := range c.Fields {
			start("chunk-field")
			r.field(&c.Fields[i])
			r.finish()
		}
		for i := range c.Values {
			start("value")
			r.number(&c.Values[i])
			r.finish()
		}
	default:
		r.keys("fields", c.Fields)
		r.list("values")
		for i := range c.Values {
			r.start("\n  ", "", "", nil)
			r.number(&c.Values[i])
			r.finish()
		}
		r.end("]")
		r.finish()
	}
}

func (r *records) End() {
	t := r.total
	if r.lines {
		if t.Bytes != nil {
			r.block = 0
			r.start("", "bytes", Changed, nil)
			r.byteDiff(t.Bytes)
			r.finish()
		}
		return
	}
	r.end("]")
	if r.key("bytes"); t.Bytes == nil {
		r.end("null")
	} else {
		r.begin("{")
		r.byteDiff(t.Bytes)
		r.end("}")
	}
	r.key("summary")
	r.begin("{")
	if t.List == "blocks" {
		r.keys("blocks", t.Blocks)
	}
	r.keys("header", t.Header)
	for _, c := range t.counts() {
		r.keys(c.what+"_gone", c.Gone, c.what+"_new", c.New, c.what+"_changed", c.Changed)
	}
	if t.List != "entries" {
		r.keys("values_changed", t.Values)
	}
	r.end("}")
	r.keys("partial", t.Failed, "same", !t.Any())
	r.end("}\n")
}
