package perfdata_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// product is an object of counters that share one offset, and of instances.
func product(counters, instances int) []byte {
	o := perftest.Object{Title: 2, Instances: make([]perftest.Instance, instances)}
	for i := range counters {
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010000, Offset: 4})
	}
	for i := range o.Instances {
		o.Instances[i].Unnamed = true
	}
	return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
}

// Section 10: NumCounters x instances above max(65536, TotalByteLength).
func TestSpecLimitOfValues(t *testing.T) {
	for _, row := range []struct {
		counters, instances int
		refused             bool
	}{
		{1000, 1000, true},
		{257, 256, true},
		{65537, 1, false}, // 2.6 MB of definitions
		{256, 256, false},
		{1, 2000, false},
	} {
		b := product(row.counters, row.instances)
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict} {
			blk, err := parseIn(b, mode)
			if !row.refused {
				require.NoError(t, err, row)
				require.Len(t, blk.Object(0).AppendUint64s(nil), row.counters*row.instances)
				continue
			}
			require.ErrorIs(t, err, perfdump.ErrLimit, row)
			fe := formatError(t, err)
			require.Equal(t, perfdump.CodeLimit, fe.Code)
			require.Equal(t, "object[0].NumInstances", place(fe.Path))
			require.EqualValues(t, perftest.HeaderSize+40, fe.Off)
		}
	}
	blk, err := perfdata.Parse(product(1000, 1000), perfdump.Options{Limits: perfdump.Limits{Values: 1_000_000}})
	require.NoError(t, err)
	require.Len(t, blk.Object(0).AppendUint64s(nil), 1_000_000)
}

// An input of about n bytes, made to cost more than it should.
type hostile struct {
	name string
	make func(n int) []byte
}

func hostiles() []hostile {
	one := func(o perftest.Object) []byte { return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes() }
	repeat := func(in perftest.Instance, size int) func(n int) []byte {
		return func(n int) []byte { return one(number(2, slices.Repeat([]perftest.Instance{in}, n/size)...)) }
	}
	empty := func(title func(i int) uint32) func(n int) []byte {
		return func(n int) []byte {
			objects := make([]perftest.Object, n/64)
			for i := range objects {
				objects[i].Title = title(i)
			}
			return (&perftest.Block{Objects: objects}).Bytes()
		}
	}
	children := func(parent func(i, n int) int) func(n int) []byte {
		return func(n int) []byte {
			objects := make([]perftest.Object, n/144)
			for i := range objects {
				objects[i] = number(uint32(2*i), perftest.Instance{Name: "a", ParentTitle: uint32(parent(i, len(objects)))})
			}
			return (&perftest.Block{Objects: objects}).Bytes()
		}
	}
	definitions := func(c perftest.Counter) func(n int) []byte {
		return func(n int) []byte {
			return one(perftest.Object{Title: 2, Single: true, Counters: slices.Repeat([]perftest.Counter{c}, n/48)})
		}
	}
	header := (&perftest.Block{}).Bytes()
	all := []hostile{
		{"equal names", repeat(perftest.Instance{Name: "a"}, 40)},
		{"names that collide with numbered names", func(n int) []byte {
			o := number(2)
			for i := range n / 48 {
				o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprintf("a#%d", i/2)})
			}
			return one(o)
		}},
		{"a long name over and over", repeat(perftest.Instance{RawName: append(slices.Repeat([]byte{'x', 0}, 5000), 0, 0)}, 10040)},
		{"an anomaly in each instance", repeat(perftest.Instance{Name: "a", NoNul: true}, 40)},
		{"each instance the child of one", repeat(perftest.Instance{Name: "a", ParentTitle: 2, Parent: 1}, 40)},
		{"each parent out of range", repeat(perftest.Instance{Name: "a", ParentTitle: 2, Parent: 1 << 30}, 40)},
		{"empty objects", empty(func(i int) uint32 { return uint32(i) })},
		{"empty objects of one title", empty(func(int) uint32 { return 1 })},
		{"each object with another parent", children(func(i, n int) int { return 2 * (n - 1 - i) })},
		{"each object with an absent parent", children(func(i, _ int) int { return 2*i + 1 })},
		{"definitions", definitions(perftest.Counter{Title: 1, Type: 0x00010100})},
		{"definitions with many anomalies", definitions(perftest.Counter{Title: 1, Type: 0x14010500, Size: 3, Scale: 99, DetailLevel: 7, Offset: 4})},
		{"blocks of nothing", func(n int) []byte { return slices.Repeat(header, n/len(header)) }},
		{"a fault in each object", func(n int) []byte {
			m := (&perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "a"})}}).Build()
			object := m.Set("object[0].instance[0].block.ByteLength", 0).Bytes[perftest.HeaderSize:]
			m.Set("NumObjectTypes", int64(n/len(object))).Set("TotalByteLength", int64(perftest.HeaderSize+n/len(object)*len(object)))
			return append(slices.Clone(m.Bytes[:perftest.HeaderSize]), slices.Repeat(object, n/len(object))...)
		}},
		{"signatures behind a block", func(n int) []byte { return append(slices.Clone(header), slices.Repeat(header[:8], n/8)...) }},
		{"zeros behind the header", func(n int) []byte {
			m := (&perftest.Block{}).Build().Set("NumObjectTypes", int64(n/64-2)).Set("TotalByteLength", int64(n))
			return append(m.Bytes, make([]byte, n-len(m.Bytes))...)
		}},
	}
	for _, path := range []string{
		"NumObjectTypes", "TotalByteLength", "object[0].NumCounters", "object[0].NumInstances", "object[0].TotalByteLength",
		"object[0].DefinitionLength", "object[0].instance[0].NameLength", "object[0].counter[0].CounterSize", "SystemNameLength",
	} {
		all = append(all, hostile{"bomb: " + path, func(n int) []byte {
			m := (&perftest.Block{Name: "HOST", Objects: []perftest.Object{number(2, perftest.Instance{Name: "a"})}}).Build()
			m.Set(path, 0x7FFFFFFF)
			return append(m.Bytes, make([]byte, max(0, n-len(m.Bytes)))...)
		}})
	}
	return all
}

// exhaust decodes b in all modes, and reads it as a program would.
func exhaust(b []byte) {
	var values []uint64
	var name []byte
	for _, mode := range modes {
		for blk, err := range perfdata.Blocks(b, perfdump.Options{Mode: mode}) {
			if err != nil {
				break
			}
			for _, o := range blk.Objects() {
				values = o.AppendUint64s(values[:0])
				for i, display := range o.DisplayNames() {
					name = append(o.Instance(i).AppendFullName(name[:0]), display...)
				}
			}
			for s := range blk.Spans() {
				_ = s
			}
		}
	}
}

// Total extra memory of a decoding: 64 MiB and four times the input.
func TestSpecLimitOfMemory(t *testing.T) {
	large := 8 << 20
	if perftest.Race {
		large = 1 << 20
	}
	for _, h := range hostiles() {
		for n, limit := range map[int]uint64{1 << 10: 4 << 20, large: 64<<20 + 4*uint64(large)} {
			b := h.make(n)
			for _, mode := range modes {
				got := perftest.Allocated(func() { _, _ = parseIn(b, mode) })
				assert.LessOrEqual(t, got, limit, "%s, %s: %d MiB for %d bytes", h.name, mode, got>>20, len(b))
			}
		}
	}
}

// Time grows as the input does: eight times the input in much less than the
// 64 times of a square.
func TestSpecTimeIsLinear(t *testing.T) {
	if testing.Short() || perftest.Race {
		t.Skip("measures time: runs without -short and -race")
	}
	const n = 512 << 10
	took := func(b []byte) time.Duration {
		start := time.Now()
		exhaust(b)
		return time.Since(start)
	}
	for _, h := range hostiles() {
		small, large := h.make(n), h.make(8*n)
		a, b := took(small), took(large)
		for range 3 {
			if b <= 30*a+20*time.Millisecond {
				break
			}
			a, b = min(a, took(small)), min(b, took(large)) // a busy machine
		}
		assert.LessOrEqual(t, b, 30*a+20*time.Millisecond, "%s: %v for %d bytes, %v for %d", h.name, a, len(small), b, len(large))
	}
}

// Texts that share bytes cost their length each, so that they are bounded by
// the object's bytes as values are by their number.
func TestSpecLimitOfTexts(t *testing.T) {
	wide := func(counters, size int) *perftest.Image {
		o := perftest.Object{Title: 2, Single: true, BlockExtra: size}
		for i := range counters {
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010B00, Size: size, Offset: 8})
		}
		return (&perftest.Block{Objects: []perftest.Object{o, number(4, perftest.Instance{Name: "a"})}}).Build()
	}
	m := wide(100, 4000)
	b := m.Bytes
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict} {
		_, err := parseIn(b, mode)
		require.ErrorIs(t, err, perfdump.ErrLimit)
		require.ErrorContains(t, err, "object[0].counter[16].CounterSize")
		require.EqualValues(t, m.At("object[0].counter[16].CounterSize").Off, formatError(t, err).Off)
	}
	blk, err := parseIn(b, perfdump.Salvage)
	require.NoError(t, err)
	require.Equal(t, 1, blk.NumFaults())
	require.Equal(t, 1, blk.NumObjects())

	blk, err = parseIn(wide(3, 4000).Bytes, perfdump.Tolerant)
	require.NoError(t, err)
	require.Equal(t, 2, blk.NumObjects())
}

// A parent's name is in front of those of all its children. Where that comes to
// more than two bytes a value that the block may have, the block is refused,
// and salvage has no parents.
func TestSpecLimitOfParents(t *testing.T) {
	long := perftest.Instance{RawName: append(slices.Repeat([]byte{'x', 0}, 999), 0, 0)}
	const children = 2000
	const exact = children * 2000 / 2
	for _, others := range [][]perftest.Instance{nil, {{Name: strings.Repeat("longer", 200)}}} { // names that need not be added up, and that do
		m := (&perftest.Block{Objects: []perftest.Object{
			number(2, append([]perftest.Instance{long}, others...)...),
			number(4, slices.Repeat([]perftest.Instance{{Name: "a", ParentTitle: 2}}, children)...),
		}}).Build()
		require.Less(t, len(m.Bytes), exact)
		blk, err := perfdata.Parse(m.Bytes, perfdump.Options{Limits: perfdump.Limits{Values: exact}})
		require.NoError(t, err)
		require.Contains(t, blk.Object(1).Instance(3).FullName(), "x/a")

		less := perfdump.Limits{Values: exact - 1}
		_, err = perfdata.Parse(m.Bytes, perfdump.Options{Limits: less})
		require.ErrorIs(t, err, perfdump.ErrLimit)
		last := fmt.Sprintf("object[1].instance[%d].ParentObjectTitleIndex", children-1)
		require.ErrorContains(t, err, last)
		require.EqualValues(t, m.At(last).Off, formatError(t, err).Off)

		blk, err = perfdata.Parse(m.Bytes, perfdump.Options{Limits: less, Mode: perfdump.Salvage})
		require.NoError(t, err)
		require.Equal(t, 1, blk.NumFaults())
		require.Equal(t, "a", blk.Object(1).Instance(0).FullName())
	}
	// One long name, but those of parents are short.
	short := perftest.Block{Objects: []perftest.Object{
		number(2, perftest.Instance{Name: "p"}, perftest.Instance{RawName: slices.Repeat([]byte{'x', 0}, 5000)}),
		number(4, slices.Repeat([]perftest.Instance{{Name: "a", ParentTitle: 2}}, 10_000)...),
	}}
	require.Equal(t, "p/a", parse(t, short.Bytes()).Object(1).Instance(0).FullName())
}
