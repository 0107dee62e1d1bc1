package report

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/explain"
)

// printer writes JSON. Errors are those of the writer, which Flush tells.
type printer struct{ w *bufio.Writer }

func (p printer) raw(s string) { _, _ = p.w.WriteString(s) }

// text writes a string, with <, > and & as escapes.
func (p printer) text(s string) {
	b, _ := json.Marshal(s) //nolint:errchkjson // a string has no error
	_, _ = p.w.Write(b)
}

func (p printer) int(n int) { p.raw(strconv.Itoa(n)) }

// number writes a number, null for one that JSON does not have.
func (p printer) number(v float64) {
	if v-v != 0 {
		p.raw("null")
		return
	}
	_, _ = p.w.Write(strconv.AppendFloat(p.w.AvailableBuffer(), v, 'g', -1, 64))
}

// writeMeta writes all but the points.
func (p *Page) writeMeta(b *bufio.Writer) {
	w := printer{b}
	w.raw(`{"axes":[`)
	numbers := map[*axis]int{}
	for i, a := range p.axes {
		numbers[a] = i
		if i > 0 {
			w.raw(",\n")
		}
		w.axis(a)
	}
	w.raw("],\n\"objects\":[")
	objects := make([][2]string, len(p.groups))
	for key, i := range p.groups {
		objects[i] = key
	}
	for i, key := range objects {
		if i > 0 {
			w.raw(",")
		}
		w.raw("[")
		w.text(clean(key[0]))
		w.raw(",")
		w.text(clean(key[1]))
		if m, ok := explain.OfObject(key[1]); ok {
			w.raw(",")
			w.text(remark(m))
		}
		w.raw("]")
	}
	w.raw("],\n\"series\":[")
	var types []countertypes.Type
	var notes []string
	first := true
	for t := range p.drawn {
		if !first {
			w.raw(",\n")
		}
		first = false
		typ := -1
		if t.series.HasType {
			if typ = slices.Index(types, t.series.Type); typ < 0 {
				typ, types = len(types), append(types, t.series.Type)
			}
		}
		note := -1
		if m, ok := explain.OfCounter(t.series.Object, t.series.Counter); ok {
			text := remark(m)
			if note = slices.Index(notes, text); note < 0 {
				note, notes = len(notes), append(notes, text)
			}
		}
		w.series(t, numbers[t.axis], p.groups[[2]string{t.series.Host, t.series.Object}], typ, note)
	}
	w.raw("],\n\"types\":[")
	for i, typ := range types {
		if i > 0 {
			w.raw(",")
		}
		name, ok := typ.Name()
		if !ok {
			name = "0x" + strconv.FormatUint(uint64(typ), 16)
		}
		w.raw("[")
		w.text(name)
		w.raw(",")
		w.text(typ.Suffix())
		w.raw("]")
	}
	w.raw("],\n\"notes\":[")
	for i, text := range notes {
		if i > 0 {
			w.raw(",")
		}
		w.text(text)
	}
	w.raw("]}")
}

// remark says what a counter or an object tells, and what to beware of.
func remark(m explain.Meaning) string {
	if m.Beware == "" {
		return m.Text
	}
	return m.Text + " Beware: " + m.Beware + "."
}

func (w printer) axis(a *axis) {
	w.raw(`{"host":`)
	w.text(a.host())
	w.raw(`,"n":`)
	w.int(a.snapshots)
	w.raw(`,"per":`)
	w.int(a.per)
	if a.clockless {
		w.raw(`,"clockless":true`)
	}
	w.raw(`,"offsets":[`)
	for i, o := range a.offsets {
		if i > 0 {
			w.raw(",")
		}
		w.raw("[")
		w.int(o.point)
		w.raw(",")
		if o.Known {
			w.number(o.East.Seconds())
		} else {
			w.raw("null")
		}
		w.raw(",")
		w.text(o.name())
		w.raw("]")
	}
	w.raw(`],"t":"`)
	seconds := make([]float64, len(a.times))
	for i, ms := range a.times {
		seconds[i] = float64(ms) / 1000
	}
	w.doubles(seconds)
	w.raw(`"}`)
}

// series writes what the tables tell of a series, as an array since there are
// many: axis, object, instance or null, counter, path, type or -1, values,
// least, average, greatest, last, statuses, snapshots in which it is not there,
// and the note where there is one.
func (w printer) series(t *trace, axis, object, typ, note int) {
	s := t.series
	w.raw("[")
	w.int(axis)
	w.raw(",")
	w.int(object)
	w.raw(",")
	if s.HasInstance {
		name := s.ShownInstance()
		if s.HasParent {
			name = s.Parent + "/" + name
		}
		if s.InstanceIndex > 0 {
			name += "#" + strconv.Itoa(s.InstanceIndex)
		}
		w.text(clean(name))
	} else {
		w.raw("null")
	}
	w.raw(",")
	w.text(clean(s.Counter))
	w.raw(",")
	w.text(clean(s.Path()))
	w.raw(",")
	w.int(typ)
	w.raw(",")
	w.int(t.stats.Count)
	for _, v := range []float64{t.stats.Min, t.stats.Mean, t.stats.Max, t.stats.Last} {
		w.raw(",")
		if t.stats.Count == 0 {
			v = math.NaN()
		}
		w.number(v)
	}
	w.raw(",{")
	for i, m := range t.missing {
		if i > 0 {
			w.raw(",")
		}
		w.text(m.status.String())
		w.raw(":")
		w.int(m.n)
	}
	w.raw("},")
	w.int(max(0, t.axis.snapshots-t.stats.Count-t.stats.Missing))
	if note >= 0 {
		w.raw(",")
		w.int(note)
	}
	w.raw("]")
}

// drawn yields the traces that have a point in time.
func (p *Page) drawn(yield func(*trace) bool) {
	for _, t := range p.traces {
		if t != nil && t.axis != nil && !yield(t) {
			return
		}
	}
}

// writeData writes the points of the series, in their order: null for none,
// [start, count, value] where all are the same, else [start, kind, base64]
// with the values as little-endian floats, NaN for none. Kind d is doubles, f
// singles, m singles: all least values, then all averages, then all greatest.
func (p *Page) writeData(b *bufio.Writer) {
	w := printer{b}
	w.raw("[")
	first := true
	for t := range p.drawn {
		if !first {
			w.raw(",\n")
		}
		first = false
		w.points(&t.curve)
	}
	w.raw("]")
}

func (w printer) points(c *curve) {
	if len(c.low) == 0 {
		w.raw("null")
		return
	}
	w.raw("[")
	w.int(c.start)
	w.raw(",")
	switch {
	case same(c.low) && (c.high == nil || same(c.high) && c.low[0] == c.high[0]):
		w.int(len(c.low))
		w.raw(",")
		w.number(c.low[0])
		w.raw("]")
		return
	case c.mean != nil:
		w.raw(`"m","`)
		w.singles(c.low, c.mean, c.high)
	case single(c.low):
		w.raw(`"f","`)
		w.singles(c.low)
	default:
		w.raw(`"d","`)
		w.doubles(c.low)
	}
	w.raw(`"]`)
}

// same reports whether all values are one and the same.
func same(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// single reports whether all values are floats of 32 bits.
func single(values []float64) bool {
	for _, v := range values {
		if v == v && float64(float32(v)) != v {
			return false
		}
	}
	return true
}

func (w printer) doubles(values []float64) {
	e := base64.NewEncoder(base64.StdEncoding, w.w)
	var b [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		_, _ = e.Write(b[:])
	}
	_ = e.Close()
}

func (w printer) singles(lists ...[]float64) {
	e := base64.NewEncoder(base64.StdEncoding, w.w)
	var b [4]byte
	for _, values := range lists {
		for _, v := range values {
			if v == v {
				v = max(-math.MaxFloat32, min(math.MaxFloat32, v))
			}
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32(v)))
			_, _ = e.Write(b[:])
		}
	}
	_ = e.Close()
}
