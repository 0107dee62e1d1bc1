package perfdata_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// requireBulk holds the bulk accessors against those of a single value.
func requireBulk(t *testing.T, b []byte) {
	t.Helper()
	for _, o := range parse(t, b).Objects() {
		var want []uint64
		for _, in := range o.Instances() {
			first := len(want)
			for j := range o.Counters() {
				v, _ := in.Uint64(j)
				want = append(want, v)
			}
			require.Equal(t, want[first:], append([]uint64(nil), in.AppendUint64s(nil)...))
		}
		dirty := slices.Repeat([]uint64{^uint64(0)}, 3+len(want))
		require.Equal(t, want, append([]uint64(nil), o.AppendUint64s(dirty[:3])[3:]...), "%v", o.Path())
		for from := range min(o.Len(), 4) + 1 {
			n := len(o.Counters())
			for to := from; to <= o.Len(); to++ {
				require.Equal(t, dirty[:3], append([]uint64(nil), o.AppendRows(dirty[:3], from, to)[:3]...))
				require.Equal(t, want[from*n:to*n], append([]uint64{}, o.AppendRows(dirty[:3], from, to)[3:]...), "%d:%d", from, to)
			}
		}
		for j := range o.Counters() {
			var column []uint64
			for i := range o.Len() {
				column = append(column, want[i*len(o.Counters())+j])
			}
			require.Equal(t, column, o.AppendColumn(nil, j))
		}
	}
}

func TestBulkGivesWhatTheInstancesGive(t *testing.T) {
	at := func(typ uint32, off int) perftest.Counter { return perftest.Counter{Type: typ, Offset: off} }
	sized := func(typ uint32, size int, off int64) perftest.Counter {
		return perftest.Counter{Type: typ, Size: size, Offset: int(off)}
	}
	for name, o := range map[string]perftest.Object{
		"one":               {Counters: []perftest.Counter{at(large, 8)}},
		"three":             {Counters: []perftest.Counter{at(dword, 4), at(large, 8), at(dword, 16)}},
		"ascending":         {Counters: []perftest.Counter{at(dword, 0), at(large, 0), at(dword, 0), at(dword, 0), at(large, 0), at(large, 0), at(dword, 0)}},
		"descending":        {Counters: []perftest.Counter{at(large, 56), at(large, 48), at(dword, 44), at(large, 32), at(dword, 28), at(large, 16), at(large, 8), at(dword, 4)}},
		"shared":            {Counters: []perftest.Counter{at(large, 8), at(large, 8), at(dword, 8), at(dword, 12), at(large, 8), at(dword, 12), at(large, 4)}},
		"scattered":         {Counters: []perftest.Counter{at(large, 8), at(large, 400), at(dword, 16), at(dword, 300), at(large, 200), at(dword, 204), at(large, 4)}},
		"scattered tail":    {Counters: []perftest.Counter{at(large, 8), at(large, 16), at(large, 24), at(large, 32), at(dword, 40), at(large, 48), at(large, 400), at(dword, 56), at(dword, 300), at(large, 200), at(dword, 204), at(large, 700)}},
		"text between":      {Counters: []perftest.Counter{at(large, 8), sized(text, 24, 16), at(dword, 40), sized(text, 8, 44), at(large, 56), sized(text, 4, 64), at(dword, 68)}},
		"odd sizes":         {Counters: []perftest.Counter{sized(dword, 2, 4), sized(dword, 1, 6), sized(large, 7, 7), at(large, 14), sized(large, 16, 22), at(dword, 38)}},
		"no sizes":          {Counters: []perftest.Counter{at(none, 4), at(large, 8), at(none, 4), at(none, 4), at(none, 16), at(none, 4), at(dword, 16)}},
		"only no sizes":     {Counters: []perftest.Counter{at(none, 4), at(none, 4), at(none, 4), at(none, 4), at(none, 4)}},
		"sizes against":     {Counters: []perftest.Counter{sized(dword, 8, 8), sized(large, 4, 16), sized(dword, 8, 24), sized(dword, 8, 32), sized(large, 4, 40)}},
		"dword at the end":  {Counters: []perftest.Counter{at(large, 8), at(dword, 16), at(large, 20), at(dword, 28)}},
		"packed":            {Packed: true, Counters: []perftest.Counter{at(dword, 5), at(large, 9), at(dword, 17), at(large, 21), at(large, 31), at(dword, 41), at(dword, 45)}},
		"inside the length": {Counters: []perftest.Counter{at(dword, 2), at(large, 8), at(dword, 3), at(dword, 16), at(large, 1), at(dword, 20)}},
		"past the block":    {Counters: []perftest.Counter{at(large, 8), sized(none, 8, 1<<31), at(dword, 16), sized(none, 4, 1<<32-2), at(large, 24), at(dword, 32)}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "past the block" && strconv.IntSize == 32 {
				t.Skip("an int of 32 bits does not hold its offsets")
			}
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			for _, instances := range []int{1, 3, 4, 5, 40} {
				o.Title, o.Instances = 5000, nil
				raw := make([]byte, 64)
				for i := range instances {
					in := perftest.Instance{Name: fmt.Sprint("instance", i), Raw: map[int][]byte{}}
					for j, c := range o.Counters {
						if size := c.Size; size > 0 && c.Offset < 1000 {
							for k := range raw {
								raw[k] = byte(r.Uint32())
							}
							in.Raw[j] = append([]byte(nil), raw[:size]...)
						}
						in.Values = append(in.Values, r.Uint64())
					}
					o.Instances = append(o.Instances, in)
				}
				requireBulk(t, buildOdd(o))
			}
		})
	}
	requireBulk(t, perftest.Busy(1, perftest.Small))
	requireBulk(t, perftest.Wide(1, 1000))
}

// buildOdd is Bytes for objects with offsets inside the block's length or past
// its end: they are written afterwards.
func buildOdd(o perftest.Object) []byte {
	type far struct{ size, off uint32 }
	fars := make(map[int]far)
	counters := append([]perftest.Counter(nil), o.Counters...)
	for j := range counters {
		if c := &counters[j]; c.Offset >= 1000 || c.Offset > 0 && c.Offset < 4 {
			fars[j] = far{uint32(max(c.Size, perftest.SizeOf(c.Type))), uint32(c.Offset)}
			c.Type = none
			c.Size, c.Offset = 0, 4
		}
	}
	o.Counters = counters
	m := (&perftest.Block{Name: "ODD", Objects: []perftest.Object{o}}).Build()
	for j, f := range fars {
		path := fmt.Sprintf("object[0].counter[%d].", j)
		m.Set(path+"CounterType", int64(o.Counters[j].Type))
		m.Set(path+"CounterSize", int64(f.size))
		m.Set(path+"CounterOffset", int64(f.off))
	}
	return m.Bytes
}

// Blocks of different lengths hold different values; one counter whose offset
// is out of all bounds does not change that.
func TestBulkWhereTheBlocksDiffer(t *testing.T) {
	for _, off := range []int64{4, 1 << 31} {
		o := perftest.Object{Title: 5000, Counters: []perftest.Counter{{Type: large}, {Type: large}, {Type: none}}}
		for i := range 6 {
			o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint(i), Values: []uint64{uint64(i), 1000 + uint64(i)}})
		}
		m := (&perftest.Block{Name: "ODD", Objects: []perftest.Object{o}}).Build()
		m.Set("object[0].instance[5].block.ByteLength", 16)
		if off != 4 {
			m.Set("object[0].counter[2].CounterSize", 4)
			m.Set("object[0].counter[2].CounterOffset", off)
		}
		requireBulk(t, m.Bytes)
		values := parse(t, m.Bytes).Object(0).AppendUint64s(nil)
		require.Equal(t, []uint64{4, 1004, 0, 5, 0, 0}, values[4*3:])
	}
}
