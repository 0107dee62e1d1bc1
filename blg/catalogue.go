package blg

import (
	"io"
	"iter"
	"slices"

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

// catalogueBytes is a catalogue as it stands in the log: read, it may take three
// times its bytes.
type catalogueBytes struct {
	data   []byte // nil where they can be read again
	size   int
	pieces []chunk // where they lie
}

// read reads the bytes again; what cannot be read is no catalogue.
func (c *catalogueBytes) read(r io.ReaderAt) []byte {
	b := make([]byte, c.size)
	for i, p := range c.pieces {
		end := c.size
		if i+1 < len(c.pieces) {
			end = c.pieces[i+1].at
		}
		if n, _ := r.ReadAt(b[p.at:end], p.off); n < end-p.at {
			return nil
		}
	}
	return b
}

// keepCatalogue tells what of a catalogue does not fit, and keeps its bytes.
func (t *told) keepCatalogue(e *event) catalogueBytes {
	b := e.data
	kept := catalogueBytes{slices.Clone(b), len(b), slices.Clone(e.pieces)}
	if len(kept.pieces) == 0 {
		kept.pieces = []chunk{{0, e.at(0)}}
	}
	if len(b) < catalogueHeaderSize {
		t.tell(CodeCatalogue, e.at(0), e.path(), "%d bytes, fewer than the header's %d", int64(len(b)), catalogueHeaderSize)
		return kept
	}
	var h catalogueHeader
	h.load(b)
	if h.Marker != catalogueMarker || uint64(h.Length) != uint64(len(b)) {
		t.tell(CodeCatalogue, e.at(24), e.path().Field("Length"), "a catalogue of 0x%x bytes, 0x%x are there", int64(h.Length), int64(len(b)))
	}
	i, end := uint32(0), catalogueHeaderSize
	for off, o := range catalogueObjects(b) {
		end = off + int(o.Length)
		if _, _, ok := o.holds(b[off:end]); !ok {
			t.tell(CodeCatalogue, e.at(off), e.path().At(levelSeries, int(i)), "%d counters and %d instances do not fit into the object", int64(o.Counters), int64(o.Instances))
		}
		i++
	}
	if i < h.Entries {
		t.tell(CodeCatalogue, e.at(end), e.path().At(levelSeries, int(i)), "object %d does not fit into the 0x%x bytes that are left: the rest is not read", int64(i), int64(len(b)-end))
	}
	return kept
}

// parseCatalogue reads as many objects as fit.
func parseCatalogue(b []byte) *Catalogue {
	if len(b) < catalogueHeaderSize {
		return nil
	}
	var h catalogueHeader
	h.load(b)
	c := &Catalogue{First: h.First, Last: h.Last, Records: h.Records, Entries: h.Entries}
	for off, o := range catalogueObjects(b) {
		c.Objects = append(c.Objects, o.entry(b[off:off+int(o.Length)]))
	}
	return c
}

// catalogueObjects yields the objects of a catalogue that fit into its bytes,
// and where they begin.
func catalogueObjects(b []byte) iter.Seq2[int, *catalogueObject] {
	return func(yield func(int, *catalogueObject) bool) {
		var h catalogueHeader
		h.load(b)
		off := catalogueHeaderSize
		for range h.Entries {
			rest := b[off:]
			var o catalogueObject
			if len(rest) >= catalogueObjectSize {
				o.load(rest)
			}
			if o.Signature != [3]uint8{'B', 'L', 3} || o.Length < catalogueObjectSize || uint64(o.Length) > uint64(len(rest)) || !yield(off, &o) {
				return
			}
			off += int(o.Length)
		}
	}
}

// instancesAt returns where the instances of an object begin.
func (o *catalogueObject) instancesAt() uint64 {
	return (catalogueObjectSize + uint64(o.Counters)*catalogueCounterSize + 7) &^ 7
}

// holds returns how many counters and instances there are in the bytes of an
// object, and whether these are all that it speaks of.
func (o *catalogueObject) holds(b []byte) (counters, instances int, ok bool) {
	at, n := o.instancesAt(), uint64(max(0, o.Instances))
	if catalogueObjectSize+uint64(o.Counters)*catalogueCounterSize > uint64(len(b)) {
		return 0, 0, false
	}
	if n > 0 && (at > uint64(len(b)) || n > (uint64(len(b))-at)/catalogueInstanceSize) {
		return int(o.Counters), 0, false
	}
	return int(o.Counters), int(n), true
}

// entry reads an object from its bytes.
func (o *catalogueObject) entry(b []byte) (entry CatalogueEntry) {
	entry.HasInstances = o.Instances >= 0
	k, n, _ := o.holds(b)
	for j := range k {
		entry.Counters = append(entry.Counters, CatalogueCounter{
			Title: wire.U32(b, catalogueObjectSize+4*j), Type: countertypes.Type(wire.U32(b, catalogueObjectSize+4*k+4*j)),
			TimeBase: int64(wire.U64(b, catalogueObjectSize+8*k+8*j)), Scale: int32(wire.U32(b, catalogueObjectSize+16*k+4*j)),
		})
	}
	if n == 0 {
		return entry
	}
	list := b[o.instancesAt():]
	names := list[n*catalogueInstanceSize:]
	left := len(names) // names do not share bytes, but for hostile ones
	for j := range n {
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
	return entry
}
