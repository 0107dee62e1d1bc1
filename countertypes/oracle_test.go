package countertypes

import (
	"math"
	"math/big"
)

// oracle is the formula once more, written from its text with numbers of any
// size, without the classes, fast paths and switches of Cook. It holds for
// the default options and samples that were read without a finding.
func oracle(older, newer *Sample) (*big.Float, Status) {
	t := uint32(newer.Type)
	kind, subtype, size := t>>10&3, t>>16&15, t>>8&3
	clock, suffix := t>>20&3, t>>28&7
	if older != nil && older.Type != newer.Type {
		return nil, StatusTypeMismatch
	}
	if t == 0x00012000 {
		v := math.Float64frombits(newer.First)
		if newer.Size != 8 && newer.Size != 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, StatusUnsupported
		}
		return big.NewFloat(v), StatusOK
	}
	limit := [4]uint32{2, 7, 1, 0}[kind]
	switch {
	case t&0xF000 != 0, t&0x0C000000 != 0, t&0x80000000 != 0, clock == 3, suffix > 4, subtype > limit,
		size == 3 && kind != 2, kind == 1 && subtype == 6:
		return nil, StatusUnsupported
	case kind == 2:
		return nil, StatusText
	case size == 2:
		return nil, StatusNoValue
	case kind == 3:
		return new(big.Float), StatusOK
	case kind == 1 && subtype == 3:
		return nil, StatusBaseOnly
	}
	two := t&0x00400000 != 0 || kind == 1 && subtype == 2 && suffix != 2
	if older == nil {
		if two || kind == 1 && (subtype == 1 || subtype == 5 || subtype == 7) {
			return nil, StatusNeedsSecondSample
		}
		older = &Sample{Type: newer.Type}
	}

	num := func(u uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(u)) }
	minus := func(a, b uint64) *big.Rat { return new(big.Rat).Sub(num(a), num(b)) }
	f := new(big.Rat).SetInt64(newer.TimeBase)
	b := new(big.Rat).SetInt64(int64(newer.Multi))
	one, hundred := big.NewRat(1, 1), big.NewRat(100, 1)

	x := num(newer.First)
	if two {
		x = minus(newer.First, older.First)
	}
	d := minus(newer.Second, older.Second)
	multi, inverse, percent := t&0x02000000 != 0, t&0x01000000 != 0, suffix == 2
	useF, useB, useD := false, false, true
	switch {
	case kind == 0 || subtype == 0:
		useD = false
	case subtype == 1:
		useF = multi && clock == 0 && !inverse || !multi && !percent
		useB = multi && !inverse
	case subtype == 2:
		if !two {
			d = num(newer.Second)
		}
		useF = two && suffix == 3
	case subtype == 4:
		x, useF, useD = minus(newer.Second, newer.First), true, false
	}
	if (two || subtype == 4) && x.Sign() < 0 {
		return nil, StatusNegativeDelta
	}
	if useF && f.Sign() < 0 {
		return nil, StatusNegativeTimeBase
	}
	if useD && d.Sign() < 0 {
		return nil, StatusNegativeDenominator
	}
	if useF && f.Sign() == 0 {
		return nil, StatusZeroDenominator
	}
	if useD && d.Sign() == 0 {
		if kind == 1 && subtype == 2 && two && x.Sign() == 0 {
			return new(big.Float), StatusOK
		}
		return nil, StatusZeroDenominator
	}
	if useB && b.Sign() == 0 {
		return nil, StatusZeroDenominator
	}

	v := x
	if useD {
		v = new(big.Rat).Quo(x, d)
	}
	mul := func(y *big.Rat) { v = new(big.Rat).Mul(v, y) }
	div := func(y *big.Rat) { v = new(big.Rat).Quo(v, y) }
	switch {
	case kind == 0 && subtype == 2:
		div(big.NewRat(1000, 1))
	case kind == 0 || subtype == 0 || subtype == 5:
	case subtype == 1 && multi && inverse:
		v = new(big.Rat).Sub(b, v)
		mul(hundred)
	case subtype == 1 && multi:
		if useF {
			mul(f)
		}
		div(b)
		mul(hundred)
	case subtype == 1 && percent:
		if inverse {
			v = new(big.Rat).Sub(one, v)
		}
		mul(hundred)
	case subtype == 1:
		mul(f)
	case subtype == 2 && percent, subtype == 7:
		mul(hundred)
	case subtype == 2 && useF, subtype == 4:
		div(f)
	}
	return new(big.Float).SetPrec(200).SetRat(v), StatusOK
}

// near tells whether got is want to 1e-12 of the larger of want and the
// numbers it was subtracted from, which is what an inverse may lose.
func near(got float64, want *big.Float, t Type, multi uint32) bool {
	w, _ := want.Float64()
	scale := math.Abs(w)
	if t.Inverse() {
		scale = math.Max(scale, 100*math.Max(1, float64(multi)))
	}
	return math.Abs(got-w) <= 1e-12*scale
}
