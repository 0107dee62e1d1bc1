package decimal_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/decimal"
)

func same(t *testing.T, v float64) {
	t.Helper()
	want := strconv.AppendFloat(nil, v, 'g', 17, 64)
	got := decimal.Append([]byte("x"), v)
	if string(got[1:]) != string(want) {
		require.Equal(t, string(want), string(got[1:]), "%x", math.Float64bits(v))
	}
}

// TestAppend holds numbers of all sizes against strconv.
func TestAppend(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	same(t, 0)
	for range 100_000 {
		same(t, math.Float64frombits(rnd.Uint64()))
		v := (rnd.Float64() - 0.5) * math.Pow10(rnd.IntN(24)-6)
		same(t, v)
		same(t, math.Trunc(v))
		same(t, float64(int64(v*1000))/1000)
		same(t, 100*rnd.Float64())
	}
	for _, v := range []float64{
		0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
		1 << 53, 1<<53 - 1, -1 << 53, 1 << 63, 1e16, 1e17, 1e15 + 0.5, 0.5, 1e-4, 1e-5, 99.5, 0.1, 100.1,
	} {
		same(t, v)
	}
}

// TestAppendAtTheEdges is about the powers of two and of ten and the numbers next
// to them, and about those that lie in the middle of two numbers of 17 digits.
func TestAppendAtTheEdges(t *testing.T) {
	for e := -330; e <= 310; e++ {
		around(t, math.Pow10(e))
	}
	for e := -1080; e <= 1024; e++ {
		around(t, math.Ldexp(1, e))
	}
	rnd := rand.New(rand.NewPCG(23, 24))
	for range 60_000 {
		// With k bits behind the point there are k digits, the last a 5.
		k := 1 + rnd.IntN(40)
		same(t, math.Ldexp(float64(rnd.Uint64()>>11|1), -k))
		same(t, math.Ldexp(float64(rnd.Uint64()>>(11+rnd.IntN(50))|1), -k))
	}
}

func around(t *testing.T, v float64) {
	t.Helper()
	for range 3 {
		v = math.Nextafter(v, 0)
	}
	for range 7 {
		same(t, v)
		same(t, -v)
		v = math.Nextafter(v, math.Inf(1))
	}
}

// TestEveryDigit writes each number of four digits at each place.
func TestEveryDigit(t *testing.T) {
	for n := range 10_000 {
		same(t, float64(n)+0.5)
		same(t, float64(n)*1e4+0.25)
		same(t, float64(n)*1e8+0.125)
		same(t, float64(n)/10_000)
		same(t, 1+float64(n)/16_384)
	}
}

func TestAppendAllocs(t *testing.T) {
	buf := make([]byte, 0, 64)
	require.Zero(t, testing.AllocsPerRun(100, func() { buf = decimal.Append(buf[:0], 73.123456789) }))
}

// BenchmarkAppend writes what rates and percentages are like.
func BenchmarkAppend(b *testing.B) {
	rnd := rand.New(rand.NewPCG(25, 26))
	values := make([]float64, 4096)
	for i := range values {
		values[i] = rnd.Float64() * math.Pow10(rnd.IntN(7))
	}
	for _, way := range []struct {
		name   string
		append func([]byte, float64) []byte
	}{
		{"decimal", decimal.Append},
		{"strconv", func(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', 17, 64) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			buf := make([]byte, 0, 64)
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				buf = way.append(buf[:0], values[i%len(values)])
				i++
			}
		})
	}
}

func TestAppendInt(t *testing.T) {
	check := func(n int64) {
		require.Equal(t, "x"+strconv.FormatInt(n, 10), string(decimal.AppendInt([]byte("x"), n)))
	}
	rnd := rand.New(rand.NewPCG(11, 12))
	for power := int64(1); power > 0 && power <= 1e18; power *= 10 {
		for d := int64(-2); d <= 2; d++ {
			check(power + d)
			check(-power + d)
		}
		for range 10_000 {
			check(rnd.Int64N(power))
			check(-rnd.Int64N(power))
		}
	}
	check(math.MaxInt64)
	check(math.MinInt64)
}

func TestDigits(t *testing.T) {
	check := func(n uint64) {
		text := strconv.FormatUint(n, 10)
		require.Equal(t, text, string(decimal.AppendUint(nil, n)))
		require.Equal(t, len(text), decimal.Digits(n), n)
	}
	for i := range 64 {
		check(1<<i - 1)
		check(1 << i)
	}
	for power, i := uint64(1), 0; i < 20; power, i = power*10, i+1 {
		check(power - 1)
		check(power)
	}
	check(math.MaxUint64)
}
