package minidump

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

// TestStructs compares the declared structs with what struc reads by the tags,
// and their sizes with those of minidumpapiset.h. The byte tables of the format's
// page are made of them, and it explains every anomaly.
func TestStructs(t *testing.T) {
	const page = "../docs/minidump.md"
	p := doctest.Open(t, page)
	structOf[header](t, p, "MINIDUMP_HEADER", headerSize)
	structOf[directoryEntry](t, p, "MINIDUMP_DIRECTORY", directoryEntrySize)
	structOf[systemInfo](t, p, "MINIDUMP_SYSTEM_INFO", 32)
	structOf[miscInfo](t, p, "MINIDUMP_MISC_INFO", 24)
	structOf[listHeader](t, p, "MINIDUMP_MODULE_LIST and MINIDUMP_MEMORY_LIST", listHeaderSize)
	structOf[moduleEntry](t, p, "MINIDUMP_MODULE", 108)
	structOf[memoryDescriptor](t, p, "MINIDUMP_MEMORY_DESCRIPTOR", 16)
	structOf[memory64List](t, p, "MINIDUMP_MEMORY64_LIST", 16)
	structOf[memoryDescriptor64](t, p, "MINIDUMP_MEMORY_DESCRIPTOR64", 16)
	structOf[memoryInfoList](t, p, "MINIDUMP_MEMORY_INFO_LIST", 16)
	structOf[memoryInfo](t, p, "MINIDUMP_MEMORY_INFO", 48)
	structOf[handleDataHeader](t, p, "MINIDUMP_HANDLE_DATA_STREAM", 16)
	structOf[handleDescriptor](t, p, "MINIDUMP_HANDLE_DESCRIPTOR", 32)
	p.Close()
	doctest.Anomalies(t, page)
}

func structOf[T any](t *testing.T, p *doctest.Page, name string, size int) {
	t.Helper()
	var zero T
	p.Struct(name, zero)
	formattest.Struc(t, formattest.Pattern(108), size, wire.LoadStruct[T])
}
