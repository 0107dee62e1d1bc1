package diffview

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

const clock = "2006-01-02 15:04:05.000"

// isDouble reports whether the 8 bytes of a value are a float64.
func isDouble(c *capture.CounterDiff, v capture.Value) bool {
	return v.Kind == capture.Number && c.Type == countertypes.PERF_DOUBLE_RAW && c.Size == 8
}

func isHex(t countertypes.Type) bool {
	return t.Kind() == countertypes.KindNumber && t.Subtype() == countertypes.NumberHex
}

// valueText returns a number as people read it, with the count behind it.
func valueText(c *capture.CounterDiff, v capture.Value) string {
	text := ""
	switch {
	case v.Kind == capture.Absent:
		return "-"
	case isDouble(c, v):
		text = strconv.FormatFloat(math.Float64frombits(v.Uint), 'g', -1, 64)
	case isHex(c.Type):
		text = countertypes.FormatInt(v.Uint, c.Type, c.Size)
	default:
		text = strconv.FormatUint(v.Uint, 10)
	}
	if v.HasMulti {
		text += " x " + strconv.FormatUint(uint64(v.Multi), 10)
	}
	return text
}

// deltaText returns by how much a value has changed, "" where that is no
// number or nothing.
func deltaText(v *capture.ValueDiff) string {
	negative, by, ok := v.Delta()
	switch {
	case !ok || by == 0:
		return ""
	case isDouble(v.Counter, v.Newer):
		d := math.Float64frombits(v.Newer.Uint) - math.Float64frombits(v.Older.Uint)
		if math.IsNaN(d) {
			return ""
		}
		return fmt.Sprintf("%+g", d)
	case isHex(v.Counter.Type):
		return sign(negative) + "0x" + strconv.FormatUint(by, 16)
	default:
		return sign(negative) + strconv.FormatUint(by, 10)
	}
}

func sign(negative bool) string {
	if negative {
		return "-"
	}
	return "+"
}

// numeric reports whether a pair of values stands in columns.
func numeric(v *capture.ValueDiff) bool {
	return v.Older.Kind <= capture.Number && v.Newer.Kind <= capture.Number
}

// freeText writes a pair of values of which one is a text or bytes. room is
// how many columns there are, 0 for as many as it takes.
func freeText(v *capture.ValueDiff, room int) string {
	a, b := v.Older, v.Newer
	if a.Kind == capture.Bytes && b.Kind == capture.Bytes {
		return bytesText(a.Bytes, b.Bytes)
	}
	was, is := oneText(v.Counter, a), oneText(v.Counter, b)
	if room <= 0 || cell.Width(was)+cell.Width(is)+len(arrow) <= room {
		return was + arrow + is
	}
	// What they begin with alike is of less use than what differs.
	if a.Kind == capture.Text && b.Kind == capture.Text {
		was, is = fromDifference(was, is)
	}
	half := max((room-len(arrow))/2, 4)
	return cell.Cut(was, half) + arrow + cell.Cut(is, half)
}

const arrow = " -> "

func oneText(c *capture.CounterDiff, v capture.Value) string {
	switch v.Kind {
	case capture.Text:
		return `"` + cell.Clean(v.Text) + `"`
	case capture.Bytes:
		return fmt.Sprintf("%s (%d bytes)", few(v.Bytes), len(v.Bytes))
	default:
		return valueText(c, v)
	}
}

// fromDifference cuts what two texts begin with alike, but for a few letters.
func fromDifference(a, b string) (string, string) {
	const context = 8
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	n -= context
	for n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	if n <= context {
		return a, b
	}
	return "…" + a[n:], "…" + b[n:]
}

// few returns the first bytes in hex.
func few(b []byte) string {
	const most = 8
	if len(b) <= most {
		return hex.EncodeToString(b)
	}
	return hex.EncodeToString(b[:most]) + "…"
}

// bytesText shows bytes from the first one that differs on.
func bytesText(a, b []byte) string {
	first, n := 0, min(len(a), len(b))
	for first < n && a[first] == b[first] {
		first++
	}
	differ := 0
	for i := first; i < n; i++ {
		if a[i] != b[i] {
			differ++
		}
	}
	where := ""
	if first > 0 {
		where = fmt.Sprintf("from byte %d: ", first)
	}
	size := fmt.Sprintf("%d of %d bytes differ", differ, n)
	if len(a) != len(b) {
		size = fmt.Sprintf("%d bytes, now %d", len(a), len(b))
	}
	was, is := few(a[first:]), few(b[first:])
	if was == "" {
		was = "-"
	}
	if is == "" {
		is = "-"
	}
	return where + was + arrow + is + "  (" + size + ")"
}

// fieldText writes one side of a field.
func fieldText(v any) string {
	switch v := v.(type) {
	case string:
		return `"` + cell.Clean(v) + `"`
	case time.Time:
		return v.Format(clock + " UTC")
	case countertypes.Type:
		return typeName(v)
	default:
		return fmt.Sprint(v)
	}
}

// fieldDelta returns the difference of two numbers that are a clock's.
func fieldDelta(f capture.FieldChange) (by *big.Int, ok bool) {
	was, okWas := integer(f.Older)
	is, okIs := integer(f.Newer)
	if !okWas || !okIs {
		return nil, false
	}
	return is.Sub(is, was), true
}

func integer(v any) (*big.Int, bool) {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v), true
	case uint64:
		return new(big.Int).SetUint64(v), true
	default:
		return nil, false
	}
}

func typeName(t countertypes.Type) string { return strings.TrimPrefix(t.String(), "PERF_") }

// counterName returns what a counter is called: a base, which often has no
// name, by the counter that it belongs to.
func counterName(c *capture.CounterDiff) string {
	if c.BaseOf != "" {
		return cell.Clean(c.BaseOf) + " (base)"
	}
	return cell.Clean(c.Name)
}
