package checkmk_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
)

const disk = `<<<winperf_phydisk>>>
1352457622.31 234 3579545
2 instances: 0_C: _Total
-36 0 0 rawcount
-34 235822560 235822560 type(20570500)
-34 128953712912 128953712912 type(40030500)
`

func read(t testing.TB, text string, o checkmk.Options) ([]checkmk.Section, []string, error) {
	t.Helper()
	r := checkmk.NewReader(strings.NewReader(text), o)
	var all []checkmk.Section
	var last error
	for s, err := range r.Sections() {
		require.NoError(t, last) // nothing comes behind it
		if last = err; err != nil {
			require.Nil(t, s)
			continue
		}
		all = append(all, *s)
	}
	var odd []string
	for _, a := range r.Anomalies().Kept() {
		odd = append(odd, a.String())
	}
	return all, odd, last
}

func TestRead(t *testing.T) {
	all, odd, err := read(t, disk, checkmk.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	assert.Empty(t, odd)
	require.Len(t, all, 1)
	s := all[0]
	assert.Equal(t, checkmk.Section{
		Name: "phydisk", Unix: 1352457622.31, Object: 234, Frequency: 3579545, HasFrequency: true,
		Instances: []string{"0_C:", "_Total"}, HasInstances: true,
		Counters: []checkmk.Counter{
			{198, "rawcount", countertypes.PERF_COUNTER_RAWCOUNT, true, []uint64{0, 0}},
			{200, "type(20570500)", countertypes.PERF_PRECISION_100NS_TIMER, true, []uint64{235822560, 235822560}},
			{200, "type(40030500)", countertypes.PERF_LARGE_RAW_BASE, true, []uint64{128953712912, 128953712912}},
		},
	}, s)
	at, ok := s.Time()
	assert.True(t, ok)
	assert.Equal(t, time.Date(2012, 11, 9, 10, 40, 22, 310_000_000, time.UTC), at)
	c := s.Clocks()
	assert.Equal(t, uint64(116444736000000000+13524576223100000), c.Time100ns)
	assert.Equal(t, int64(3579545), c.PerfFreq)
	assert.InEpsilon(t, 1352457622.31*3579545, float64(c.PerfTime), 1e-12)
}

func TestForms(t *testing.T) {
	text := "<<<uptime>>>\n12345\n<<<<web01>>>>\n<<<winperf_if:sep(9)>>>\n1.5 510\nno instances\n<<<<>>>>\n<<<winperf_x>>>\r\n2 10 -1\r\n4 18446744073709551615 bulk_count\r\n6 -1 strange\r\n\r\n<<<other>>>\n1 2 3\n"
	all, odd, err := read(t, text, checkmk.Options{})
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "web01", all[0].Host)
	assert.Equal(t, "sep(9)", all[0].Options)
	assert.True(t, all[0].HasInstances)
	assert.False(t, all[0].HasFrequency)
	assert.Empty(t, all[0].Instances)
	assert.Empty(t, all[1].Host)
	assert.Equal(t, uint64(1<<64-1), all[1].Counters[0].Values[0])
	assert.Equal(t, uint64(1<<64-1), all[1].Counters[1].Values[0])
	assert.False(t, all[1].Counters[1].HasType)
	assert.Equal(t, []string{"section[1].counter[1]: the word for the type is unknown: the values are raw numbers (offset 0x94)"}, odd)
	_, ok := (&checkmk.Section{}).Time()
	assert.False(t, ok)
	assert.Zero(t, (&checkmk.Section{}).Clocks())
}

func TestOdd(t *testing.T) {
	const head = "<<<winperf_x>>>\n1 10 5\n"
	for text, want := range map[string]string{
		"<<<winperf_x>>>":                        "section[0]: the section has no line of its time and object (offset 0x0)",
		"<<<winperf_x>>>\n1.2.3 4\n":             "section[0]: the section does not begin with a time and the title index of its object: passed over (offset 0x10)",
		"<<<winperf_x>>>\nNaN 10 5\n":            "section[0]: the section does not begin with a time and the title index of its object: passed over (offset 0x10)",
		"<<<winperf_x>>>\n-1 10 5\n":             "section[0]: the section does not begin with a time and the title index of its object: passed over (offset 0x10)",
		"<<<winperf_x>>>\n0x1p3 10 5\n":          "section[0]: the section does not begin with a time and the title index of its object: passed over (offset 0x10)",
		"<<<winperf_x>>>\n1 4294967296\n":        "section[0]: the section does not begin with a time and the title index of its object: passed over (offset 0x10)",
		head + "3 instances: a b\n":              "section[0]: the line says 3 instances and names 2: the names count (offset 0x17)",
		head + "2 instances: a b\n1 1 counter\n": "section[0].counter[0]: 1 values for 2 instances: what is too much is passed over, what is too little is missing (offset 0x28)",
		head + "1 1 2 counter\n":                 "section[0].counter[0]: 2 values for 1 instances: what is too much is passed over, what is too little is missing (offset 0x17)",
		head + "-11 1 counter\n":                 "section[0].counter[0]: the line is none of a counter: passed over (offset 0x17)",
		head + "7\n":                             "section[0].counter[0]: the line is none of a counter: passed over (offset 0x17)",
		head + "1 x counter\n":                   "section[0].counter[0]: value 0 of the counter is no number: the line is passed over (offset 0x17)",
		head + "1 2 20570500)\n":                 "section[0].counter[0]: the word for the type is unknown: the values are raw numbers (offset 0x17)",
	} {
		_, odd, err := read(t, text, checkmk.Options{})
		require.NoError(t, err)
		assert.Equal(t, []string{want}, odd, text)
		_, _, err = read(t, text, checkmk.Options{Mode: perfdump.Strict})
		assert.Error(t, err, text)
	}
}

// TestIndexesAreWords: the index of a counter is a number of 32 bits, as in a
// block; what lies outside is no counter.
func TestIndexesAreWords(t *testing.T) {
	for text, want := range map[string]struct {
		index uint32
		ok    bool
	}{
		"<<<winperf_x>>>\n1 10 5\n4294967285 1 counter\n":    {1<<32 - 1, true},
		"<<<winperf_x>>>\n1 10 5\n4294967286 1 counter\n":    {},
		"<<<winperf_x>>>\n1 0 5\n4294967295 1 counter\n":     {1<<32 - 1, true},
		"<<<winperf_x>>>\n1 10 5\n-10 1 counter\n":           {0, true},
		"<<<winperf_x>>>\n1 10 5\n-11 1 counter\n":           {},
		"<<<winperf_x>>>\n1 4294967295 5\n0 1 counter\n":     {1<<32 - 1, true},
		"<<<winperf_x>>>\n1 4294967295 5\n1 1 counter\n":     {},
		"<<<winperf_x>>>\n1 4294967295 5\n-4294967295 1 c\n": {0, true},
	} {
		all, odd, err := read(t, text, checkmk.Options{})
		require.NoError(t, err)
		require.Len(t, all, 1)
		if !want.ok {
			assert.Empty(t, all[0].Counters, text)
			assert.Contains(t, fmt.Sprint(odd), "none of a counter", text)
			continue
		}
		require.Len(t, all[0].Counters, 1, text)
		assert.Equal(t, want.index, all[0].Counters[0].Index, text)
	}
}

// TestNeverMoreValuesThanInstances drops what is too much.
func TestNeverMoreValuesThanInstances(t *testing.T) {
	all, _, err := read(t, "<<<winperf_x>>>\n1 10 5\n2 instances: a b\n1 7 8 9 10 counter\n2 7 counter\n", checkmk.Options{})
	require.NoError(t, err)
	assert.Equal(t, []uint64{7, 8}, all[0].Counters[0].Values)
	assert.Equal(t, []uint64{7}, all[0].Counters[1].Values)
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]error{
		"":                          perfdump.ErrEmpty,
		"<<<uptime>>>\n12\n":        perfdump.ErrSignature,
		strings.Repeat("x", 17<<20): perfdump.ErrLimit,
		"<<<winperf_x>>>\n1 2 3\n1 instances:" + strings.Repeat(" a", 70_000): perfdump.ErrLimit,
		"<<<winperf_x>>>\n1 2 3\n" + strings.Repeat("1 1 counter\n", 17_000):  perfdump.ErrLimit,
	} {
		_, _, err := read(t, text, checkmk.Options{})
		assert.ErrorIs(t, err, want, text[:min(len(text), 40)])
		var fe *perfdump.FormatError
		assert.ErrorAs(t, err, &fe)
	}
	broken := errors.New("broken pipe")
	r := checkmk.NewReader(iotest.ErrReader(broken), checkmk.Options{})
	n := 0
	for s, err := range r.Sections() {
		assert.Nil(t, s)
		assert.ErrorIs(t, err, broken)
		n++
	}
	assert.Equal(t, 1, n)
}

// TestSectionsGoOn breaks off: the sections go on behind the last one that was
// read, an error comes again, and nothing comes behind the end.
func TestSectionsGoOn(t *testing.T) {
	text := disk + "<<<winperf_x>>>\n1 2 3\n<<<winperf_y>>>\n1 2 3\n7\n"
	for mode, want := range map[perfdump.Mode][]string{
		perfdump.Tolerant: {"phydisk", "x", "y", "end", "end"},
		perfdump.Strict:   {"phydisk", "x", "error", "error", "error"},
	} {
		r := checkmk.NewReader(strings.NewReader(text), checkmk.Options{Mode: mode})
		var got []string
		for range want {
			met := "end"
			for s, err := range r.Sections() {
				if met = "error"; err == nil {
					met = s.Name
				} else {
					require.Nil(t, s)
					require.ErrorIs(t, err, perfdump.ErrAnomaly)
				}
				break
			}
			got = append(got, met)
		}
		require.Equal(t, want, got)
	}
}

func TestRoundTrip(t *testing.T) {
	all, _, err := read(t, disk, checkmk.Options{})
	require.NoError(t, err)
	assert.Equal(t, disk, string(checkmk.Append(nil, &all[0])))
	hostile := checkmk.Section{
		Name: "a>:b\n", Unix: 1, Object: 5, HasInstances: true, Instances: []string{"", "a b\u00a0c\n<<<x>>>"},
		Counters: []checkmk.Counter{{Index: 1, Word: "a b", Values: []uint64{1, 2}}},
	}
	assert.Equal(t, "<<<winperf_a__b_>>>\n1 5\n2 instances: _ a_b_c_<<<x>>>\n-4 1 2 a_b\n", string(checkmk.Append(nil, &hostile)))
}

func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"counters": disk + strings.Repeat("1 1 2 counter\n", 16_000),
		"sections": strings.Repeat("<<<winperf_x>>>\n", 1<<19),
		"values":   "<<<winperf_x>>>\n1 2 3\n1" + strings.Repeat(" 1", 7<<20) + " counter\n",
	} {
		start := time.Now()
		_, _, err := read(t, text, checkmk.Options{})
		assert.NoError(t, err)
		assert.Less(t, time.Since(start), 5*time.Second, name)
	}
}

func ExampleReader() {
	r := checkmk.NewReader(strings.NewReader(disk), checkmk.Options{})
	for s, err := range r.Sections() {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, c := range s.Counters {
			fmt.Println(s.Name, c.Index, c.Type, c.Values[0])
		}
	}
	// Output:
	// phydisk 198 PERF_COUNTER_RAWCOUNT 0
	// phydisk 200 PERF_PRECISION_100NS_TIMER 235822560
	// phydisk 200 PERF_LARGE_RAW_BASE 128953712912
}

func ExampleAppend() {
	fmt.Print(string(checkmk.Append(nil, &checkmk.Section{
		Name: "system", Unix: 1584558341.12, Object: 2, Frequency: 10_000_000, HasFrequency: true,
		Counters: []checkmk.Counter{{Index: 250, Type: countertypes.PERF_COUNTER_RAWCOUNT, HasType: true, Values: []uint64{1234}}},
	})))
	// Output:
	// <<<winperf_system>>>
	// 1584558341.12 2 10000000
	// 248 1234 rawcount
}
