package capture_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perflib2"
	"github.com/perfdump/perfdump/titles"
)

// process is an instance of Process in a block of processes.
type process struct {
	name                     string
	pid, start, creator, cpu uint64
}

// processes is a block of the nth second. Elapsed Time and Creating Process ID are
// there where one of the processes has them.
func processes(n int, all ...process) *perftest.Block {
	o := perftest.Object{
		Title: 230, PerfTime: noonTicks + int64(n)*second, PerfFreq: second,
		Counters: []perftest.Counter{
			{Title: 6, Type: uint32(countertypes.PERF_100NSEC_TIMER)},
			{Title: 180, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)},
			{Title: 784, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)},
		},
	}
	starts := slices.ContainsFunc(all, func(p process) bool { return p.start != 0 })
	creators := slices.ContainsFunc(all, func(p process) bool { return p.creator != 0 })
	if starts {
		o.Counters = append(o.Counters, perftest.Counter{Title: 684, Type: uint32(countertypes.PERF_ELAPSED_TIME)})
	}
	if creators {
		o.Counters = append(o.Counters, perftest.Counter{Title: 1410, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)})
	}
	for _, p := range all {
		values := []uint64{p.cpu, 4096, p.pid}
		if starts {
			values = append(values, p.start)
		}
		if creators {
			values = append(values, p.creator)
		}
		o.Instances = append(o.Instances, perftest.Instance{Name: p.name, Values: values})
	}
	return &perftest.Block{Name: "H", PerfTime: int64(n) * 10_000_000, PerfTime100nSec: noonTicks + int64(n)*10_000_000, Objects: []perftest.Object{o}}
}

func inOrder(blocks ...*perftest.Block) (all []*capture.Input) {
	for i, b := range blocks {
		all = append(all, bytesOf(fmt.Sprintf("%c.bin", 'a'+i), b.Bytes()))
	}
	return all
}

// shown writes what the last frame has of a counter: the instance, and the value or
// the status of each cell.
func shown(t testing.TB, c capture.CookOptions, counter string, inputs ...*capture.Input) (all []string) {
	t.Helper()
	for f := range frames(t, c, inputs...) {
		all = nil
		for i := range f.Cells {
			if cell := &f.Cells[i]; cell.Series.Counter == counter {
				all = append(all, string(cell.Series.AppendInstance(nil))+" "+said(cell))
			}
		}
	}
	return all
}

// both wants the same of values that are cooked with their tuples and without.
func both(t testing.TB, want []string, c capture.CookOptions, counter string, inputs func() []*capture.Input) {
	t.Helper()
	for _, raw := range []bool{false, true} {
		c.Raw = raw
		require.Equal(t, want, shown(t, c, counter, inputs()...), "raw %v", raw)
	}
}

// Of three processes of a name the first ends. That of pid 12 has used 4,000,000 of
// 10,000,000 units of 100 ns, and that of pid 8 1,000,000.
func TestProcessesThatMoveUp(t *testing.T) {
	inputs := func() []*capture.Input {
		return inOrder(
			processes(1, process{name: "w", pid: 4, cpu: 9_000_000}, process{name: "w", pid: 8, cpu: 5_000_000}, process{name: "W", pid: 12, cpu: 1_000_000}, process{name: "x", pid: 16}),
			processes(2, process{name: "w", pid: 8, cpu: 6_000_000}, process{name: "W", pid: 12, cpu: 5_000_000}, process{name: "x", pid: 16, cpu: 2_500_000}),
		)
	}
	const cpu, set = "% Processor Time", "Working Set"
	both(t, []string{"w instance-changed", "W#1 instance-changed", "x 25"}, capture.CookOptions{}, cpu, inputs)
	both(t, []string{"w 4096", "W#1 4096", "x 4096"}, capture.CookOptions{}, set, inputs)
	// 6,000,000 is less than 9,000,000; 5,000,000 is what #1 had.
	both(t, []string{"w negative-delta", "W#1 0", "x 25"}, capture.CookOptions{ByName: true}, cpu, inputs)
	for _, byName := range []bool{false, true} {
		both(t, []string{"w:8 10", "W:12 40", "x:16 25"}, capture.CookOptions{ByName: byName, ByPID: true}, cpu, inputs)
	}
	// The sample after the change is computed of the new owner's own.
	both(t, []string{"w 30", "W#1 0", "x 0"}, capture.CookOptions{}, cpu, func() []*capture.Input {
		return append(inputs(), inOrder(
			processes(3, process{name: "w", pid: 8, cpu: 9_000_000}, process{name: "W", pid: 12, cpu: 5_000_000}, process{name: "x", pid: 16, cpu: 2_500_000}))...)
	})

	n := 0
	r := record(t, capture.Options{}, capture.CookOptions{ByPID: true}, inputs()...)
	columns, err := r.Columns()
	require.NoError(t, err)
	for _, s := range columns {
		if s.Counter == cpu {
			n++
			require.Equal(t, fmt.Sprintf(`\\H\Process(%s:%d)\%% Processor Time`, s.Instance, s.PID), s.Path())
			require.Zero(t, s.InstanceIndex)
		}
	}
	require.Equal(t, 4, n, "a series for each process")
}

// A process ID that is used again is another process: its start is another, or its
// creator where no start is known. The series stays one.
func TestProcessIDThatIsUsedAgain(t *testing.T) {
	at := func(n int, p process) *perftest.Block { p.name, p.pid = "w", 8; return processes(n, p) }
	const cpu = "% Processor Time"
	for name, c := range map[string]struct {
		older, newer process
		want         string
	}{
		"another start":              {process{start: 5, cpu: 0}, process{start: 6, cpu: 1_000_000}, "instance-changed"},
		"the same start":             {process{start: 5, creator: 1}, process{start: 5, creator: 2, cpu: 1_000_000}, "10"},
		"another creator":            {process{creator: 1}, process{creator: 2, cpu: 1_000_000}, "instance-changed"},
		"the same creator":           {process{creator: 2}, process{creator: 2, cpu: 1_000_000}, "10"},
		"nothing but the ID":         {process{}, process{cpu: 1_000_000}, "10"},
		"a start that was not there": {process{}, process{start: 6, cpu: 1_000_000}, "10"},
		"no start, but a creator":    {process{creator: 1}, process{start: 6, creator: 2, cpu: 1_000_000}, "instance-changed"},
		"a start that is not there":  {process{start: 6}, process{cpu: 1_000_000}, "10"},
	} {
		t.Run(name, func(t *testing.T) {
			inputs := func() []*capture.Input { return inOrder(at(1, c.older), at(2, c.newer)) }
			both(t, []string{"w " + c.want}, capture.CookOptions{}, cpu, inputs)
			both(t, []string{"w:8 " + c.want}, capture.CookOptions{ByPID: true}, cpu, inputs)
			both(t, []string{"w 10"}, capture.CookOptions{ByName: true}, cpu, inputs)
		})
	}
	// _Total, Idle: 0 says nothing, though their starts differ.
	inputs := func() []*capture.Input {
		return inOrder(processes(1, process{name: "_Total", start: 1}), processes(2, process{name: "_Total", start: 2, cpu: 1_000_000}))
	}
	both(t, []string{"_Total 10"}, capture.CookOptions{}, cpu, inputs)
	both(t, []string{"_Total 10"}, capture.CookOptions{ByPID: true}, cpu, inputs)
}

// UniqueIDs say who an instance is unless they are -1 or 0 throughout, or one comes
// twice. Without them names do.
func TestUniqueIDs(t *testing.T) {
	block := func(n int, names string, ids ...int32) []byte {
		o := perftest.Object{Title: 21000, Counters: []perftest.Counter{{Title: 21002, Type: uint32(countertypes.PERF_COUNTER_LARGE_DELTA)}}}
		for _, name := range strings.Fields(names) {
			o.Instances = append(o.Instances, perftest.Instance{Name: name[:1], Values: []uint64{uint64(name[0]) + uint64(10*n)}, UniqueID: -1})
		}
		m := (&perftest.Block{Name: "H", PerfTime: int64(n), PerfTime100nSec: noonTicks + int64(n), Objects: []perftest.Object{o}}).Build()
		for i, id := range ids {
			f := m.Fields[fmt.Sprintf("object[0].instance[%d].UniqueID", i)]
			binary.LittleEndian.PutUint32(m.Bytes[f.Off:], uint32(id))
		}
		return m.Bytes
	}
	for name, c := range map[string]struct {
		older, newer []byte
		want         []string
	}{
		"the same":                  {block(1, "a b", 7, 8), block(2, "a b", 7, 8), []string{"a 10", "b 10"}},
		"another":                   {block(1, "a b", 7, 8), block(2, "a b", 7, 9), []string{"a 10", "b instance-changed"}},
		"exchanged":                 {block(1, "a b", 7, 8), block(2, "a b", 8, 7), []string{"a instance-changed", "b instance-changed"}},
		"0 among others":            {block(1, "a b", 0, 1), block(2, "a b", 1, 0), []string{"a instance-changed", "b instance-changed"}},
		"the same in another order": {block(1, "a b", 7, 8), block(2, "b a", 8, 7), []string{"a 10", "b 10"}},
		"-1 throughout":             {block(1, "a b", -1, -1), block(2, "a b", 7, 8), []string{"a 10", "b 10"}},
		"-1 by then":                {block(1, "a b", 7, 8), block(2, "a b", 7, -1), []string{"a 10", "b 10"}},
		"0 throughout":              {block(1, "a b", 0, 0), block(2, "b a", 0, 0), []string{"a 10", "b 10"}},
		"0 alone":                   {block(1, "a", 0), block(2, "a", 5), []string{"a 10"}},
		"0 and -1 throughout":       {block(1, "a b", 0, -1), block(2, "a b", -1, 0), []string{"a 10", "b 10"}},
		"one twice":                 {block(1, "a b c", 7, 7, 8), block(2, "a b c", 7, 8, 9), []string{"a 10", "b 10", "c 10"}},
		"one twice by then":         {block(1, "a b c", 7, 8, 9), block(2, "a b c", 8, 8, 9), []string{"a 10", "b 10", "c 10"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, raw := range []bool{false, true} {
				got := shown(t, capture.CookOptions{Raw: raw}, "21002", bytesOf("a", c.older), bytesOf("b", c.newer))
				slices.Sort(got)
				require.Equal(t, c.want, got)
				got = shown(t, capture.CookOptions{Raw: raw, ByName: true}, "21002", bytesOf("a", c.older), bytesOf("b", c.newer))
				for _, s := range got {
					require.Contains(t, s, " 10")
				}
			}
		})
	}
}

// Threads are known by ID Thread. Their names are numbers, which change when
// another thread ends.
func TestThreads(t *testing.T) {
	block := func(n int, threads ...[3]uint64) *perftest.Block { // pid, tid, switches
		b := processes(n, process{name: "p", pid: 8})
		o := perftest.Object{Title: 232, Counters: []perftest.Counter{
			{Title: 146, Type: uint32(countertypes.PERF_COUNTER_COUNTER)},
			{Title: 784, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)},
			{Title: 804, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)},
		}}
		for i, v := range threads {
			o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint(i), ParentTitle: 230, Values: []uint64{v[2], v[0], v[1]}})
		}
		b.Objects = append(b.Objects, o)
		return b
	}
	inputs := func() []*capture.Input {
		return inOrder(block(1, [3]uint64{8, 100, 5}, [3]uint64{8, 200, 5}), block(2, [3]uint64{8, 200, 12}, [3]uint64{8, 300, 20}))
	}
	const counter = "Context Switches/sec"
	both(t, []string{"p/0 instance-changed", "p/1 instance-changed"}, capture.CookOptions{}, counter, inputs)
	both(t, []string{"p/1:200 7", "p/1:300 needs-second-sample"}, capture.CookOptions{ByPID: true}, counter, inputs)
}

// The .NET CLR objects have Process ID, without a fixed index. It is 0 until the first
// garbage collection. Two runtimes of one process are two series.
func TestProcessIDByName(t *testing.T) {
	block := func(n int, instances ...[2]uint64) []byte { // pid, count
		o := perftest.Object{Title: 9000, Counters: []perftest.Counter{
			{Title: 9002, Type: uint32(countertypes.PERF_COUNTER_LARGE_DELTA)},
			{Title: 9004, Type: uint32(countertypes.PERF_COUNTER_RAWCOUNT)},
		}}
		for _, v := range instances {
			o.Instances = append(o.Instances, perftest.Instance{Name: "w3wp", Values: []uint64{v[1], v[0]}})
		}
		return (&perftest.Block{Name: "H", PerfTime: int64(n), PerfTime100nSec: noonTicks + int64(n), Objects: []perftest.Object{o}}).Bytes()
	}
	table := func(text string) capture.Options {
		parsed, err := titles.Parse([]byte(strings.ReplaceAll(text, "\n", "\x00")), perfdump.Options{})
		require.NoError(t, err)
		return capture.Options{Names: capture.NewNames(parsed)}
	}
	run := func(o capture.Options, c capture.CookOptions) (all []string) {
		var inputs []*capture.Input
		for i, b := range [][]byte{
			block(1, [2]uint64{0, 1}, [2]uint64{8, 10}, [2]uint64{8, 100}),
			block(2, [2]uint64{4, 2}, [2]uint64{12, 20}, [2]uint64{8, 300}),
		} {
			inputs = append(inputs, bytesOf(fmt.Sprint(i), b))
		}
		for f := range framesOf(t, record(t, o, c, inputs...)) {
			all = nil
			for i := range f.Cells {
				if cell := &f.Cells[i]; cell.Series.Type == countertypes.PERF_COUNTER_LARGE_DELTA {
					all = append(all, string(cell.Series.AppendInstance(nil))+" "+said(cell))
				}
			}
		}
		return all
	}
	english := "9000\n.NET CLR Memory\n9002\n# Induced GC\n9004\nProcess ID\n"
	require.Equal(t, []string{"w3wp 1", "w3wp#1 instance-changed", "w3wp#2 200"}, run(table(english), capture.CookOptions{}))
	require.Equal(t, []string{"w3wp:4 needs-second-sample", "w3wp:12 needs-second-sample", "w3wp:8 290"}, run(table(english), capture.CookOptions{ByPID: true}))
	// Another name says nothing.
	require.Equal(t, []string{"w3wp 1", "w3wp#1 10", "w3wp#2 200"}, run(table("9000\nX\n9002\nY\n9004\nZ\n"), capture.CookOptions{}))
}

// chosen is a log of chosen counters in which record i has the instances all[i]. The
// counters that say who an instance is stand after the one that is cooked.
func chosen(t testing.TB, names [4]string, all ...[]process) *capture.Input {
	items := []blgwriter.Item{
		item(names[0], "*", names[1], countertypes.PERF_100NSEC_TIMER), item(names[0], "*", names[2], countertypes.PERF_COUNTER_LARGE_RAWCOUNT),
		item(names[0], "*", names[3], countertypes.PERF_ELAPSED_TIME),
	}
	w := blgwriter.New(blgwriter.Options{})
	list(w, 0, items...)
	for i, instances := range all {
		series := make([]blgwriter.Series, 3)
		for k := range series {
			series[k].Kind = blg.Instances
			for _, p := range instances {
				series[k].Values = append(series[k].Values, blgwriter.Value{Name: p.name, First: []uint64{p.cpu, p.pid, p.start}[k], Second: uint64(noonTicks + int64(i)*second)})
			}
		}
		sample(w, int64(i), series...)
	}
	return written(t, "chosen", w)
}

func TestChosenCounters(t *testing.T) {
	english := [4]string{"Process", "% Processor Time", "ID Process", "Elapsed Time"}
	moved := [][]process{
		{{name: "w", pid: 4, cpu: 9_000_000, start: 1}, {name: "w", pid: 8, cpu: 5_000_000, start: 2}, {name: "x", pid: 16, start: 3}},
		{{name: "w", pid: 8, cpu: 6_000_000, start: 2}, {name: "x", pid: 16, cpu: 2_500_000, start: 4}},
	}
	run := func(names [4]string, c capture.CookOptions) func(counter string) []string {
		return func(counter string) []string { return shown(t, c, counter, chosen(t, names, moved...)) }
	}
	for _, raw := range []bool{false, true} {
		require.Equal(t, []string{"w instance-changed", "x instance-changed"}, run(english, capture.CookOptions{Raw: raw})("% Processor Time"))
		require.Equal(t, []string{"w 8", "x 16"}, run(english, capture.CookOptions{Raw: raw})("ID Process"))
		require.Equal(t, []string{"w negative-delta", "x 25"}, run(english, capture.CookOptions{Raw: raw, ByName: true})("% Processor Time"))
		require.Equal(t, []string{"w:8 10", "x:16 instance-changed"}, run(english, capture.CookOptions{Raw: raw, ByPID: true})("% Processor Time"))
	}
	// The same names in each record, and other owners.
	require.Equal(t, []string{"w:8 needs-second-sample", "w:4 10"}, shown(t, capture.CookOptions{ByPID: true}, "% Processor Time", chosen(t, english,
		[]process{{name: "w", pid: 4}, {name: "w", pid: 12}}, []process{{name: "w", pid: 8, cpu: 5}, {name: "w", pid: 4, cpu: 1_000_000}})))
	german := [4]string{"Prozess", "Prozessorzeit (%)", "Prozesskennung", "Verstrichene Zeit"}
	require.Equal(t, []string{"w instance-changed", "x instance-changed"}, run(german, capture.CookOptions{})("Prozessorzeit (%)"))
	unknown := [4]string{"Process", "% Processor Time", "Some ID", "Elapsed Time"}
	require.Equal(t, []string{"w negative-delta", "x 25"}, run(unknown, capture.CookOptions{})("% Processor Time"), "nothing says who it is")
}

func TestSectionsSayWhoAnInstanceIs(t *testing.T) {
	section := func(seconds int, instances string, pids, cpu string) string {
		return fmt.Sprintf("<<<winperf_x>>>\n%d.00 230 10000000\n2 instances: %s\n-224 %s 100nsec_timer\n554 %s large_rawcount\n", 1000000000+seconds, instances, cpu, pids)
	}
	in := func() *capture.Input {
		all := section(0, "w w", "4 8", "900000000 0") + section(10, "w w", "8 12", "10000000 25000000")
		return &capture.Input{Name: "agent", Format: "checkmk", Data: []byte(all)}
	}
	const cpu = "% Processor Time"
	require.Equal(t, []string{"w instance-changed", "w#1 instance-changed"}, shown(t, capture.CookOptions{}, cpu, in()))
	require.Equal(t, []string{"w 8", "w#1 12"}, shown(t, capture.CookOptions{}, "ID Process", in()))
	require.Equal(t, []string{"w negative-delta", "w#1 25"}, shown(t, capture.CookOptions{ByName: true}, cpu, in()))
	// 10,000,000 of 100,000,000 units of 100 ns
	require.Equal(t, []string{"w:8 10", "w:12 needs-second-sample"}, shown(t, capture.CookOptions{ByPID: true}, cpu, in()))
}

// TestRowsSayWhichProcess checks the process of raw rows and of cooked ones. A log in
// which each record has other owners keeps no more than the names.
func TestRowsSayWhichProcess(t *testing.T) {
	var all [][]process
	for i := range 20 {
		all = append(all, []process{{name: "w", pid: uint64(3*i + 1)}, {name: "w", pid: uint64(3*i + 2)}, {name: "_Total"}})
	}
	in := chosen(t, [4]string{"Process", "% Processor Time", "ID Process", "Elapsed Time"}, all...)
	changed := 0
	for f := range frames(t, capture.CookOptions{Raw: true}, in) {
		for i, c := range f.Cells {
			pid := all[f.Record][i%3].pid
			require.Equal(t, pid, f.PID(i))
			if c.Status == countertypes.StatusInstanceChanged {
				changed++
			}
		}
	}
	require.Equal(t, 2*19, changed)
	for s := range snapshots(t, in, capture.Options{PID: true}) {
		i := 0
		for row := range s.Rows() {
			require.Equal(t, all[s.Record][i%3].pid, row.PID)
			i++
		}
	}
}

// TestOwnersOfSingleItems has an item for each of w and w#1, of which the process of
// the second takes the name of the first.
func TestOwnersOfSingleItems(t *testing.T) {
	var items []blgwriter.Item
	for i := range 2 {
		items = append(items, item("Process", "w", "% Processor Time", countertypes.PERF_100NSEC_TIMER), item("Process", "w", "ID Process", countertypes.PERF_COUNTER_RAWCOUNT))
		items[2*i].Path.Index, items[2*i+1].Path.Index = i, i
	}
	w := blgwriter.New(blgwriter.Options{})
	list(w, 0, items...)
	for i, of := range [][2]process{{{pid: 4, cpu: 9_000_000}, {pid: 8}}, {{pid: 8, cpu: 4_000_000}, {pid: 12, cpu: 7}}, {{pid: 8, cpu: 5_000_000}, {pid: 12, cpu: 7}}} {
		at := uint64(noonTicks + int64(i)*second)
		sample(w, int64(i), single(of[0].cpu, at), single(of[0].pid, at), single(of[1].cpu, at), single(of[1].pid, at))
		if i == 0 {
			continue
		}
		in := written(t, "single", w)
		want := [][]string{{"w instance-changed", "w#1 instance-changed"}, {"w:8 40", "w:12 needs-second-sample"}}
		if i == 2 {
			want = [][]string{{"w 10", "w#1 0"}, {"w:8 10", "w:12 0"}}
		}
		require.Equal(t, want[0], shown(t, capture.CookOptions{}, "% Processor Time", in))
		require.Equal(t, want[1], shown(t, capture.CookOptions{ByPID: true}, "% Processor Time", in))
		require.Equal(t, []string{"w:8 8", "w:12 12"}, shown(t, capture.CookOptions{ByPID: true}, "ID Process", in))
	}
}

// The id of an instance of a set says who it is, and Process ID where the set has it.
func TestInstancesOfSets(t *testing.T) {
	type member struct {
		name         string
		id           uint32
		cpu, process uint64
	}
	sets := func(pids bool, records ...[]member) *capture.Input {
		counters := []perflib2.TreeCounter{counter(1, "CPU", countertypes.PERF_100NSEC_TIMER, nil), counter(2, "Process ID", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil)}
		n := 1
		if pids {
			n = 2
		}
		l := setLog{items: []blgwriter.Item{setItem("M", "Set")}, registrations: [][]byte{registration(t, "Set", perflib2.MultipleInstances, counters[:n]...)}}
		for i, members := range records {
			result := perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{1, 2}[:n]}
			for _, m := range members {
				result.Instances = append(result.Instances, instance(m.name, m.id, [][]byte{u64(m.cpu), u64(m.process)}[:n]...))
			}
			l.samples = append(l.samples, []blgwriter.Series{setBlock(t, int64(i), result)})
		}
		return logInput("sets", l.bytes(t))
	}
	moved := [][]member{
		{{"a", 0, 9_000_000, 4}, {"a", 1, 1_000_000, 8}, {"b", 2, 0, 12}},
		{{"a", 1, 5_000_000, 8}, {"b", 3, 2_500_000, 12}},
	}
	for _, raw := range []bool{false, true} {
		require.Equal(t, []string{"a instance-changed", "b instance-changed"}, shown(t, capture.CookOptions{Raw: raw}, "CPU", sets(false, moved...)))
		require.Equal(t, []string{"a negative-delta", "b 25"}, shown(t, capture.CookOptions{Raw: raw, ByName: true}, "CPU", sets(false, moved...)))
		// b is the same process, whatever its id.
		require.Equal(t, []string{"a instance-changed", "b 25"}, shown(t, capture.CookOptions{Raw: raw}, "CPU", sets(true, moved...)))
		require.Equal(t, []string{"a:8 40", "b:12 25"}, shown(t, capture.CookOptions{Raw: raw, ByPID: true}, "CPU", sets(true, moved...)))
	}
	require.Equal(t, []string{"a 8", "b 12"}, shown(t, capture.CookOptions{}, "Process ID", sets(true, moved...)))
	require.Equal(t, []string{"a instance-changed", "b instance-changed"}, shown(t, capture.CookOptions{ByPID: true}, "CPU", sets(false, moved...)), "the id is no process ID")
	// Windows itself calls the instances of Process V2 by their process IDs.
	require.Equal(t, []string{"a:8 10"}, shown(t, capture.CookOptions{ByPID: true}, "CPU", sets(true, []member{{"a:8", 0, 0, 8}}, []member{{"a:8", 0, 1_000_000, 8}})))
}
