package perfdump

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

var levels = Levels{"block", "object", "instance", "counter"}

func TestFormatErrorSaysWhatWhereAndByHowMuch(t *testing.T) {
	path := levels.Root().At(1, 12).At(2, 3)
	err := error(NewError(CodeLength, 0x4a10, path, "name 0x%x past the instance's 0x%x bytes", 0x1f8, 0x60))
	require.EqualError(t, err, "object[12].instance[3]: name 0x1f8 past the instance's 0x60 bytes (offset 0x4a10)")
	require.ErrorIs(t, err, ErrLength)
	require.NotErrorIs(t, err, ErrTruncated)

	var fe *FormatError
	require.ErrorAs(t, fmt.Errorf("a.bin: %w", err), &fe)
	require.Equal(t, CodeLength, fe.Code)

	cut := fe.Truncated()
	require.ErrorIs(t, cut, ErrLength)
	require.ErrorIs(t, cut, ErrTruncated)
	require.NotErrorIs(t, fe, ErrTruncated, "Truncated must not change its receiver")
}

func TestEveryErrorCodeHasItsCause(t *testing.T) {
	for code, cause := range causes {
		require.ErrorIs(t, NewError(code, 0, Path{}, "x"), cause, string(code))
	}
	require.ErrorIs(t, NewError("size-mismatch", 0, Path{}, "x"), ErrAnomaly)
	require.Equal(t, "length", (&FormatError{Code: CodeLength, Off: -1}).Error())
}

func TestPath(t *testing.T) {
	for want, p := range map[string]Path{
		"":                                   {},
		"object[3]":                          levels.Root().At(1, 3),
		"HeaderLength":                       levels.Root().Field("HeaderLength"),
		"block[1].object[0].instance[2].Off": levels.Root().At(0, 1).At(1, 0).At(2, 2).Field("Off"),
	} {
		require.Equal(t, want, p.String())
	}
	p := levels.Root().At(1, 3).At(2, 0).Field("x")
	require.True(t, p.Within(levels.Root()))
	require.True(t, p.Within(levels.Root().At(1, 3)))
	require.True(t, p.Within(p))
	require.False(t, p.Within(levels.Root().At(1, 2)))
	require.False(t, levels.Root().At(1, 3).Within(p))
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = levels.Root().At(1, 3).At(2, 0).Field("x") }))
}

func TestAnomaliesKeepToTheLimitAndCountTheRest(t *testing.T) {
	var s Anomalies
	s.Reset(2)
	for i := range 5 {
		s.Add(NewAnomaly("gap", int64(i), Path{}, "%d bytes at %d", 16, int64(i)))
	}
	s.Add(NewAnomaly("detail", 9, Path{}, "level"))
	require.Equal(t, 6, s.Len())
	require.Len(t, s.Kept(), 2)
	require.Equal(t, "16 bytes at 1", s.Kept()[1].Message())
	var got []string
	for c, n := range s.Dropped() {
		got = append(got, fmt.Sprint(c, n))
	}
	require.Equal(t, []string{"detail1", "gap3"}, got)

	c := s.Clone()
	s.Reset(2)
	s.Add(NewAnomaly("freq", 0, Path{}, "0"))
	require.Equal(t, 6, c.Len())
	require.Equal(t, Code("gap"), c.Kept()[0].Code)
	require.True(t, errors.Is(s.Kept()[0].Err(), ErrAnomaly))
}

func TestMode(t *testing.T) {
	for _, m := range []Mode{Tolerant, Strict, Salvage} {
		got, err := ParseMode(m.String())
		require.NoError(t, err)
		require.Equal(t, m, got)
	}
	_, err := ParseMode("lax")
	require.ErrorContains(t, err, "salvage")
	require.Equal(t, "Mode(9)", Mode(9).String())
}

func TestLimits(t *testing.T) {
	require.Equal(t, 1000, Limits{}.MaxAnomalies())
	require.Equal(t, 65536, Limits{}.MaxValues(10))
	require.Equal(t, 70000, Limits{}.MaxValues(70000))
	require.Equal(t, 10, Limits{Values: 3}.MaxValues(10))
}
