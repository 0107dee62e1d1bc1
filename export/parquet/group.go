package parquet

import "github.com/perfdump/perfdump/export/internal/column"

// group is some rows by columns.
type group struct {
	rows   int
	chunks []chunk

	// Of cooked rows: the columns of a series are the same in all of its rows.
	slots []uint32   // of each row, the place of its series in names
	names [][]uint32 // by column, the index of each series
}

func newGroup(columns []column.Column) *group {
	g := &group{chunks: make([]chunk, len(columns))}
	for i := range columns {
		if kinds[columns[i].Type].dict {
			g.chunks[i].dict = &dictionary{of: map[string]uint32{}}
		}
	}
	return g
}

// reset empties the group, and keeps its memory.
func (g *group) reset() {
	g.rows, g.slots = 0, g.slots[:0]
	for i := range g.chunks {
		g.chunks[i].reset()
	}
	for i := range g.names {
		g.names[i] = g.names[i][:0]
	}
}
