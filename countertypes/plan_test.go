package countertypes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPlan holds a plan's columns against Cook, cell by cell and bit by bit.
func FuzzPlan(f *testing.F) {
	for i := range All() {
		f.Add(uint32(i.Type), uint64(1000), uint64(4000), uint64(10), uint64(13), uint64(1<<40), uint64(1<<40+20000000), int64(10000000), uint64(7))
		f.Add(uint32(i.Type), uint64(5), uint64(5), uint64(9), uint64(9), uint64(3), uint64(3), int64(0), uint64(1<<63))
	}
	f.Fuzz(func(t *testing.T, typ uint32, n0, n1, b0, b1, clock0, clock1 uint64, timeBase int64, more uint64) {
		older := Sample{Type: Type(typ), Second: clock0, TimeBase: timeBase, Size: 8}
		newer := Sample{Type: Type(typ), Second: clock1, TimeBase: timeBase, Size: 8}
		const stride = 2
		if p, ok := NewPlan(nil, &newer); ok {
			values, statuses := make([]float64, 2*stride), make([]Status, 2*stride)
			is, base := []uint64{n1, 0, n0, 0}, []uint64{b1, 0, b0, 0}
			p.Cook(values, statuses, nil, is, nil, base, 2, stride)
			for i := 0; i < 2*stride; i += stride {
				alone := newer
				alone.First = is[i]
				if p.NeedsBase() {
					alone.Second = base[i]
				}
				v, s := Cook(nil, &alone, nil)
				require.Equal(t, s, statuses[i], "%v: %+v", Type(typ), alone)
				require.Equal(t, math.Float64bits(v), math.Float64bits(values[i]), "%v: %+v", Type(typ), alone)
			}
		}
		p, ok := NewPlan(&older, &newer)
		if !ok {
			return
		}
		was, is := []uint64{n0, 0, n1, 0, n0 ^ more, 0}, []uint64{n1, 0, n0, 0, n1 ^ more, 0}
		baseWas, base := []uint64{b0, 0, b0, 0, b1, 0}, []uint64{b1, 0, b0, 0, b1 + more, 0}
		values, statuses := make([]float64, 6), make([]Status, 6)
		p.Cook(values, statuses, was, is, baseWas, base, 3, stride)
		for i := 0; i < 6; i += stride {
			older.First, newer.First = was[i], is[i]
			if p.NeedsBase() {
				older.Second, newer.Second = baseWas[i], base[i]
			}
			v, s := Cook(&older, &newer, nil)
			require.Equal(t, s, statuses[i], "%v: %+v %+v", Type(typ), older, newer)
			require.Equal(t, math.Float64bits(v), math.Float64bits(values[i]), "%v: %+v %+v", Type(typ), older, newer)
		}
	})
}
