package minidump

import (
	"testing"

	"github.com/perfdump/perfdump/internal/formattest"
)

// FuzzMinidumpHandEqualsStruc holds the hand-written loads against what struc
// reads by the tags.
func FuzzMinidumpHandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(moduleSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < moduleSize {
			return
		}
		formattest.Struc(t, b, headerSize, (*Header).load)
		formattest.Struc(t, b, directoryEntrySize, (*directoryEntry).load)
		formattest.Struc(t, b, systemInfoSize, (*SystemInfo).load)
		formattest.Struc(t, b, miscInfoSize, (*miscInfo).load)
		formattest.Struc(t, b, moduleSize, (*moduleEntry).load)
		formattest.Struc(t, b, descriptorSize, (*memoryDescriptor).load)
		formattest.Struc(t, b, descriptorSize, (*memoryDescriptor64).load)
		formattest.Struc(t, b, memory64ListSize, (*memory64List).load)
		formattest.Struc(t, b, listHeaderSize, (*listHeader).load)
		formattest.Struc(t, b, memoryInfoListSize, (*memoryInfoList).load)
		formattest.Struc(t, b, memoryInfoSize, (*memoryInfo).load)
		formattest.Struc(t, b, handleDataSize, (*handleDataHeader).load)
		formattest.Struc(t, b, handleDescriptorSize, (*handleDescriptor).load)
	})
}
