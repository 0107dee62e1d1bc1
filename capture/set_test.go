package capture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// A generator of logs of version 2 counter sets, of the shapes that no log of
// Windows that we have shows.

const setFreq = 1000 // ticks a second of the performance counter

// counter makes the registration of a counter, without a base. change may be nil.
func counter(id uint32, name string, typ countertypes.Type, change func(*perflib2.TreeCounter)) perflib2.TreeCounter {
	c := perflib2.TreeCounter{Name: name}
	c.ID, c.Type, c.DetailLevel = id, typ, 100
	c.BaseID, c.PerfTimeID, c.PerfFreqID, c.MultiID = perflib2.NoID, perflib2.NoID, perflib2.NoID, perflib2.NoID
	if change != nil {
		change(&c)
	}
	return c
}

func based(id uint32) func(*perflib2.TreeCounter) {
	return func(c *perflib2.TreeCounter) { c.BaseID = id }
}

func registration(t testing.TB, name string, instances perflib2.InstanceType, counters ...perflib2.TreeCounter) []byte {
	t.Helper()
	r := perflib2.RegistrationTree{Name: name, Counters: counters}
	r.InstanceType, r.DetailLevel = instances, 100
	b, err := r.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// setBlock makes the block of a set, seconds after the start.
func setBlock(t testing.TB, seconds int64, results ...perflib2.TreeResult) blgwriter.Series {
	t.Helper()
	tree := perflib2.Tree{Results: results}
	at := noonTicks + seconds*second
	tree.PerfTime, tree.PerfTime100ns, tree.PerfFreq = setFreq*(100+seconds), at, setFreq
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(at))
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return blgwriter.Series{Kind: blg.CounterSet, Body: b}
}

func u64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func u32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func wide(s string) []byte { return append(wire.EncodeUTF16(nil, s), 0, 0) }

func instance(name string, id uint32, values ...[]byte) perflib2.TreeInstance {
	return perflib2.TreeInstance{Name: name, ID: id, Values: values}
}

func setItem(machine, name string) blgwriter.Item {
	return blgwriter.Item{Path: pdhpath.Path{Machine: machine, Object: name, Instance: "*", HasInstance: true, Counter: "*"}, Type: 0x10, Set: true}
}

// setLog is a log of sets, a sample a second.
type setLog struct {
	items         []blgwriter.Item // none where the log was cut off before them
	registrations [][]byte
	before        bool // the lists stand before the samples
	samples       [][]blgwriter.Series
}

func (l setLog) bytes(t testing.TB) []byte {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{Header: etl.LogHeader{EndTime: noonTicks + 1e9}, Zone: etl.TimeZone{}})
	lists := func(at int64) {
		for _, r := range l.registrations {
			w.Registration(at, r)
		}
		if l.items != nil {
			w.Items(at, l.items...)
		}
	}
	if l.before {
		lists(noonTicks - 20)
	}
	for i, s := range l.samples {
		w.Sample(noonTicks+int64(i)*second, s...)
	}
	if !l.before {
		lists(noonTicks + int64(len(l.samples))*second + 20)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

func logInput(name string, b []byte) *capture.Input {
	return &capture.Input{Name: name, Format: "blg", Data: b}
}

// cookedLog returns the values of a log by record and path: a number, or the status
// where there is none.
func cookedLog(t testing.TB, b []byte, o capture.Options) (all []string) {
	t.Helper()
	for f := range framesOf(t, record(t, o, capture.CookOptions{Texts: true, Raw: true}, logInput("x.blg", b))) {
		for i := range f.Cells {
			c := &f.Cells[i]
			s := said(c)
			switch {
			case c.Status == countertypes.StatusOK:
			case c.PDH != 0:
				s += fmt.Sprintf(" 0x%x", c.PDH)
			case c.Status == countertypes.StatusText:
				s = fmt.Sprintf("%q", f.Texts[c.Series])
			}
			require.Zero(t, c.Series.ObjectIndex+c.Series.CounterIndex)
			all = append(all, fmt.Sprintf("%d %s = %s", f.Record, c.Series.Path(), s))
		}
	}
	return all
}

// rawRows returns the raw values of a log by record and path.
func rawRows(t testing.TB, b []byte, o capture.Options) (all []string) {
	t.Helper()
	for s := range snapshots(t, logInput("x.blg", b), o) {
		for fault := range s.Faults() {
			all = append(all, "error "+fault.Error())
		}
		for row := range s.Rows() {
			require.Zero(t, row.ObjectIndex+row.CounterIndex)
			path := pdhpath.Path{Machine: row.Host, Object: row.Object, Instance: row.Instance, Index: row.InstanceIndex, HasInstance: row.HasInstance, Counter: row.Counter}
			text := fmt.Sprintf("%d %d %d /%d", row.First, row.Second, row.Multi, row.TimeBase)
			switch {
			case row.HasText:
				text = fmt.Sprintf("%q", row.Text)
			case row.NoType:
				text = fmt.Sprintf("%d ?", row.First)
			case row.NoFirst:
				text = fmt.Sprintf("none 0x%x", row.PDH)
			}
			all = append(all, fmt.Sprintf("%d %s = %s", row.Record, path.String(), text))
		}
	}
	return all
}

// engine is a set with a counter of each kind.
func engine(t testing.TB) []byte {
	return registration(t, "Engine", perflib2.MultipleInstances,
		counter(1, "Count", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, func(c *perflib2.TreeCounter) { c.DefaultScale = -2 }),
		counter(2, "Rate/sec", countertypes.PERF_COUNTER_BULK_COUNT, nil),
		counter(3, "Bytes each", countertypes.PERF_AVERAGE_BULK, based(9)),
		counter(4, "Other bytes each", countertypes.PERF_AVERAGE_BULK, based(9)),
		counter(5, "Secret", countertypes.PERF_COUNTER_RAWCOUNT, func(c *perflib2.TreeCounter) { c.Attrib = 2 }),
		counter(6, "Own clock/sec", countertypes.PERF_COUNTER_BULK_COUNT, func(c *perflib2.TreeCounter) { c.PerfTimeID, c.PerfFreqID = 7, 8 }),
		counter(7, "", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil),
		counter(8, "", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil),
		counter(9, "", countertypes.PERF_AVERAGE_BASE, nil),
		counter(10, "Name", countertypes.PERF_COUNTER_TEXT, nil),
		counter(11, "Of all", countertypes.PERF_100NSEC_MULTI_TIMER, func(c *perflib2.TreeCounter) { c.MultiID = 12 }),
		counter(12, "", countertypes.PERF_COUNTER_MULTI_BASE, nil),
		counter(13, "Baseless", countertypes.PERF_AVERAGE_BULK, based(99)),
	)
}

// engineAt are the values of the set engine, seconds after the start. The counters stand in
// an order of their own, and one that is not registered is among them.
func engineAt(seconds uint64, names ...string) perflib2.TreeResult {
	res := perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{9, 4, 3, 2, 1, 5, 6, 7, 8, 10, 11, 12, 13, 77}}
	for i, name := range names {
		id, n := uint32(i), uint64(i+1)
		res.Instances = append(res.Instances, instance(name, id,
			u32(uint32(4*seconds)),           // base
			u64(30*seconds), u64(20*seconds), // of which 3 is 5, and 4 is 7.5
			u64(50*n*seconds),   // rate
			u64(1000*n+seconds), // count
			u32(5),
			u64(60*seconds), u64(500*seconds), u64(1000), // 60 in half a second
			wide("engine "+name),
			u64(5_000_000*seconds), u32(2), // half of the time, of 2
			u64(seconds), u64(7),
		))
	}
	return res
}

// All kinds of counters of a set, in several instances of two machines, the
// registration behind the samples or before them.
func TestSetOfEveryKind(t *testing.T) {
	l := setLog{items: []blgwriter.Item{setItem("ONE", "engine"), setItem("TWO", "ENGINE")}, registrations: [][]byte{engine(t)}}
	for i := range uint64(2) {
		l.samples = append(l.samples, []blgwriter.Series{setBlock(t, int64(i), engineAt(i, "a", "b")), setBlock(t, int64(i), engineAt(i, "a"))})
	}
	var want []string
	for _, in := range []struct{ path, count, rate string }{
		{`\\ONE\engine(a)\`, "1001", "50"}, {`\\ONE\engine(b)\`, "2001", "100"}, {`\\TWO\ENGINE(a)\`, "1001", "50"},
	} {
		for _, c := range [][2]string{
			{"Other bytes each", "7.5"},
			{"Bytes each", "5"},
			{"Rate/sec", in.rate},
			{"Count", in.count},
			{"Own clock/sec", "120"},
			{"Name", `"engine ` + in.path[len(in.path)-3:len(in.path)-2] + `"`},
			{"Of all", "25"},
			{"Baseless", "no-base"},
			{"#77", "unsupported"},
		} {
			want = append(want, "1 "+in.path+c[0]+" = "+c[1])
		}
	}
	behind := cookedLog(t, l.bytes(t), capture.Options{})
	require.Len(t, behind, 2*len(want))
	assert.Equal(t, want, behind[len(want):])
	raw := rawRows(t, l.bytes(t), capture.Options{})
	l.before = true
	assert.Equal(t, behind, cookedLog(t, l.bytes(t), capture.Options{}))
	assert.Equal(t, raw, rawRows(t, l.bytes(t), capture.Options{}))
	assert.Contains(t, raw, `1 \\ONE\engine(a)\Own clock/sec = 60 500 0 /1000`)
	assert.Contains(t, raw, `1 \\ONE\engine(b)\Rate/sec = 100 101000 0 /1000`)
	assert.Contains(t, raw, `1 \\TWO\ENGINE(a)\Bytes each = 20 4 0 /0`)
	assert.Contains(t, raw, `1 \\TWO\ENGINE(a)\Of all = 5000000 132366960010000000 2 /10000000`)
	assert.Contains(t, raw, `1 \\TWO\ENGINE(a)\Name = "engine a"`)
	assert.Contains(t, raw, `1 \\TWO\ENGINE(a)\#77 = 7 ?`)

	// A filter lets through what it names, and a query for title indexes nothing.
	filter, err := capture.NewFilter(`\Engine(B)\rate*`, `\engine(a)\#77`)
	require.NoError(t, err)
	some := cookedLog(t, l.bytes(t), capture.Options{Filter: filter})
	assert.Equal(t, []string{`1 \\ONE\engine(a)\#77 = unsupported`, `1 \\ONE\engine(b)\Rate/sec = 100`, `1 \\TWO\ENGINE(a)\#77 = unsupported`}, some[3:])
	assert.Len(t, rawRows(t, l.bytes(t), capture.Options{Filter: filter}), 6)
	assert.Empty(t, filter.Unused())
	query, err := perfdata.ParseQuery("2 230")
	require.NoError(t, err)
	assert.Empty(t, cookedLog(t, l.bytes(t), capture.Options{Query: query}))
	assert.Empty(t, rawRows(t, l.bytes(t), capture.Options{Query: query}))
}

// A set without instances, one counter of several instances, one counter alone,
// and several results in one block.
func TestSetResultTypes(t *testing.T) {
	one := func(n uint64) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.SingleCounter, Instances: []perflib2.TreeInstance{instance("", 0, u32(uint32(10*n)))}}
	}
	several := func(n uint64) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.MultiCounters, IDs: []uint32{2, 1}, Instances: []perflib2.TreeInstance{instance("", 0, u64(7*n), u32(3))}}
	}
	instances := func(n uint64) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.MultiInstance, Instances: []perflib2.TreeInstance{instance("x", 4, u64(5*n)), instance("y", 5, u64(6*n))}}
	}
	l := setLog{
		items: []blgwriter.Item{setItem("M", "Lone"), setItem("M", "Zone"), setItem("M", "Many"), setItem("M", "Two")},
		registrations: [][]byte{
			registration(t, "Lone", perflib2.SingleInstance, counter(1, "Rate", countertypes.PERF_COUNTER_COUNTER, nil)),
			registration(t, "Zone", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_RAWCOUNT, nil), counter(2, "Rise", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
			registration(t, "Many", perflib2.MultipleInstances, counter(1, "Rate", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
			registration(t, "Two", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_RAWCOUNT, nil), counter(2, "Rise", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
		},
	}
	for i := range uint64(2) {
		n := int64(i)
		l.samples = append(l.samples, []blgwriter.Series{setBlock(t, n, one(i)), setBlock(t, n, several(i)), setBlock(t, n, instances(i)), setBlock(t, n, several(i), one(i))})
	}
	got := cookedLog(t, l.bytes(t), capture.Options{})
	assert.Equal(t, []string{
		`1 \\M\Lone\Rate = 10`, `1 \\M\Zone\Rise = 7`, `1 \\M\Zone\Heat = 3`, `1 \\M\Many(x)\Rate = 5`, `1 \\M\Many(y)\Rate = 6`,
		// Nothing says which of two counters a value without an id is of.
		`1 \\M\Two\Rise = 7`, `1 \\M\Two\Heat = 3`, `1 \\M\Two\#? = unsupported`,
	}, got[8:])
}

// An error in the place of values: what was there before has a status, and so
// has a set without instances from the start. Nothing is 0.
func TestSetError(t *testing.T) {
	none := perflib2.TreeResult{Type: perflib2.ErrorResult, Status: 0xE8}
	heat := func(n uint64) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.MultiCounters, IDs: []uint32{1}, Instances: []perflib2.TreeInstance{instance("", 0, u64(n))}}
	}
	rate := func(n uint64) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{1}, Instances: []perflib2.TreeInstance{instance("x", 0, u64(n))}}
	}
	l := setLog{
		items: []blgwriter.Item{setItem("M", "Zone"), setItem("M", "Many")},
		registrations: [][]byte{
			registration(t, "Zone", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil), counter(2, "", countertypes.PERF_COUNTER_RAWCOUNT, nil)),
			registration(t, "Many", perflib2.MultipleInstances, counter(1, "Rate", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
		},
		samples: [][]blgwriter.Series{
			{setBlock(t, 0, none), setBlock(t, 0, none)},
			{setBlock(t, 1, heat(9)), setBlock(t, 1, rate(10))},
			{setBlock(t, 2, none), setBlock(t, 2, none)},
			{setBlock(t, 3, heat(8)), setBlock(t, 3, rate(30))},
		},
	}
	assert.Equal(t, []string{
		`0 \\M\Zone\Heat = invalid-data 0xe8`,
		`1 \\M\Zone\Heat = 9`, `1 \\M\Many(x)\Rate = needs-second-sample`,
		`2 \\M\Zone\Heat = invalid-data 0xe8`, `2 \\M\Many(x)\Rate = invalid-data 0xe8`,
		`3 \\M\Zone\Heat = 8`, `3 \\M\Many(x)\Rate = 10`, // since the last valid sample, two seconds ago
	}, cookedLog(t, l.bytes(t), capture.Options{}))
	assert.Equal(t, []string{
		`0 \\M\Zone\Heat = none 0xe8`,
		`1 \\M\Zone\Heat = 9 0 0 /0`, `1 \\M\Many(x)\Rate = 10 101000 0 /1000`,
		`2 \\M\Zone\Heat = none 0xe8`, `2 \\M\Many(x)\Rate = none 0xe8`,
		`3 \\M\Zone\Heat = 8 0 0 /0`, `3 \\M\Many(x)\Rate = 30 103000 0 /1000`,
	}, rawRows(t, l.bytes(t), capture.Options{}))
}

// Of instances of one name the k-th is name#k, and no difference is formed
// between two ids.
func TestSetInstancesOfOneName(t *testing.T) {
	at := func(values ...perflib2.TreeInstance) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{1}, Instances: values}
	}
	l := setLog{
		items:         []blgwriter.Item{setItem("M", "Many")},
		registrations: [][]byte{registration(t, "Many", perflib2.MultipleInstances, counter(1, "Rate", countertypes.PERF_COUNTER_BULK_COUNT, nil))},
		samples: [][]blgwriter.Series{
			{setBlock(t, 0, at(instance("x", 1, u64(100)), instance("x", 2, u64(1000)), instance("x", 2, u64(5))))},
			{setBlock(t, 1, at(instance("x", 1, u64(101)), instance("x", 2, u64(1002)), instance("x", 2, u64(8))))},
			{setBlock(t, 2, at(instance("x", 2, u64(1009))))}, // 1 has gone, and 2 has its name
			{setBlock(t, 3, at(instance("x", 2, u64(1013))))},
		},
	}
	assert.Equal(t, []string{
		`1 \\M\Many(x)\Rate = 1`, `1 \\M\Many(x#1)\Rate = 2`, `1 \\M\Many(x#2)\Rate = 3`,
		`2 \\M\Many(x)\Rate = instance-changed`,
		`3 \\M\Many(x)\Rate = 4`,
	}, cookedLog(t, l.bytes(t), capture.Options{})[3:])
}

// Two sets of one name: each block goes with the registration that has its ids.
func TestSetsOfOneName(t *testing.T) {
	at := func(id uint32, n uint64) perflib2.TreeResult {
		return perflib2.TreeResult{Type: perflib2.MultiCounters, IDs: []uint32{id}, Instances: []perflib2.TreeInstance{instance("", 0, u64(n))}}
	}
	l := setLog{
		items: []blgwriter.Item{setItem("ONE", "Zone"), setItem("TWO", "zone")},
		registrations: [][]byte{
			registration(t, "ZONE", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil)),
			registration(t, "Zone", perflib2.SingleInstance, counter(2, "Cold", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil)),
		},
		samples: [][]blgwriter.Series{{setBlock(t, 0, at(2, 20)), setBlock(t, 0, at(1, 10))}},
	}
	assert.Equal(t, []string{`0 \\ONE\Zone\Cold = 20`, `0 \\TWO\zone\Heat = 10`}, cookedLog(t, l.bytes(t), capture.Options{}))
}

// A log that was cut off before its lists: sets are called by their places,
// counters by their ids, nothing is cooked, and one anomaly says why.
func TestSetsWithoutLists(t *testing.T) {
	l := setLog{registrations: nil}
	for i := range uint64(2) {
		l.samples = append(l.samples, []blgwriter.Series{setBlock(t, int64(i), engineAt(i, "a")), setBlock(t, int64(i), engineAt(i, "b"))})
	}
	b := l.bytes(t)
	got := cookedLog(t, b, capture.Options{})
	require.Len(t, got, 4*14)
	for _, line := range got {
		assert.True(t, strings.HasSuffix(line, " = unsupported"), line)
	}
	assert.Equal(t, `0 \#0(a)\#9 = unsupported`, got[0])
	assert.Equal(t, `1 \#1(b)\#77 = unsupported`, got[len(got)-1])
	assert.Contains(t, rawRows(t, b, capture.Options{}), `1 \#1(b)\#1 = 1001 ?`)
	findings := anomaliesOf(t, b)
	require.Len(t, findings, 1)
	assert.Equal(t, blg.CodeNoRegistration, findings[0].Code)
	assert.Contains(t, findings[0].Message(), "no item list")

	// With the item list and without the registration.
	l.items = []blgwriter.Item{setItem("M", "Engine"), setItem("N", "Other")}
	got = cookedLog(t, l.bytes(t), capture.Options{})
	assert.Equal(t, `0 \\M\Engine(a)\#9 = unsupported`, got[0])
	findings = anomaliesOf(t, l.bytes(t))
	require.Len(t, findings, 1)
	assert.Equal(t, blg.CodeNoRegistration, findings[0].Code)
	assert.Contains(t, findings[0].Message(), "no registration")

	// And with all lists nothing is amiss.
	l.items[1] = setItem("N", "Engine")
	l.registrations = [][]byte{registration(t, "Engine", perflib2.MultipleInstances, counter(1, "Count", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil))}
	assert.Empty(t, anomaliesOf(t, l.bytes(t)))
}

func anomaliesOf(t testing.TB, b []byte) []perfdump.Anomaly {
	t.Helper()
	f, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	return f.Anomalies().Kept()
}

// A record of a counter set allocates nothing for its values, once its instances
// are known: neither cooked nor raw.
func TestAllocSetsBySeriesNotByRecord(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	registered := registration(t, "Engine", perflib2.MultipleInstances, // no text: each is a string
		counter(2, "Rate/sec", countertypes.PERF_COUNTER_BULK_COUNT, nil),
		counter(3, "Bytes each", countertypes.PERF_AVERAGE_BULK, based(9)), counter(9, "", countertypes.PERF_AVERAGE_BASE, nil),
	)
	names := make([]string, 50)
	for i := range names {
		names[i] = fmt.Sprint("instance ", i)
	}
	make := func(records int) []byte {
		l := setLog{items: []blgwriter.Item{setItem("ONE", "engine")}, registrations: [][]byte{registered}}
		for i := range records {
			l.samples = append(l.samples, []blgwriter.Series{setBlock(t, int64(i), engineAt(uint64(i), names...))})
		}
		return l.bytes(t)
	}
	few, many := make(10), make(110)
	for name, read := range map[string]func(b []byte){
		"cooked": func(b []byte) {
			for f := range frames(t, capture.CookOptions{}, logInput("x.blg", b)) {
				_ = f.Cells
			}
		},
		"raw": func(b []byte) {
			for s := range snapshots(t, logInput("x.blg", b), capture.Options{}) {
				for row := range s.Rows() {
					_ = row.First
				}
			}
		},
	} {
		each := (testing.AllocsPerRun(2, func() { read(many) }) - testing.AllocsPerRun(2, func() { read(few) })) / 100
		t.Logf("%s: %.1f allocations a record", name, each)
		assert.Less(t, each, 20.0, "%s: of a record with 50 instances and 650 values", name)
	}
}
