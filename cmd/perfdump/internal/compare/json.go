package compare

import (
	"cmp"
	"encoding/hex"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/ipcblock"
)

// js writes JSON. An error of w stays, and nothing is written after it.
type js struct {
	w     io.Writer
	err   error
	b     []byte // not yet written
	comma bool   // before the next key or item
}

// flushAt is how much is written at once.
const flushAt = 64 << 10

func (j *js) Err() error { return j.err }

func (j *js) Flush() error {
	if j.err == nil && len(j.b) > 0 {
		_, j.err = j.w.Write(j.b)
	}
	j.b = j.b[:0]
	return j.err
}

// begin begins an object or a list.
func (j *js) begin(bracket string) {
	j.b = append(j.b, bracket...)
	j.comma = false
}

// end ends a value.
func (j *js) end(bracket string) {
	j.b = append(j.b, bracket...)
	j.comma = true
	if len(j.b) >= flushAt {
		_ = j.Flush()
	}
}

// item begins an item of a list, with blanks before it.
func (j *js) item(before string) {
	if j.comma {
		j.b = append(j.b, ',')
	}
	j.b = append(j.b, before...)
}

// list begins a list under a key.
func (j *js) list(k string) {
	j.key(k)
	j.begin("[")
}

func (j *js) key(k string) {
	if j.comma {
		j.b = append(j.b, ',')
	}
	j.b = append(j.b, '"')
	j.b = append(j.b, k...)
	j.b = append(j.b, '"', ':')
}

// text writes a key and a text, null if ok is false.
func (j *js) text(k, s string, ok bool) {
	if j.key(k); ok {
		j.b = export.AppendJSONString(j.b, s)
		j.end("")
	} else {
		j.end("null")
	}
}

func (j *js) int(k string, n int64) {
	j.key(k)
	j.b = strconv.AppendInt(j.b, n, 10)
	j.end("")
}

// keys writes alternating keys and values. A value may be nil. It
// allocates: what there is millions of is written by text and int.
func (j *js) keys(all ...any) {
	for ; len(all) >= 2; all = all[2:] {
		k, _ := all[0].(string)
		j.key(k)
		j.value(all[1])
		j.end("")
	}
}

func (j *js) value(v any) {
	switch v := v.(type) {
	case string:
		j.b = export.AppendJSONString(j.b, v)
	case Change:
		j.value(string(v))
	case countertypes.Type:
		j.value(v.String())
	case time.Time:
		j.value(v.UTC().Format(time.RFC3339Nano))
	case bool:
		j.b = strconv.AppendBool(j.b, v)
	case int:
		j.b = strconv.AppendInt(j.b, int64(v), 10)
	case int64:
		j.b = strconv.AppendInt(j.b, v, 10)
	case uint32:
		j.b = strconv.AppendUint(j.b, uint64(v), 10)
	case uint64:
		j.b = strconv.AppendUint(j.b, v, 10)
	case float64:
		j.b = strconv.AppendFloat(j.b, v, 'f', -1, 64)
	case difference:
		j.b = append(j.b, cmp.Or(v, "null")...)
	case []Field:
		j.begin("[")
		for i := range v {
			j.item("")
			j.begin("{")
			j.field(&v[i])
			j.end("}")
		}
		j.end("]")
	case *capture.Snapshot:
		if v == nil {
			j.end("null")
			return
		}
		j.begin("{")
		j.keys("host", v.Host, "time", or(v.Time, !v.Time.IsZero()))
		j.end("}")
	default:
		j.b = append(j.b, "null"...)
	}
}

// or returns v, or nil if ok is false.
func or(v any, ok bool) any {
	if ok {
		return v
	}
	return nil
}

// counterValue writes a value as dump -o json does.
func (j *js) counterValue(k string, v *capture.Value) {
	switch v.Kind {
	case capture.Number:
		j.key(k)
		j.b = strconv.AppendUint(j.b, v.Uint, 10)
	case capture.Bytes:
		j.key(k)
		j.b = append(hex.AppendEncode(append(j.b, `{"hex":"`...), v.Bytes), `"}`...)
	default:
		j.text(k, v.Text, v.Kind == capture.Text)
	}
	j.end("")
}

func (j *js) field(f *Field) {
	j.keys("field", f.Name, "older", f.Older, "newer", f.Newer)
	if by := delta(f.Older, f.Newer); by != "" {
		j.keys("delta", by)
	}
}

func (j *js) counter(c *Counter) {
	j.keys("change", c.Change, "index", c.CounterNameTitleIndex, "name", or(c.Name, !unnamed(c.CounterNameTitleIndex, c.Name)),
		"base_of", or(c.BaseOf, c.BaseOf != ""), "type", c.CounterType, "fields", c.Fields)
}

func (j *js) instance(name string, in *Instance) {
	j.text(name, in.Name, !in.None)
	j.text("parent", in.Parent, in.HasParent)
	j.int("instance_index", int64(in.Repeat))
	j.int("unique_id", int64(in.UniqueID))
}

func (j *js) changed(v *Value) {
	index := v.CounterNameTitleIndex
	j.text("counter", v.Name, !unnamed(index, v.Name))
	j.int("counter_index", int64(index))
	j.text("base_of", v.BaseOf, v.BaseOf != "")
	j.text("type", v.CounterType.String(), true)
	j.counterValue("older", &v.Older)
	j.counterValue("newer", &v.Newer)
	j.key("delta")
	if v.numbers() && !v.isDouble(v.Newer) {
		j.b = appendDelta(j.b, v.Older.Uint, v.Newer.Uint)
		j.end("")
	} else {
		j.end("null")
	}
	if v.Older.HasMulti {
		j.int("older_multi", int64(v.Older.Multi))
	}
	if v.Newer.HasMulti {
		j.int("newer_multi", int64(v.Newer.Multi))
	}
}

func (j *js) number(n *Number) {
	j.keys("section", n.Section(), "field", n.Field.Name(), "category", or(n.Category(), n.Category() != ""),
		"counter", or(n.CounterName(), n.CounterName() != ""), "older", n.Older, "newer", n.Newer, "delta", delta(n.Older, n.Newer))
}

// runtime writes which runtime a chunk is of.
func (j *js) runtime(k string, c *ipcblock.Chunk) {
	if j.key(k); c == nil {
		j.end("null")
		return
	}
	j.begin("{")
	j.keys("state", c.State.String(), "arch", or(c.Arch.String(), c.Arch != ipcblock.NoArch),
		"runtime_id", c.RuntimeID, "pid", or(pidOf(c), pidOf(c) != 0))
	j.end("}")
}

func (j *js) byteDiff(d *ByteDiff) {
	j.keys("count", d.Count, "first", d.First, "path", or(d.Path, d.Path != ""), "fields", d.Fields)
}

// interval returns the seconds between two snapshots, exact to the millisecond
// that headers have; nil if that is unknown.
func interval(b *Block) any {
	by, ok := b.Interval()
	return or(math.Round(by.Seconds()*1e7)/1e7, ok)
}

// difference is a whole number of more than 64 bits, "" for none.
type difference string

func (d difference) signed() string {
	if d == "" || d[0] == '-' {
		return string(d)
	}
	return "+" + string(d)
}

// delta returns newer - older of two integers of one type, "" of other values.
func delta(older, newer any) difference {
	was, ok := integer(older)
	is, same := integer(newer)
	if !ok || !same {
		return ""
	}
	return difference(appendDelta(nil, was, is))
}

// integer returns an integer as one without sign, as far from others of its type.
func integer(v any) (uint64, bool) {
	switch v := v.(type) {
	case int64:
		return uint64(v) ^ 1<<63, true
	case uint64:
		return v, true
	default:
		return 0, false
	}
}

// appendDelta appends newer - older.
func appendDelta(dst []byte, older, newer uint64) []byte {
	if newer < older {
		older, newer = newer, older
		dst = append(dst, '-')
	}
	return strconv.AppendUint(dst, newer-older, 10)
}
