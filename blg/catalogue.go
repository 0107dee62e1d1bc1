package blg

import (
	"iter"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
)

// A catalogue lists all objects, counters and instances of a log of whole objects. Reading
// does not need it, and logs that were cut off have none, so it is only checked and shown
// in spans.

// checkCatalogue reports invalid lengths of a catalogue.
func (t *problems) checkCatalogue(e *event) {
	b := e.data
	if len(b) < etl.CatalogueHeaderSize {
		t.report(codeCatalogue, e.at(0), e.path(), "%d bytes, fewer than the %d of the header", int64(len(b)), etl.CatalogueHeaderSize)
		return
	}
	var h etl.CatalogueHeader
	wire.LoadStruct(&h, b)
	if h.Marker != etl.CatalogueMarker || uint64(h.Length) != uint64(len(b)) {
		t.report(codeCatalogue, e.at(24), e.path().Field("Length"), "the length of the catalogue is 0x%x, but it has 0x%x bytes", int64(h.Length), int64(len(b)))
	}
	i, end := uint32(0), etl.CatalogueHeaderSize
	for off, o := range catalogueObjects(b) {
		if i == h.Entries {
			return
		}
		end = off + int(o.Length)
		if _, _, ok := o.holds(b[off:end]); !ok {
			t.report(codeCatalogue, e.at(off), e.path().At(levelSeries, int(i)), "%d counters and %d instances do not fit into the object", int64(o.Counters), int64(o.Instances))
		}
		i++
	}
	if i < h.Entries {
		t.report(codeCatalogue, e.at(end), e.path().At(levelSeries, int(i)), "object %d does not fit into the remaining 0x%x bytes: the rest is not read", int64(i), int64(len(b)-end))
	}
}

type catalogueObject struct{ etl.CatalogueObject }

// catalogueObjects yields the objects of a catalogue that fit into its bytes, with their
// offsets.
func catalogueObjects(b []byte) iter.Seq2[int, *catalogueObject] {
	return func(yield func(int, *catalogueObject) bool) {
		var o catalogueObject
		off := etl.CatalogueHeaderSize
		for rest := b[off:]; len(rest) >= etl.CatalogueObjectSize; rest = b[off:] {
			wire.LoadStruct(&o.CatalogueObject, rest)
			if !isSub(rest) || o.Length < etl.CatalogueObjectSize || uint64(o.Length) > uint64(len(rest)) || !yield(off, &o) {
				return
			}
			off += int(o.Length)
		}
	}
}

// instancesAt returns the offset of the instances of an object.
func (o *catalogueObject) instancesAt() uint64 {
	return (etl.CatalogueObjectSize + uint64(o.Counters)*etl.CatalogueCounterSize + 7) &^ 7
}

// holds returns how many counters and instances are in the bytes of an object, and whether
// these are all that it counts.
func (o *catalogueObject) holds(b []byte) (counters, instances int, ok bool) {
	at, n := o.instancesAt(), uint64(max(0, o.Instances))
	if etl.CatalogueObjectSize+uint64(o.Counters)*etl.CatalogueCounterSize > uint64(len(b)) {
		return 0, 0, false
	}
	if n > 0 && (at > uint64(len(b)) || n > (uint64(len(b))-at)/etl.CatalogueInstanceSize) {
		return int(o.Counters), 0, false
	}
	return int(o.Counters), int(n), true
}
