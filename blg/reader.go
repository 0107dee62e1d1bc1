package blg

import (
	"errors"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// Reader reads the records of a log one after the other, in memory that does
// not grow with the log. It may be used by one goroutine at a time.
type Reader struct {
	found

	options  Options
	src      source
	walk     walker
	join     joiner
	sort     *sorter  // nil in the order of the file
	index    *indexer // of the pass that makes a File
	header   Header
	items    []Item
	list     itemList // the first one
	sets     *setTable
	setSize  int  // bytes of registrations so far
	complete bool // sets has all registrations of the log
	late     bool // the list, or a registration, is after samples
	titles   titleSet
	events   bool // there was one of PDH

	rec     Record
	discard found    // of what is looked at ahead
	queue   []*event // looked at already
	held    *event   // of rec
	buffers int

	last   Stamp // of the record before
	known  Stamp // the last offset that a record itself held
	zoned  Stamp // the last offset by the zone
	looked bool
	err    error
	spare  *sync.Pool // of the File, nil where there is none
}

// NewReader begins to read the log that r is, in the order of the file, and
// reads its header. What r gives after damage is read on; see [Reader.Lost].
// Of a log whose item list is after the samples, as that of Windows Server
// 2019 does, a stream gives the whole objects alone: copy it to a file for [Open].
// The errors are those of a stream that is no log: empty, truncated, and
// signature; and what r returned.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	s, err := newStream(r, -1)
	if err != nil {
		return nil, err
	}
	return newReader(s, s.stride, s.first(), o), nil
}

// newReader makes a reader of a source whose first buffer has been read.
func newReader(src source, stride int, first []byte, o Options) *Reader {
	r := &Reader{options: o, src: src, last: Stamp{Local: noTime}, sets: &setTable{}}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	r.walk = walker{found: &r.found, stride: stride}
	r.join.found = &r.found
	r.rec.page = o.CodePage
	r.header = r.readHeader(first, stride)
	return r
}

// Header returns the header of the log.
func (r *Reader) Header() *Header { return &r.header }

// Items returns the list of items in force: none before the first record was
// read. It never changes; a log that has another later gives another slice.
func (r *Reader) Items() []Item { return r.items }

// Titles returns the names of the counters of each machine, as far as they
// have been read; they stand before the first record.
func (r *Reader) Titles() []MachineTitles { return r.titles.tables() }

// Lost returns what of the log, as far as it has been read, could not be read.
// What the recorder itself lost is in the header.
func (r *Reader) Lost() *Lost { return &r.lost }

// Anomalies returns what is wrong or unusual in the log as far as it has been
// read. It belongs to r.
func (r *Reader) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// Records yields the records that have not been read yet. A record is valid
// until the next one. It allocates nothing once it has met the largest.
//
// A log is read past whatever is wrong in it; the error, after which nothing
// comes, is one of the io.Reader, the first anomaly in strict mode, or that of
// a trace without a single event of PDH.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			rec, err := r.nextRecord()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// nextRecord returns the next record, or io.EOF after the last one.
func (r *Reader) nextRecord() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	e, err := r.sample()
	if err == nil {
		r.rec.decode(e, r.items, r.sets, &r.found)
		if err = r.stamp(); err == nil {
			r.ordered()
		}
	}
	if r.options.Mode == perfdump.Strict && r.anomalies.Len() > 0 {
		err = r.anomalies.Kept()[0].Err()
	}
	if err != nil {
		r.err = err
		r.end()
		return nil, err
	}
	return &r.rec, nil
}

// ordered checks that the record is after the one before it, by its own time
// or in UTC: where clocks are set back, local time comes again.
func (r *Reader) ordered() {
	now := r.rec.Stamp
	if now.Local < r.last.Local {
		e := r.rec.event
		switch {
		case now.Time().Before(r.last.Time()):
			r.report(codeTimeBackwards, e.at(0), e.path(), "the record is %d ms before the one before it", (r.last.Local-now.Local)/10000)
		case r.index != nil:
			r.index.back--
		}
	}
	r.last = now
}

// end gives back what was only needed to read.
func (r *Reader) end() {
	if r.spare != nil {
		r.spare.Put(&memory{window: r.src.buffer(), events: r.join.free})
		r.src, r.join.free = &sorted{}, nil
	}
}

// sample reads on to the next sample.
func (r *Reader) sample() (*event, error) {
	for {
		r.join.release(r.held)
		r.held = nil
		e, err := r.nextEvent()
		if err != nil {
			if errors.Is(err, io.EOF) && !r.events {
				err = r.noLog()
			}
			return nil, err
		}
		r.events, r.held = true, e
		if e.typ == etl.EventSample {
			return e, nil
		}
		r.other(e)
	}
}

// noLog is the error of a trace that holds nothing of a log.
func (r *Reader) noLog() error {
	const none = "an event trace without an event of PDH: not a performance log"
	if h := &r.header; h.Valid && uint64(h.log.Buffers) > uint64(r.buffers) {
		return perfdump.NewError(perfdump.CodeSignature, 0, levels.Root(), none+", or the start of one: its header says %d buffers, %d are there", int64(h.log.Buffers), int64(r.buffers))
	}
	return perfdump.NewError(perfdump.CodeSignature, 0, levels.Root(), none)
}

// other takes an event that is no sample.
func (r *Reader) other(e *event) {
	switch e.typ {
	case etl.EventItems:
		r.takeItems(e)
	case etl.EventTitles:
		r.parseTitles(e, &r.titles)
	case etl.EventSet:
		r.takeSet(e)
	case etl.EventCatalogue:
		r.checkCatalogue(e)
	default:
		r.lost[lostTypes]++
		r.once(&r.types[e.typ], codeEventType, e.first.off-etl.PartHeaderSize-etl.EventHeaderSize+4, e.path().Field("EventType"), "an event of type 0x%x, which is not known: skipped, and all others of it", int64(e.typ))
	}
}

// nextEvent returns the next event, of those looked at already or a new one.
func (r *Reader) nextEvent() (*event, error) {
	if len(r.queue) > 0 {
		e := r.queue[0]
		r.queue = slices.Delete(r.queue, 0, 1)
		return e, nil
	}
	return r.event()
}

// event returns the next event of the source.
func (r *Reader) event() (*event, error) {
	for {
		if r.sort != nil && r.walk.pos >= r.walk.end {
			if e := r.sort.take(r.src.horizon()); e != nil {
				return e, nil
			}
		}
		p, ok := r.walk.next()
		if !ok {
			if err := r.buffer(); err != nil {
				return nil, err
			}
			continue
		}
		if r.index != nil {
			r.index.see(&p)
		}
		e := r.join.add(&p)
		if e == nil {
			continue
		}
		if e.typ == etl.EventSample && !possible(e.time) {
			r.lost[lostEvents]++
			r.join.release(e)
			continue
		}
		if r.sort == nil {
			return e, nil
		}
		r.sort.put(r.join.own(e))
	}
}

// buffer continues with the next buffer.
func (r *Reader) buffer() error {
	if r.sort != nil && r.sort.done {
		return io.EOF
	}
	s, err := r.src.next()
	if errors.Is(err, io.EOF) {
		r.join.end()
		r.count()
		if r.sort != nil {
			r.sort.done = true
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	r.buffers++
	if r.index != nil {
		r.index.begin(&s)
	}
	r.walk.start(&s)
	return nil
}

// count compares the number of buffers with the header's.
func (r *Reader) count() {
	if h := &r.header; h.Valid && h.log.Buffers != uint32(r.buffers) {
		r.report(codeBufferCount, etl.BufferHeaderSize+etl.SystemHeaderSize+0x24, levels.Root().At(levelBuffer, 0).At(levelRecord, 0).Field("Buffers"),
			"the header says %d buffers, %d are there", int64(h.log.Buffers), int64(r.buffers))
	}
}

// stamp finds the record's offset from UTC: its own, else the one of the
// record before, else of one that follows soon, else by the zone.
func (r *Reader) stamp() error {
	s := &r.rec.Stamp
	if ticks, source := r.rec.ownOffset(); source != OffsetNone {
		r.known = Stamp{Offset: time.Duration(ticks) * 100, Source: source}
	}
	if r.known.Source == OffsetNone && !r.looked {
		r.looked = true
		if err := r.lookAhead(); err != nil {
			return err
		}
	}
	if r.known.Source != OffsetNone {
		s.Offset, s.Source = r.known.Offset, r.known.Source
		return nil
	}
	if r.header.Valid {
		if offset, twice, ok := zoneOffset(&r.header.zone, s.Local); ok {
			if !twice || r.zoned.Source == OffsetNone || r.setBack(offset) {
				r.zoned = Stamp{Offset: offset, Source: OffsetZone}
			}
			s.Offset, s.Source = r.zoned.Offset, r.zoned.Source
			return nil
		}
	}
	if r.options.Offset != nil {
		s.Offset, s.Source = *r.options.Offset, OffsetUser
	}
	return nil
}

// setBack reports whether the clock was set back to an offset before the record,
// which is in the hour that the clock shows twice: its time is at least half of
// the change before that of the record before it.
func (r *Reader) setBack(to time.Duration) bool {
	change := int64(to-r.zoned.Offset) / 100
	return change > 0 && r.last.Local-r.rec.Local >= (change+1)/2
}

// lookAhead looks for an offset in the records that follow.
func (r *Reader) lookAhead() error {
	r.held = r.join.own(r.held)
	r.rec.event = r.held
	r.rec.decode(r.held, r.items, r.sets, &r.discard) // its views move with its bytes
	var ahead Record
	for size := 0; len(r.queue) < lookAhead && size < lookAheadSize; {
		e, err := r.event()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		e = r.join.own(e)
		r.queue = append(r.queue, e)
		size += len(e.data)
		if e.typ != etl.EventSample {
			return nil
		}
		ahead.decode(e, r.items, r.sets, &r.discard)
		if ticks, source := ahead.ownOffset(); source != OffsetNone {
			r.known = Stamp{Offset: time.Duration(ticks) * 100, Source: source}
			return nil
		}
	}
	return nil
}
