package export

import (
	"encoding/hex"
	"math"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// maxBytes is how many bytes of a value of odd size a cell shows.
const maxBytes = 8

// appendValue appends a raw value as a person reads it, then its base or
// count behind a sign. main is the length of the first part.
func appendValue(dst []byte, c *capture.Counter, v capture.Value) (cell []byte, main int) {
	from := len(dst)
	dst = appendMain(dst, c, v)
	main = len(dst) - from
	if v.Kind == capture.Absent {
		return dst, main
	}
	switch {
	case v.HasMulti:
		dst = strconv.AppendUint(append(dst, " x "...), uint64(v.Multi), 10)
	case v.HasBase:
		dst = strconv.AppendUint(append(dst, " / "...), v.Base, 10)
	}
	return dst, main
}

func appendMain(dst []byte, c *capture.Counter, v capture.Value) []byte {
	switch v.Kind {
	case capture.Text:
		if v.Text == "" {
			return append(dst, `""`...)
		}
		return cell.Append(dst, v.Text)
	case capture.Bytes:
		b := v.Bytes[:min(len(v.Bytes), maxBytes)]
		dst = hex.AppendEncode(dst, b)
		if len(b) < len(v.Bytes) {
			dst = strconv.AppendInt(append(dst, "… ("...), int64(len(v.Bytes)), 10)
			dst = append(dst, " B)"...)
		}
		return dst
	case capture.Number:
	default:
		return append(dst, '-')
	}
	switch {
	case c.Type == countertypes.PERF_DOUBLE_RAW && c.Size == 8:
		return strconv.AppendFloat(dst, math.Float64frombits(v.Uint), 'g', -1, 64)
	case c.Type.Kind() == countertypes.KindNumber && c.Type.Subtype() == countertypes.NumberHex:
		return append(dst, countertypes.FormatInt(v.Uint, c.Type, c.Size)...)
	default:
		return strconv.AppendUint(dst, v.Uint, 10)
	}
}

// isText reports whether the values of c stand at the left of their cells.
func isTextual(c *capture.Counter) bool { return c.Type.Kind() == countertypes.KindText }
