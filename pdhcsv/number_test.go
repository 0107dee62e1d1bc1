package pdhcsv_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhcsv"
)

// decimal returns digits with a point before the last k of them.
func decimal(n uint64, k int) string {
	digits := strconv.FormatUint(n, 10)
	for len(digits) < k {
		digits = "0" + digits
	}
	return digits[:len(digits)-k] + "." + digits[len(digits)-k:]
}

// TestDecimals compares the way of most numbers with strconv, bit for bit: it
// gives the same or leaves the cell to it, which it does with few. Some are in
// the middle of two floats, or as close to it as 18 digits come.
func TestDecimals(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	cells := []string{"1", ".1", "1.", "0.0", "0.000000000000000001", "999999999999999999", "999999999999999.999", ".999999999999999999", "9007199254740993.0"}
	for range 50_000 {
		cells = append(cells, decimal(rnd.Uint64()>>(5+rnd.IntN(58)), rnd.IntN(19))) // less than 10^18
		v := rnd.Float64() * math.Pow10(rnd.IntN(12))                                // as PDH writes them
		cells = append(cells, strconv.FormatFloat(v, 'f', max(0, 16-int(math.Floor(math.Log10(v)))), 64))
	}
	most := len(cells)
	for range 50_000 {
		k := rnd.IntN(4)
		m := rnd.Uint64N(1<<49)<<1 | 1<<53 | 1                    // m/2^k has one bit too many
		m = (m>>(k+rnd.IntN(2)) | 1) * []uint64{1, 5, 25, 125}[k] // by 10^k
		cells = append(cells, decimal(m-1, k), decimal(m, k), decimal(m+1, k))
	}
	left := 0
	for i, cell := range cells {
		want, err := strconv.ParseFloat(cell, 64)
		require.NoError(t, err, cell)
		if got, ok := pdhcsv.ParseDecimal([]byte(cell)); ok {
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), cell)
		} else if i < most {
			left++
		}
	}
	require.Less(t, left, most/20)
	for _, cell := range []string{"", ".", "..", "1.2.3", "-1", "+1", "1e5", "inf", "0x1", "1_0", " 1", "1234567890123456789", "1234567890123456789.0", "1,5"} {
		_, ok := pdhcsv.ParseDecimal([]byte(cell))
		require.False(t, ok, cell)
	}
}

// TestValues compares the cells that are written with strconv, bit for bit, and
// what they are read as.
func TestValues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1 << 53, 1<<53 + 2, -(1 << 53), 1e17, 1e16, 123456789012345678, 1e-5, 1e-4, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e300, 99999999999999999}
	for range 5000 {
		values = append(values, math.Float64frombits(rnd.Uint64()), rnd.Float64()*100, math.Trunc(rnd.Float64()*1e18), float64(rnd.IntN(1000)))
	}
	cells := []string{"0", "-0", "00012", "+5", "9007199254740993", "999999999999999999", "9999999999999999999", "18446744073709551615", "5.", ".5", "1e-320"}
	for _, v := range values {
		got := string(pdhcsv.AppendValue(nil, pdhcsv.CSV, v))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			require.Equal(t, `," "`, got)
			continue
		}
		cell := strconv.FormatFloat(v, 'g', 17, 64)
		require.Equal(t, `,"`+cell+`"`, got)
		cells = append(cells, cell)
	}
	text := utcHeader
	row := "01/02/2003 04:05:06,"
	_, read, _, err := read(t, text+row+strings.Join(cells, "\n"+row), pdhcsv.Options{Options: perfdump.Options{Mode: perfdump.Strict}})
	require.NoError(t, err)
	require.Len(t, read, len(cells))
	for i, cell := range cells {
		want, err := strconv.ParseFloat(cell, 64)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(want), math.Float64bits(read[i][0]), cell)
	}
	assert.Equal(t, `"11/26/2016 13:46:30.007"`, string(pdhcsv.AppendTime(nil, time.Date(2016, 11, 26, 13, 46, 30, 7_999_999, time.UTC))))
}
