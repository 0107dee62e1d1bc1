package capture_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

const server2019 = "jagilber_PerfLog-Short_04011208.blg"

// In the log of Windows Server 2019 the set Processor Information stands beside
// the object Processor, read some microseconds apart. Where no tick of the clock
// was between, which the idle times of all processors tell, the timers have the
// same values bit for bit; elsewhere they differ by one tick.
func TestSetAgreesWithTheObject(t *testing.T) {
	pairs := map[string]string{"0": "0,0", "1": "0,1", "_Total": "_Total"}
	type of struct{ object, instance, counter string }
	idle := func(m map[of]capture.Tuple) bool {
		for old, name := range pairs {
			if m[of{"Processor", old, "% Processor Time"}] != m[of{"Processor Information", name, "% Processor Time"}] {
				return false
			}
		}
		return true
	}
	in, err := detect.OpenAny(logs+server2019, detect.Options{})
	if err != nil {
		t.Skipf("the corpus of logs is not here: %v", err)
	}
	r := record(t, capture.Options{}, capture.CookOptions{Raw: true}, in)
	defer func() { require.NoError(t, r.Close()) }()
	same, records, before := 0, 0, false
	for frame, err := range r.Frames() {
		require.NoError(t, err)
		values, tuples := map[of]value{}, map[of]capture.Tuple{}
		for i, c := range frame.Cells {
			key := of{c.Series.Object, c.Series.Instance, c.Series.Counter}
			values[key], tuples[key] = value{c.Value, c.Status}, frame.Tuple(i)
		}
		now := idle(tuples)
		for old, name := range pairs {
			for _, counter := range []string{"% Processor Time", "% User Time", "% Privileged Time", "% DPC Time", "% Interrupt Time"} {
				want, got := values[of{"Processor", old, counter}], values[of{"Processor Information", name, counter}]
				switch {
				case frame.Record <= 2 || now && before:
					assert.Equal(t, want, got, "record %d, %s of %s", frame.Record, counter, name)
				default:
					assert.InDelta(t, want.value, got.value, 0.53, "record %d, %s of %s", frame.Record, counter, name) // 15.625 ms of 3 s
				}
			}
		}
		switch frame.Record {
		case 1:
			assert.Equal(t, 1.5796185850074473, values[of{"Processor Information", "0,0", "% Processor Time"}].value)
			assert.Equal(t, 2.1003613438169366, values[of{"Processor Information", "0,1", "% Processor Time"}].value)
			assert.Equal(t, 1.839989964412192, values[of{"Processor Information", "_Total", "% Processor Time"}].value)
		case 2:
			assert.Equal(t, 0.8314657358225119, values[of{"Processor Information", "0,0", "% Processor Time"}].value)
			assert.Equal(t, 1.8753450438664832, values[of{"Processor Information", "0,1", "% Processor Time"}].value)
		}
		if records++; now && before {
			same++
		}
		before = now
	}
	assert.Equal(t, 44, records)
	assert.Greater(t, same, 10)
}

// Values of the second record, worked out by hand of the raw numbers of both:
// rates by the performance counter, a precision timer, and averages of which two
// have one base.
func TestSetValuesByHand(t *testing.T) {
	r := openLog(t, server2019)
	for counter, want := range map[string]float64{
		"Interrupts/sec":          float64(204615737-204609233) / (float64(6618216947648-6618187010636) / 1e7),
		"C2 Transitions/sec":      float64(157485065-157479877) / (float64(6618216947648-6618187010636) / 1e7),
		"% Idle Time":             float64(6545367031250-6545337500000) / float64(132617525357785241-132617525327780023) * 100,
		"Average Idle Time":       float64(6457124106156-6457095390701) / float64(160092775-160087587) * 100,
		"% Processor Performance": float64(1006798139437-1006790504206) / float64(1478046807-1477970454),
		"% Processor Utility":     float64(1006798139437-1006790504206) / float64(1321698818-1319827749),
		"% Privileged Utility":    float64(687694829593-687690231787) / float64(1321698818-1319827749),
		"Processor Frequency":     2295,
	} {
		got, statuses, _ := values(t, r, `\\nt0000000\Processor Information(0,0)\`+counter)
		require.Len(t, got, 44, counter)
		assert.Equal(t, countertypes.StatusOK, statuses[1], counter)
		assert.InEpsilon(t, want, got[1], 1e-15, counter)
	}
	// Netlogon has status 0xE8 in all records, and no instances: no row, and no 0.
	columns, err := r.Columns()
	require.NoError(t, err)
	for _, c := range columns {
		assert.NotEqual(t, "Netlogon", c.Object)
		assert.NotEqual(t, "", c.Counter, "a base is not shown")
	}
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
			textOf("engine "+name),
			u64(5_000_000*seconds), u32(2), // half of the time, of 2
			u64(seconds), u64(7),
		))
	}
	return res
}

// All kinds of counters of a set, in several instances of two machines, the
// registration behind the samples or before them.
func TestSetOfEveryKind(t *testing.T) {
	l := setLog{items: []blg.NewItem{setItem("ONE", "engine"), setItem("TWO", "ENGINE")}, registrations: [][]byte{engine(t)}}
	for i := range uint64(2) {
		l.samples = append(l.samples, []blg.NewSeries{setBlock(t, int64(i), engineAt(i, "a", "b")), setBlock(t, int64(i), engineAt(i, "a"))})
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
		items: []blg.NewItem{setItem("M", "Lone"), setItem("M", "Zone"), setItem("M", "Many"), setItem("M", "Two")},
		registrations: [][]byte{
			registration(t, "Lone", perflib2.SingleInstance, counter(1, "Rate", countertypes.PERF_COUNTER_COUNTER, nil)),
			registration(t, "Zone", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_RAWCOUNT, nil), counter(2, "Rise", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
			registration(t, "Many", perflib2.MultipleInstances, counter(1, "Rate", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
			registration(t, "Two", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_RAWCOUNT, nil), counter(2, "Rise", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
		},
	}
	for i := range uint64(2) {
		n := int64(i)
		l.samples = append(l.samples, []blg.NewSeries{setBlock(t, n, one(i)), setBlock(t, n, several(i)), setBlock(t, n, instances(i)), setBlock(t, n, several(i), one(i))})
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
		items: []blg.NewItem{setItem("M", "Zone"), setItem("M", "Many")},
		registrations: [][]byte{
			registration(t, "Zone", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil), counter(2, "", countertypes.PERF_COUNTER_RAWCOUNT, nil)),
			registration(t, "Many", perflib2.MultipleInstances, counter(1, "Rate", countertypes.PERF_COUNTER_BULK_COUNT, nil)),
		},
		samples: [][]blg.NewSeries{
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
		items:         []blg.NewItem{setItem("M", "Many")},
		registrations: [][]byte{registration(t, "Many", perflib2.MultipleInstances, counter(1, "Rate", countertypes.PERF_COUNTER_BULK_COUNT, nil))},
		samples: [][]blg.NewSeries{
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
		items: []blg.NewItem{setItem("ONE", "Zone"), setItem("TWO", "zone")},
		registrations: [][]byte{
			registration(t, "ZONE", perflib2.SingleInstance, counter(1, "Heat", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil)),
			registration(t, "Zone", perflib2.SingleInstance, counter(2, "Cold", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil)),
		},
		samples: [][]blg.NewSeries{{setBlock(t, 0, at(2, 20)), setBlock(t, 0, at(1, 10))}},
	}
	assert.Equal(t, []string{`0 \\ONE\Zone\Cold = 20`, `0 \\TWO\zone\Heat = 10`}, cookedLog(t, l.bytes(t), capture.Options{}))
}

// A log that was cut off before its lists: sets are called by their places,
// counters by their ids, nothing is cooked, and one anomaly says why.
func TestSetsWithoutLists(t *testing.T) {
	l := setLog{registrations: nil}
	for i := range uint64(2) {
		l.samples = append(l.samples, []blg.NewSeries{setBlock(t, int64(i), engineAt(i, "a")), setBlock(t, int64(i), engineAt(i, "b"))})
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
	findings := checkOf(t, b)
	require.Len(t, findings, 1)
	assert.Equal(t, blg.CodeNoRegistration, findings[0].Code)
	assert.Contains(t, findings[0].Message, "no item list")

	// With the item list and without the registration.
	l.items = []blg.NewItem{setItem("M", "Engine"), setItem("N", "Other")}
	got = cookedLog(t, l.bytes(t), capture.Options{})
	assert.Equal(t, `0 \\M\Engine(a)\#9 = unsupported`, got[0])
	findings = checkOf(t, l.bytes(t))
	require.Len(t, findings, 1)
	assert.Equal(t, blg.CodeNoRegistration, findings[0].Code)
	assert.Contains(t, findings[0].Message, "no registration")

	// And with all lists nothing is amiss.
	l.items[1] = setItem("N", "Engine")
	l.registrations = [][]byte{registration(t, "Engine", perflib2.MultipleInstances, counter(1, "Count", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, nil))}
	assert.Empty(t, checkOf(t, l.bytes(t)))
}

// The log of Server 2019, cut off before its lists, has the same of each set.
func TestServer2019CutOff(t *testing.T) {
	b, err := os.ReadFile(logs + server2019)
	if err != nil {
		t.Skipf("the corpus of logs is not here: %v", err)
	}
	b = b[:0x390000]
	sets, statuses := map[string]int{}, map[countertypes.Status]int{}
	r := record(t, capture.Options{}, capture.CookOptions{}, logInput("cut.blg", b))
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			if strings.HasPrefix(c.Series.Object, "#") {
				sets[c.Series.Object]++
				statuses[c.Status]++
			}
		}
	}
	assert.Len(t, sets, 1)
	assert.Positive(t, sets["#10"])
	assert.Len(t, statuses, 1)
	assert.Positive(t, statuses[countertypes.StatusUnsupported])
	codes := map[perfdump.Code]int{}
	for _, f := range checkOf(t, b) {
		codes[f.Code]++
	}
	assert.Equal(t, 1, codes[blg.CodeNoRegistration])
	assert.Zero(t, codes[blg.CodeNoItemList], "it has nothing but objects and sets")
}

func checkOf(t testing.TB, b []byte) (all []capture.Finding) {
	t.Helper()
	for f := range capture.Check(logInput("x.blg", b), capture.Options{}) {
		all = append(all, f)
	}
	return all
}
