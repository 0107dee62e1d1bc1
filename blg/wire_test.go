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
		formattest.Struc(t, b, bufferHeaderSize, (*BufferHeader).load)
		formattest.Struc(t, b, systemHeaderSize, (*SystemHeader).load)
		formattest.Struc(t, b, logHeaderSize, (*LogHeader).load)
		formattest.Struc(t, b, timeZoneSize, (*TimeZone).load)
		formattest.Struc(t, b, logTailSize, (*LogTail).load)
		formattest.Struc(t, b, eventHeaderSize, (*EventHeader).load)
		formattest.Struc(t, b, partHeaderSize, (*PartHeader).load)
		formattest.Struc(t, b, itemHeaderSize, (*ItemHeader).load)
		formattest.Struc(t, b, valueBodySize, (*ValueBody).load)
		formattest.Struc(t, b, instancesBodySize, (*InstancesBody).load)
		formattest.Struc(t, b, instanceEntrySize, (*InstanceEntry).load)
		formattest.Struc(t, b, catalogueHeaderSize, (*CatalogueHeader).load)
		formattest.Struc(t, b, catalogueObjectSize, (*CatalogueObject).load)
		formattest.Struc(t, b, catalogueInstanceSize, (*CatalogueInstance).load)
	})
}
