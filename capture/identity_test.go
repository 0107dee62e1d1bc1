package capture_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/titles"
)

// process is an instance of Process in a block of processes.
type process struct {
	name                     string
	pid, start, creator, cpu uint64
}

const identityStart = 132366960000000000 // a FILETIME

// processes is a block of the nth second. Elapsed Time and Creating Process ID are
// there where one of the processes has them.
func processes(n int, all ...process) *perftest.Block {
	o := perftest.Object{
		Title: 230, PerfTime: identityStart + int64(n)*10_000_000, PerfFreq: 10_000_000,
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
	return &perftest.Block{Name: "H", PerfTime: int64(n) * 10_000_000, PerfTime100nSec: identityStart + int64(n)*10_000_000, Objects: []perftest.Object{o}}
}

func inOrder(blocks ...*perftest.Block) (all []*detect.Input) {
	for i, b := range blocks {
		all = append(all, bytesOf(fmt.Sprintf("%c.bin", 'a'+i), b.Bytes()))
	}
	return all
}

// shown writes what the last frame has of a counter: the instance, the value and the
// status of each cell.
func shown(t testing.TB, c capture.CookOptions, counter string, inputs ...*detect.Input) (all []string) {
	t.Helper()
	for f, err := range record(t, capture.Options{}, c, inputs...).Frames() {
		require.NoError(t, err)
		all = nil
		for i := range f.Cells {
			cell := &f.Cells[i]
			if cell.Series.Counter != counter {
				continue
			}
			text := string(cell.Series.AppendInstance(nil))
			if v, ok := cell.Number(); ok {
				text += fmt.Sprint(" ", v)
			} else {
				text += " " + cell.Status.String()
			}
			all = append(all, text)
		}
	}
	return all
}

// both wants the same of values that are cooked with their tuples and without.
func both(t testing.TB, want []string, c capture.CookOptions, counter string, inputs func() []*detect.Input) {
	t.Helper()
	for _, raw := range []bool{false, true} {
		c.Raw = raw
		require.Equal(t, want, shown(t, c, counter, inputs()...), "raw %v", raw)
	}
}

// Of three processes of a name the first ends. That of pid 12 has used 4,000,000 of
// 10,000,000 units of 100 ns, and that of pid 8 1,000,000.
func TestProcessesThatMoveUp(t *testing.T) {
	inputs := func() []*detect.Input {
		return inOrder(
			processes(1, process{name: "w", pid: 4, cpu: 9_000_000}, process{name: "w", pid: 8, cpu: 5_000_000}, process{name: "W", pid: 12, cpu: 1_000_000}, process{name: "x", pid: 16}),
			processes(2, process{name: "w", pid: 8, cpu: 6_000_000}, process{name: "W", pid: 12, cpu: 5_000_000}, process{name: "x", pid: 16, cpu: 2_500_000}),
		)
	}
	const cpu, set = "% Processor Time", "Working Set"
	both(t, []string{"w instance-changed", "W#1 instance-changed", "x 25"}, capture.CookOptions{}, cpu, inputs)
	both(t, []string{"w 4096", "W#1 4096", "x 4096"}, capture.CookOptions{}, set, inputs)
	// 6,000,000 is less than 9,000,000; 5,000,000 is what #1 had.
	both(t, []string{"w negative-delta", "W#1 0", "x 25"}, capture.CookOptions{Pairing: capture.PairName}, cpu, inputs)
	for _, pairing := range []capture.Pairing{capture.PairIdentity, capture.PairName} {
		both(t, []string{"w:8 10", "W:12 40", "x:16 25"}, capture.CookOptions{Pairing: pairing, ByPID: true}, cpu, inputs)
	}
	// The sample after the change is computed of the new owner's own.
	both(t, []string{"w 30", "W#1 0", "x 0"}, capture.CookOptions{}, cpu, func() []*detect.Input {
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
			inputs := func() []*detect.Input { return inOrder(at(1, c.older), at(2, c.newer)) }
			both(t, []string{"w " + c.want}, capture.CookOptions{}, cpu, inputs)
			both(t, []string{"w:8 " + c.want}, capture.CookOptions{ByPID: true}, cpu, inputs)
			both(t, []string{"w 10"}, capture.CookOptions{Pairing: capture.PairName}, cpu, inputs)
		})
	}
	// _Total, Idle: 0 says nothing, though their starts differ.
	inputs := func() []*detect.Input {
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
		m := (&perftest.Block{Name: "H", PerfTime: int64(n), PerfTime100nSec: identityStart + int64(n), Objects: []perftest.Object{o}}).Build()
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
				got = shown(t, capture.CookOptions{Raw: raw, Pairing: capture.PairName}, "21002", bytesOf("a", c.older), bytesOf("b", c.newer))
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
	inputs := func() []*detect.Input {
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
		return (&perftest.Block{Name: "H", PerfTime: int64(n), PerfTime100nSec: identityStart + int64(n), Objects: []perftest.Object{o}}).Bytes()
	}
	table := func(text string) capture.Options {
		parsed, err := titles.Parse([]byte(strings.ReplaceAll(text, "\n", "\x00")), titles.Options{})
		require.NoError(t, err)
		return capture.Options{Names: capture.NewNames(parsed)}
	}
	run := func(o capture.Options, c capture.CookOptions) (all []string) {
		r := capture.NewRecording(o, c)
		for i, b := range [][]byte{
			block(1, [2]uint64{0, 1}, [2]uint64{8, 10}, [2]uint64{8, 100}),
			block(2, [2]uint64{4, 2}, [2]uint64{12, 20}, [2]uint64{8, 300}),
		} {
			require.NoError(t, r.Add(bytesOf(fmt.Sprint(i), b)))
		}
		for f, err := range r.Frames() {
			require.NoError(t, err)
			all = nil
			for _, cell := range f.Cells {
				if cell.Series.Type == countertypes.PERF_COUNTER_LARGE_DELTA {
					all = append(all, fmt.Sprint(string(cell.Series.AppendInstance(nil)), " ", cell.Value, " ", cell.Status))
				}
			}
		}
		return all
	}
	english := "9000\n.NET CLR Memory\n9002\n# Induced GC\n9004\nProcess ID\n"
	require.Equal(t, []string{"w3wp 1 ok", "w3wp#1 0 instance-changed", "w3wp#2 200 ok"}, run(table(english), capture.CookOptions{}))
	require.Equal(t, []string{"w3wp:4 0 needs-second-sample", "w3wp:12 0 needs-second-sample", "w3wp:8 290 ok"}, run(table(english), capture.CookOptions{ByPID: true}))
	// Another name says nothing.
	require.Equal(t, []string{"w3wp 1 ok", "w3wp#1 10 ok", "w3wp#2 200 ok"}, run(table("9000\nX\n9002\nY\n9004\nZ\n"), capture.CookOptions{}))
}

// chosen is a log of chosen counters in which record i has the instances all[i]. The
// counters that say who an instance is stand behind the one that is cooked.
func chosen(t testing.TB, names [4]string, single bool, all ...[]process) *detect.Input {
	item := func(instance, counter string, typ countertypes.Type) blg.NewItem {
		return blg.NewItem{Path: pdhpath.Path{Machine: "M", Object: names[0], Instance: instance, HasInstance: true, Counter: counter}, Type: typ, TimeBase: 10_000_000}
	}
	instance := "*"
	if single {
		instance = all[0][0].name
	}
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(identityStart-10,
		item(instance, names[1], countertypes.PERF_100NSEC_TIMER),
		item(instance, names[2], countertypes.PERF_COUNTER_LARGE_RAWCOUNT),
		item(instance, names[3], countertypes.PERF_ELAPSED_TIME))
	for i, instances := range all {
		local := identityStart + int64(i)*10_000_000
		series := make([]blg.NewSeries, 3)
		for k := range series {
			series[k] = blg.NewSeries{Kind: blg.Instances, Local: local}
			if single {
				series[k].Kind = blg.Single
			}
			for _, p := range instances {
				v := blg.NewValue{Name: p.name, Multi: 1, First: []uint64{p.cpu, p.pid, p.start}[k], Second: uint64(local)}
				series[k].Values = append(series[k].Values, v)
			}
		}
		w.Sample(local, series...)
	}
	return written(t, "chosen.blg", w)
}

func TestChosenCounters(t *testing.T) {
	english := [4]string{"Process", "% Processor Time", "ID Process", "Elapsed Time"}
	moved := [][]process{
		{{name: "w", pid: 4, cpu: 9_000_000, start: 1}, {name: "w", pid: 8, cpu: 5_000_000, start: 2}, {name: "x", pid: 16, start: 3}},
		{{name: "w", pid: 8, cpu: 6_000_000, start: 2}, {name: "x", pid: 16, cpu: 2_500_000, start: 4}},
	}
	run := func(names [4]string, c capture.CookOptions) func(counter string) []string {
		return func(counter string) []string { return shown(t, c, counter, chosen(t, names, false, moved...)) }
	}
	for _, raw := range []bool{false, true} {
		require.Equal(t, []string{"w instance-changed", "x instance-changed"}, run(english, capture.CookOptions{Raw: raw})("% Processor Time"))
		require.Equal(t, []string{"w 8", "x 16"}, run(english, capture.CookOptions{Raw: raw})("ID Process"))
		require.Equal(t, []string{"w negative-delta", "x 25"}, run(english, capture.CookOptions{Raw: raw, Pairing: capture.PairName})("% Processor Time"))
		require.Equal(t, []string{"w:8 10", "x:16 instance-changed"}, run(english, capture.CookOptions{Raw: raw, ByPID: true})("% Processor Time"))
	}
	// The same names in each record, and other owners.
	require.Equal(t, []string{"w:8 needs-second-sample", "w:4 10"}, shown(t, capture.CookOptions{ByPID: true}, "% Processor Time", chosen(t, english, false,
		[]process{{name: "w", pid: 4}, {name: "w", pid: 12}}, []process{{name: "w", pid: 8, cpu: 5}, {name: "w", pid: 4, cpu: 1_000_000}})))
	german := [4]string{"Prozess", "Prozessorzeit (%)", "Prozesskennung", "Verstrichene Zeit"}
	require.Equal(t, []string{"w instance-changed", "x instance-changed"}, run(german, capture.CookOptions{})("Prozessorzeit (%)"))
	unknown := [4]string{"Process", "% Processor Time", "Some ID", "Elapsed Time"}
	require.Equal(t, []string{"w negative-delta", "x 25"}, run(unknown, capture.CookOptions{})("% Processor Time"), "nothing says who it is")

	one := [][]process{{{name: "w", pid: 4}}, {{name: "w", pid: 8, cpu: 1_000_000}}, {{name: "w", pid: 8, cpu: 2_000_000}}}
	require.Equal(t, []string{"w instance-changed"}, shown(t, capture.CookOptions{}, "% Processor Time", chosen(t, english, true, one[:2]...)))
	require.Equal(t, []string{"w 10"}, shown(t, capture.CookOptions{}, "% Processor Time", chosen(t, english, true, one...)))
}

// A real log: the second rundll32 ends within a minute, and another one starts.
func TestRealChangeOfOwner(t *testing.T) {
	const path = `\\ZACH-PC\Process(rundll32#1)\% Processor Time`
	_, statuses, times := values(t, openLog(t, "PAL_SampleLog.blg"), path)
	require.Equal(t, []countertypes.Status{countertypes.StatusNeedsSecondSample, countertypes.StatusInstanceChanged, 0, 0}, statuses)
	require.Equal(t, "2007-08-14T19:47:38", times[1].Format("2006-01-02T15:04:05"))
	// 53437500 - 33750000 in 600000660 units of 100 ns
	all, _, _ := values(t, openLog(t, "PAL_SampleLog.blg"), path)
	require.InDelta(t, 100*19687500.0/600000660, all[2], 1e-12)
}

// A real log of whole objects: logman of the first record and of the last one are two
// processes.
func TestRealChangeInAnObject(t *testing.T) {
	const name = "jagilber_PerfLog-Short_04011208.blg"
	openLog(t, name) // skips where it is not there
	in, err := detect.OpenAny(logs+name, detect.Options{})
	require.NoError(t, err)
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{Every: 43})
	require.NoError(t, r.Add(in))
	defer func() { require.NoError(t, r.Close()) }()
	_, statuses, _ := values(t, r, `\\nt0000000\Process(logman)\% Processor Time`)
	require.Equal(t, []countertypes.Status{countertypes.StatusNeedsSecondSample, countertypes.StatusInstanceChanged}, statuses)
}

func TestSectionsSayWhoAnInstanceIs(t *testing.T) {
	section := func(seconds int, instances string, pids, cpu string) string {
		return fmt.Sprintf("<<<winperf_x>>>\n%d.00 230 10000000\n2 instances: %s\n-224 %s 100nsec_timer\n554 %s large_rawcount\n", 1000000000+seconds, instances, cpu, pids)
	}
	in := func() *detect.Input {
		text := section(0, "w w", "4 8", "900000000 0") + section(10, "w w", "8 12", "10000000 25000000")
		return &detect.Input{Name: "agent", Format: detect.Checkmk, Data: []byte(text)}
	}
	const cpu = "% Processor Time"
	require.Equal(t, []string{"w instance-changed", "w#1 instance-changed"}, shown(t, capture.CookOptions{}, cpu, in()))
	require.Equal(t, []string{"w 8", "w#1 12"}, shown(t, capture.CookOptions{}, "ID Process", in()))
	require.Equal(t, []string{"w negative-delta", "w#1 25"}, shown(t, capture.CookOptions{Pairing: capture.PairName}, cpu, in()))
	// 10,000,000 of 100,000,000 units of 100 ns
	require.Equal(t, []string{"w:8 10", "w:12 needs-second-sample"}, shown(t, capture.CookOptions{ByPID: true}, cpu, in()))
}

// TestRowsSayWhichProcess holds the column of raw rows and of cooked ones.
func TestRowsSayWhichProcess(t *testing.T) {
	in := chosen(t, [4]string{"Process", "% Processor Time", "ID Process", "Elapsed Time"}, false, []process{{name: "w", pid: 4}, {name: "w", pid: 8}, {name: "_Total"}})
	var pids []uint64
	for f, err := range record(t, capture.Options{}, capture.CookOptions{Raw: true}, in).Frames() {
		require.NoError(t, err)
		for i := range f.Cells[:3] {
			pids = append(pids, f.PID(i))
		}
	}
	require.Equal(t, []uint64{4, 8, 0}, pids)

	in = chosen(t, [4]string{"Process", "% Processor Time", "ID Process", "Elapsed Time"}, false, []process{{name: "w", pid: 4}, {name: "w", pid: 8}})
	l, err := capture.OpenLog(in, capture.Options{PID: true})
	require.NoError(t, err)
	pids = nil
	for rec, err := range l.Records() {
		require.NoError(t, err)
		for row := range rec.Rows(func(error) {}) {
			pids = append(pids, row.PID)
		}
	}
	require.Equal(t, []uint64{4, 8, 4, 8, 4, 8}, pids)
}

// TestMemoryOfChangesOfOwner reads a log in which each record has other owners: what
// is kept is for the names.
func TestMemoryOfChangesOfOwner(t *testing.T) {
	var all [][]process
	for i := range 200 {
		all = append(all, []process{{name: "w", pid: uint64(3*i + 1)}, {name: "w", pid: uint64(3*i + 2)}})
	}
	in := chosen(t, [4]string{"Process", "% Processor Time", "ID Process", "Elapsed Time"}, false, all...)
	changed, n := 0, 0
	r := record(t, capture.Options{}, capture.CookOptions{}, in)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			if c.Status == countertypes.StatusInstanceChanged {
				changed++
			}
		}
		n++
	}
	require.Equal(t, 200, n)
	require.Equal(t, 2*199, changed)
	columns, err := r.Columns()
	require.NoError(t, err)
	require.Len(t, columns, 6)
}

// TestOwnersOfSingleItems has an item for each of w and w#1, of which the process of
// the second takes the name of the first.
func TestOwnersOfSingleItems(t *testing.T) {
	var items []blg.NewItem
	for i := range 2 {
		path := pdhpath.Path{Machine: "M", Object: "Process", Instance: "w", Index: i, HasInstance: true, Counter: "% Processor Time"}
		items = append(items, blg.NewItem{Path: path, Type: countertypes.PERF_100NSEC_TIMER, TimeBase: 10_000_000})
		path.Counter = "ID Process"
		items = append(items, blg.NewItem{Path: path, Type: countertypes.PERF_COUNTER_RAWCOUNT})
	}
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(identityStart-10, items...)
	for i, of := range [][2]process{{{pid: 4, cpu: 9_000_000}, {pid: 8}}, {{pid: 8, cpu: 4_000_000}, {pid: 12, cpu: 7}}} {
		local := identityStart + int64(i)*10_000_000
		var all []blg.NewSeries
		for _, p := range of {
			for _, v := range []uint64{p.cpu, p.pid} {
				all = append(all, blg.NewSeries{Kind: blg.Single, Local: local, Values: []blg.NewValue{{Multi: 1, First: v, Second: uint64(local)}}})
			}
		}
		w.Sample(local, all...)
	}
	in := func() *detect.Input { return written(t, "single.blg", w) }
	require.Equal(t, []string{"w instance-changed", "w#1 instance-changed"}, shown(t, capture.CookOptions{}, "% Processor Time", in()))
	require.Equal(t, []string{"w:8 40", "w:12 needs-second-sample"}, shown(t, capture.CookOptions{ByPID: true}, "% Processor Time", in()))
	require.Equal(t, []string{"w:8 8", "w:12 12"}, shown(t, capture.CookOptions{ByPID: true}, "ID Process", in()))
}
