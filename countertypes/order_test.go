package countertypes

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// order is the order of the tests, which every pair below has to keep.
var order = []Status{
	StatusTypeMismatch, StatusUnsupported, StatusText, StatusNoValue, StatusBaseOnly,
	StatusNeedsSecondSample, StatusInvalidData, StatusInstanceChanged, StatusNoBase, StatusNegativeDelta, StatusNegativeTimeBase,
	StatusNegativeDenominator, StatusZeroDenominator,
}

// Each step corrects the first thing that is wrong with a sample in which as
// much is wrong as can be, and the next status appears.
func TestOrderOfTests(t *testing.T) {
	older := &Sample{Type: PERF_AVERAGE_BULK, First: 9, Second: 9}
	newer := &Sample{Type: 0x80000B00, First: 5, Second: 5, TimeBase: -1, Status: StatusInvalidData}
	hidden := (*Sample)(nil)
	steps := []struct {
		want Status
		fix  func()
	}{
		{StatusTypeMismatch, func() { older.Type = newer.Type }},
		{StatusUnsupported, func() { older.Type, newer.Type = PERF_COUNTER_TEXT, PERF_COUNTER_TEXT }},
		{StatusText, func() { older.Type, newer.Type = PERF_COUNTER_NODATA, PERF_COUNTER_NODATA }},
		{StatusNoValue, func() { older.Type, newer.Type = PERF_AVERAGE_BASE, PERF_AVERAGE_BASE }},
		{StatusBaseOnly, func() { older.Type, newer.Type = PERF_AVERAGE_TIMER, PERF_AVERAGE_TIMER; hidden, older = older, nil }},
		{StatusNeedsSecondSample, func() { older = hidden }},
		{StatusInvalidData, func() { newer.Status, older.Status = StatusNoBase, StatusInstanceChanged }},
		{StatusInstanceChanged, func() { older.Status = StatusOK }},
		{StatusNoBase, func() { newer.Status = StatusOK }},
		{StatusNegativeDelta, func() { newer.First = 10 }},
		{StatusNegativeTimeBase, func() { newer.TimeBase = 0 }},
		{StatusNegativeDenominator, func() { newer.Second = 9 }},
		{StatusZeroDenominator, func() { newer.TimeBase, newer.Second = 1, 10 }},
		{StatusOK, func() {}},
	}
	for _, step := range steps {
		v, s := Cook(older, newer, nil)
		assert.Equal(t, step.want, s)
		assert.Equal(t, step.want == StatusOK, v != 0)
		step.fix()
	}
}

// What a reader found is reported at its place: before what comes later in the
// order, after what comes earlier.
func TestStatusOfSamples(t *testing.T) {
	fine := Sample{Type: PERF_AVERAGE_BULK, First: 9, Second: 9, TimeBase: 1}
	with := func(typ Type, s Status) *Sample {
		c := fine
		c.Type, c.Status, c.Second = typ, s, 20
		return &c
	}
	cases := []struct {
		name         string
		older, newer *Sample
		want         Status
	}{
		{"newer", with(PERF_AVERAGE_BULK, 0), with(PERF_AVERAGE_BULK, StatusNoBase), StatusNoBase},
		{"older", with(PERF_AVERAGE_BULK, StatusNoBase), with(PERF_AVERAGE_BULK, 0), StatusNoBase},
		{"invalid-data wins", with(PERF_AVERAGE_BULK, StatusNoBase), with(PERF_AVERAGE_BULK, StatusInvalidData), StatusInvalidData},
		{"invalid-data wins, turned", with(PERF_AVERAGE_BULK, StatusInvalidData), with(PERF_AVERAGE_BULK, StatusNoBase), StatusInvalidData},
		{"one sample is told first", nil, with(PERF_AVERAGE_BULK, StatusInvalidData), StatusNeedsSecondSample},
		{"older of a one-sample type", with(PERF_RAW_FRACTION, StatusNoBase), with(PERF_RAW_FRACTION, 0), StatusOK},
		{"older of a raw value", with(PERF_COUNTER_RAWCOUNT, StatusInvalidData), with(PERF_COUNTER_RAWCOUNT, 0), StatusOK},
		{"one sample without base", nil, with(PERF_RAW_FRACTION, StatusNoBase), StatusNoBase},
		{"raw value", nil, with(PERF_COUNTER_RAWCOUNT, StatusInvalidData), StatusInvalidData},
		{"base", nil, with(PERF_AVERAGE_BASE, StatusInvalidData), StatusBaseOnly},
		{"text", nil, with(PERF_COUNTER_TEXT, StatusInvalidData), StatusText},
		{"a zero that was not had", nil, with(0xC00, StatusInvalidData), StatusInvalidData},
		{"elapsed", with(PERF_ELAPSED_TIME, StatusInvalidData), with(PERF_ELAPSED_TIME, 0), StatusOK},
		{"the count of the older is not used", with(0x22510500, StatusNoBase), withMulti(with(0x22510500, 0), 30), StatusOK},
		{"the count of the newer is", with(0x22510500, 0), withMulti(with(0x22510500, StatusNoBase), 30), StatusNoBase},
		{"the count of the newer is, inverse", with(0x23510500, 0), withMulti(with(0x23510500, StatusNoBase), 30), StatusNoBase},
		{"the value of the older is used", with(0x22510500, StatusInvalidData), withMulti(with(0x22510500, 0), 30), StatusInvalidData},
		{"another owner", with(PERF_AVERAGE_BULK, StatusInstanceChanged), with(PERF_AVERAGE_BULK, 0), StatusInstanceChanged},
		{"another owner and no value", with(PERF_AVERAGE_BULK, StatusInstanceChanged), with(PERF_AVERAGE_BULK, StatusInvalidData), StatusInvalidData},
		{"another owner and no base", with(PERF_AVERAGE_BULK, StatusInstanceChanged), with(PERF_AVERAGE_BULK, StatusNoBase), StatusInstanceChanged},
		{"another owner of a reading", with(PERF_COUNTER_RAWCOUNT, StatusInstanceChanged), with(PERF_COUNTER_RAWCOUNT, 0), StatusOK},
		{"another owner of a fraction of one sample", with(PERF_RAW_FRACTION, StatusInstanceChanged), with(PERF_RAW_FRACTION, 0), StatusOK},
		{"another owner of a start", with(PERF_ELAPSED_TIME, StatusInstanceChanged), with(PERF_ELAPSED_TIME, 0), StatusOK},
		{"another owner of another type", with(PERF_COUNTER_DELTA, StatusInstanceChanged), with(PERF_AVERAGE_BULK, 0), StatusTypeMismatch},
		{"types differ in bits without a meaning", with(PERF_COUNTER_RAWCOUNT, 0), with(PERF_COUNTER_RAWCOUNT|1, 0), StatusTypeMismatch},
		{"types differ", with(PERF_RAW_FRACTION, StatusInvalidData), with(PERF_RAW_BASE, 0), StatusTypeMismatch},
	}
	for _, c := range cases {
		v, s := Cook(c.older, c.newer, nil)
		assert.Equal(t, c.want, s, c.name)
		if s != StatusOK {
			assert.Zero(t, v, c.name)
		}
	}
	// .NET's elapsed time alone makes use of an older start.
	_, s := Cook(with(PERF_ELAPSED_TIME, StatusInvalidData), with(PERF_ELAPSED_TIME, 0), &Options{Elapsed: ElapsedNET})
	assert.Equal(t, StatusInvalidData, s)
	// A 0 in the place of a value that went back does not hide what was found.
	back := with(PERF_COUNTER_DELTA, StatusInvalidData)
	back.First = 1
	_, s = Cook(with(PERF_COUNTER_DELTA, 0), back, &Options{Negative: NegativeZero})
	assert.Equal(t, StatusInvalidData, s)
}

func TestOfAnother(t *testing.T) {
	assert.Equal(t, StatusInstanceChanged, StatusOK.OfAnother())
	assert.Equal(t, StatusInstanceChanged, StatusNoBase.OfAnother())
	assert.Equal(t, StatusInvalidData, StatusInvalidData.OfAnother(), "which is tested first")
}

func withMulti(s *Sample, second uint64) *Sample {
	s.Multi, s.Second = 2, second
	return s
}

func TestStatusWords(t *testing.T) {
	words := map[Status]string{
		StatusOK: "ok", StatusNeedsSecondSample: "needs-second-sample", StatusNegativeDelta: "negative-delta",
		StatusNegativeDenominator: "negative-denominator", StatusNegativeTimeBase: "negative-time-base",
		StatusZeroDenominator: "zero-denominator", StatusNoBase: "no-base", StatusInvalidData: "invalid-data",
		StatusTypeMismatch: "type-mismatch", StatusBaseOnly: "base-only", StatusNoValue: "no-value",
		StatusText: "text", StatusUnsupported: "unsupported", StatusInstanceChanged: "instance-changed",
	}
	codes := map[Status]uint32{
		StatusOK: 0, StatusNeedsSecondSample: 0xC0000BBA, StatusInvalidData: 0xC0000BBA, StatusNegativeDelta: 0x800007D8,
		StatusNegativeDenominator: 0x800007D6, StatusNegativeTimeBase: 0x800007D7, StatusNoValue: 0x800007D5,
	}
	assert.Len(t, words, len(order)+1)
	for i, s := range order {
		assert.Equal(t, Status(i+1), s, "the numbers are the order")
	}
	for s, word := range words {
		assert.Equal(t, word, s.String())
		got, err := ParseStatus(word)
		assert.NoError(t, err)
		assert.Equal(t, s, got)
		text, err := s.MarshalText()
		assert.NoError(t, err)
		var back Status
		assert.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, s, back)
		code, ok := s.PDH()
		want, has := codes[s]
		assert.Equal(t, has, ok, word)
		assert.Equal(t, want, code, word)
	}
	assert.Equal(t, "status(99)", Status(99).String())
	s := StatusText
	assert.Error(t, s.UnmarshalText([]byte("fine")))
	assert.Equal(t, StatusText, s)
}
