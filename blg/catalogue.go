package blg

import (
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// Catalogue lists what a log of whole objects holds. Nothing in it is needed
// to read the log, and logs that were cut off have none.
type Catalogue struct {
	First, Last int64 // FILETIMEs of local time
	Records     uint32
	Entries     uint32 // how many objects it says that there are
	Objects     []CatalogueEntry
}

// CatalogueEntry is an object of a catalogue: all its counters, bases
// included, and each instance of the whole log.
type CatalogueEntry struct {
	HasInstances bool
	Counters     []CatalogueCounter
	Instances    []CatalogueName
}

// CatalogueCounter is a definition of an object.
type CatalogueCounter struct {
	Title    uint32 // index of its name
	Type     countertypes.Type
	TimeBase int64
	Scale    int32
}

// CatalogueName names an instance.
type CatalogueName struct {
	Name      string
	Duplicate uint32 // k of name#k
}

// parseCatalogue reads as many objects as fit.
func (t *told) parseCatalogue(e *event) *Catalogue {
	b := e.data
	if len(b) < catalogueHeaderSize {
		t.tell(CodeCatalogue, e.at(0), e.path(), "%d bytes, fewer than the header's %d", int64(len(b)), catalogueHeaderSize)
		return nil
	}
	var h catalogueHeader
	h.load(b)
	c := &Catalogue{First: h.First, Last: h.Last, Records: h.Records, Entries: h.Entries}
	if h.Marker != catalogueMarker || uint64(h.Length) != uint64(len(b)) {
		t.tell(CodeCatalogue, e.at(24), e.path().Field("Length"), "a catalogue of 0x%x bytes, 0x%x are there", int64(h.Length), int64(len(b)))
	}
	off := catalogueHeaderSize
	for i := uint32(0); i < h.Entries; i++ {
		path := e.path().At(levelSeries, int(i))
		rest := b[off:]
		var o catalogueObject
		if len(rest) >= catalogueObjectSize {
			o.load(rest)
		}
		if o.Signature != [3]uint8{'B', 'L', 3} || o.Length < catalogueObjectSize || uint64(o.Length) > uint64(len(rest)) {
			t.tell(CodeCatalogue, e.at(off), path, "object %d does not fit into the 0x%x bytes that are left: the rest is not read", int64(i), int64(len(rest)))
			return c
		}
		entry, ok := catalogueEntry(&o, rest[:o.Length])
		if !ok {
			t.tell(CodeCatalogue, e.at(off), path, "%d counters and %d instances do not fit into the object", int64(o.Counters), int64(o.Instances))
		}
		c.Objects = append(c.Objects, entry)
		off += int(o.Length)
	}
	return c
}

// instancesAt returns where the instances of an object begin.
func (o *catalogueObject) instancesAt() uint64 {
	return (catalogueObjectSize + uint64(o.Counters)*catalogueCounterSize + 7) &^ 7
}

func catalogueEntry(o *catalogueObject, b []byte) (entry CatalogueEntry, ok bool) {
	at, n := o.instancesAt(), uint64(max(0, o.Instances))
	entry.HasInstances = o.Instances >= 0
	if catalogueObjectSize+uint64(o.Counters)*catalogueCounterSize > uint64(len(b)) {
		return entry, false
	}
	k := int(o.Counters)
	for j := range k {
		entry.Counters = append(entry.Counters, CatalogueCounter{
			Title: wire.U32(b, catalogueObjectSize+4*j), Type: countertypes.Type(wire.U32(b, catalogueObjectSize+4*k+4*j)),
			TimeBase: int64(wire.U64(b, catalogueObjectSize+8*k+8*j)), Scale: int32(wire.U32(b, catalogueObjectSize+16*k+4*j)),
		})
	}
	if n == 0 {
		return entry, true
	}
	if at > uint64(len(b)) || n > (uint64(len(b))-at)/catalogueInstanceSize {
		return entry, false
	}
	list, names := b[at:], b[at+n*catalogueInstanceSize:]
	left := len(names) // names do not share bytes, but for hostile ones
	for j := range int(n) {
		var in catalogueInstance
		in.load(list[j*catalogueInstanceSize:])
		name := CatalogueName{Duplicate: in.Duplicate}
		if uint64(in.NameOffset) < uint64(len(names)) && left > 0 {
			raw := instanceName(names, in.NameOffset)
			left -= len(raw)
			name.Name = wire.UTF16(raw)
		}
		entry.Instances = append(entry.Instances, name)
	}
	return entry, true
}
