package capture

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhcsv"
)

// LogSummary is what a log of counters over time holds: a binary one, a text
// one, or what agents have sent.
type LogSummary struct {
	Machines   []string  // without \\, in the order of the log
	Records    int64     // records, rows, or sections
	Start, End time.Time // zero where unknown
	Offset     Offset    // at Start
	EndOffset  Offset    // at End
	OffsetFrom string    // what Offset was taken from: block, sample, zone, header; "" where it is not known
	Zone       string    // the recorder's name of its time zone
	Series     int       // items, columns, or objects
	Wild       int       // of the items: those that are all instances of a counter
	Objects    int       // of the items: those that are whole objects
	Writer     string    // of a binary log: the version of Windows and its word size
	Titles     []LogTitles
	Sets       []LogSet // of the items: those that are version 2 counter sets
	Lost       []LostCount

	met map[string]bool // machines, in lower case
}

// LogTitles are how many names a log has of a machine's counters.
type LogTitles struct {
	Machine string
	Names   int
}

// LogSet is a version 2 counter set of a log.
type LogSet struct {
	Name       string
	Machine    string // without \\
	Registered bool   // the log says what its counters are
	GUID       string
	Counters   int // that are shown
	Single     bool
}

// LostCount is how much of a log could not be read for a reason.
type LostCount struct {
	Reason string
	Count  int64
}

// maxMachines bounds the machines that a summary names.
const maxMachines = 1000

func (l *LogSummary) machine(name string) {
	name = cutOwn(name)
	key := strings.ToLower(name)
	if name == "" || l.met[key] || len(l.met) == maxMachines {
		return
	}
	if l.met == nil {
		l.met = map[string]bool{}
	}
	l.met[key] = true
	l.Machines = append(l.Machines, name)
}

// at takes a time of the log.
func (l *LogSummary) at(t time.Time) {
	if l.Start.IsZero() || t.Before(l.Start) {
		l.Start = t
	}
	if t.After(l.End) {
		l.End = t
	}
}

// log sums up a binary log. Its embedded blocks are not looked into: that is
// for Check.
func (s *Summary) log(in *detect.Input, o Options, counts map[perfdump.Code]int) {
	f, err := blg.NewFile(in.At, in.Size(), o.blg())
	if err != nil {
		s.fail(err)
		return
	}
	count(counts, f.Anomalies())
	l := &LogSummary{Records: f.NumRecords(), Series: len(f.Items())}
	l.Writer = logWriter(f.Header())
	if start := f.Start(); l.Records > 0 {
		l.Start, l.End = start.Time(), f.End().Time()
		l.Offset, l.EndOffset = offsetOf(start), offsetOf(f.End())
		if l.Offset.Known {
			l.OffsetFrom = start.Source.String()
		}
		l.Zone = zoneName(f.Header(), start.Offset)
	}
	items := f.Items()
	for i := range items {
		l.machine(items[i].Path.Machine)
		switch items[i].Kind {
		case blg.Instances:
			l.Wild++
		case blg.Object:
			l.Objects++
		case blg.CounterSet:
			l.Sets = append(l.Sets, logSetOf(&items[i], f))
		default:
		}
	}
	for _, t := range f.Titles() {
		l.Titles = append(l.Titles, LogTitles{Machine: strings.TrimPrefix(t.Machine, `\\`), Names: t.Table.Len()})
	}
	for reason, n := range f.Lost().All() {
		l.Lost = append(l.Lost, LostCount{Reason: reason.String(), Count: n})
	}
	s.Log = l
}

// logSetOf sums up the set of an item.
func logSetOf(it *blg.Item, f *blg.File) LogSet {
	set := LogSet{Name: cutOwn(it.Path.Object), Machine: cutOwn(it.Path.Machine)}
	if r := f.Registration(it); r != nil {
		set.Registered, set.GUID, set.Single = true, r.GUIDString(), r.Single()
		set.Counters = len(shownCounters(r))
	}
	return set
}

// rows sums up a PDH-CSV or PDH-TSV in one pass.
func (s *Summary) rows(in *detect.Input, o Options, counts map[perfdump.Code]int) {
	r, err := pdhcsv.NewReader(io.NewSectionReader(in.At, 0, in.Size()), o.pdhcsv())
	if err != nil {
		s.fail(err)
		return
	}
	h := r.Header()
	l := &LogSummary{Zone: h.Zone.Name, EndOffset: offsetOfRows(h)}
	if h.Zone.HasBias {
		l.Offset, l.OffsetFrom = offsetOfRows(h), "header"
	}
	for i := range h.Len() {
		if p, ok := h.Path(i); ok {
			l.Series++
			l.machine(p.Machine)
		}
	}
	for row, err := range r.Rows() {
		if err != nil {
			s.fail(err)
			break
		}
		l.at(row.Time)
		l.Records++
	}
	count(counts, r.Anomalies())
	s.Log = l
}

// sections sums up the output of agents.
func (s *Summary) sections(in *detect.Input, o Options, counts map[perfdump.Code]int) {
	r := checkmk.NewReader(bytes.NewReader(in.Data), o.checkmk())
	l := &LogSummary{Offset: Offset{Known: true}, EndOffset: Offset{Known: true}}
	objects := map[uint32]bool{}
	for section, err := range r.Sections() {
		if err != nil {
			s.fail(err)
			break
		}
		l.machine(section.Host)
		if t, ok := section.Time(); ok {
			l.at(t)
		}
		objects[section.Object] = true
		l.Records++
	}
	l.Series = len(objects)
	count(counts, r.Anomalies())
	if l.Records > 0 {
		s.Log = l
	}
}

// logWriter says what wrote a log, "" where its header cannot be read.
func logWriter(h *blg.Header) string {
	if !h.Valid {
		return ""
	}
	return fmt.Sprintf("Windows %d.%d.%d, %d bit", h.MajorVersion, h.MinorVersion, h.Build, h.Bits())
}
