package derive

import (
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/expression"
)

// Apply yields the frames with the cells of the derived series after their
// own. A derived series has a cell wherever the counter has one that gave it
// its instance. A part without a value makes that of the metric missing, with
// the part's status; one without a cell, and a result beyond what numbers go
// to, is invalid-data; a division by 0 is zero-denominator.
//
// A frame with an error is passed on unchanged. Those without are
// valid until the next one.
func (b *Binding) Apply(frames capture.Frames) capture.Frames {
	return func(yield func(*capture.Frame, error) bool) {
		a := applier{b: b, at: make([]int32, len(b.hidden))}
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
	b  *Binding
	at []int32              // 1 + the places of the cells of recorded series, by ID; 0 for none
	of []expression.Operand // of the parts of one metric
}

func (a *applier) frame(dst, f *capture.Frame) {
	clear(a.at)
	for i := range f.Cells {
		id := f.Cells[i].Series.ID
		known := id < len(a.at) // else it is none of those of the binding
		if known {
			a.at[id] = int32(i) + 1
		}
		if known && a.b.hidden[id] {
			continue
		}
		dst.Cells = append(dst.Cells, f.Cells[i])
		if len(f.Tuples) > 0 {
			dst.Tuples = append(dst.Tuples, f.Tuples[i])
		}
	}
	for i := range a.b.derived {
		d := &a.b.derived[i]
		if d.hidden || a.at[d.anchor] == 0 {
			continue
		}
		a.of = a.of[:0]
		for _, id := range d.ids {
			part := expression.Operand{Status: countertypes.StatusInvalidData}
			if at := a.at[id]; at > 0 {
				c := &f.Cells[at-1]
				part = expression.Operand{Value: c.Value, Status: c.EffectiveStatus()}
			}
			a.of = append(a.of, part)
		}
		c := capture.Cell{Series: d.series}
		c.Value, c.Status = d.metric.Value(a.of)
		dst.Cells = append(dst.Cells, c)
		if len(f.Tuples) > 0 {
			dst.Tuples = append(dst.Tuples, capture.Tuple{PID: f.Tuples[a.at[d.anchor]-1].PID})
		}
	}
}
