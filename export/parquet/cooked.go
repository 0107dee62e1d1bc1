package parquet

import (
	"io"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/paged"
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
	{"text", text, "optional"},
	{"pdh_status", uint32s, "optional"},
	{"time_local", int64s, "optional,timestamp(microsecond:local)"},
	{"utc_offset_min", int32s, "optional"},
	{"record", int32s, ""},
	{"object_index", int32s, "optional"},
	{"counter_index", int32s, "optional"},
	{"source", text, "dict"},
	{"pid", int64s, "optional"},
}

// The columns that differ within a series, and the first on request.
const (
	colTime   = 0
	colHost   = 1
	colIndex  = 5
	colPath   = 7
	colValue  = 8
	colStatus = 9
	numCooked = 10
)

// Cooked writes cooked rows. It is an export.FrameWriter.
type Cooked struct {
	f        *file
	owner    *capture.Owner            // of the last row
	owned    *owned                    // its columns
	made     owned                     // the same where they are not kept
	owners   map[*capture.Owner]*owned // as many as there is room for
	counters map[*capture.Metric]pq.Value
	paths    []pq.Value         // by ID, for as many as there is room for
	kept     int                // bytes of owners and paths
	groups   paged.Slice[int32] // of each ID, the last group of rows that it is in
	statuses [256]pq.Value
	group    int32 // rises with each group of rows
}

// owned are the columns from host to the index of an instance.
type owned [colIndex - colHost + 1]pq.Value

// How many owners and paths are kept. What others have is made anew for each row.
const (
	maxOwners = 8 << 10
	maxPaths  = 16 << 10
	maxKept   = 4 << 20 // bytes of both
)

// NewCooked returns a writer of a file of cooked rows.
func NewCooked(w io.Writer, o Options) (*Cooked, error) {
	f, err := newFile(w, cookedColumns, cookedOnRequest, o)
	if err != nil {
		return nil, err
	}
	c := &Cooked{f: f, group: 1, owners: map[*capture.Owner]*owned{}, counters: map[*capture.Metric]pq.Value{}}
	for s := range c.statuses {
		f.setText(colStatus, countertypes.Status(s).String(), true)
		c.statuses[s] = f.get(colStatus)
	}
	return c, nil
}

// WriteFrame writes a row for each cell.
func (c *Cooked) WriteFrame(f *capture.Frame) error {
	c.f.setTime(colTime, f.Time, !f.Time.IsZero())
	when := c.f.get(colTime)
	for i := range f.Cells {
		x := &f.Cells[i]
		c.f.put(colTime, when)
		bytes := c.names(x.Series)
		status := x.Status
		if x.PDH > 1 && status == countertypes.StatusOK {
			status = countertypes.StatusInvalidData
		}
		if v := x.Value; status == countertypes.StatusOK && v-v == 0 { // a number, and a finite one
			c.f.set(colValue, pq.DoubleValue(v))
		} else {
			c.f.setNull(colValue)
		}
		c.f.put(colStatus, c.statuses[status])
		for k := numCooked; k < len(c.f.columns); k++ {
			c.onRequest(k, f, i, status)
		}
		if err := c.f.write(bytes + len(f.Texts[x.Series])); err != nil {
			return err
		}
		if c.f.inGroup == 0 {
			c.group++
		}
	}
	return nil
}

// names sets the columns from host to path, and returns how many bytes they
// have that are new to the group of rows.
func (c *Cooked) names(s *capture.Series) int {
	f := c.f
	if s.Owner != c.owner {
		c.own(s.Owner)
	}
	for k := range c.owned {
		f.put(colHost+k, c.owned[k])
	}
	counter, ok := c.counters[s.Metric]
	if !ok {
		counter = textValue(s.Counter)
		c.counters[s.Metric] = counter
	}
	f.set(colPath-1, counter)
	path := c.path(s)
	f.set(colPath, path)
	in := c.groups.At(s.ID)
	if *in == c.group {
		return 0
	}
	*in = c.group
	return len(s.Host) + len(s.Object) + len(s.Parent) + len(s.Instance) + len(s.Counter) + len(path.ByteArray())
}

// own makes an owner that of the row.
func (c *Cooked) own(o *capture.Owner) {
	c.owner, c.owned = o, c.owners[o]
	if c.owned != nil {
		return
	}
	f := c.f
	f.setText(colHost, o.Host, true)
	f.setText(2, o.Object, true)
	f.setText(3, o.Parent, o.HasParent)
	f.setText(4, o.Instance, o.HasInstance)
	f.setInt32(colIndex, int32(o.InstanceIndex), true)
	c.owned = &c.made
	if n := len(o.Host) + len(o.Object) + len(o.Parent) + len(o.Instance); len(c.owners) < maxOwners && c.kept+n <= maxKept {
		c.kept += n
		c.owned = new(owned)
		c.owners[o] = c.owned
	}
	for k := range c.owned {
		c.owned[k] = f.get(colHost + k)
	}
}

func (c *Cooked) path(s *capture.Series) pq.Value {
	if s.ID >= maxPaths {
		return c.f.path(s)
	}
	if n := s.ID + 1 - len(c.paths); n > 0 {
		c.paths = append(c.paths, make([]pq.Value, n)...)
	}
	path := c.paths[s.ID]
	if !path.IsNull() {
		return path
	}
	path = c.f.path(s)
	if n := len(path.ByteArray()); c.kept+n <= maxKept {
		c.kept += n
		path = path.Clone()
		c.paths[s.ID] = path
	}
	return path
}

func (c *Cooked) onRequest(k int, f *capture.Frame, cell int, status countertypes.Status) {
	x := &f.Cells[cell]
	switch c.f.columns[k].name {
	case "text":
		text, ok := f.Texts[x.Series]
		c.f.setText(k, text, ok)
	case "pdh_status":
		c.f.setInt32(k, int32(x.PDH), x.PDH != 0 || status == countertypes.StatusOK)
	case "time_local":
		c.f.setTime(k, f.Local(), !f.Time.IsZero())
	case "utc_offset_min":
		c.f.setInt32(k, int32(f.Offset.Bias()), f.Offset.Known)
	case "record":
		c.f.setInt32(k, int32(f.Record), true)
	case "object_index":
		c.f.setInt32(k, int32(x.Series.ObjectIndex), x.Series.ObjectIndex != 0)
	case "counter_index":
		c.f.setInt32(k, int32(x.Series.CounterIndex), x.Series.CounterIndex != 0)
	case "source":
		c.f.setText(k, f.Source, true)
	case "pid":
		c.f.setPID(k, f.PID(cell))
	}
}

// Close writes the rest and the footer.
func (c *Cooked) Close() error { return c.f.close() }
