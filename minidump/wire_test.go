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
		formattest.Struc(t, b, directoryEntrySize, (*DirectoryEntry).load)
		formattest.Struc(t, b, systemInfoSize, (*SystemInfo).load)
		formattest.Struc(t, b, miscInfoSize, (*MiscInfo).load)
		formattest.Struc(t, b, moduleSize, (*ModuleEntry).load)
		formattest.Struc(t, b, descriptorSize, (*MemoryDescriptor).load)
		formattest.Struc(t, b, descriptorSize, (*MemoryDescriptor64).load)
		formattest.Struc(t, b, memory64ListSize, (*Memory64List).load)
		formattest.Struc(t, b, listHeaderSize, (*ListHeader).load)
		formattest.Struc(t, b, memoryInfoListSize, (*MemoryInfoList).load)
		formattest.Struc(t, b, memoryInfoSize, (*MemoryInfo).load)
		formattest.Struc(t, b, handleDataSize, (*HandleDataHeader).load)
		formattest.Struc(t, b, handleDescriptorSize, (*HandleDescriptor).load)
	})
}
