package pdhcsv_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

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

// TestDecimals holds the way of most numbers against strconv, bit for bit: it
// gives the same or leaves the cell to it, which it does with few.
func TestDecimals(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	cells := []string{"1", ".1", "1.", "0.0", "0.000000000000000001", "999999999999999999", "999999999999999.999", ".999999999999999999", "9007199254740993.0"}
	for range 200_000 {
		n := rnd.Uint64() >> (5 + rnd.IntN(58)) // less than 10^18
		cells = append(cells, decimal(n, rnd.IntN(19)))
	}
	for range 100_000 { // as PDH writes them
		v := rnd.Float64() * math.Pow10(rnd.IntN(12))
		cells = append(cells, strconv.FormatFloat(v, 'f', max(0, 16-int(math.Floor(math.Log10(v)))), 64))
	}
	left := 0
	for _, cell := range cells {
		want, err := strconv.ParseFloat(cell, 64)
		require.NoError(t, err, cell)
		got, ok := pdhcsv.ParseDecimal([]byte(cell))
		if !ok {
			left++
			continue
		}
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), cell)
	}
	t.Logf("%d of %d left to strconv", left, len(cells))
	require.Less(t, left, len(cells)/20)
}

// TestDecimalsBetween is about numbers in the middle of two, or as close to it
// as 18 digits come.
func TestDecimalsBetween(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	for range 100_000 {
		k := rnd.IntN(4)
		m := rnd.Uint64N(1<<49)<<1 | 1<<53 | 1 // m/2^k has one bit too many
		for range k + rnd.IntN(2) {
			m >>= 1
		}
		n := (m | 1) * []uint64{1, 5, 25, 125}[k] // by 10^k
		for _, n := range []uint64{n - 1, n, n + 1} {
			cell := decimal(n, k)
			want, err := strconv.ParseFloat(cell, 64)
			require.NoError(t, err)
			if got, ok := pdhcsv.ParseDecimal([]byte(cell)); ok {
				require.Equal(t, math.Float64bits(want), math.Float64bits(got), cell)
			}
		}
	}
}

func TestDecimalsOnly(t *testing.T) {
	for _, cell := range []string{"", ".", "..", "1.2.3", "-1", "+1", "1e5", "inf", "0x1", "1_0", " 1", "1234567890123456789", "1234567890123456789.0", "1,5"} {
		_, ok := pdhcsv.ParseDecimal([]byte(cell))
		require.False(t, ok, cell)
	}
}
