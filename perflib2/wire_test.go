package perflib2

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

// FuzzPerflib2HandEqualsStruc compares how the structs are loaded with what
// struc reads by the tags.
func FuzzPerflib2HandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(dataHeaderSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < dataHeaderSize {
			return
		}
		formattest.Struc(t, b, dataHeaderSize, wire.LoadStruct[DataHeader])
		formattest.Struc(t, b, counterHeaderSize, (*CounterHeader).load)
		formattest.Struc(t, b, pairSize, func(h *multiCounters, b []byte) { h.Size, h.NumCounters = pair(b) })
		formattest.Struc(t, b, pairSize, func(h *multiInstances, b []byte) { h.TotalSize, h.NumInstances = pair(b) })
		formattest.Struc(t, b, pairSize, func(h *instanceHeader, b []byte) { h.Size, h.InstanceID = pair(b) })
		formattest.Struc(t, b, pairSize, func(h *counterData, b []byte) { h.DataSize, h.Size = pair(b) })
		formattest.Struc(t, b, registrationSize, wire.LoadStruct[registrationHeader])
		formattest.Struc(t, b, counterSetInfoSize, wire.LoadStruct[CounterSetInfo])
		formattest.Struc(t, b, counterInfoSize, wire.LoadStruct[CounterInfo])
		formattest.Struc(t, b, pairSize, func(h *textsHeader, b []byte) { h.Size, h.NumTexts = pair(b) })
		formattest.Struc(t, b, pairSize, func(h *textEntry, b []byte) { h.CounterID, h.Offset = pair(b) })
	})
}
