package export

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// cookedNames are the columns of cooked rows. Those up to path are the same
// for all rows of a series, but for the time.
var cookedNames = []string{
	"time", "host", "object", "parent", "instance", "instance_index", "counter", "path", "value", "status",
	"text", "pdh_status", "time_local", "utc_offset_min", "record", "object_index", "counter_index", "source", "pid",
}

// The columns of cooked rows that differ within a series.
const (
	cookedPath      = 7
	cookedOnRequest = 10
)

// CookedOnRequest returns the names of the columns that cooked rows have on
// request.
func CookedOnRequest() []string { return slices.Clone(cookedNames[cookedOnRequest:]) }

func cookedColumns(onRequest []string) []string {
	columns := slices.Clone(cookedNames[:cookedOnRequest])
	for _, name := range cookedNames[cookedOnRequest:] {
		if slices.Contains(onRequest, name) {
			columns = append(columns, name)
		}
	}
	return columns
}

// appendNumber appends a value with as many digits as tell it from all others.
func appendNumber(dst []byte, v float64) []byte {
	if n := int64(v); float64(n) == v && n > -1<<53 && n < 1<<53 && (n != 0 || 1/v > 0) {
		return strconv.AppendInt(dst, n, 10)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// appendValueOf appends the value of a cell, whole numbers with all their digits.
// It is false where there is none.
func appendValueOf(dst []byte, c *capture.Cell) ([]byte, bool) {
	v, ok := c.Number()
	if !ok {
		return dst, false
	}
	if v >= countertypes.Inexact {
		if n, whole := c.Whole(); whole {
			return strconv.AppendUint(dst, n, 10), true
		}
	}
	return appendNumber(dst, v), true
}

// appendLocal appends the time of a wall clock, which has no offset behind it.
func appendLocal(dst []byte, t time.Time) []byte {
	dst = appendTime(dst, t)
	return dst[:len(dst)-1]
}

// appendOnRequest appends a column that stands behind the status; text is
// written by quote. It is false where there is none.
func appendOnRequest(dst []byte, column string, f *capture.Frame, cell int, quote func([]byte, string) []byte) ([]byte, bool) {
	c := &f.Cells[cell]
	switch column {
	case "text":
		text, ok := f.Texts[c.Series]
		if !ok {
			return dst, false
		}
		return quote(dst, text), true
	case "pdh_status":
		if c.PDH == 0 && c.Verdict() != countertypes.StatusOK {
			return dst, false
		}
		return strconv.AppendUint(dst, uint64(c.PDH), 10), true
	case "utc_offset_min":
		if !f.Offset.Known {
			return dst, false
		}
		return strconv.AppendInt(dst, int64(f.Offset.Bias()), 10), true
	case "record":
		return strconv.AppendInt(dst, int64(f.Record), 10), true
	case "object_index":
		return appendIndex(dst, c.Series.ObjectIndex)
	case "counter_index":
		return appendIndex(dst, c.Series.CounterIndex)
	case "pid":
		pid := f.PID(cell)
		if pid == 0 {
			return dst, false
		}
		return strconv.AppendUint(dst, pid, 10), true
	default:
		return quote(dst, strings.ToValidUTF8(f.Source, "\ufffd")), true
	}
}

// appendIndex appends a title index. It is false where the source has none.
func appendIndex(dst []byte, index uint32) ([]byte, bool) {
	if index == 0 {
		return dst, false
	}
	return strconv.AppendUint(dst, uint64(index), 10), true
}

// missing stands for a value that is not there.
var missing = math.NaN()
