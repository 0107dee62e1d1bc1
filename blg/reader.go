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

// Reader reads the records of a log one after the other in constant memory. It is not safe
// for concurrent use.
type Reader struct {
	problems

	options  Options
	src      source
	walk     walker
	join     joiner
	sort     *sorter  // nil to keep the order of the file
	index    *indexer // of the pass that opens a File
	header   Header
	items    []Item
	list     itemList // the first one
	sets     *setTable
	setSize  int  // bytes of registrations so far
	complete bool // sets has all registrations of the log
	late     bool // the list or a registration is after samples
	partly   bool // only parts of the log are read
	endless  bool // its end is not read
	titles   titleSet
	events   bool // there was an event of PDH

	rec     Record
	discard problems // when looking ahead
	queue   []*event // events read ahead
	held    *event   // of rec
	buffers int

	last   Stamp // of the previous record
	known  Stamp // the last offset found in a record
	zoned  Stamp // the last offset from the zone
	looked bool
	err    error
	spare  *sync.Pool // of the File, or nil
}

// NewReader returns a reader of the log in r, in the order of the file. It reads the
// header. Reading continues after damage, see [Reader.Lost]. If the item list is after the
// samples, as in logs of Windows Server 2019, a stream only yields whole objects: copy it
// to a file for [Open]. The errors are empty, truncated and signature for a stream that is
// not a log, and those of r.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	s, err := newStream(r, -1)
	if err != nil {
		return nil, err
	}
	return newReader(s, s.stride, s.first(), o), nil
}

// newReader returns a reader of a source whose first buffer has been read.
func newReader(src source, stride int, first []byte, o Options) *Reader {
	r := &Reader{options: o, src: src, last: Stamp{Local: noTime}, sets: &setTable{}}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	r.walk = walker{problems: &r.problems, stride: stride}
	r.join.problems = &r.problems
	r.rec.page = o.CodePage
	r.header = r.readHeader(first, stride)
	return r
}

// Header returns the header of the log.
func (r *Reader) Header() *Header { return &r.header }

// Items returns the current list of items: empty before the first record was read. A list
// never changes; a log that has another one later returns another slice.
func (r *Reader) Items() []Item { return r.items }

// Titles returns the counter names of each machine that have been read so far; they come
// before the first record.
func (r *Reader) Titles() []MachineTitles { return r.titles.tables() }

// Lost returns what could not be read so far. What the recorder itself lost is in the
// header.
func (r *Reader) Lost() *Lost { return &r.lost }

// Anomalies returns what is wrong or unusual in the log so far. It belongs to r.
func (r *Reader) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// Records yields the records that have not been read yet. A record is valid until the next
// one. It stops allocating once the largest record was read.
//
// Reading continues after damage. The error, which comes last, is one of the io.Reader, the
// first anomaly in strict mode, or that of a trace without an event of PDH.
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
		r.rec.decode(e, r.items, r.sets, &r.problems)
		if err = r.stamp(); err == nil {
			r.checkOrder()
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

// checkOrder checks that the record is after the previous one, in local time or in UTC:
// local time repeats where the clock is set back.
func (r *Reader) checkOrder() {
	now := r.rec.Stamp
	if now.Local < r.last.Local {
		e := r.rec.event
		switch {
		case now.Time().Before(r.last.Time()):
			r.report(codeTimeBackwards, e.at(0), e.path(), "the record is %d ms before the previous one", (r.last.Local-now.Local)/10000)
		case r.index != nil:
			r.index.back--
		}
	}
	r.last = now
}

// end returns the memory that was only needed for reading.
func (r *Reader) end() {
	if r.spare != nil {
		r.spare.Put(&memory{window: r.src.buffer(), events: r.join.free})
		r.src, r.join.free = &sorted{}, nil
	}
}

// sample returns the next sample.
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

// noLog returns the error of a trace without events of PDH.
func (r *Reader) noLog() error {
	const none = "an event trace without an event of PDH: not a performance log"
	if h := &r.header; h.Valid && uint64(h.log.Buffers) > uint64(r.buffers) {
		return perfdump.NewError(perfdump.CodeSignature, 0, levels.Root(), none+", or only the start of one: its header says %d buffers, the file has %d", int64(h.log.Buffers), int64(r.buffers))
	}
	return perfdump.NewError(perfdump.CodeSignature, 0, levels.Root(), none)
}

// other handles an event that is not a sample.
func (r *Reader) other(e *event) {
	switch e.typ {
	case etl.EventItems:
		r.setItems(e)
	case etl.EventTitles:
		r.parseTitles(e, &r.titles)
	case etl.EventSet:
		r.addSet(e)
	case etl.EventCatalogue:
		r.checkCatalogue(e)
	default:
		r.lost[lostTypes]++
		r.once(&r.types[e.typ], codeEventType, e.first.off-etl.PartHeaderSize-etl.EventHeaderSize+4, e.path().Field("EventType"), "events of type 0x%x are unknown and skipped", int64(e.typ))
	}
}

// nextEvent returns the next event, which may have been read ahead.
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
		if e.typ == etl.EventSample && e.first.lists {
			r.join.release(e)
			continue
		}
		if e.typ == etl.EventSample && !validTime(e.time) {
			r.lost[lostEvents]++
			r.join.release(e)
			continue
		}
		if r.sort == nil {
			return e, nil
		}
		r.sort.put(r.join.copyView(e))
	}
}

// buffer continues with the next buffer.
func (r *Reader) buffer() error {
	if r.sort != nil && r.sort.done {
		return io.EOF
	}
	s, err := r.src.next()
	if errors.Is(err, io.EOF) {
		if r.endless {
			r.join.gap()
		}
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
	if s.gap {
		r.join.gap()
	}
	if r.index != nil {
		r.index.begin(&s)
	}
	r.walk.start(&s)
	return nil
}

// count checks the number of buffers in the header.
func (r *Reader) count() {
	if h := &r.header; h.Valid && !r.partly && h.log.Buffers != uint32(r.buffers) {
		r.report(codeBufferCount, etl.BufferHeaderSize+etl.SystemHeaderSize+0x24, levels.Root().At(levelBuffer, 0).At(levelRecord, 0).Field("Buffers"),
			"the header says %d buffers, the file has %d", int64(h.log.Buffers), int64(r.buffers))
	}
}

// stamp finds the record's offset from UTC: its own, or that of the previous record, or one
// of the records that follow soon, or that of the zone.
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

// setBack reports whether the clock was set back to an offset before the record, which is
// in the repeated hour: its local time is at least half of the change before that of the
// previous record.
func (r *Reader) setBack(to time.Duration) bool {
	change := int64(to-r.zoned.Offset) / 100
	return change > 0 && r.last.Local-r.rec.Local >= (change+1)/2
}

// lookAhead searches the records that follow for an offset.
func (r *Reader) lookAhead() error {
	r.held = r.join.copyView(r.held)
	r.rec.event = r.held
	r.rec.decode(r.held, r.items, r.sets, &r.discard) // its views must refer to the copy
	var ahead Record
	for size := 0; len(r.queue) < lookAhead && size < lookAheadSize; {
		e, err := r.event()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		e = r.join.copyView(e)
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
