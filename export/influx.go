package export

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/pdhpath"
)

// InfluxOptions say how InfluxDB line protocol is written.
type InfluxOptions struct {
	Measurement string // "" is win_perf_counters, telegraf's
	Raw         bool   // raw values, in fields whose names end in _Raw
}

// Influx writes InfluxDB line protocol with the names of telegraf's
// win_perf_counters: a line for each instance of an object in a frame, in which
// each counter is a field.
type Influx struct {
	w       *bufio.Writer
	o       InfluxOptions
	series  paged.Slice[influxSeries]
	groups  paged.Slice[influxGroup]
	byTags  map[string]int32
	owner   *capture.Owner // that group is of
	group   int32
	fields  map[string]int32
	names   []string // of fields, by their numbers, with their =
	touched []int32  // the groups of the frame, in the order of their first cells
	next    []int32  // of each cell: 1 + the next one of its line, 0 at its end
	line    []byte
	tags    []byte
	again   map[influxPlace]int32 // how many more series have the same tags and field
	omitted int
}

// influxPlace is the tags and the field of a series.
type influxPlace struct{ group, field int32 }

// Times are nanoseconds in 64 bits. The last ones have other meanings in InfluxDB.
var (
	influxFrom = time.Unix(0, math.MinInt64+2)
	influxTo   = time.Unix(0, math.MaxInt64-1)
)

// influxSeries is where a series stands.
type influxSeries struct {
	field int32 // 1 + its number; 0 where the series is new
	group int32
}

// influxGroup is what shares a line.
type influxGroup struct {
	tags        string // the measurement and the tags
	first, last int32  // of the cells of this frame that are its fields; 1 + their positions, 0 where there are none
	taken       numbers
}

// newInflux returns a writer of line protocol.
func newInflux(w io.Writer, o InfluxOptions) *Influx {
	if o.Measurement == "" {
		o.Measurement = "win_perf_counters"
	}
	return &Influx{w: newBuffer(w), o: o, byTags: map[string]int32{}, fields: map[string]int32{}, again: map[influxPlace]int32{}}
}

// WriteFrame writes the lines of a frame. Cells without a value are left out,
// and a frame without a time has lines without one.
func (x *Influx) WriteFrame(f *capture.Frame) error { return x.writePart(f, true) }

func (x *Influx) writePart(f *capture.Frame, _ bool) error {
	// The fields of a line may stand anywhere in the frame, and all lines of a
	// frame are much: so the cells are put in order, and not their texts.
	far := !f.Time.IsZero() && (f.Time.Before(influxFrom) || f.Time.After(influxTo))
	x.touched = x.touched[:0]
	x.next = slices.Grow(x.next[:0], len(f.Cells))[:len(f.Cells)]
	for i := range f.Cells {
		c := &f.Cells[i]
		if _, ok := x.value(f, i); !ok {
			continue
		}
		if far {
			x.omitted++
			continue
		}
		s := x.series.At(c.Series.ID)
		if s.field == 0 {
			x.learn(s, c.Series)
		}
		g := x.groups.At(int(s.group))
		at := int32(i) + 1
		if g.first == 0 {
			x.touched = append(x.touched, s.group)
			g.first = at
		} else {
			x.next[g.last-1] = at
		}
		g.last, x.next[i] = at, 0
	}
	for _, n := range x.touched {
		if err := x.write(f, x.groups.At(int(n))); err != nil {
			return err
		}
	}
	return nil
}

// value returns what a cell says, and whether it says anything.
func (x *Influx) value(f *capture.Frame, cell int) (float64, bool) {
	if x.o.Raw {
		t := f.Tuple(cell)
		return float64(t.First), t.Known
	}
	return f.Cells[cell].Number()
}

// write writes the line of a group.
func (x *Influx) write(f *capture.Frame, g *influxGroup) error {
	line := append(append(x.line[:0], g.tags...), ' ')
	for at := g.first; at > 0; at = x.next[at-1] {
		if at != g.first {
			line = append(line, ',')
		}
		if len(line) >= partSize {
			if _, err := x.w.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
		v, _ := x.value(f, int(at-1))
		field := x.series.At(f.Cells[at-1].Series.ID).field
		line = strconv.AppendFloat(append(line, x.names[field-1]...), v, 'f', -1, 64)
	}
	g.first = 0
	if !f.Time.IsZero() {
		line = strconv.AppendInt(append(line, ' '), f.Time.UnixNano(), 10)
	}
	x.line = append(line, '\n')
	_, err := x.w.Write(x.line)
	return err
}

// Repeats returns how many tags and fields several series have, which the tag
// duplicate tells apart.
func (x *Influx) Repeats() int { return len(x.again) }

// Omitted returns how many values were left out because their times are out of
// the years 1678 to 2262.
func (x *Influx) Omitted() int { return x.omitted }

// Close writes what is left.
func (x *Influx) Close() error { return x.w.Flush() }

// learn finds the field of a series and the line that it stands in.
func (x *Influx) learn(s *influxSeries, of *capture.Series) {
	field := influxField(of.Counter)
	if x.o.Raw {
		field += "_Raw"
	}
	n, ok := x.fields[field]
	if !ok {
		n = int32(len(x.names))
		x.fields[field] = n
		x.names = append(x.names, string(appendInfluxKey(nil, field, ", ="))+"=")
	}
	s.field, s.group = n+1, x.groupOf(of.Owner)
	for place := (influxPlace{s.group, n}); !x.groups.At(int(s.group)).taken.add(n); {
		x.again[place]++
		tags := append(append(x.tags[:0], x.groups.At(int(place.group)).tags...), ",duplicate="...)
		x.tags = strconv.AppendInt(tags, int64(x.again[place]), 10)
		s.group = x.groupWith(x.tags)
	}
}

// groupOf returns the group of the lines of an instance.
func (x *Influx) groupOf(o *capture.Owner) int32 {
	if x.owner == o {
		return x.group
	}
	var room [256]byte
	tags := appendInfluxKey(x.tags[:0], x.o.Measurement, ", ")
	tags = appendTag(tags, "instance", string(pdhpath.AppendInstance(room[:0], o.Parent, o.Instance, o.InstanceIndex)))
	tags = appendTag(tags, "objectname", o.Object)
	if o.PID != 0 {
		tags = appendTag(tags, "pid", strconv.FormatUint(o.PID, 10))
	}
	tags = appendTag(tags, "source", o.Host)
	if o.Thread != 0 {
		tags = appendTag(tags, "tid", strconv.FormatUint(o.Thread, 10))
	}
	x.tags = tags
	x.owner, x.group = o, x.groupWith(tags)
	return x.group
}

// groupWith returns the group of the lines with these tags.
func (x *Influx) groupWith(tags []byte) int32 {
	n, ok := x.byTags[string(tags)]
	if !ok {
		n = int32(len(x.byTags))
		g := x.groups.At(int(n))
		g.tags = string(tags)
		x.byTags[g.tags] = n
	}
	return n
}

var influxNames = strings.NewReplacer("/sec", "_persec", "/Sec", "_persec", " ", "_", "%", "Percent", `\`, "")

// influxField returns telegraf's name of a counter.
func influxField(counter string) string {
	name := influxNames.Replace(counter)
	if name == "" {
		return "_"
	}
	return name
}

func appendTag(dst []byte, key, value string) []byte {
	if value == "" || value == "------" { // telegraf's word for no instance
		return dst
	}
	dst = append(append(append(dst, ','), key...), '=')
	return appendInfluxKey(dst, value, ", =")
}

// appendInfluxKey appends a name with a backslash before each of the signs. Of
// what a line cannot hold, control characters become blanks, and a backslash at
// the end, which would escape what follows, becomes _.
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
