package derive

import (
	"math"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// eval runs the code of a metric. cells are those of its parts; one without a
// series is not there. The first part without a value, or division by 0, ends
// it with that status.
func (m *Metric) eval(stack []float64, cells []*capture.Cell) (float64, countertypes.Status) {
	stack = stack[:0]
	for i := range m.code {
		o := &m.code[i]
		switch o.do {
		case opNumber:
			stack = append(stack, o.number)
			continue
		case opPart:
			v, s := valueOf(cells[o.part])
			if s != countertypes.StatusOK {
				return 0, s
			}
			stack = append(stack, v)
			continue
		}
		n := len(stack) - 1
		a, b := &stack[n-1], stack[n]
		stack = stack[:n]
		switch o.do {
		case '+':
			*a += b
		case '-':
			*a -= b
		case '*':
			*a *= b
		default:
			if b == 0 {
				return 0, countertypes.StatusZeroDenominator
			}
			*a /= b
		}
	}
	if v := stack[0]; !math.IsInf(v, 0) && !math.IsNaN(v) {
		return v, countertypes.StatusOK
	}
	return 0, countertypes.StatusInvalidData
}

// valueOf returns the value of a cell, or why it has none.
func valueOf(c *capture.Cell) (float64, countertypes.Status) {
	if c == nil {
		return 0, countertypes.StatusInvalidData
	}
	return c.Value, c.Verdict()
}
