package compare

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

const clock = table.TimeLayout

const arrow = " -> "

// isDouble reports whether the 8 bytes of a value are a float64.
func (c *Counter) isDouble(v capture.Value) bool {
	return v.Kind == capture.Number && c.CounterType == countertypes.PERF_DOUBLE_RAW && c.CounterSize == 8
}

func (c *Counter) isHex() bool {
	return c.CounterType.Kind() == countertypes.KindNumber && c.CounterType.Subtype() == countertypes.NumberHex
}

// text returns a value as people read it, with the count that follows it.
func (c *Counter) text(v capture.Value) string {
	text := ""
	switch {
	case v.Kind == capture.Absent:
		return "-"
	case v.Kind == capture.Text:
		return `"` + cell.Clean(v.Text) + `"`
	case v.Kind == capture.Bytes:
		return fmt.Sprintf("%s (%d bytes)", few(v.Bytes), len(v.Bytes))
	case c.isDouble(v):
		text = strconv.FormatFloat(math.Float64frombits(v.Uint), 'g', -1, 64)
	case c.isHex():
		text = countertypes.FormatInt(v.Uint, c.CounterType, c.CounterSize)
	default:
		text = strconv.FormatUint(v.Uint, 10)
	}
	if v.HasMulti {
		text += " x " + strconv.FormatUint(uint64(v.Multi), 10)
	}
	return text
}

// name returns what a counter is called: a base, which often has no name, by
// the counter that it belongs to.
func (c *Counter) name() string {
	if c.BaseOf != "" {
		return cell.Clean(c.BaseOf) + " (base)"
	}
	return cell.Clean(c.Name)
}

// numbers reports whether a value has a difference: both are numbers, and of
// one process.
func (v *Value) numbers() bool {
	return v.Older.Kind == capture.Number && v.Newer.Kind == capture.Number && !v.Replaced
}

// deltaText returns the difference, "" if there is none or it is 0.
func (v *Value) deltaText() string {
	older, newer := v.Older.Uint, v.Newer.Uint
	if !v.numbers() || older == newer {
		return ""
	}
	if v.isDouble(v.Newer) {
		d := math.Float64frombits(newer) - math.Float64frombits(older)
		if math.IsNaN(d) {
			return ""
		}
		return fmt.Sprintf("%+g", d)
	}
	switch {
	case !v.isHex():
		return delta(older, newer).signed()
	case newer < older:
		return fmt.Sprintf("-%#x", older-newer)
	default:
		return fmt.Sprintf("+%#x", newer-older)
	}
}

// numeric reports whether a pair of values is written in columns.
func (v *Value) numeric() bool {
	return v.Older.Kind <= capture.Number && v.Newer.Kind <= capture.Number
}

// freeText writes a pair of values if one is a text or bytes.
func (v *Value) freeText() string {
	a, b := v.Older, v.Newer
	if a.Kind == capture.Bytes && b.Kind == capture.Bytes {
		return bytesText(a.Bytes, b.Bytes)
	}
	return v.text(a) + arrow + v.text(b)
}

// few returns the first bytes in hex.
func few(b []byte) string {
	const most = 8
	switch {
	case len(b) == 0:
		return "-"
	case len(b) <= most:
		return hex.EncodeToString(b)
	default:
		return hex.EncodeToString(b[:most]) + "…"
	}
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
	return where + few(a[first:]) + arrow + few(b[first:]) + "  (" + size + ")"
}

func (f *Field) label() string { return strings.ReplaceAll(f.Name, "_", " ") }

func (f *Field) sides() string { return fieldText(f.Older) + arrow + fieldText(f.Newer) }

// plain is sides without quotes, for names that the program gives.
func (f *Field) plain() string {
	return cell.Clean(fmt.Sprint(f.Older)) + arrow + cell.Clean(fmt.Sprint(f.Newer))
}

// clockDelta returns how much a clock advanced, "" for what is no clock.
func (f *Field) clockDelta() string {
	if !strings.HasPrefix(f.Name, "perf_") {
		return ""
	}
	return "  " + delta(f.Older, f.Newer).signed()
}

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

func typeName(t countertypes.Type) string { return strings.TrimPrefix(t.String(), "PERF_") }
