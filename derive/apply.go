package derive

import (
	"slices"

	"github.com/perfdump/perfdump/capture"
)

// Apply yields the frames with the cells of the derived series behind their
// own. A derived series has a cell wherever the counter has one that gave it
// its instance. A part without a value makes that of the metric missing, with
// the part's status; one without a cell, and a result beyond what numbers go
// to, is invalid-data; a division by 0 is zero-denominator.
//
// A frame that comes with an error goes through as it is. Those without are
// valid until the next one.
func (b *Binding) Apply(frames capture.Frames) capture.Frames {
	return func(yield func(*capture.Frame, error) bool) {
		a := applier{b: b, cells: make([]*capture.Cell, b.parts), pids: make([]uint64, b.parts), stack: make([]float64, 0, b.depth)}
		var out capture.Frame
		for f, err := range frames {
			if err != nil {
				if !yield(f, err) {
					return
				}
				continue
			}
			cells, tuples := out.Cells[:0], out.Tuples[:0]
			out = *f
			out.Cells, out.Tuples = slices.Grow(cells, len(f.Cells)+len(b.derived)), tuples
			a.frame(&out, f)
			if !yield(&out, nil) {
				return
			}
		}
	}
}

// applier is what is kept from one frame to the next: no values, only memory.
type applier struct {
	b     *Binding
	cells []*capture.Cell // of the parts
	pids  []uint64        // of their cells
	of    []*capture.Cell // of the parts of one metric
	stack []float64
}

func (a *applier) frame(dst, f *capture.Frame) {
	b := a.b
	clear(a.cells)
	for i := range f.Cells {
		c := &f.Cells[i]
		id := c.Series.ID
		if id >= len(b.slots) { // not among the series of the binding
			add(dst, *c, f, i)
			continue
		}
		if slot := b.slots[id]; slot >= 0 {
			a.cells[slot], a.pids[slot] = c, f.Tuple(i).PID
		}
		if !b.hidden[id] {
			add(dst, *c, f, i)
		}
	}
	for i := range b.derived {
		d := &b.derived[i]
		if d.hidden || a.cells[d.anchor] == nil {
			continue
		}
		a.of = a.of[:0]
		for _, slot := range d.slots {
			a.of = append(a.of, a.cells[slot])
		}
		c := capture.Cell{Series: d.series}
		c.Value, c.Status = d.metric.eval(a.stack, a.of)
		dst.Cells = append(dst.Cells, c)
		if len(f.Tuples) > 0 {
			dst.Tuples = append(dst.Tuples, capture.Tuple{PID: a.pids[d.anchor]})
		}
	}
}

// add adds cell i of f.
func add(dst *capture.Frame, c capture.Cell, f *capture.Frame, i int) {
	dst.Cells = append(dst.Cells, c)
	if len(f.Tuples) > 0 {
		dst.Tuples = append(dst.Tuples, f.Tuples[i])
	}
}
