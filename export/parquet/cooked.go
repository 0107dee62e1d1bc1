package parquet

import (
	"io"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/internal/column"
)

// cooked writes cooked rows.
type cooked struct {
	f        *file
	row      column.Row
	series   []*names // by ID, as many as maxSeries and maxKept allow
	kept     int      // bytes of their texts
	groups   []int32  // by ID, the last group of rows that has it
	group    int32    // rises with each group of rows
	statuses [256]pq.Value
}

// names are the columns that all rows of a series have in common.
type names [column.Value - column.FirstOfSeries]pq.Value

// How many names are kept. Those of other series are made for each row.
const (
	maxSeries = 16 << 10
	maxKept   = 4 << 20 // bytes of their texts
)

// NewCooked returns a writer of a file of cooked rows.
func NewCooked(w io.Writer, o Options) (export.FrameWriter, error) {
	f, err := newFile(w, column.Cooked, o)
	if err != nil {
		return nil, err
	}
	c := &cooked{f: f, row: column.Row{Row: &capture.Row{}}, group: 1}
	for s := range c.statuses {
		f.set(column.Status, textValue(countertypes.Status(s).String()))
		c.statuses[s] = f.get(column.Status)
	}
	return c, nil
}

// WriteFrame writes a row for each cell.
func (c *cooked) WriteFrame(f *capture.Frame) error {
	c.row.SetFrame(f)
	for i := range f.Cells {
		x := &f.Cells[i]
		c.f.setField(0, c.f.columns[0].Of(&c.row))
		bytes := c.names(x.Series)
		if v, ok := x.Number(); ok {
			c.f.set(column.Value, pq.DoubleValue(v))
		} else {
			c.f.set(column.Value, pq.NullValue())
		}
		c.f.put(column.Status, c.statuses[x.EffectiveStatus()])
		if len(c.f.columns) > column.Status+1 {
			c.row.SetCell(f, i)
		}
		for k := column.Status + 1; k < len(c.f.columns); k++ {
			c.f.setField(k, c.f.columns[k].Of(&c.row))
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

// names sets the columns of a series, and returns how many bytes they have that
// are new to the group of rows.
func (c *cooked) names(s *capture.Series) int {
	if s.ID < len(c.series) && c.series[s.ID] != nil {
		for k, v := range c.series[s.ID] {
			c.f.put(column.FirstOfSeries+k, v)
		}
	} else {
		c.make(s)
	}
	if more := s.ID + 1 - len(c.groups); more > 0 {
		c.groups = append(c.groups, make([]int32, more)...)
	}
	if c.groups[s.ID] == c.group {
		return 0
	}
	c.groups[s.ID] = c.group
	return len(s.Host) + len(s.Object) + len(s.Parent) + len(s.Instance) + len(s.Counter) + len(c.f.get(column.Value-1).ByteArray())
}

// make makes the columns of a series, and keeps them where there is space.
func (c *cooked) make(s *capture.Series) {
	c.row.SetSeries(s)
	var made names
	before := c.f.pending
	for k := range made {
		c.f.setField(column.FirstOfSeries+k, c.f.columns[column.FirstOfSeries+k].Of(&c.row))
		made[k] = c.f.get(column.FirstOfSeries + k)
	}
	size := c.f.pending - before
	if s.ID >= maxSeries || c.kept+size > maxKept {
		return
	}
	c.kept += size
	if more := s.ID + 1 - len(c.series); more > 0 {
		c.series = append(c.series, make([]*names, more)...)
	}
	c.series[s.ID] = &made
}

// Close writes the rest and the footer.
func (c *cooked) Close() error { return c.f.close() }
