package checkmk_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/golden"
)

const disk = `<<<winperf_phydisk>>>
1352457622.31 234 3579545
2 instances: 0_C: _Total
-36 0 0 rawcount
-34 235822560 235822560 type(20570500)
-34 128953712912 128953712912 type(40030500)
`

func read(t testing.TB, src io.Reader, o perfdump.Options) (all []checkmk.Section, anomalies []string, err error) {
	t.Helper()
	r := checkmk.NewReader(src, o)
	for s, next := range r.Sections() {
		require.NoError(t, err) // nothing comes after it
		if err = next; err != nil {
			require.Nil(t, s)
			continue
		}
		all = append(all, *s)
	}
	for _, a := range r.Anomalies().Kept() {
		anomalies = append(anomalies, a.String())
	}
	return all, anomalies, err
}

// wide is text in UTF-16.
func wide(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func TestClocks(t *testing.T) {
	all, _, err := read(t, strings.NewReader(disk), perfdump.Options{})
	require.NoError(t, err)
	at, ok := all[0].Time()
	assert.True(t, ok)
	assert.Equal(t, time.Date(2012, 11, 9, 10, 40, 22, 310_000_000, time.UTC), at)
	c := all[0].Clocks()
	assert.Equal(t, uint64(116444736000000000+13524576223100000), c.Time100ns)
	assert.Equal(t, int64(3579545), c.PerfFreq)
	assert.InEpsilon(t, 1352457622.31*3579545, float64(c.PerfTime), 1e-12)
	_, ok = (&checkmk.Section{}).Time()
	assert.False(t, ok)
	assert.Zero(t, (&checkmk.Section{}).Clocks())
}

// TestRead compares what texts are read as with testdata/read.txt. Text in UTF-16,
// which shells save, reads the same but for the offsets, and strict mode accepts
// what has no anomaly.
func TestRead(t *testing.T) {
	const name, head, section = "<<<winperf_x>>>\n", "<<<winperf_x>>>\n1 10 5\n", "<<<winperf_x>>>\n1 10 5\n4 7 counter\n"
	texts := []string{
		disk, strings.TrimSuffix(disk, "\n"),
		"<<<uptime>>>\n12345\n<<<<web01>>>>\n<<<winperf_if:sep(9)>>>\n1.5 510\nno instances\n<<<<>>>>\n<<<winperf_x>>>\r\n2 10 -1\r\n" +
			"4 18446744073709551615 bulk_count\r\n6 -1 strange\r\n\r\n<<<other>>>\n1 2 3\n",
		// The name of an instance has bytes of line ends in UTF-16.
		"<<<uptime>>>\r\n7\r\n" + disk + "<<<<h\u00e4st>>>>\n<<<winperf_x>>>\n3 10 5\r\n1 instances: \u0a0a\u010d\u0d0a\U0001f40a\n4 8 odd\n7\n",
		// The host is that of the piggyback marker, else of the agent.
		section + "<<<check_mk>>>\nVersion: 2.3.0\nAgentOS: windows\nHostname: web01\r\n" + section +
			"<<<<vm7>>>>\n" + section + "<<<check_mk>>>\nHostname: inner\n" + section + "<<<<>>>>\n" + section +
			"<<<other>>>\nHostname: no\n" + section + "<<<check_mk:sep(58)>>>\nHOSTNAME:  web02 \n" + section +
			"<<<check_mk>>>\nVersion: 1\n" + section,

		name, name + "1.2.3 4\n", name + "NaN 10 5\n", name + "-1 10 5\n", name + "0x1p3 10 5\n", name + "1 4294967296\n",
		head + "3 instances: a b\n", head + "2 instances: a b\n1 1 counter\n2 7 8 9 10 counter\n", head + "1 1 2 counter\n", head + "-11 1 counter\n",
		head + "7\n", head + "1 x counter\n", head + "1 2 20570500)\n",
		// The index of a counter is a number of 32 bits, as in a block.
		head + "4294967285 1 counter\n", head + "4294967286 1 counter\n", name + "1 0 5\n4294967295 1 counter\n", head + "-10 1 counter\n",
		name + "1 4294967295 5\n0 1 counter\n", name + "1 4294967295 5\n1 1 counter\n", name + "1 4294967295 5\n-4294967295 1 c\n",
		"<<<uptime>>>\n12\n",
	}
	// Older agents write types as hexadecimal numbers, newer ones as decimal.
	for _, number := range []string{"20570500", "542573824", "65792", "20470500", "2147483648", "12ab", "4ABC", "0", "256", "100", "12345", "4294967295", "1234567890123", "b00"} {
		texts = append(texts, fmt.Sprintf("%s4 7 type(%s)\n6 7 TYPE(%s)\n", head, number, number))
	}
	var out strings.Builder
	for _, text := range texts {
		all, anomalies, err := read(t, strings.NewReader(text), perfdump.Options{})
		fmt.Fprintf(&out, "%q\n", text)
		for _, s := range all {
			fmt.Fprintf(&out, "\t%+v\n", s)
		}
		for _, a := range anomalies {
			fmt.Fprintf(&out, "\t%s\n", a)
		}
		if err != nil {
			fmt.Fprintf(&out, "\terror %v\n", err)
		}
		_, _, strict := read(t, strings.NewReader(text), perfdump.Options{Mode: perfdump.Strict})
		assert.Equal(t, err != nil || len(anomalies) > 0, strict != nil, text)
		forms := map[string]int64{"\ufeff" + text: 1, wide("\ufeff"+text, false): 2, wide("\ufeff"+text, true): 2, wide(text, false): 2}
		if text != name { // half a unit is a line of its own
			forms[wide(text, false)+"x"] = 2
		}
		for src, unit := range forms {
			for _, in := range []io.Reader{strings.NewReader(src), iotest.OneByteReader(strings.NewReader(src))} {
				got, other, otherErr := read(t, in, perfdump.Options{})
				require.Equal(t, err == nil, otherErr == nil, text)
				mark := int64(len(src)) - unit*int64(len(text))
				for i := range got {
					if len(wide(text, false)) == 2*len(text) && src[len(src)-1] != 'x' { // ASCII
						assert.Equal(t, mark+unit*all[i].Off, got[i].Off, text)
					}
					got[i].Off = all[i].Off
				}
				assert.Equal(t, all, got, text)
				require.Len(t, other, len(anomalies), text)
				for i := range other {
					a, _, _ := strings.Cut(other[i], " (offset")
					assert.True(t, strings.HasPrefix(anomalies[i], a+" (offset"))
				}
			}
		}
	}
	golden.File(t, "testdata/read.txt", []byte(out.String()))

	// The places in UTF-16 are those of the file.
	text := "<<<h\u00e4st>>>\n" + head + "\n4 8 odd\n"
	_, anomalies, _ := read(t, strings.NewReader(wide("\ufeff"+text, true)), perfdump.Options{})
	at := 2 + len(wide(text[:strings.Index(text, "4 8")], false))
	require.Len(t, anomalies, 1)
	assert.Contains(t, anomalies[0], fmt.Sprintf("(offset 0x%x)", at))
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]error{
		"":                          perfdump.ErrEmpty,
		strings.Repeat("x", 17<<20): perfdump.ErrLimit,
		"<<<winperf_x>>>\n1 2 3\n1 instances:" + strings.Repeat(" a", 70_000): perfdump.ErrLimit,
		"<<<winperf_x>>>\n1 2 3\n" + strings.Repeat("1 1 counter\n", 17_000):  perfdump.ErrLimit,
		"\xff\xfe" + strings.Repeat("a\x00", 17<<20):                          perfdump.ErrLimit,
		"\xff\xfe": perfdump.ErrSignature, "\xfe\xff": perfdump.ErrSignature, "\xef\xbb\xbf": perfdump.ErrSignature,
		"\xff\xfea": perfdump.ErrSignature, "a\x00": perfdump.ErrSignature, "a\x00\n": perfdump.ErrSignature,
	} {
		_, _, err := read(t, strings.NewReader(text), perfdump.Options{})
		assert.ErrorIs(t, err, want, "%q", text[:min(len(text), 40)])
		var fe *perfdump.FormatError
		assert.ErrorAs(t, err, &fe)
	}
	broken := errors.New("broken pipe")
	_, _, err := read(t, iotest.ErrReader(broken), perfdump.Options{})
	assert.ErrorIs(t, err, broken)
}

// TestSectionsGoOn breaks off: the sections go on after the last one that was
// read, an error comes again, and nothing comes after the end.
func TestSectionsGoOn(t *testing.T) {
	text := disk + "<<<winperf_x>>>\n1 2 3\n<<<winperf_y>>>\n1 2 3\n7\n"
	for mode, want := range map[perfdump.Mode]string{perfdump.Tolerant: "phydisk x y end end", perfdump.Strict: "phydisk x error error error"} {
		r := checkmk.NewReader(strings.NewReader(text), perfdump.Options{Mode: mode})
		var got []string
		for range 5 {
			next := "end"
			for s, err := range r.Sections() {
				if next = "error"; err == nil {
					next = s.Name
				}
				break
			}
			got = append(got, next)
		}
		require.Equal(t, want, strings.Join(got, " "))
	}
}

// TestWords reads the agent's words in any case, and writes them as the agent
// spells them.
func TestWords(t *testing.T) {
	for word, want := range map[string]countertypes.Type{
		"counter": 0x10410400, "timer": 0x20410500, "queuelen_type": 0x00450400, "bulk_count": 0x10410500, "text": 0x00000B00,
		"rawcount": 0x00010000, "large_rawcount": 0x00010100, "rawcount_hex": 0, "large_rawcount_HEX": 0x100,
		"sample_fraction": 0x20C20400, "sample_counter": 0x00410400, "nodata": 0x40000200, "timer_inv": 0x21410500,
		"sample_base": 0x40030401, "average_timer": 0x30020400, "average_base": 0x40030402, "average_bulk": 0x40020500,
		"100nsec_timer": 0x20510500, "100nsec_timer_inv": 0x21510500, "multi_timer": 0x22410500, "multi_timer_inV": 0x23410500,
		"multi_base": 0x42030500, "100nsec_multi_timer": 0x22510500, "100nsec_multi_timer_inV": 0x23510500,
		"raw_fraction": 0x20020400, "raw_base": 0x40030403, "elapsed_time": 0x30240500,
		"type(20570500)": 0x20570500, "type(000000aa)": 0xaa,
	} {
		for _, spelled := range []string{word, strings.ToUpper(word), strings.ToLower(word)} {
			all, anomalies, err := read(t, strings.NewReader("<<<winperf_x>>>\n1 10 5\n4 7 "+spelled+"\n"), perfdump.Options{})
			require.NoError(t, err)
			assert.Empty(t, anomalies, spelled)
			assert.Equal(t, want, all[0].Counters[0].Type, spelled)
			assert.Equal(t, "<<<winperf_x>>>\n1 10 5\n4 7 "+word+"\n", string(checkmk.Append(nil, &all[0])))
		}
	}
}

func TestRoundTrip(t *testing.T) {
	all, _, err := read(t, strings.NewReader(disk), perfdump.Options{})
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
		_, _, err := read(t, strings.NewReader(text), perfdump.Options{})
		assert.NoError(t, err)
		assert.Less(t, time.Since(start), 5*time.Second, name)
	}
}

func ExampleReader() {
	r := checkmk.NewReader(strings.NewReader(disk), perfdump.Options{})
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
