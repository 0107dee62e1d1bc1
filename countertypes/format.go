package countertypes

import (
	"fmt"
	"math"
	"strconv"
)

// Format writes a value of type t with the suffix of t: "250/sec", "12.5%",
// "100 secs". The digits are the fewest that read back as the same float64.
// Types that are shown in hex are written so if v is a whole number. Raw
// values beyond 2^53 are exact with [FormatInt] only.
func Format(v float64, t Type) string {
	if t.hex() && v >= 0 && v < 1<<64 && v == math.Trunc(v) {
		return FormatInt(uint64(v), t, 0)
	}
	return strconv.FormatFloat(v, 'f', -1, 64) + t.tail()
}

// FormatInt is Format for whole numbers, as [Exact] gives them. size is the CounterSize,
// which decides between 8 and 16 digits of hex; 0 means the width of t.
func FormatInt(v uint64, t Type, size uint32) string {
	if !t.hex() {
		return strconv.FormatUint(v, 10) + t.tail()
	}
	if size == 8 || size == 0 && t.Size() == SizeLarge || v > math.MaxUint32 {
		return fmt.Sprintf("0x%016x", v)
	}
	return fmt.Sprintf("0x%08x", v)
}

func (t Type) hex() bool {
	return t.Kind() == KindNumber && t.Subtype() == NumberHex
}

// tail is the suffix as it stands behind a number.
func (t Type) tail() string {
	if s := t.Suffix(); s != "secs" {
		return s
	}
	return " secs"
}
