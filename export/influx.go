package export

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/pdhpath"
)

// influx writes InfluxDB line protocol with the names of telegraf's
// win_perf_counters: a line for each instance of an object in a frame, in which
// each counter is a field.
type influx struct {
	w       *bufio.Writer
	crew    *crew[influxTask]
	task    *task[influxTask] // nil before the first line of it
	ended   bool
	raw     bool // raw values, in fields whose names end in _Raw
	places  places
	fields  interned       // with their =
	lines   []influxFields // by the numbers of tags
	touched []int32        // the lines of the frame, in the order of their first cells
	next    []int32        // of each cell: 1 + the next one of its line, 0 at its end
	omitted int
}

// influxFields are the cells of this frame that are the fields of a line: 1 + their
// positions, 0 if there are none.
type influxFields struct{ first, last int32 }

// Times are nanoseconds in 64 bits. The last ones have other meanings in InfluxDB.
var (
	influxFrom = time.Unix(0, math.MinInt64+2)
	influxTo   = time.Unix(0, math.MaxInt64-1)
)

func newInflux(w io.Writer, o Options) (FrameWriter, error) {
	x := &influx{w: newBuffer(w), raw: o.raw}
	x.places = places{name: x.field, tags: influxTags}
	x.crew = newCrew(x.w, o.Workers, func() func(*influxTask, []byte) ([]byte, error) { return (*influxTask).append })
	return x, nil
}

// WriteFrame writes the lines of a frame. Cells without a value are left out,
// and a frame without a time has lines without one.
func (x *influx) WriteFrame(f *capture.Frame) error { return x.writePart(f, true) }

func (x *influx) writePart(f *capture.Frame, _ bool) error {
	// The fields of a line may be anywhere in the frame. Sorting the cells takes
	// less memory than the texts of all lines.
	far := !f.Time.IsZero() && (f.Time.Before(influxFrom) || f.Time.After(influxTo))
	x.touched = x.touched[:0]
	x.next = slices.Grow(x.next[:0], len(f.Cells))[:len(f.Cells)]
	for i := range f.Cells {
		if _, ok := x.value(f, i); !ok {
			continue
		}
		if far {
			x.omitted++
			continue
		}
		tags := x.places.find(f.Cells[i].Series).tags
		g := at(&x.lines, int(tags))
		n := int32(i) + 1
		if g.first == 0 {
			x.touched = append(x.touched, tags)
			g.first = n
		} else {
			x.next[g.last-1] = n
		}
		g.last, x.next[i] = n, 0
	}
	for _, tags := range x.touched {
		x.write(f, tags)
	}
	return x.crew.err()
}

func (x *influx) value(f *capture.Frame, cell int) (float64, bool) {
	if x.raw {
		t := f.Tuple(cell)
		return float64(t.First), t.Known
	}
	return f.Cells[cell].Number()
}

// write has a line written, a long one by several workers.
func (x *influx) write(f *capture.Frame, tags int32) {
	g := &x.lines[tags]
	l := influxLine{tags: tags, first: true, timed: !f.Time.IsZero()}
	if l.timed {
		l.nano = f.Time.UnixNano()
	}
	for at := g.first; at > 0; {
		t := x.begin()
		t.size += len(x.places.texts.texts[tags])
		for n := 0; at > 0 && (n == 0 || len(t.values) < taskValues && t.size < taskBytes); n++ {
			v, _ := x.value(f, int(at-1))
			field := x.places.find(f.Cells[at-1].Series).name
			t.values = append(t.values, influxValue{v, field})
			t.size += len(x.fields.texts[field])
			at = x.next[at-1]
		}
		l.last, l.end = at == 0, len(t.values)
		t.lines = append(t.lines, l)
		l.first = false
		if len(t.values) >= taskValues || t.size >= taskBytes {
			x.send()
		}
	}
	g.first = 0
}

func (x *influx) begin() *influxTask {
	if x.task == nil {
		x.task = x.crew.get()
		t := &x.task.of
		t.lines, t.values, t.size = t.lines[:0], t.values[:0], 0
	}
	return &x.task.of
}

func (x *influx) send() {
	x.task.of.tags, x.task.of.fields = x.places.texts.texts, x.fields.texts
	_ = x.crew.send(x.task) // err returns the error
	x.task = nil
}

func (x *influx) omissions() []Omission {
	return []Omission{
		{x.omitted, "value", "left out: their times are outside the years 1678 to 2262; -o csv has them"},
		{len(x.places.again), "field", "of several counters with the same tags: the tag duplicate distinguishes them"},
	}
}

func (x *influx) Close() error {
	if err := x.end(); err != nil {
		return err
	}
	return x.w.Flush()
}

// Discard ends the workers. It does nothing after Close.
func (x *influx) Discard() { _ = x.end() }

func (x *influx) end() error {
	if x.task != nil && !x.ended {
		x.send()
	}
	x.ended = true
	return x.crew.end()
}

var influxNames = strings.NewReplacer("/sec", "_persec", "/Sec", "_persec", " ", "_", "%", "Percent", `\`, "")

// field returns the number of the field of a series, which has telegraf's name.
func (x *influx) field(s *capture.Series) int32 {
	name := influxNames.Replace(s.Counter)
	if name == "" {
		name = "_"
	}
	if x.raw {
		name += "_Raw"
	}
	return x.fields.number(append(appendInfluxKey(nil, name, ", ="), '='))
}

// influxTags appends the measurement, which is telegraf's, and the tags of an
// instance.
func influxTags(dst []byte, o *capture.Owner) []byte {
	dst = append(dst, "win_perf_counters"...)
	add := func(key, value string) {
		if value != "" && value != "------" { // telegraf's word for no instance
			dst = appendInfluxKey(append(append(append(dst, ','), key...), '='), value, ", =")
		}
	}
	add("instance", string(pdhpath.AppendInstance(nil, o.Parent, o.Instance, o.InstanceIndex)))
	add("objectname", o.Object)
	add("pid", idText(o.PID))
	add("source", o.Host)
	add("tid", idText(o.Thread))
	return dst
}

// appendInfluxKey appends a name with a backslash before each of the signs. A line
// cannot hold control characters, which become blanks, nor a backslash at the end
// of a name, which would escape what follows and becomes _.
func appendInfluxKey(dst []byte, s, signs string) []byte {
	s = strings.ToValidUTF8(s, "\ufffd")
	end := len(strings.TrimRight(s, `\`))
	for i := range len(s) {
		c := s[i]
		switch {
		case i >= end:
			c = '_'
		case c < ' ' || c == 0x7f:
			c = ' '
		}
		if strings.IndexByte(signs, c) >= 0 {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}
