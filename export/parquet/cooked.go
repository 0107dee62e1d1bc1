package parquet

import (
	"io"
	"math"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/internal/column"
)

// cooked writes cooked rows.
type cooked struct {
	f      *file
	row    column.Row
	number uint32     // of the group, from 1 on
	series []seriesAt // by ID
}

// seriesAt is where a series is in a group.
type seriesAt struct{ group, slot uint32 }

// NewCooked returns a writer of a file of cooked rows.
func NewCooked(w io.Writer, o Options) (export.FrameWriter, error) {
	f, err := newFile(w, column.Cooked, o)
	if err != nil {
		return nil, err
	}
	return &cooked{f: f, row: column.Row{Row: &capture.Row{}}, number: 1}, nil
}

// WriteFrame writes a row for each cell.
func (c *cooked) WriteFrame(f *capture.Frame) error {
	c.row.SetFrame(f)
	columns := c.f.columns
	time, values, statuses := columns[0].Of(&c.row), &kinds[column.Float64], [256]uint32{}
	var group *group
	for i := range f.Cells {
		if group != c.f.group { // the indexes are those of a group
			group = c.f.group
			clear(statuses[:])
		}
		x := &f.Cells[i]
		chunks := group.chunks
		chunks[0].field(&columns[0], time)
		bytes := c.name(x.Series)
		if v, ok := x.Number(); ok {
			chunks[column.Value].number(values, math.Float64bits(v))
		} else {
			chunks[column.Value].put(null)
		}
		status := x.EffectiveStatus()
		if statuses[status] == 0 {
			statuses[status] = 1 + chunks[column.Status].find(&kinds[column.Dict], column.Field{Kind: column.String, Text: status.String()})
		}
		chunks[column.Status].put(statuses[status] - 1)
		if len(columns) > column.Status+1 {
			c.row.SetCell(f, i)
		}
		for k := column.Status + 1; k < len(columns); k++ {
			chunks[k].field(&columns[k], columns[k].Of(&c.row))
		}
		if err := c.f.row(bytes + len(f.Texts[x.Series])); err != nil {
			return err
		}
		if c.f.group.rows == 0 {
			c.number++
		}
	}
	return nil
}

// name gives the row the columns of its series, and returns how many bytes they have
// that are new to the group.
func (c *cooked) name(s *capture.Series) int {
	g := c.f.group
	if more := s.ID + 1 - len(c.series); more > 0 {
		c.series = append(c.series, make([]seriesAt, more)...)
	}
	at := &c.series[s.ID]
	if at.group == c.number {
		g.slots = append(g.slots, at.slot)
		return 0
	}
	if g.names == nil {
		g.names = make([][]uint32, len(c.f.columns))
	}
	c.row.SetSeries(s)
	before := 0
	for k := column.FirstOfSeries; k < column.Value; k++ {
		chunk, col := &g.chunks[k], &c.f.columns[k]
		old := len(chunk.dict.plain)
		i, f := uint32(null), col.Of(&c.row)
		switch {
		case f.Kind == column.Null:
		case k == column.Value-1: // each series has a path of its own
			i = chunk.dict.add(chunk, &kinds[col.Type], []byte(valid(f.Text)))
		default:
			i = chunk.find(&kinds[col.Type], f)
		}
		g.names[k] = append(g.names[k], i)
		before += len(chunk.dict.plain) - old
	}
	*at = seriesAt{c.number, uint32(len(g.names[column.FirstOfSeries]) - 1)}
	g.slots = append(g.slots, at.slot)
	return before
}

// Close writes the rest and the footer.
func (c *cooked) Close() error { return c.f.close() }
