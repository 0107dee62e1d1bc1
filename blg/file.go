package blg

import (
	"io"
	"iter"
	"math"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perflib2"
)

// File is a log with random access. It never changes and is safe for concurrent readers if
// its io.ReaderAt is.
type File struct {
	r        io.ReaderAt
	size     int64
	stride   int
	first    []byte // the start of the first buffer
	options  Options
	order    []bufferRef // nil if the log is in order
	parts    []Part      // nil to read all of it
	header   Header
	items    []Item
	list     itemList // the first one, shared by all readers
	titles   []MachineTitles
	problems problems
	records  int64
	start    Stamp
	end      Stamp
	// known reports that there is an event of PDH. In an unordered log all parts may be out
	// of order; it is still a log then.
	known bool
	sets  *setTable
	late  bool      // the first item list or a registration is after samples
	fixed bool      // see Fixed
	whole bool      // see Whole
	spare sync.Pool // of *memory, for the next reader
}

// memory holds the buffers of a reader of a File: some hundred kilobytes.
type memory struct {
	window []byte
	events []*event
}

// Open reads the log in the first size bytes of r from start to end to index it. It reads
// the log again if its events are not in order of time, and again if its item list is after
// the samples. It keeps no more than 32 bytes for each buffer, in addition to the items and
// the titles. r must not change while the File is in use.
//
// A log that is damaged or cut off is opened with what it has. The error is a
// *perfdump.FormatError: an empty or too short input, an input that is not a log, an error
// of r, or an anomaly in strict mode.
func Open(r io.ReaderAt, size int64, o Options) (*File, error) {
	return OpenParts(r, size, nil, o)
}

func (f *File) open() (*File, error) {
	s, err := newStream(io.NewSectionReader(f.r, 0, f.size), f.size)
	if err != nil {
		return nil, err
	}
	f.stride, f.first = s.stride, s.first()
	x := &indexer{last: math.MinInt64}
	rd, err := f.read(x)
	if err != nil {
		return nil, err
	}
	f.known = true
	if x.back > 0 {
		f.order = x.refs
		arrange(f.order)
		f.list = itemList{} // another one may be first now
		if rd, err = f.read(nil); err != nil {
			return nil, err
		}
	}
	if f.late = rd.late; f.late { // it applies to the samples before it, too
		if rd, err = f.read(nil); err != nil {
			return nil, err
		}
	}
	if f.options.Mode == perfdump.Strict && rd.anomalies.Len() > 0 {
		return nil, rd.anomalies.Kept()[0].Err()
	}
	f.header, f.titles, f.problems = rd.header, rd.Titles(), rd.problems
	return f, nil
}

// read iterates over all records. It ignores anomalies, which may disappear in order of
// time, or with the lists that are after the samples.
func (f *File) read(x *indexer) (*Reader, error) {
	f.records, f.start, f.end, f.items, f.fixed, f.whole = 0, Stamp{}, Stamp{}, nil, true, false
	r := f.Reader()
	r.index = x
	r.options.Mode = perfdump.Tolerant
	for rec, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		if f.records == 0 {
			f.start = rec.Stamp
		}
		if f.items == nil {
			f.items = rec.Items
		}
		f.see(rec)
		f.end = rec.Stamp
		f.records++
	}
	if f.items == nil {
		f.items = r.items
	}
	f.list, f.sets = r.list, r.sets
	return r, nil
}

// see notes which kinds of series a record has.
func (f *File) see(rec *Record) {
	f.fixed = f.fixed && len(rec.Items) > 0 && len(rec.Items) == len(f.items) && &rec.Items[0] == &f.items[0]
	for i := range rec.series {
		switch rec.series[i].Kind {
		case Single, Unreadable:
		case Object, CounterSet:
			f.fixed, f.whole = false, true
		default:
			f.fixed = false
		}
	}
}

// Reader returns a new reader of the log's records in order of time, then in the order of
// the file. If the clock was set back, local time repeats; then the order is that of UTC.
func (f *File) Reader() *Reader {
	m, ok := f.spare.Get().(*memory)
	if !ok {
		m = &memory{}
	}
	var src source
	switch {
	case f.order != nil:
		src = &sorted{r: f.r, order: f.order, buf: m.window[:0]}
	case f.parts != nil:
		src = &parted{stream: &stream{buf: m.window[:0], ahead: window}, f: f, parts: f.parts}
	default:
		src = f.stream(m.window[:0], window)
	}
	r := newReader(src, f.stride, f.first, f.options)
	r.join.free = m.events
	r.events, r.spare, r.list, r.partly = f.known, &f.spare, f.list, f.parts != nil
	if n := len(f.parts); n > 0 {
		r.endless = f.parts[n-1].To < f.size
	}
	if f.late {
		r.items, r.sets, r.complete = f.list.items, f.sets, true
	}
	if f.order != nil {
		r.sort = &sorter{}
	}
	return r
}

// stream returns a source of the log in the order of the file.
func (f *File) stream(buf []byte, ahead int) *stream {
	return &stream{r: io.NewSectionReader(f.r, 0, f.size), size: f.size, stride: f.stride, buf: buf, ahead: ahead}
}

// Records yields the records of the log in order of time, as [Reader.Records] does. Each
// call starts again.
func (f *File) Records() iter.Seq2[*Record, error] { return f.Reader().Records() }

// Size returns the size that the log was opened with.
func (f *File) Size() int64 { return f.size }

// Header returns the header of the log.
func (f *File) Header() *Header { return &f.header }

// Items returns the first list of items.
func (f *File) Items() []Item { return f.items }

// Titles returns the counter names of the machines for which the log has them, in the order
// of the log.
func (f *File) Titles() []MachineTitles { return f.titles }

// Registrations returns the registrations of version 2 counter sets, in the order of the
// log. They belong to the log.
func (f *File) Registrations() []*perflib2.Registration { return f.sets.all }

// Registration returns the registration of the counter set of an item, or nil. If several
// sets have that name, it is the first.
func (f *File) Registration(it *Item) *perflib2.Registration { return f.sets.find(it, nil) }

// NumRecords returns how many records the log has.
func (f *File) NumRecords() int64 { return f.records }

// Start returns the time of the first record, zero if there is none.
func (f *File) Start() Stamp { return f.start }

// End returns the time of the last record, zero if there is none.
func (f *File) End() Stamp { return f.end }

// InOrder reports whether the events of the log are in order of time, or of UTC if the
// clock was set back, and the descriptions of samples come before them, so that a [Reader]
// of a stream returns the same records.
func (f *File) InOrder() bool { return f.order == nil && !f.late }

// Shuffled reports whether the events of the log are not in order of time.
func (f *File) Shuffled() bool { return f.order != nil }

// Fixed reports whether the log has one list of items and single values alone, so that
// each item has at most one value in a record, always of the same name.
func (f *File) Fixed() bool { return f.fixed }

// Whole reports whether a record has a whole object or counter set.
func (f *File) Whole() bool { return f.whole }

// Lost returns what could not be read.
func (f *File) Lost() *Lost { l := f.problems.lost; return &l }

// Anomalies returns what is wrong or unusual in the log. It belongs to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.problems.anomalies }
