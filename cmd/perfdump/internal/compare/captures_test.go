package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func input(b []byte) *detect.Input {
	return &detect.Input{Name: "x.bin", Format: detect.PerfData, Data: b}
}

// facts writes a diff as lines, one a difference.
func facts(t testing.TB, older, newer []byte, o capture.Options) []string {
	t.Helper()
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for s, err := range Captures(input(older), input(newer), o) {
		require.NoError(t, err)
		for ob := range s.Objects() {
			if ob.Change != Changed {
				add("%s object %d", ob.Change, ob.Index)
				continue
			}
			for _, c := range ob.Counters {
				add("%s counter %d/%d", c.Change, ob.Index, c.CounterNameTitleIndex)
				for _, f := range c.Fields {
					add("  %s %v %v", f.Name, f.Older, f.Newer)
				}
			}
			gone, added, changed, values := 0, 0, 0, 0
			for in := range ob.Instances() {
				name := fmt.Sprintf("%s/%s#%d", in.Parent, in.Name, in.Repeat)
				switch in.Change {
				case Gone:
					gone++
					add("gone %d %s", ob.Index, name)
				case New:
					added++
					add("new %d %s", ob.Index, name)
				default:
					changed++
					for _, v := range in.Values {
						values++
						add("value %d %s %d.%v %d %d", ob.Index, name, v.newer, v.CounterType, v.Older.Uint, v.Newer.Uint)
					}
				}
			}
			assert.Equal(t, []int{ob.InstanceCount.Gone, ob.InstanceCount.New, ob.InstanceCount.Changed, ob.ValuesChanged}, []int{gone, added, changed, values})
		}
	}
	slices.Sort(all)
	return all
}

// naive says the same from the declarations that the blocks were made of: by
// names and the IDs of processes and threads, without the decoder.
func naive(older, newer *perftest.Block) []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	type entry struct {
		name, full, owner string
		values            []uint64
		met               bool
	}
	type side struct {
		o    *perftest.Object
		rows []*entry
	}
	sides := func(b *perftest.Block) map[uint32]side {
		m := map[uint32]side{}
		for i := range b.Objects {
			o := &b.Objects[i]
			s := side{o: o}
			seen := map[string]int{}
			for _, in := range o.Instances {
				name, parent := "/"+in.Name, ""
				if in.ParentTitle != 0 {
					for _, p := range b.Objects {
						if p.Title == in.ParentTitle {
							parent = p.Instances[in.Parent].Name
							name = parent + name
						}
					}
				}
				e := &entry{full: strings.ToUpper(name), values: in.Values}
				e.owner = e.full
				for j, c := range o.Counters {
					switch {
					case c.Title == 784:
						e.owner += fmt.Sprint(" process ", in.Values[j])
					case c.Title == 804 && in.Values[j] != 0: // the number of a thread may change
						e.owner = strings.TrimPrefix(e.owner, e.full) + strings.ToUpper(parent) + fmt.Sprint(" thread ", in.Values[j])
					}
				}
				e.name = fmt.Sprintf("%s#%d", name, seen[e.full])
				seen[e.full]++
				s.rows = append(s.rows, e)
			}
			m[o.Title] = s
		}
		return m
	}
	was, is := sides(older), sides(newer)
	for title := range was {
		if _, ok := is[title]; !ok {
			add("gone object %d", title)
		}
	}
	for title, b := range is {
		a, ok := was[title]
		if !ok {
			add("new object %d", title)
			continue
		}
		for _, same := range []func(x, y *entry) bool{
			func(x, y *entry) bool { return x.owner == y.owner },
			func(x, y *entry) bool { return x.full == y.full },
		} {
			for _, y := range b.rows {
				at := slices.IndexFunc(a.rows, func(x *entry) bool { return !x.met && same(x, y) })
				if y.met || at < 0 {
					continue
				}
				a.rows[at].met, y.met = true, true
				for j, v := range y.values {
					if old := a.rows[at].values[j]; old != v {
						add("value %d %s %d.%v %d %d", title, y.name, j, countertypes.Type(b.o.Counters[j].Type), old, v)
					}
				}
			}
		}
		for _, x := range a.rows {
			if !x.met {
				add("gone %d %s", title, x.name)
			}
		}
		for _, y := range b.rows {
			if !y.met {
				add("new %d %s", title, y.name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestDiffIsWhatMapsOfNamesSay holds Diff against a computation that shares
// nothing with it, on servers whose processes come and go.
func TestDiffIsWhatMapsOfNamesSay(t *testing.T) {
	for seed := range uint64(20) {
		size := perftest.Small
		if seed%5 == 4 {
			size.Processes, size.Threads = 150, 700
		}
		older, newer := perftest.BusyBlock(seed, size, 0), perftest.BusyBlock(seed, size, int(1+seed%3))
		if seed%2 == 1 { // objects move, come and go
			newer.Objects = append(newer.Objects[5:], newer.Objects[:4]...)
		}
		if seed%3 == 2 {
			older, newer = newer, older
		}
		want := naive(older, newer)
		require.NotEmpty(t, want)
		assert.Equal(t, want, facts(t, older.Bytes(), newer.Bytes(), capture.Options{}), "seed %d", seed)
	}
}

func TestDiffOfHeaders(t *testing.T) {
	older, newer := perftest.BusyBlock(1, perftest.Small, 0), perftest.BusyBlock(1, perftest.Small, 1)
	newer.Name = "OTHER"
	for s, err := range Captures(input(older.Bytes()), input(newer.Bytes()), capture.Options{}) {
		require.NoError(t, err)
		by, ok := s.Interval()
		assert.True(t, ok)
		assert.Contains(t, []time.Duration{0, 5 * time.Second}, by)
		assert.True(t, s.OtherMachine())
		assert.Equal(t, Field{Name: "system_name", Older: "SRV-BUSY-01", Newer: "OTHER"}, s.Header[0])
	}
}

// pair is two blocks of one object, which differ in what edit does.
func pair(edit func(o *perftest.Object)) (older, newer []byte) {
	make := func() *perftest.Block {
		return &perftest.Block{Name: "H", PerfFreq: 1, Objects: []perftest.Object{{
			Title: 10, Counters: []perftest.Counter{
				{Title: 20, Type: 0x20020400, Scale: 1},
				{Title: 0, Type: 0x40030403},
				{Title: 22, Type: 0x20020400},
				{Title: 0, Type: 0x40030403},
				{Title: 24, Type: 0x00010100},
			},
			Instances: []perftest.Instance{
				{Name: "a", Values: []uint64{1, 2, 3, 4, 1 << 63}},
				{Name: "A", Values: []uint64{5, 6, 7, 8, 0}},
			},
		}}}
	}
	a, b := make(), make()
	edit(&b.Objects[0])
	return a.Bytes(), b.Bytes()
}

func TestDiffOfDefinitions(t *testing.T) {
	drop := func(o *perftest.Object, j, n int) {
		o.Counters = slices.Delete(o.Counters, j, j+n)
		for i := range o.Instances {
			o.Instances[i].Values = slices.Delete(o.Instances[i].Values, j, j+n)
		}
	}
	for name, c := range map[string]struct {
		edit func(o *perftest.Object)
		want []string
	}{
		"a fraction goes with its base": {
			func(o *perftest.Object) { drop(o, 0, 2) },
			[]string{"gone counter 10/0", "gone counter 10/20"},
		},
		"another scale": {
			func(o *perftest.Object) { o.Counters[0].Scale = -3 },
			[]string{"  scale 1 -3", "changed counter 10/20"},
		},
		"another type": {
			func(o *perftest.Object) { o.Counters[4].Type = 0x00010000; o.Instances[0].Values[4] = 9 },
			[]string{
				"  size 8 4", "  type PERF_COUNTER_LARGE_RAWCOUNT PERF_COUNTER_RAWCOUNT", "changed counter 10/24",
				"value 10 /a#0 4.PERF_COUNTER_RAWCOUNT 9223372036854775808 9",
			},
		},
		"the second of a name, in another case": {
			func(o *perftest.Object) { o.Instances = o.Instances[:1] },
			[]string{"gone 10 /A#1"},
		},
		"another order": {
			func(o *perftest.Object) {
				o.Instances = append(o.Instances, perftest.Instance{Name: "b", Values: []uint64{1, 1, 1, 1, 1}})
			},
			[]string{"new 10 /b#0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			older, newer := pair(c.edit)
			assert.Equal(t, c.want, facts(t, older, newer, capture.Options{}))
		})
	}
}

func TestDiffTellsAnotherProcessOfTheName(t *testing.T) {
	block := func(pids ...uint64) []byte {
		o := perftest.Object{Title: 230, Counters: []perftest.Counter{{Title: 784, Type: 0x00010000}, {Title: 6, Type: 0x00010000}}}
		for _, pid := range pids {
			o.Instances = append(o.Instances, perftest.Instance{Name: "svchost", Values: []uint64{pid, 2 * pid}})
		}
		return (&perftest.Block{Name: "H", Objects: []perftest.Object{o}}).Bytes()
	}
	changes := func(older, newer []byte) (all []string) {
		for s, err := range Captures(input(older), input(newer), capture.Options{}) {
			require.NoError(t, err)
			for o := range s.Objects() {
				for in := range o.Instances() {
					all = append(all, fmt.Sprint(in.Change, " ", in.Repeat, " ", in.Replaced))
					for _, v := range in.Values {
						all = append(all, fmt.Sprint(v.Older.Uint, " ", v.Newer.Uint, " ", v.deltaText()))
					}
				}
			}
		}
		return all
	}
	// The third has moved up and is the same process.
	assert.Equal(t, []string{"gone 1 false"}, changes(block(4, 8, 12), block(4, 12)))
	// The second has ended, and another process has its name. There is no delta.
	assert.Equal(t, []string{"changed 1 true", "8 16 ", "16 32 "}, changes(block(4, 8, 12), block(4, 16, 12)))
	assert.Equal(t, []string{"changed 1 true", "8 16 ", "16 32 "}, changes(block(8, 12), block(12, 16)))
}

func TestDelta(t *testing.T) {
	n := func(v uint64) capture.Value { return capture.Value{Kind: capture.Number, Uint: v} }
	assert.True(t, (&Value{Older: n(1), Newer: n(0)}).numbers())
	assert.False(t, (&Value{Newer: n(0)}).numbers())
	assert.False(t, (&Value{Older: n(1), Newer: n(0), Replaced: true}).numbers())
	assert.Equal(t, "-18446744073709551615", string(appendDelta(nil, 1<<64-1, 0)))
	assert.Equal(t, "18446744073709551615", string(appendDelta(nil, 0, 1<<64-1)))
	assert.Equal(t, "+2", delta(int64(-1), int64(1)).signed())
	assert.Equal(t, "-18446744073709551615", delta(int64(1<<63-1), int64(-1<<63)).signed())
}

func bytesDiffer(older, newer []byte) (ByteDiff, bool) {
	block, err := perfdata.Parse(older, perfdump.Options{})
	if err != nil {
		return ByteDiff{}, false
	}
	return Bytes(older, newer, block.Spans(), false)
}

func TestBytes(t *testing.T) {
	older := perftest.Busy(3, perftest.Small)
	block, err := perfdata.Parse(older, perfdump.Options{})
	require.NoError(t, err)
	newer := slices.Clone(older)
	newer[52] ^= 0xff // padding of the header
	d, differ := bytesDiffer(older, newer)
	require.True(t, differ)
	assert.Equal(t, ByteDiff{Count: 1, First: 52}, d)
	assert.Empty(t, facts(t, older, newer, capture.Options{}))

	longer := append(slices.Clone(older), make([]byte, 5)...)
	d, differ = bytesDiffer(older, longer)
	require.True(t, differ)
	assert.Equal(t, int64(5), d.Count)
	assert.Equal(t, int64(len(older)), d.First)
	assert.False(t, d.Fields)

	// The order of objects has no meaning.
	moved := perftest.BusyBlock(3, perftest.Small, 0)
	slices.Reverse(moved.Objects[9:])
	d, differ = bytesDiffer(older, moved.Bytes())
	assert.True(t, differ && d.Fields)
	assert.Empty(t, facts(t, older, moved.Bytes(), capture.Options{}))
	assert.Equal(t, len(older), block.Size())
}

// TestDiffTakesLinearTime holds that many equal names cost no more than many
// names: with anything quadratic this would take hours.
func TestDiffTakesLinearTime(t *testing.T) {
	const n = 50_000
	object := func(title uint32, same bool, value uint64) perftest.Object {
		o := perftest.Object{Title: title, Counters: []perftest.Counter{{Title: 2, Type: 0x00010000}}}
		for i := range n {
			name := "x"
			if !same {
				name = fmt.Sprint(i)
			}
			o.Instances = append(o.Instances, perftest.Instance{Name: name, Values: []uint64{value}})
		}
		return o
	}
	older := &perftest.Block{Name: "H", Objects: []perftest.Object{object(10, true, 1), object(12, false, 1)}}
	newer := &perftest.Block{Name: "H", Objects: []perftest.Object{object(10, true, 2), object(12, false, 2)}}
	// Nothing stands where it stood.
	first := perftest.Instance{Name: "first", Values: []uint64{1}}
	for i := range newer.Objects {
		newer.Objects[i].Instances = append([]perftest.Instance{first}, newer.Objects[i].Instances...)
	}
	// And thousands of objects of one index.
	for range 10_000 {
		older.Objects = append(older.Objects, perftest.Object{Title: 14})
		newer.Objects = append(newer.Objects, perftest.Object{Title: 14})
	}
	slices.Reverse(newer.Objects)
	a, b := older.Bytes(), newer.Bytes()
	start := time.Now()
	got := map[Change]int{}
	for s, err := range Captures(input(a), input(b), capture.Options{}) {
		require.NoError(t, err)
		for o := range s.Objects() {
			got[Gone] += o.InstanceCount.Gone
			got[New] += o.InstanceCount.New
			got[Changed] += o.InstanceCount.Changed
		}
	}
	assert.Equal(t, map[Change]int{Gone: 0, New: 2, Changed: 2 * n}, got)
	assert.Less(t, time.Since(start), time.Minute)
}

func TestDiffOfBadInput(t *testing.T) {
	b := perftest.Busy(5, perftest.Size{Processes: 5, Threads: 6, Multi: 1, Instances: 4, Single: 2})
	next := perftest.BusyNext(5, perftest.Size{Processes: 5, Threads: 6, Multi: 1, Instances: 4, Single: 2})
	for _, mode := range []capture.Options{{}, {Options: perfdump.Options{Mode: perfdump.Salvage}}} {
		for n := 0; n < len(b); n += 131 {
			for s, err := range Captures(input(b[:n:n]), input(next), mode) {
				if err != nil {
					var of *InputError
					require.ErrorAs(t, err, &of)
					assert.False(t, of.Newer)
					continue
				}
				for o := range s.Objects() {
					for range o.Instances() {
					}
				}
			}
		}
	}
}

func FuzzDiff(f *testing.F) {
	older, newer := pair(func(o *perftest.Object) { o.Instances[0].Values[0] = 7 })
	f.Add(older, newer, `\*(a)\*`)
	f.Fuzz(func(t *testing.T, older, newer []byte, path string) {
		filter, err := capture.NewFilter(path)
		if err != nil {
			filter = nil
		}
		for _, o := range []capture.Options{{}, {Options: perfdump.Options{Mode: perfdump.Salvage}, Filter: filter}} {
			for s, err := range Captures(input(older), input(newer), o) {
				if err != nil {
					break
				}
				for ob := range s.Objects() {
					n := 0
					for in := range ob.Instances() {
						n += len(in.Values)
					}
					if n != ob.ValuesChanged {
						t.Fatalf("%d values counted, %d yielded", ob.ValuesChanged, n)
					}
				}
			}
			for s, err := range Captures(input(older), input(older), o) {
				if err != nil {
					break
				}
				for range s.Objects() {
					t.Fatal("a file differs from itself")
				}
			}
		}
	})
}
