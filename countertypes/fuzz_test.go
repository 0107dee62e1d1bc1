package countertypes

import (
	"math"
	"testing"
	"testing/quick"
)

// check holds Cook to its promises for a pair of samples.
func check(t testing.TB, older, newer *Sample, o *Options) {
	v, s := Cook(older, newer, o)
	switch {
	case s != StatusOK && v != 0:
		t.Fatalf("value %v with status %s", v, s)
	case s == StatusOK && newer.Type != PERF_DOUBLE_RAW && (math.IsNaN(v) || math.IsInf(v, 0)):
		t.Fatalf("value %v of %s", v, newer.Type)
	case older == nil && newer.Type.NeedsTwo() && s == StatusOK:
		t.Fatalf("%s has a value from one sample", newer.Type)
	case !newer.Type.Defined() && s == StatusOK:
		t.Fatalf("%s has a value", newer.Type)
	case newer.Status != StatusOK && s == StatusOK, newer.Status != StatusOK && s > newer.Status:
		t.Fatalf("%s from a sample that is %s", s, newer.Status)
	}
	if s == StatusOK && v >= Inexact && newer.Type.Whole() && *o == (Options{}) {
		exact := newer.First
		if newer.Type.Delta() {
			exact -= older.First
		}
		if n := Exact(v, Rest(older, newer, v)); n != exact {
			t.Fatalf("%s %+v %+v: exact %d, got %d", newer.Type, older, newer, exact, n)
		}
	}
	want, ws := oracle(older, newer)
	if newer.Type == PERF_DOUBLE_RAW && ws == StatusUnsupported && newer.Size != 4 {
		return // NaN and infinities have no big.Float
	}
	clean := newer.Status == StatusOK && (older == nil || older.Status == StatusOK)
	if !clean || *o != (Options{}) {
		return
	}
	if s != ws || s == StatusOK && !near(v, want, newer.Type, newer.Multi) {
		t.Fatalf("%s %+v %+v: got %v %s, the second implementation has %v %s", newer.Type, older, newer, v, s, want, ws)
	}
}

// options spreads bits over all switches, values out of range among them.
func options(bits uint32) *Options {
	take := func(n uint32) uint8 { v := bits % n; bits /= n; return uint8(v) }
	o := &Options{}
	if take(2) == 0 {
		return o
	}
	o.MultiTimer, o.MultiInv = MultiTimer(take(3)), MultiInv(take(3))
	o.Elapsed, o.TruncateRates, o.Negative = Elapsed(take(4)), take(2) == 1, Negative(take(5))
	o.Cap, o.Scale = Cap(take(4)), int8(take(24))-12
	if o.Scale == 11 {
		o.Scale = ScaleDefault
	}
	return o
}

func FuzzCook(f *testing.F) {
	for i, p := range pairs {
		f.Add(uint32(p.typ), uint32(p.typ), p.n0, p.s0, p.n1, p.s1, p.f, p.multi, uint8(8-4*(i%2)), uint8(0), uint8(0), int8(2), uint32(0))
	}
	f.Add(uint32(PERF_COUNTER_DELTA), uint32(PERF_COUNTER_DELTA), uint64(9), uint64(0), uint64(5), uint64(0), int64(1), uint32(1), uint8(4), uint8(7), uint8(0), int8(-9), uint32(12345677))
	f.Fuzz(func(t *testing.T, typ, olderType uint32, n0, s0, n1, s1 uint64, timeBase int64, multi uint32, size, status, olderStatus uint8, scale int8, switches uint32) {
		newer := &Sample{n1, s1, timeBase, Type(typ), multi, uint32(size), Status(status % uint8(len(statusWords))), scale}
		older := &Sample{n0, s0, timeBase, Type(olderType), multi, uint32(size), Status(olderStatus % uint8(len(statusWords))), scale}
		o := options(switches)
		check(t, nil, newer, o)
		check(t, older, newer, o)
		older.Type = newer.Type
		check(t, older, newer, o)
		check(t, older, newer, &Options{})

		_ = Explain(newer.Type)
		_ = Format(1.5, newer.Type)
		if back, err := Parse(newer.Type.String()); err != nil || back != newer.Type && newer.Type != largeRawBaseWMI {
			t.Fatalf("%s reads back as %s, %v", newer.Type, back, err)
		}
		second, _, fromBase := newer.Type.Tuple(&Clocks{1, 2, 3, 4, 5}, o)
		if fromBase != newer.Type.NeedsBase() || fromBase && second != 0 {
			t.Fatalf("%s: second %d from base %t", newer.Type, second, fromBase)
		}
	})
}

// Small numbers meet more often than the fuzzer's: equal clocks, zero bases,
// each kind of type by its fields, each switch.
func TestCookAgainstOracle(t *testing.T) {
	fields := func(pick func(n int) int) Type {
		typ := Type(pick(4))<<10 | Type(pick(8))<<16 | Type(pick(3))<<20 | Type(pick(16))<<22 | Type(pick(5))<<28
		typ |= Type([]uint32{0, 0x100, 0x100, 0x200, 0x300}[pick(5)]) | Type([]uint32{0, 0, 0, 0, 0x2000, 1 << 26, 1 << 31}[pick(7)])
		if pick(3) > 0 {
			typ = Type(named[pick(len(named))].hex)
		}
		return typ
	}
	property := func(choices [24]uint16, switches uint32) bool {
		i := 0
		pick := func(n int) int { i++; return int(choices[i-1]) % n }
		typ := fields(pick)
		freqs := []int64{-1, 0, 1, 3, 10_000_000}
		sizes := []uint32{0, 4, 8}
		s := Sample{Type: typ, TimeBase: freqs[pick(5)], Multi: uint32(pick(4)), Size: sizes[pick(3)]}
		older, newer := s, s
		older.First, older.Second = uint64(pick(6)), uint64(pick(6))
		newer.First, newer.Second = uint64(pick(6)), uint64(pick(6))
		check(t, &older, &newer, &Options{})
		check(t, nil, &newer, &Options{})
		check(t, &older, &newer, options(switches))
		newer.Status = Status(pick(len(statusWords)))
		check(t, &older, &newer, options(switches))
		return true
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 100_000}); err != nil {
		t.Fatal(err)
	}
}
