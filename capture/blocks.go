package capture

import (
	"time"

	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

// blockTables are the tables of IPC control blocks of a recording. They hold no
// clock, so they stand in the order in which they were given.
type blockTables struct {
	tables []*ipcblock.Table
	names  []string
}

func (s *blockTables) add(r *Recording, in *detect.Input) error {
	t, err := ipcblock.Parse(in.Data, ipcblock.Options{Mode: r.o.Mode, Limits: r.o.Limits})
	if err != nil {
		return err
	}
	s.tables, s.names = append(s.tables, t), append(s.names, in.Name)
	for _, fault := range t.Faults() {
		return fault
	}
	return nil
}

func (s *blockTables) start() time.Time { return time.Time{} }
func (s *blockTables) len() int         { return len(s.tables) }

func (s *blockTables) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	frame := Frame{}
	every := max(1, r.cook.Every)
	for i := 0; i < len(s.tables); i += every {
		frame.Source, frame.Record, frame.Cells = s.names[i], 0, frame.Cells[:0]
		var older *ipcblock.Table
		if i > 0 {
			older = s.tables[i-every]
		}
		for c := range s.tables[i].Live() {
			if c.HasPerf() && s.tables[i].Layout() != ipcblock.LegacyPrivate { // whose counters are not used
				frame.Cells = r.chunk(frame.Cells, older, c, time.Duration(every)*r.cook.Interval, values)
			}
		}
		if !yield(&frame, nil) {
			return false
		}
	}
	return true
}

// chunk appends the cells of a chunk.
func (r *Recording) chunk(dst []Cell, older *ipcblock.Table, c *ipcblock.Chunk, interval time.Duration, values bool) []Cell {
	var before *ipcblock.Chunk
	if older != nil {
		for o := range older.Live() {
			if ipcblock.SameRuntime(o, c) {
				before = o
				break
			}
		}
	}
	instance := BlockInstance(c)
	j := 0
	for k := range c.Cook(before, interval, r.cook.Types) {
		g := r.table.group(groupKey{object: k.Category}, 0)
		row := g.row([]byte(instance), func(r *row) { r.instance, r.hasInstance = instance, true })
		sample := c.Sample(k.Counter, nil, r.cook.Types)
		series := r.table.at(g, row, j, &slot{name: k.Name, typ: sample.Type, hasType: true, scale: sample.DefaultScale})
		j++
		if series == nil {
			continue
		}
		cell := Cell{Series: series}
		if values {
			cell.Value, cell.Status = k.Value, k.Status
			cell.First, cell.Second, cell.HasRaw = sample.First, sample.Second, true
		}
		dst = append(dst, cell)
	}
	return dst
}
