package perflib2

import (
	"testing"

	"github.com/perfdump/perfdump/internal/formattest"
)

// FuzzPerflib2HandEqualsStruc holds the hand-written loads against what struc
// reads by the tags, and the packed structs against the bytes they came from.
func FuzzPerflib2HandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(dataHeaderSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < dataHeaderSize {
			return
		}
		formattest.Struc(t, b, dataHeaderSize, (*DataHeader).load)
		formattest.Struc(t, b, counterHeaderSize, (*CounterHeader).load)
		formattest.Struc(t, b, pairSize, (*multiCounters).load)
		formattest.Struc(t, b, pairSize, (*multiInstances).load)
		formattest.Struc(t, b, pairSize, (*instanceHeader).load)
		formattest.Struc(t, b, pairSize, (*counterData).load)
		formattest.Struc(t, b, registrationSize, (*RegistrationHeader).load)
		formattest.Struc(t, b, counterSetInfoSize, (*CounterSetInfo).load)
		formattest.Struc(t, b, counterInfoSize, (*CounterInfo).load)
		formattest.Struc(t, b, pairSize, (*textsHeader).load)
		formattest.Struc(t, b, pairSize, (*textEntry).load)
	})
}
