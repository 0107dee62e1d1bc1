package countertypes

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named is a second list of all there is to know of each name, by hand.
var named = []struct {
	name   string
	hex    uint32
	suffix string
	two    bool
	base   bool // needs one
	hidden bool
	width  int
}{
	{"PERF_COUNTER_RAWCOUNT_HEX", 0x00000000, "", false, false, false, 4},
	{"PERF_COUNTER_LARGE_RAWCOUNT_HEX", 0x00000100, "", false, false, false, 8},
	{"PERF_COUNTER_TEXT", 0x00000B00, "", false, false, false, -1},
	{"PERF_COUNTER_RAWCOUNT", 0x00010000, "", false, false, false, 4},
	{"PERF_COUNTER_LARGE_RAWCOUNT", 0x00010100, "", false, false, false, 8},
	{"PERF_DOUBLE_RAW", 0x00012000, "", false, false, false, 8},
	{"PERF_COUNTER_DELTA", 0x00400400, "", true, false, false, 4},
	{"PERF_COUNTER_LARGE_DELTA", 0x00400500, "", true, false, false, 8},
	{"PERF_SAMPLE_COUNTER", 0x00410400, "", true, false, false, 4},
	{"PERF_COUNTER_QUEUELEN_TYPE", 0x00450400, "", true, false, false, 4},
	{"PERF_COUNTER_LARGE_QUEUELEN_TYPE", 0x00450500, "", true, false, false, 8},
	{"PERF_COUNTER_100NS_QUEUELEN_TYPE", 0x00550500, "", true, false, false, 8},
	{"PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", 0x00650500, "", true, false, false, 8},
	{"PERF_COUNTER_COUNTER", 0x10410400, "/sec", true, false, false, 4},
	{"PERF_COUNTER_BULK_COUNT", 0x10410500, "/sec", true, false, false, 8},
	{"PERF_RAW_FRACTION", 0x20020400, "%", false, true, false, 4},
	{"PERF_LARGE_RAW_FRACTION", 0x20020500, "%", false, true, false, 8},
	{"PERF_COUNTER_TIMER", 0x20410500, "%", true, false, false, 8},
	{"PERF_PRECISION_SYSTEM_TIMER", 0x20470500, "%", true, true, false, 8},
	{"PERF_100NSEC_TIMER", 0x20510500, "%", true, false, false, 8},
	{"PERF_PRECISION_100NS_TIMER", 0x20570500, "%", true, true, false, 8},
	{"PERF_OBJ_TIME_TIMER", 0x20610500, "%", true, false, false, 8},
	{"PERF_PRECISION_OBJECT_TIMER", 0x20670500, "%", true, true, false, 8},
	{"PERF_SAMPLE_FRACTION", 0x20C20400, "%", true, true, false, 4},
	{"PERF_COUNTER_TIMER_INV", 0x21410500, "%", true, false, false, 8},
	{"PERF_100NSEC_TIMER_INV", 0x21510500, "%", true, false, false, 8},
	{"PERF_COUNTER_MULTI_TIMER", 0x22410500, "%", true, false, false, 8},
	{"PERF_100NSEC_MULTI_TIMER", 0x22510500, "%", true, false, false, 8},
	{"PERF_COUNTER_MULTI_TIMER_INV", 0x23410500, "%", true, false, false, 8},
	{"PERF_100NSEC_MULTI_TIMER_INV", 0x23510500, "%", true, false, false, 8},
	{"PERF_AVERAGE_TIMER", 0x30020400, "secs", true, true, false, 4},
	{"PERF_ELAPSED_TIME", 0x30240500, "secs", false, false, false, 8},
	{"PERF_COUNTER_NODATA", 0x40000200, "", false, false, true, 0},
	{"PERF_AVERAGE_BULK", 0x40020500, "", true, true, false, 8},
	{"PERF_SAMPLE_BASE", 0x40030401, "", false, false, true, 4},
	{"PERF_AVERAGE_BASE", 0x40030402, "", false, false, true, 4},
	{"PERF_RAW_BASE", 0x40030403, "", false, false, true, 4},
	{"PERF_LARGE_RAW_BASE", 0x40030500, "", false, false, true, 8},
	{"PERF_COUNTER_MULTI_BASE", 0x42030500, "", false, false, true, 8},
	{"PERF_COUNTER_HISTOGRAM_TYPE", 0x80000000, "", false, false, false, 4},
}

func TestNamedTypes(t *testing.T) {
	all := slices.Collect(All())
	require.Len(t, all, len(named))
	for i, want := range named {
		typ := Type(want.hex)
		info := all[i]
		assert.Equal(t, want.name, info.Name)
		assert.Equal(t, typ, info.Type)
		assert.NotEmpty(t, info.Doc)
		got, ok := Lookup(typ)
		assert.True(t, ok)
		assert.Equal(t, info, got)
		assert.Equal(t, want.name, typ.String())
		assert.True(t, typ.Defined(), want.name)
		assert.Equal(t, want.suffix, typ.Suffix(), want.name)
		assert.Equal(t, want.two, typ.NeedsTwo(), want.name)
		assert.Equal(t, want.base, typ.NeedsBase(), want.name)
		assert.Equal(t, want.hidden, typ.Hidden(), want.name)
		assert.Equal(t, want.width, typ.ValueWidth(), want.name)
		assert.Equal(t, strings.HasSuffix(want.name, "_BASE"), typ.IsBase(), want.name)
		assert.Equal(t, want.base || strings.Contains(want.name, "_MULTI_TIMER"), info.Base != "", want.name)
		assert.Equal(t, strings.Contains(want.name, "_INV"), typ.Inverse(), want.name)
		assert.Equal(t, strings.Contains(want.name, "_MULTI_"), typ.Multi(), want.name)
		assert.Equal(t, want.name == "PERF_SAMPLE_FRACTION", typ.DeltaBase(), want.name)

		hex := "0x" + strconv.FormatUint(uint64(want.hex), 16)
		short := strings.TrimPrefix(want.name, "PERF_")
		for _, s := range append([]string{
			want.name, strings.ToLower(want.name), short, strings.ToLower(short),
			hex, strings.ToUpper(hex), strconv.FormatUint(uint64(want.hex), 10),
		}, info.Aliases...) {
			p, err := Parse(s)
			assert.NoError(t, err)
			assert.Equal(t, typ, p, s)
		}
	}
}

func TestAliases(t *testing.T) {
	for alias, want := range map[string]Type{
		"PERF_OBJ_TIME_TIME":             PERF_OBJ_TIME_TIMER,
		"PERF_PRECISION_TIMER":           PERF_PRECISION_SYSTEM_TIMER,
		"perf_counter_obj_queuelen_type": PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE,
		"100NSEC_MULTI_TIMER_II":         PERF_100NSEC_MULTI_TIMER_INV,
		"PERF_PRECISION_TIMESTAMP":       PERF_LARGE_RAW_BASE,
		" precision_timestamp ":          0x40030500,
		"1073939715":                     0x40030503,
	} {
		got, err := Parse(alias)
		assert.NoError(t, err)
		assert.Equal(t, want, got, alias)
	}
	for _, s := range []string{"", "PERF_", "0x", "0x100000000", "-1", "4294967296", "12z", "0xg", "PERF_PERF_COUNTER_TIMER", "PERF_COUNTER_COMPOSITE"} {
		_, err := Parse(s)
		assert.Error(t, err, s)
	}
}

// WMI's documentation and winperf.h have different numbers for one name.
func TestLargeRawBaseHasTwoNumbers(t *testing.T) {
	for _, typ := range []Type{0x40030500, 0x40030503} {
		info, ok := Lookup(typ)
		assert.True(t, ok)
		assert.Equal(t, PERF_LARGE_RAW_BASE, info.Type)
		assert.Equal(t, "PERF_LARGE_RAW_BASE", typ.String())
		assert.True(t, typ.IsBase() && typ.Defined() && typ.Hidden())
		assert.Equal(t, 8, typ.ValueWidth())
		_, s := Cook(nil, &Sample{Type: typ}, nil)
		assert.Equal(t, StatusBaseOnly, s)
	}
}

func TestBitTraps(t *testing.T) {
	assert.Equal(t, SizeZero, PERF_COUNTER_NODATA.Size())
	assert.Equal(t, SizeVariable, PERF_COUNTER_TEXT.Size())
	assert.Equal(t, KindText, PERF_COUNTER_TEXT.Kind())
	for _, subtype := range []Type{counterOf(7), counterOf(0xB), counterOf(0xF)} {
		assert.Equal(t, Type(0x30000), subtype&0x30000, "the flawed test takes it for a base")
		assert.False(t, subtype.IsBase())
	}
	assert.False(t, Type(0x00030800).IsBase(), "of another kind")
	assert.False(t, PERF_AVERAGE_TIMER.Delta() || PERF_AVERAGE_BULK.Delta() || PERF_AVERAGE_TIMER.DeltaBase())
	assert.True(t, PERF_PRECISION_100NS_TIMER.Delta() && !PERF_PRECISION_100NS_TIMER.DeltaBase())
	assert.Equal(t, CounterPrecision, PERF_PRECISION_100NS_TIMER.Subtype())
	assert.Equal(t, ClockTick, PERF_COUNTER_COUNTER.Clock())
	assert.Equal(t, Clock100ns, PERF_100NSEC_TIMER.Clock())
	assert.Equal(t, ClockObject, PERF_ELAPSED_TIME.Clock())
	assert.True(t, Type(0x00410000).NeedsTwo(), "an unnamed difference")
	assert.True(t, Type(0x10010400).NeedsTwo(), "a rate without the DELTA bit still needs two clocks")
	assert.True(t, Type(0x30640500).NeedsTwo(), "ELAPSED with the DELTA bit")
	assert.False(t, Type(0x40010100).Hidden(), "NOSHOW alone hides nothing")
}

// counterOf is a COUNTER of the given subtype.
func counterOf(subtype uint32) Type { return Type(0x400 | subtype<<16) }

func TestDefined(t *testing.T) {
	cases := []struct {
		typ     Type
		defined bool
		status  Status // of one sample
		why     string
	}{
		{0x00012000, true, StatusOK, "PERF_DOUBLE_RAW"},
		{0x00012100, false, StatusUnsupported, "the bit of PERF_DOUBLE_RAW in another type"},
		{0x00011000, false, StatusUnsupported, "bit 12"},
		{0x08010000, false, StatusUnsupported, "bit 27"},
		{0x80000000, true, StatusUnsupported, "the histogram"},
		{0x80010000, false, StatusUnsupported, "bit 31 elsewhere"},
		{0x00310000, false, StatusUnsupported, "clock 3"},
		{0x50010000, false, StatusUnsupported, "suffix 5"},
		{0x00020000, true, StatusOK, "NUMBER/DEC_1000"},
		{0x00060400, true, StatusUnsupported, "COUNTER/HISTOGRAM"},
		{0x00080400, false, StatusUnsupported, "COUNTER of subtype 8"},
		{0x00010B00, true, StatusText, "ASCII text"},
		{0x00000800, true, StatusText, "text of a fixed size"},
		{0x00000C00, true, StatusOK, "ZERO"},
		{0x00010C00, false, StatusUnsupported, "ZERO of a subtype"},
		{0x00010300, true, StatusUnsupported, "a number of variable length"},
		{0x00010200, true, StatusNoValue, "a number of zero length"},
		{0x000104FF, true, StatusNeedsSecondSample, "bits 0-7 have no meaning"},
		{0xFFFFFFFF, false, StatusUnsupported, "everything"},
	}
	for _, c := range cases {
		assert.Equal(t, c.defined, c.typ.Defined(), c.why)
		_, s := Cook(nil, &Sample{Type: c.typ}, nil)
		assert.Equal(t, c.status, s, c.why)
	}
	assert.Equal(t, "0x0001E240", Type(123456).String())
	assert.Equal(t, "0x50010000", Type(0x50010000).String())
}

// TestRawUnits: what a raw value counts, by what the formula does with it.
func TestRawUnits(t *testing.T) {
	for want, types := range map[string][]Type{
		"":             {PERF_COUNTER_RAWCOUNT, PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_RAWCOUNT_HEX, PERF_RAW_FRACTION, PERF_COUNTER_TEXT, PERF_COUNTER_NODATA},
		"total":        {PERF_COUNTER_COUNTER, PERF_COUNTER_BULK_COUNT, PERF_COUNTER_DELTA, PERF_COUNTER_LARGE_DELTA, PERF_AVERAGE_BULK, PERF_SAMPLE_FRACTION},
		"ticks":        {PERF_COUNTER_TIMER, PERF_COUNTER_TIMER_INV, PERF_COUNTER_MULTI_TIMER, PERF_COUNTER_QUEUELEN_TYPE, PERF_AVERAGE_TIMER, PERF_PRECISION_SYSTEM_TIMER},
		"100 ns":       {PERF_100NSEC_TIMER, PERF_100NSEC_MULTI_TIMER_INV, PERF_COUNTER_100NS_QUEUELEN_TYPE, PERF_PRECISION_100NS_TIMER},
		"object ticks": {PERF_OBJ_TIME_TIMER, PERF_PRECISION_OBJECT_TIMER},
		"start time":   {PERF_ELAPSED_TIME},
		"base":         {PERF_SAMPLE_BASE, PERF_AVERAGE_BASE, PERF_RAW_BASE, PERF_COUNTER_MULTI_BASE, PERF_LARGE_RAW_BASE},
	} {
		for _, c := range types {
			require.Equal(t, want, c.RawUnit(), c)
			require.Empty(t, (c | 1<<31).RawUnit(), "%v with a bit that no type has", c)
		}
	}
}
