package blg

import (
	"testing"

	"github.com/perfdump/perfdump/internal/formattest"
)

// FuzzBLGHandEqualsStruc holds the hand-written loads against what struc reads
// by the tags.
func FuzzBLGHandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(timeZoneSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < timeZoneSize {
			return
		}
		formattest.Struc(t, b, bufferHeaderSize, (*bufferHeader).load)
		formattest.Struc(t, b, systemHeaderSize, (*systemHeader).load)
		formattest.Struc(t, b, logHeaderSize, (*LogHeader).load)
		formattest.Struc(t, b, timeZoneSize, (*TimeZone).load)
		formattest.Struc(t, b, logTailSize, (*LogTail).load)
		formattest.Struc(t, b, eventHeaderSize, (*eventHeader).load)
		formattest.Struc(t, b, partHeaderSize, (*partHeader).load)
		formattest.Struc(t, b, itemHeaderSize, (*ItemHeader).load)
		formattest.Struc(t, b, valueBodySize, (*valueBody).load)
		formattest.Struc(t, b, instancesBodySize, (*instancesBody).load)
		formattest.Struc(t, b, instanceEntrySize, (*instanceEntry).load)
		formattest.Struc(t, b, catalogueHeaderSize, (*catalogueHeader).load)
		formattest.Struc(t, b, catalogueObjectSize, (*catalogueObject).load)
		formattest.Struc(t, b, catalogueInstanceSize, (*catalogueInstance).load)
	})
}
