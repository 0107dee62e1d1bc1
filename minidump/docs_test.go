package minidump_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/doctest"
	"github.com/perfdump/perfdump/minidump"
)

const page = "../docs/minidump.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, page)
	p.Struct("MINIDUMP_HEADER", minidump.Header{})
	p.Struct("MINIDUMP_DIRECTORY", minidump.DirectoryEntry{})
	p.Struct("MINIDUMP_SYSTEM_INFO", minidump.SystemInfo{})
	p.Struct("MINIDUMP_MISC_INFO", minidump.MiscInfo{})
	p.Struct("MINIDUMP_MODULE_LIST and MINIDUMP_MEMORY_LIST", minidump.ListHeader{})
	p.Struct("MINIDUMP_MODULE", minidump.ModuleEntry{})
	p.Struct("MINIDUMP_MEMORY_DESCRIPTOR", minidump.MemoryDescriptor{})
	p.Struct("MINIDUMP_MEMORY64_LIST", minidump.Memory64List{})
	p.Struct("MINIDUMP_MEMORY_DESCRIPTOR64", minidump.MemoryDescriptor64{})
	p.Struct("MINIDUMP_MEMORY_INFO_LIST", minidump.MemoryInfoList{})
	p.Struct("MINIDUMP_MEMORY_INFO", minidump.MemoryInfo{})
	p.Struct("MINIDUMP_HANDLE_DATA_STREAM", minidump.HandleDataHeader{})
	p.Struct("MINIDUMP_HANDLE_DESCRIPTOR", minidump.HandleDescriptor{})
	p.Close()
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	doctest.Anomalies(t, page)
}
