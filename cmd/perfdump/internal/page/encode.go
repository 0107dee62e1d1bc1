package page

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/unit"
)

// writeList writes a text and the JSON of values, with <, > and & as escapes.
// Errors are those of the writer, which Flush returns.
func writeList(b *bufio.Writer, before, sep string, all iter.Seq[any]) {
	_, _ = b.WriteString(before + "[")
	comma := ""
	for v := range all {
		_, _ = b.WriteString(comma)
		text, _ := json.Marshal(v) //nolint:errchkjson // all values have a form in JSON
		_, _ = b.Write(text)
		comma = sep
	}
	_, _ = b.WriteString("]")
}

func valuesOf[T any](all []T, value func(int, T) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i, v := range all {
			if !yield(value(i, v)) {
				return
			}
		}
	}
}

// number is a number of JSON, null for one that JSON does not have.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if n-n != 0 {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

// numbers gives different values numbers from 0 on.
type numbers[T comparable] []T

func (n *numbers[T]) of(v T) int {
	i := slices.Index(*n, v)
	if i < 0 {
		i, *n = len(*n), append(*n, v)
	}
	return i
}

// writeMeta writes all but the points.
func (p *Page) writeMeta(b *bufio.Writer) {
	axes := map[*axis]int{}
	writeList(b, `{"axes":`, ",\n", valuesOf(p.axes, func(i int, a *axis) any {
		axes[a] = i
		return a.meta()
	}))
	objects := make([][2]string, len(p.groups))
	for key, i := range p.groups {
		objects[i] = key
	}
	writeList(b, ",\n\"objects\":", ",", valuesOf(objects, func(_ int, key [2]string) any {
		object := []string{cell.Clean(key[0]), cell.Clean(key[1])}
		if m, ok := reference.OfObject(key[1]); ok {
			object = append(object, remark(m))
		}
		return object
	}))
	var types numbers[countertypes.Type]
	var notes numbers[string]
	var units numbers[unit.Unit]
	ids := map[*capture.Series]int{}
	writeList(b, ",\n\"series\":", ",\n", func(yield func(any) bool) {
		for t := range p.drawn {
			typ := -1
			if t.series.HasType {
				typ = types.of(t.series.Type)
			}
			ids[t.series] = len(ids)
			row := append(t.meta(axes[t.axis], p.groups[[2]string{t.series.Host, t.series.Object}], typ), units.of(unitOf(t.series)))
			if m, ok := reference.OfCounter(t.series.Object, t.series.Counter); ok {
				row = append(row, notes.of(remark(m)))
			}
			if !yield(row) {
				return
			}
		}
	})
	writeList(b, ",\n\"types\":", ",", valuesOf(types, func(_ int, typ countertypes.Type) any {
		name, ok := typ.Name()
		if !ok {
			name = "0x" + strconv.FormatUint(uint64(typ), 16)
		}
		return []string{name, typ.Suffix()}
	}))
	writeList(b, ",\n\"notes\":", ",", valuesOf(notes, func(_ int, note string) any { return note }))
	writeList(b, ",\n\"units\":", ",", valuesOf(units, func(_ int, u unit.Unit) any { return string(u) }))
	writeList(b, ",\n\"vitals\":", ",\n", valuesOf(p.panels(ids), func(_ int, v panel) any { return v }))
	writeList(b, ",\n\"found\":", ",", valuesOf(p.found(), func(_ int, f shaded) any { return f }))
	writeList(b, ",\n\"first\":", ",", valuesOf(p.first(ids), func(_ int, id int) any { return id }))
	_, _ = b.WriteString("}")
}

// unitOf returns the unit of a series, by its English name.
func unitOf(s *capture.Series) unit.Unit {
	_, counter := s.English()
	return unit.Of(counter, s.Type, s.HasType)
}

// remark returns what a counter or an object means, and what to beware of.
func remark(m reference.Meaning) string {
	if m.Beware == "" {
		return m.Text
	}
	return m.Text + " Beware: " + m.Beware + "."
}

func (a *axis) meta() any {
	meta := struct {
		Host      string  `json:"host"`
		N         int     `json:"n"`
		Per       int     `json:"per"`
		Clockless bool    `json:"clockless,omitempty"`
		Offsets   [][]any `json:"offsets"`
		T         []byte  `json:"t"`
	}{Host: a.hosts.String(), N: a.snapshots, Per: a.per, Clockless: a.clockless}
	for _, o := range a.offsets {
		east := any(nil)
		if o.Known {
			east = number(o.East.Seconds())
		}
		meta.Offsets = append(meta.Offsets, []any{o.point, east, o.name()})
	}
	seconds := make([]float64, len(a.times))
	for i, ms := range a.times {
		seconds[i] = float64(ms) / 1000
	}
	meta.T = doubles(seconds)
	return meta
}

// meta returns what the tables show of a series, as an array since there are
// many: axis, object, instance or null, counter, path, type or -1, values,
// minimum, average, maximum, last, statuses, snapshots in which it is not there.
// The unit follows, and a note if there is one.
func (t *trace) meta(axis, object, typ int) []any {
	s := t.series
	row := []any{axis, object, nil, cell.Clean(s.Counter), cell.Clean(s.Path()), typ, t.stats.Count}
	if s.HasInstance {
		name := s.ShownInstance()
		if s.HasParent {
			name = s.Parent + "/" + name
		}
		if s.InstanceIndex > 0 {
			name += "#" + strconv.Itoa(s.InstanceIndex)
		}
		row[2] = cell.Clean(name)
	}
	for _, v := range []float64{t.stats.Min, t.stats.Mean, t.stats.Max, t.stats.Last} {
		if t.stats.Count == 0 {
			v = math.NaN()
		}
		row = append(row, number(v))
	}
	missing := []byte("{")
	for i, m := range t.missing {
		if i > 0 {
			missing = append(missing, ',')
		}
		missing = fmt.Appendf(missing, "%q:%d", m.status.String(), m.n)
	}
	return append(row, json.RawMessage(append(missing, '}')), max(0, t.axis.snapshots-int(t.stats.Count)-int(t.stats.Missing)))
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
// singles, m singles: all minima, then all averages, then all maxima.
func (p *Page) writeData(b *bufio.Writer) {
	text, sep := []byte("["), ""
	for t := range p.drawn {
		text = t.curve.appendPoints(append(text, sep...))
		_, _ = b.Write(text)
		text, sep = text[:0], ",\n"
	}
	_, _ = b.Write(append(text, ']'))
}

func (c *curve) appendPoints(b []byte) []byte {
	c.settle()
	if c.len() == 0 {
		return append(b, "null"...)
	}
	b = strconv.AppendInt(append(b, '['), int64(c.start), 10)
	if v, ok := c.same(); ok {
		value, _ := number(v).MarshalJSON()
		b = strconv.AppendInt(append(b, ','), int64(c.len()), 10)
		return append(append(append(b, ','), value...), ']')
	}
	var data []byte
	switch {
	case len(c.ranges) > 0:
		n := 4 * len(c.ranges)
		b, data = append(b, `,"m","`...), make([]byte, 3*n)
		for i, r := range c.ranges {
			putSingle(data[4*i:], r.low)
			putSingle(data[4*i+n:], r.mean)
			putSingle(data[4*i+2*n:], r.high)
		}
	case single(c.values):
		b, data = append(b, `,"f","`...), make([]byte, 4*len(c.values))
		for i, v := range c.values {
			putSingle(data[4*i:], v)
		}
	default:
		b, data = append(b, `,"d","`...), doubles(c.values)
	}
	return append(base64.StdEncoding.AppendEncode(b, data), `"]`...)
}

// same returns the value that all points have.
func (c *curve) same() (v float64, ok bool) {
	if len(c.values) > 0 {
		v = c.values[0]
	} else {
		v = c.ranges[0].low
	}
	return v, !slices.ContainsFunc(c.values, func(x float64) bool { return x != v }) &&
		!slices.ContainsFunc(c.ranges, func(r valueRange) bool { return r.low != v || r.high != v })
}

// single reports whether all values are floats of 32 bits.
func single(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v == v && float64(float32(v)) != v })
}

func doubles(values []float64) []byte {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func putSingle(b []byte, v float64) {
	if v == v {
		v = max(-math.MaxFloat32, min(math.MaxFloat32, v))
	}
	binary.LittleEndian.PutUint32(b, math.Float32bits(float32(v)))
}
