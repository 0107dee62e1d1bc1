package export

import (
	"fmt"
	"math"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
)

// maxBytes is how many bytes of a value of unusual size a cell shows.
const maxBytes = 8

// appendValue appends a raw value as a person reads it, then its base or
// count after a sign. main is the length of the first part.
func appendValue(dst []byte, c *capture.Counter, v capture.Value) (text []byte, main int) {
	from := len(dst)
	switch {
	case v.Kind == capture.Text && v.Text == "":
		dst = append(dst, `""`...)
	case v.Kind == capture.Text:
		dst = cell.Append(dst, v.Text)
	case v.Kind == capture.Bytes && len(v.Bytes) <= maxBytes:
		dst = fmt.Appendf(dst, "%x", v.Bytes)
	case v.Kind == capture.Bytes:
		dst = fmt.Appendf(dst, "%x… (%d B)", v.Bytes[:maxBytes], len(v.Bytes))
	case v.Kind != capture.Number:
		dst = append(dst, '-')
	case c.Type == countertypes.PERF_DOUBLE_RAW && c.Size == 8:
		dst = strconv.AppendFloat(dst, math.Float64frombits(v.Uint), 'g', -1, 64)
	case c.Type.Kind() == countertypes.KindNumber && c.Type.Subtype() == countertypes.NumberHex:
		dst = append(dst, countertypes.FormatInt(v.Uint, c.Type, c.Size)...)
	default:
		dst = strconv.AppendUint(dst, v.Uint, 10)
	}
	main = len(dst) - from
	switch {
	case v.Kind == capture.Absent:
	case v.HasMulti:
		dst = strconv.AppendUint(append(dst, " x "...), uint64(v.Multi), 10)
	case v.HasBase:
		dst = strconv.AppendUint(append(dst, " / "...), v.Base, 10)
	}
	return dst, main
}
