package parquet

import (
	"io"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

var cookedColumns = []column{
	{"time", int64s, "optional,timestamp(microsecond:utc)"},
	{"host", text, "dict"},
	{"object", text, "dict"},
	{"parent", text, "optional,dict"},
	{"instance", text, "optional,dict"},
	{"instance_index", int32s, ""},
	{"counter", text, "dict"},
	{"path", text, "dict"},
	{"value", float64s, "optional"},
	{"status", text, "dict"},
}

var cookedOnRequest = []column{
	{"pdh_status", uint32s, "optional"},
	{"time_local", int64s, "optional,timestamp(microsecond:local)"},
	{"utc_offset_min", int32s, "optional"},
	{"record", int32s, ""},
	{"object_index", int32s, "optional"},
	{"counter_index", int32s, "optional"},
	{"source", text, "dict"},
}

// The columns that differ within a series, and the first on request.
const (
	colTime   = 0
	colHost   = 1
	colValue  = 8
	colStatus = 9
	numCooked = 10
)

// Cooked writes cooked rows. It is an export.FrameWriter.
type Cooked struct {
	f        *file
	series   []*cookedSeries // by ID
	statuses [256]pq.Value
	group    int // rises with each group of rows
}

// cookedSeries are the columns from host to path of all rows of a series.
type cookedSeries struct {
	values []pq.Value
	bytes  int
	group  int
}

// NewCooked returns a writer of a file of cooked rows.
func NewCooked(w io.Writer, o Options) (*Cooked, error) {
	f, err := newFile(w, cookedColumns, cookedOnRequest, o)
	if err != nil {
		return nil, err
	}
	c := &Cooked{f: f, group: 1}
	for s := range c.statuses {
		c.statuses[s] = textValue(countertypes.Status(s).String())
	}
	return c, nil
}

// WriteFrame writes a row for each cell.
func (c *Cooked) WriteFrame(f *capture.Frame) error {
	for i := range f.Cells {
		x := &f.Cells[i]
		s := c.learn(x.Series)
		c.f.setTime(colTime, f.Time, !f.Time.IsZero())
		copy(c.f.row[colHost:], s.values)
		status := x.Status
		if x.PDH > 1 && status == countertypes.StatusOK {
			status = countertypes.StatusInvalidData
		}
		if v := x.Value; status == countertypes.StatusOK && v-v == 0 { // a number, and a finite one
			c.f.set(colValue, pq.DoubleValue(x.Value))
		} else {
			c.f.setNull(colValue)
		}
		c.f.set(colStatus, c.statuses[status])
		for k := numCooked; k < len(c.f.columns); k++ {
			c.onRequest(k, f, x, status)
		}
		bytes := 0
		if s.group != c.group {
			s.group, bytes = c.group, s.bytes
		}
		if err := c.f.write(bytes); err != nil {
			return err
		}
		if c.f.inGroup == 0 {
			c.group++
		}
	}
	return nil
}

// learn returns the columns of a series.
func (c *Cooked) learn(of *capture.Series) *cookedSeries {
	for of.ID >= len(c.series) {
		c.series = append(c.series, nil)
	}
	s := c.series[of.ID]
	if s != nil {
		return s
	}
	path := of.Path()
	s = &cookedSeries{bytes: len(of.Host) + len(of.Object) + len(of.Parent) + len(of.Instance) + len(of.Counter) + len(path)}
	c.series[of.ID] = s
	f := c.f
	f.setText(1, of.Host, true)
	f.setText(2, of.Object, true)
	f.setText(3, of.Parent, of.HasParent)
	f.setText(4, of.Instance, of.HasInstance)
	f.setInt32(5, int32(of.InstanceIndex), true)
	f.setText(6, of.Counter, true)
	f.setText(7, path, true)
	s.values = append(s.values, f.row[colHost:colValue]...)
	return s
}

func (c *Cooked) onRequest(k int, f *capture.Frame, x *capture.Cell, status countertypes.Status) {
	switch c.f.columns[k].name {
	case "pdh_status":
		c.f.setInt32(k, int32(x.PDH), x.PDH != 0 || status == countertypes.StatusOK)
	case "time_local":
		c.f.setTime(k, f.Local(), !f.Time.IsZero())
	case "utc_offset_min":
		c.f.setInt32(k, -int32(f.Offset.East/time.Minute), f.Offset.Known)
	case "record":
		c.f.setInt32(k, int32(f.Record), true)
	case "object_index":
		c.f.setInt32(k, int32(x.Series.ObjectIndex), x.Series.ObjectIndex != 0)
	case "counter_index":
		c.f.setInt32(k, int32(x.Series.CounterIndex), x.Series.CounterIndex != 0)
	case "source":
		c.f.setText(k, f.Source, true)
	}
}

// Close writes the rest and the footer.
func (c *Cooked) Close() error { return c.f.w.Close() }
