package countertypes

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The rows in which the authority and the defaults differ, and why.
var specialRows = map[int]struct {
	options string // key=value to run with
	rowFreq bool   // the row's frequency is the one of the 100 ns clock
	want    float64
	status  Status
	why     string
}{
	5:  {options: "rate-clock=100ns", rowFreq: true, want: 50, why: "DataDog puts rates on the 100 ns clock"},
	6:  {options: "rate-clock=100ns", rowFreq: true, want: 50, why: "DataDog puts rates on the 100 ns clock"},
	8:  {options: "rate-clock=100ns", rowFreq: true, want: 50, why: "DataDog puts rates on the 100 ns clock"},
	9:  {status: StatusUnsupported, why: "undefined bits; DataDog returns the raw value of an unknown type"},
	14: {options: "rate-clock=100ns", rowFreq: true, want: 0, why: "the row has no performance clock"},
	15: {options: "rate-clock=100ns", rowFreq: true, want: 0, why: "the row has no performance clock"},
	16: {options: "rate-clock=100ns", rowFreq: true, want: 0, why: "the row has no performance clock"},
	17: {options: "rate-clock=100ns", rowFreq: true, want: 0, why: "the row has no performance clock"},
	23: {want: 91.8296529968454, why: "published with 2 decimals"},
	24: {options: "scale=default", want: 1000, why: "DefaultScale is applied by one protocol text only"},
	26: {options: "scale=1", want: 10, why: "scale set by the user"},
	27: {options: "scale=-1", want: 0.1, why: "scale set by the user"},
	28: {options: "scale=7", want: 1e7, why: "scale set by the user"},
	29: {options: "scale=-7", want: 1e-7, why: "scale set by the user"},
	59: {want: 600, why: "the sample program divides integers and so by 0"},
	62: {status: StatusZeroDenominator, why: "the sample program divides by 0"},
	65: {want: 0, why: "0/0 of a fraction over two samples: nothing happened"},
	67: {status: StatusZeroDenominator, why: "the sample program divides by 0"},
	69: {want: 0, why: "0/0 of a fraction over two samples: nothing happened"},
}

type vectorSample struct {
	Value, Base, Time, Time100ns, ObjTime *json.Number
	Freq, ObjFreq                         *json.Number
}

type vectorRow struct {
	Type             string
	Hex              string
	Sample0, Sample1 *vectorSample
	Expected         any
	Status           string
	Scale            *int8
}

// sample fills the tuple as a reader of blocks does.
func (v *vectorSample) sample(t *testing.T, typ Type, o *Options, rowFreq bool, scale *int8) *Sample {
	t.Helper()
	if v == nil {
		return nil
	}
	freq := func(n *json.Number) float64 {
		if n == nil {
			return 0
		}
		f, err := n.Float64()
		require.NoError(t, err)
		return f
	}
	factor := uint64(1)
	if rowFreq && (v.Freq == nil || freq(v.Freq) == 0.5) {
		factor = 2 // half a tick a second, told in whole numbers
	}
	u := func(n *json.Number) uint64 {
		if n == nil {
			return 0
		}
		x, err := strconv.ParseUint(n.String(), 10, 64)
		require.NoError(t, err)
		return x
	}
	clocks := Clocks{u(v.Time) * factor, u(v.Time100ns) * factor, u(v.ObjTime), int64(freq(v.Freq) * float64(factor)), int64(freq(v.ObjFreq))}
	s := &Sample{First: u(v.Value), Type: typ, Size: uint32(max(typ.ValueWidth(), 0))}
	var fromBase bool
	if s.Second, s.TimeBase, fromBase = typ.Tuple(&clocks, o); fromBase {
		if s.Second = u(v.Base); v.Base == nil {
			s.Status = StatusNoBase
		}
	}
	if rowFreq {
		s.TimeBase = clocks.PerfFreq
	}
	if typ.Multi() {
		s.Multi = uint32(u(v.Base))
	}
	if scale != nil {
		s.DefaultScale = *scale
	}
	return s
}

func TestVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "vectors", "countertypes.json"))
	if err != nil {
		t.Skip("the collection of vectors is not beside this checkout: ", err)
	}
	var file struct{ Rows []vectorRow }
	require.NoError(t, json.Unmarshal(data, &file))
	require.Len(t, file.Rows, 76)
	for i, row := range file.Rows {
		t.Run(strconv.Itoa(i)+" "+row.Type, func(t *testing.T) {
			typ, err := Parse(row.Hex)
			require.NoError(t, err)
			if name, ok := typ.Name(); ok {
				assert.Equal(t, row.Type, name)
			}
			var o Options
			special, isSpecial := specialRows[i]
			if special.options != "" {
				setAll(t, &o, special.options)
			}
			older := row.Sample0.sample(t, typ, &o, special.rowFreq, row.Scale)
			newer := row.Sample1.sample(t, typ, &o, special.rowFreq, row.Scale)
			v, s := Cook(older, newer, &o)
			if isSpecial {
				assert.Equal(t, special.status, s, special.why)
				assertClose(t, special.want, v)
				return
			}
			words := map[string]Status{"ok": StatusOK, "negative_value": StatusNegativeDelta, "needs_two_samples": StatusNeedsSecondSample}
			want, known := words[row.Status]
			require.True(t, known, row.Status)
			assert.Equal(t, want, s)
			if want == StatusOK {
				expected, isNumber := row.Expected.(float64)
				require.True(t, isNumber, "%v", row.Expected)
				assertClose(t, expected, v)
			}
		})
	}
	t.Run("24 by default", func(t *testing.T) {
		v, s := Cook(nil, &Sample{Type: PERF_COUNTER_RAWCOUNT, First: 10, DefaultScale: 2}, nil)
		assert.Equal(t, StatusOK, s)
		assert.Equal(t, 10.0, v)
	})
}

// assertClose compares with a relative 1e-12.
func assertClose(t *testing.T, want, got float64) {
	t.Helper()
	assert.LessOrEqual(t, math.Abs(got-want), 1e-12*math.Abs(want), "want %v, got %v", want, got)
}
