package etl

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

// FuzzStructs compares how each struct is loaded with what struc reads by the
// tags.
func FuzzStructs(f *testing.F) {
	f.Add(formattest.Pattern(TimeZoneSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < TimeZoneSize {
			return
		}
		formattest.Struc(t, b, BufferHeaderSize, wire.LoadStruct[BufferHeader])
		formattest.Struc(t, b, SystemHeaderSize, wire.LoadStruct[SystemHeader])
		formattest.Struc(t, b, LogHeaderSize, wire.LoadStruct[LogHeader])
		formattest.Struc(t, b, TimeZoneSize, wire.LoadStruct[TimeZone])
		formattest.Struc(t, b, LogTailSize, wire.LoadStruct[LogTail])
		formattest.Struc(t, b, EventHeaderSize, wire.LoadStruct[EventHeader])
		formattest.Struc(t, b, PartHeaderSize, wire.LoadStruct[PartHeader])
		formattest.Struc(t, b, ItemListHeaderSize, wire.LoadStruct[ItemListHeader])
		formattest.Struc(t, b, ItemHeaderSize, wire.LoadStruct[ItemHeader])
		formattest.Struc(t, b, SubHeaderSize, wire.LoadStruct[SubHeader])
		formattest.Struc(t, b, ValueBodySize, wire.LoadStruct[ValueBody])
		formattest.Struc(t, b, InstancesBodySize, wire.LoadStruct[InstancesBody])
		formattest.Struc(t, b, InstanceEntrySize, wire.LoadStruct[InstanceEntry])
		formattest.Struc(t, b, CatalogueHeaderSize, wire.LoadStruct[CatalogueHeader])
		formattest.Struc(t, b, CatalogueObjectSize, wire.LoadStruct[CatalogueObject])
		formattest.Struc(t, b, CatalogueInstanceSize, wire.LoadStruct[CatalogueInstance])
	})
}
