package aspnet_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

func vector(t testing.TB, v aspnet.Version) *aspnet.Vector {
	t.Helper()
	values := make([]uint32, v.Len())
	for i := range values {
		values[i] = uint32(100 + i)
	}
	b, err := aspnet.Append(nil, v, values)
	require.NoError(t, err)
	x, err := aspnet.Parse(b, v)
	require.NoError(t, err)
	return x
}

func TestVersions(t *testing.T) {
	for v, words := range map[aspnet.Version]int{0: 0, aspnet.V20: 84, aspnet.V4x: 101} {
		for n := range 420 {
			x, err := aspnet.Parse(make([]byte, n), v)
			require.Equal(t, n > 0 && n == 4*words, err == nil, "%s: %d", v, n)
			require.Equal(t, err == nil, x != nil && x.Zero() && x.Len() == words)
			require.Equal(t, n > 0 && n < 4*words, errors.Is(err, perfdump.ErrTruncated))
			var fe *perfdump.FormatError
			require.Equal(t, err != nil, errors.As(err, &fe))
		}
		got, err := aspnet.ParseVersion(v.String())
		require.Equal(t, v != 0, err == nil && got == v)
		kept, err := aspnet.Append([]byte("kept"), v, make([]uint32, 3))
		require.ErrorIs(t, err, perfdump.ErrCount)
		require.Equal(t, "kept", string(kept))
	}
	require.Nil(t, aspnet.Counters(9))
}

func TestEveryIndexHasAName(t *testing.T) {
	for _, v := range []aspnet.Version{aspnet.V20, aspnet.V4x} {
		x := vector(t, v)
		require.False(t, x.Zero())
		for c, n := range x.Values() {
			require.Equal(t, uint32(100+c.Index), n)
			require.Equal(t, c.Name == "", c.Type == 0)
		}
		at := int64(0)
		for s := range x.Spans() {
			require.Equal(t, at, s.Off)
			require.NotEmpty(t, s.Path.FieldName())
			at += s.Size
		}
		require.Equal(t, int64(len(x.Bytes())), at)
	}
}

func TestSpecTable(t *testing.T) {
	text, err := os.ReadFile("../../../shared/spec/aspnet-counters.tsv")
	if err != nil {
		t.Skip("the shared test data do not stand beside this checkout")
	}
	var got []string
	for _, v := range []aspnet.Version{aspnet.V20, aspnet.V4x} {
		for _, c := range aspnet.Counters(v) {
			typ := ""
			if c.Type != 0 {
				typ = c.Type.String()
			}
			got = append(got, strings.Join([]string{strconv.Itoa(c.Index), v.String(), c.Scope.String(), c.Symbol, c.Name, typ}, "\t"))
		}
	}
	require.Equal(t, strings.Split(strings.TrimRight(string(text), "\n"), "\n")[1:], got)
}

func TestSamples(t *testing.T) {
	x := vector(t, aspnet.V20)
	old := countertypes.Clocks{PerfFreq: 10}
	now := countertypes.Clocks{PerfFreq: 10, PerfTime: 20}
	ratios := 0
	for c := range x.Values() {
		a, b := x.Sample(c, &old, nil), x.Sample(c, &now, nil)
		v, status := countertypes.Cook(&a, &b, nil)
		switch c.Type {
		case countertypes.PERF_RAW_FRACTION:
			ratios++
			require.Equal(t, countertypes.StatusOK, status)
			require.InDelta(t, 100*float64(b.First)/float64(b.First+2), v, 1e-9, c.Symbol)
		case countertypes.PERF_COUNTER_COUNTER:
			require.Equal(t, countertypes.StatusOK, status)
			require.Zero(t, v)
		default:
		}
	}
	require.Equal(t, 3, ratios)
	x = vector(t, aspnet.V4x)
	s := x.Sample(&aspnet.Counters(aspnet.V4x)[19], nil, nil)
	require.Equal(t, countertypes.StatusUnsupported, s.Status)
	require.Equal(t, countertypes.StatusNoBase, x.Sample(&aspnet.Counter{Symbol: "X", Name: "x", Type: countertypes.PERF_RAW_FRACTION}, nil, nil).Status)
}

// Name the counters of a vector whose version is known.
func ExampleParse() {
	values := make([]uint32, aspnet.V20.Len())
	values[52] = 1234
	data, _ := aspnet.Append(nil, aspnet.V20, values)
	vector, err := aspnet.Parse(data, aspnet.V20)
	if err != nil {
		fmt.Println(err)
		return
	}
	for counter, value := range vector.Values() {
		if value != 0 {
			fmt.Printf("%s: %s: %d %v\n", counter.Scope, counter.Name, value, counter.Type)
		}
	}
	// Output:
	// app: Requests Total: 1234 PERF_COUNTER_RAWCOUNT
	// app: Requests/Sec: 1234 PERF_COUNTER_COUNTER
}
