package document

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/pdhpath"
)

// WriteBLG writes the document of a binary log to w: what it is a log of, not
// its samples, which are rows. The machine is that of the first item. Times are
// null if there is no record, and so is utc_offset_minutes, UTC less local time
// at the start, where the log does not say it. The only error is one of w.
func WriteBLG(to io.Writer, name string, log *blg.File, o Options) error {
	w := newWriter(to)
	items := log.Items()
	machine := ""
	if len(items) > 0 {
		machine = items[0].Path.Machine
	}
	titles := 0
	for _, t := range log.Titles() {
		titles += t.Table.Len()
	}
	some, start := log.NumRecords() > 0, log.Start()
	var lost dictionary
	for reason, count := range log.Lost().All() {
		lost = append(lost, field{reason, count})
	}
	return w.document(&o, "blg", name, log.Size(), o.partial(), object{
		{"machine", text(machine)},
		{"records", log.NumRecords()},
		{"start", given(start.Time(), some)},
		{"end", given(log.End().Time(), some)},
		{"utc_offset_minutes", given(int64(start.Offset/time.Minute), some && start.Source != blg.OffsetNone)},
		{"items", list(w, " ", pointers(items), func(it *blg.Item) any {
			whole := it.Kind == blg.Object || it.Kind == blg.CounterSet
			if !o.chooses(it.Path.Object, 0, it.Path.Counter, 0, whole) {
				return absent{}
			}
			return object{
				{"path", it.Path.String()},
				{"type", given(it.CounterType.String(), !whole)},
				{"time_base", it.TimeBase},
				{"scale", int64(it.DefaultScale)},
				{"kind", it.Kind.String()},
			}
		})},
		{"titles", titles},
		{"lost", lost},
	}, log.Anomalies())
}

// chooses reports whether one of the patterns matches a counter, or the object of
// one where it has all its counters.
func (o *Options) chooses(object string, objectIndex uint32, counter string, index uint32, whole bool) bool {
	names := o.both(object, objectIndex, counter, index)
	return o.Counters == nil || slices.ContainsFunc(o.Counters, func(p *pdhpath.Pattern) bool {
		return slices.ContainsFunc(names, func(name named) bool {
			return p.MatchObject(name.object) && (whole || p.MatchCounter(name.counter))
		})
	})
}

// WritePDHCSV writes the document of a text log of PDH, of the given size, to w:
// what it is a log of, not its values, which are rows of cooked values. The
// machine is that of the first path. Times are null if there is no row, and so
// is utc_offset_minutes, UTC less local time, where the header does not say it. The
// error is one of w, or of the input; then nothing is written.
func WritePDHCSV(to io.Writer, name string, tsv bool, in io.ReaderAt, size int64, read pdhcsv.Options, o Options) error {
	r, err := pdhcsv.NewReader(io.NewSectionReader(in, 0, size), read)
	if err != nil {
		return err
	}
	var start, end time.Time
	rows := int64(0)
	for row, err := range r.Rows() {
		if err != nil {
			return err
		}
		if rows++; rows == 1 || row.Time.Before(start) {
			start = row.Time
		}
		if rows == 1 || row.Time.After(end) {
			end = row.Time
		}
	}
	w, h := newWriter(to), r.Header()
	format, machine := "pdh-csv", ""
	if tsv {
		format = "pdh-tsv"
	}
	var columns []string
	for i := range h.Len() {
		path, ok := h.Path(i)
		if machine == "" && ok {
			machine = path.Machine
		}
		if o.choosesColumn(path, ok) {
			columns = append(columns, h.Column(i))
		}
	}
	return w.document(&o, format, name, size, o.partial(), object{
		{"machine", text(machine)},
		{"rows", rows},
		{"start", given(start, rows > 0)},
		{"end", given(end, rows > 0)},
		{"utc_offset_minutes", given(int64(h.Zone.Bias), h.Zone.HasBias)},
		{"zone", text(h.Zone.Name)},
		{"columns", list(w, " ", slices.Values(columns), func(s string) any { return s })},
	}, r.Anomalies())
}

// choosesColumn reports whether one of the patterns is for a column; ok is false for
// one that is no counter.
func (o *Options) choosesColumn(path pdhpath.Path, ok bool) bool {
	return o.Counters == nil || ok && slices.ContainsFunc(o.both(path.Object, 0, path.Counter, 0), func(name named) bool {
		path.Object, path.Counter = name.object, name.counter
		return slices.ContainsFunc(o.Counters, func(p *pdhpath.Pattern) bool { return p.Match(path) })
	})
}

// WriteCheckmk writes the document of the output of Checkmk agents to w: each
// section of counters, with names for its title indexes. The names and types are
// null if they are not known. The error is one of w, or of the input; then
// nothing is written.
func WriteCheckmk(to io.Writer, name string, data []byte, read perfdump.Options, o Options) error {
	for _, err := range checkmk.NewReader(bytes.NewReader(data), read).Sections() {
		if err != nil {
			return err // no half document precedes it
		}
	}
	w := newWriter(to)
	r := checkmk.NewReader(bytes.NewReader(data), read)
	names := o.names()
	sections := func(yield func(*checkmk.Section) bool) {
		for s, err := range r.Sections() {
			if err != nil || !yield(s) {
				return
			}
		}
	}
	return w.document(&o, "checkmk", name, int64(len(data)), o.partial(), object{
		{"sections", list(w, " ", sections, func(s *checkmk.Section) any { return section(w, s, names, &o) })},
	}, r.Anomalies())
}

func section(w *writer, s *checkmk.Section, names Names, o *Options) object {
	t, timed := s.Time()
	of, known := names.Lookup(s.Object)
	var instances any
	if s.HasInstances {
		instances = s.Instances
	}
	return object{
		{"offset", s.Off},
		{"host", text(s.Host)},
		{"name", s.Name},
		{"options", text(s.Options)},
		{"time", given(t, timed)},
		{"object_index", s.Object},
		{"object", given(of, known)},
		{"frequency", given(s.Frequency, s.HasFrequency)},
		{"instances", instances},
		{"counters", list(w, "  ", pointers(s.Counters), func(c *checkmk.Counter) any {
			name, ok := names.Lookup(c.Index)
			if !o.chooses(of, s.Object, name, c.Index, false) {
				return absent{}
			}
			return object{
				{"index", c.Index},
				{"name", given(name, ok)},
				{"word", c.Word},
				{"type", given(c.Type.String(), c.HasType)},
				{"values", c.Values},
			}
		})},
	}
}
