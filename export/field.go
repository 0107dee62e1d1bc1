package export

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// What a field of a row holds.
const (
	isText = iota
	isUnsigned
	isSigned
	isNull
)

// field returns what a column of a row holds, but for the times.
func field(r *capture.Row, column int, types typeNames) (text string, number uint64, is int) {
	switch column {
	case colTime:
		return "", 0, nullIf(r.Time.IsZero(), isText)
	case colHost:
		return r.Host, 0, isText
	case colObject:
		return r.Object, 0, isText
	case colParent:
		return r.Parent, 0, nullIf(!r.HasParent, isText)
	case colInstance:
		return r.Instance, 0, nullIf(!r.HasInstance, isText)
	case colInstanceIndex:
		return "", uint64(r.InstanceIndex), isUnsigned
	case colCounter:
		return r.Counter, 0, isText
	case colType:
		return types.name(r.Type), 0, nullIf(r.NoType, isText)
	case colFirst:
		return "", r.First, nullIf(r.NoFirst, isUnsigned)
	case colSecond:
		return "", r.Second, nullIf(r.NoSecond, isUnsigned)
	case colMulti:
		return "", uint64(r.Multi), nullIf(r.NoMulti, isUnsigned)
	case colTimeBase:
		return "", uint64(r.TimeBase), isSigned
	case colText:
		return r.Text, 0, nullIf(!r.HasText, isText)
	case colPDHStatus:
		return "", uint64(r.PDH), nullIf(r.PDH == 0 && r.NoFirst, isUnsigned)
	case colTimeLocal:
		return "", 0, nullIf(r.Time.IsZero(), isText)
	case colOffset:
		return "", uint64(r.Offset.Bias()), nullIf(!r.Offset.Known, isSigned)
	case colRecord:
		return "", uint64(r.Record), isUnsigned
	case colObjectIndex:
		return "", uint64(r.ObjectIndex), nullIf(r.ObjectIndex == 0, isUnsigned)
	case colPID:
		return "", r.PID, nullIf(r.PID == 0, isUnsigned)
	case colCounterIndex:
		return "", uint64(r.CounterIndex), nullIf(r.CounterIndex == 0, isUnsigned)
	default:
		return strings.ToValidUTF8(r.Source, "\ufffd"), 0, isText // names of files are any bytes
	}
}

func nullIf(null bool, is int) int {
	if null {
		return isNull
	}
	return is
}

func (n typeNames) name(t countertypes.Type) string {
	name, ok := n[uint32(t)]
	if !ok {
		name = t.String()
		n[uint32(t)] = name
	}
	return name
}
