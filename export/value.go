package export

import (
	"fmt"
	"math"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/decimal"
)

// maxBytes is how many bytes of a value of unusual size a cell shows.
const maxBytes = 8

// isDecimal reports whether a raw value is shown as a whole number.
func isDecimal(c *capture.Counter, v capture.Value) bool {
	return v.Kind == capture.Number && (c.Type != countertypes.PERF_DOUBLE_RAW || c.Size != 8) &&
		(c.Type.Kind() != countertypes.KindNumber || c.Type.Subtype() != countertypes.NumberHex)
}

// appendValue appends a raw value that is no whole number as a person reads it.
func appendValue(dst []byte, c *capture.Counter, v capture.Value) []byte {
	switch {
	case v.Kind == capture.Text && v.Text == "":
		return append(dst, `""`...)
	case v.Kind == capture.Text:
		return cell.Append(dst, v.Text)
	case v.Kind == capture.Bytes && len(v.Bytes) <= maxBytes:
		return fmt.Appendf(dst, "%x", v.Bytes)
	case v.Kind == capture.Bytes:
		return fmt.Appendf(dst, "%x… (%d B)", v.Bytes[:maxBytes], len(v.Bytes))
	case v.Kind != capture.Number:
		return append(dst, '-')
	case c.Type == countertypes.PERF_DOUBLE_RAW:
		return strconv.AppendFloat(dst, math.Float64frombits(v.Uint), 'g', -1, 64)
	default:
		return append(dst, countertypes.FormatInt(v.Uint, c.Type, c.Size)...)
	}
}

// appendAfter appends the base or count of a value after a sign.
func appendAfter(dst []byte, v capture.Value) []byte {
	if v.HasMulti {
		return decimal.AppendUint(append(dst, " x "...), uint64(v.Multi))
	}
	return decimal.AppendUint(append(dst, " / "...), v.Base)
}
