package blg

import (
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

func filetime(t time.Time) int64 {
	return t.Unix()*ticksPerSecond + int64(t.Nanosecond()/100) + wire.Filetime1970
}

// Stamp is the time of a record.
type Stamp struct {
	Local  int64 // the recorder's local time to 1 ms, a FILETIME
	Offset time.Duration
	Source OffsetSource
}

// Time returns the time in UTC. If Source is OffsetNone, the local time is treated as UTC.
func (s Stamp) Time() time.Time { return perfdata.Filetime(s.Local).Add(s.Offset) }

// LocalTime returns the recorder's local time, as PDH writes it into a CSV log, stored as
// if it was UTC.
func (s Stamp) LocalTime() time.Time { return perfdata.Filetime(s.Local) }

// Record is one sample of all items. It and everything returned by it is valid until the
// next record is requested.
type Record struct {
	Stamp

	// Items is the current list, which may change within a log. It belongs to the log.
	Items []Item

	event  *event
	series []Series
	names  names
	blocks []*perfdata.Decoder
	sets   *setTable
	parsed []*perflib2.Decoder
	page   uint32
}

// Len returns the number of series in the record; the first belongs to the first item.
// Items from there on are missing in it. In a log without an item list it is the number of
// objects.
func (r *Record) Len() int { return len(r.series) }

// Series returns the series at a position below Len.
func (r *Record) Series(i int) *Series { return &r.series[i] }

// All yields the series in the order of the items.
func (r *Record) All() iter.Seq2[int, *Series] {
	return func(yield func(int, *Series) bool) {
		for i := range r.series {
			if !yield(i, &r.series[i]) {
				return
			}
		}
	}
}

// FileOffset returns the offset of the record in the file.
func (r *Record) FileOffset() int64 {
	return r.event.first.off - etl.EventHeaderSize - etl.PartHeaderSize
}

// reused returns the decoder at a position of all, which grows if needed.
func reused[T any](all *[]*T, i int) *T {
	for len(*all) <= i {
		*all = append(*all, new(T))
	}
	return (*all)[i]
}

// decode sets r to the sample in e.
func (r *Record) decode(e *event, items []Item, sets *setTable, t *problems) {
	r.Items, r.sets, r.event, r.series = items, sets, e, r.series[:0]
	r.Stamp = Stamp{Local: e.time}
	b := e.data
	if len(b) < etl.SubHeaderSize || !isSub(b) || b[3] != 0 {
		t.lost[lostSeries] += int64(max(1, len(items)))
		t.report(codeSampleLength, e.at(0), e.path(), "%d bytes without the signature of a sample: no value is read", int64(len(b)))
		return
	}
	if total := wire.U32(b, 4); uint64(total) != uint64(len(b)) {
		t.report(codeSampleLength, e.at(4), e.path().Field("Length"), "the length of the sample is 0x%x, but it has 0x%x bytes", int64(total), int64(len(b)))
		if total >= etl.SubHeaderSize && uint64(total) < uint64(len(b)) {
			b = b[:total]
		}
	}
	r.series = slices.Grow(r.series, min(len(items), len(b)/etl.SubHeaderSize))
	for off, i := etl.SubHeaderSize, 0; off < len(b); i++ {
		rest := b[off:]
		var n uint32
		if len(rest) >= etl.SubHeaderSize && isSub(rest) {
			n = wire.U32(rest, 4)
		}
		if n < etl.SubHeaderSize || uint64(n) > uint64(len(rest)) {
			t.lost[lostSeries] += int64(max(1, len(items)-i))
			t.report(codeSeriesLength, e.at(off), e.path().At(levelSeries, i), "a series of 0x%x bytes does not fit into the remaining 0x%x: the rest is dropped", int64(n), int64(len(rest)))
			break
		}
		r.add(rest[:n:n], off, i, t)
		off += int(n)
	}
	if len(r.series) < len(items) {
		t.once(&t.missing, codeSeriesMissing, e.at(0), e.path(), "%d series for %d items: the other items have no value; reported once", int64(len(r.series)), int64(len(items)))
	}
}

// isSub reports whether b begins with the signature of a sample, a series or an
// object of a catalogue.
func isSub(b []byte) bool { return b[0] == 'B' && b[1] == 'L' && b[2] == 3 }

// add adds series i, header and body.
func (r *Record) add(b []byte, off, i int, t *problems) {
	e, kind, body := r.event, b[3], b[etl.SubHeaderSize:]
	s := Series{Kind: Unreadable, body: body, off: off + etl.SubHeaderSize, index: i, record: r}
	path := e.path().At(levelSeries, i)
	switch {
	case i < len(r.Items):
		s.Item = &r.Items[i]
	case len(r.Items) > 0:
		t.lost[lostExtra]++
		t.once(&t.extra, codeSeriesExtra, e.at(off), path, "more series than the %d items: the others are ignored; reported once", int64(len(r.Items)))
		return
	case kind != uint8(Object) && kind != uint8(CounterSet):
		t.lost[lostSeries]++
		t.once(&t.unlisted, codeNoItemList, e.at(off), path, "no item list describes this series: it is dropped, and all others like it")
		return
	}
	switch {
	case kind == uint8(Object):
		s.Kind = Object
	case kind == uint8(CounterSet):
		s.Kind = CounterSet
		switch {
		case s.Item == nil:
			t.once(&t.unregistered, CodeNoRegistration, e.at(off), path, "no item list names the counter set of series %d, as in a log that was cut off: it is named by its position, its counters by their ids, and nothing can be cooked", int64(i))
		case r.sets.find(s.Item, nil) == nil:
			t.once(&t.unregistered, CodeNoRegistration, e.at(off), path, "no registration of the counter set of series %d, as in a log that was cut off: its counters are named by their ids, and nothing can be cooked", int64(i))
		}
	case kind == uint8(Single) && len(body) >= etl.ValueBodySize:
		s.Kind, s.n, s.Status, s.Local = Single, 1, wire.U32(body, 0), int64(wire.U64(body, 4))
	case kind == uint8(Instances) && len(body) >= etl.InstancesBodySize && uint64(wire.U32(body, 4)) <= uint64(len(body)-etl.InstancesBodySize)/etl.InstanceEntrySize:
		s.Kind, s.n, s.Status, s.Local = Instances, int(wire.U32(body, 4)), wire.U32(body, 8), int64(wire.U64(body, 16))
		if k, bad := badName(body, s.n); bad > 0 {
			t.lost[lostInstances] += int64(bad)
			t.report(codeInstanceName, e.at(s.off+etl.InstancesBodySize+k*etl.InstanceEntrySize), path.At(levelInstance, k).Field("NameOffset"),
				"a name outside the 0x%x bytes of the body; %d instances are left out", int64(len(body)), int64(bad))
		}
	case kind == uint8(Single) || kind == uint8(Instances):
		t.lost[lostSeries]++
		t.report(codeSeriesLength, e.at(s.off), path, "a body of 0x%x bytes is too short for its contents", int64(len(body)))
	default:
		t.lost[lostUnknown]++
		t.once(&t.kinds[kind], codeSeriesKind, e.at(off+3), path.Field("Kind"), "series of kind %d are unknown and skipped", int64(kind))
	}
	r.series = append(r.series, s)
}

// ownOffset returns UTC minus local time from the first series that has it.
func (r *Record) ownOffset() (ticks int64, source OffsetSource) {
	for i := range r.series {
		if ticks, source = r.series[i].offset(); source != OffsetNone {
			return ticks, source
		}
	}
	return 0, OffsetNone
}
