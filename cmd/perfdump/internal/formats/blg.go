package formats

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

var binaryLog = Format{
	Name:     detect.BLG,
	Bytes:    hexview.BLG,
	InPlace:  true,
	Facts:    logFileFacts,
	Check:    checkLog,
	Names:    logNames,
	Values:   true,
	Document: logDocument,
	Salvage:  true,
	Query:    true,
	Timed:    true,
	Sections: true,
	instead:  map[string]string{"diff": overTime(detect.BLG)},
}

func openLog(in *detect.Input, o capture.Options) (*blg.File, error) {
	return blg.Open(atOf(in), in.Size(), blg.Options{Options: o.Options})
}

// maxSets bounds the counter sets of a line.
const maxSets = 20

// logFileFacts sums up a binary log. Its embedded blocks are for check.
func logFileFacts(s *Summary, in *detect.Input, o capture.Options) {
	f, err := openLog(in, o)
	if err != nil {
		s.fail(err)
		return
	}
	s.count(f.Anomalies())
	var l logFacts
	if start := f.Start(); f.NumRecords() > 0 {
		l.start, l.end = start.Time(), f.End().Time()
		l.offset, l.endOffset = offsetOf(start), offsetOf(f.End())
		if l.offset.Known {
			l.from = start.Source.String()
		}
		l.zone = f.Header().ZoneName(start.Offset)
	}
	items := f.Items()
	kinds, sets := map[blg.SeriesKind]int{}, []setKeys{}
	for i := range items {
		l.machine(items[i].Path.Machine)
		kinds[items[i].Kind]++
		if items[i].Kind == blg.CounterSet {
			sets = append(sets, newSetKeys(&items[i], f))
		}
	}
	writer := ""
	if h := f.Header(); h.Valid {
		writer = fmt.Sprintf("Windows %d.%d.%d, %d bit", h.MajorVersion, h.MinorVersion, h.Build, h.Bits)
	}
	l.put(s, writer)
	objects, counters := firstRecord(f, o)
	l.table(s, int64(f.NumRecords()), objects, counters)
	s.fact("records", "records", f.NumRecords())
	s.key("items", len(items))
	s.line("items", itemsText(len(items), kinds))
	contentFacts(s, f, sets)
}

// firstRecord counts the objects and the counters of the first record of a log.
func firstRecord(f *blg.File, o capture.Options) (objects, counters int) {
	names := map[[2]string]bool{}
	for rec, err := range f.Records() {
		if err != nil {
			break
		}
		for _, s := range rec.All() {
			if s.Item == nil {
				continue
			}
			machine, object := strings.ToLower(s.Item.Path.Machine), s.Item.Path.Object
			if s.Kind != blg.Object {
				names[[2]string{machine, object}] = true
			}
			counters += s.Len() // 0 of blocks
			if block, err := perflib2.Parse(s.BlockBytes(), o.Options); s.Kind == blg.CounterSet && err == nil {
				for _, r := range block.Results() {
					counters += r.Len() * r.NumCounters()
				}
			}
			if block, err := perfdata.Parse(s.BlockBytes(), o.Options); s.Kind == blg.Object && err == nil {
				for _, x := range block.Objects() {
					names[[2]string{machine, fmt.Sprint(x.ObjectNameTitleIndex)}] = true
					counters += max(x.Len(), 1) * len(x.Counters())
				}
			}
		}
		break
	}
	return len(names), counters
}

func offsetOf(s blg.Stamp) capture.Offset {
	return capture.Offset{East: -s.Offset, Known: s.Source != blg.OffsetNone}
}

func itemsText(n int, kinds map[blg.SeriesKind]int) string {
	text := table.Grouped(int64(n))
	var parts []string
	if n := kinds[blg.Single]; n > 0 {
		parts = append(parts, table.GroupedPlural(n, "single value"))
	}
	if n := kinds[blg.Instances]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of all instances of a counter", n))
	}
	if n := kinds[blg.Object]; n > 0 {
		parts = append(parts, table.GroupedPlural(n, "whole object"))
	}
	if n := kinds[blg.CounterSet]; n > 0 {
		parts = append(parts, table.GroupedPlural(n, "version 2 counter set"))
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// setKeys are the keys of a version 2 counter set of a log. What its
// registration says is null if the log has none.
type setKeys struct {
	Machine   string `json:"machine"`
	Name      string `json:"name"`
	GUID      any    `json:"guid"`
	Instances any    `json:"has_instances"`
	Counters  any    `json:"counters"` // that are shown
}

func newSetKeys(it *blg.Item, f *blg.File) setKeys {
	k := setKeys{Machine: it.Path.Machine, Name: it.Path.Object}
	if r := f.Registration(it); r != nil {
		n := 0
		for _, c := range r.Counters() {
			if !c.Hidden() {
				n++
			}
		}
		k.GUID, k.Instances, k.Counters = r.GUIDString(), !r.Single(), n
	}
	return k
}

func setsText(sets []setKeys) string {
	var parts []string
	for _, s := range sets {
		about := "not registered in the log"
		if n, ok := s.Counters.(int); ok {
			about = table.GroupedPlural(n, "counter")
		}
		part := fmt.Sprintf("%s (%s)", s.Name, about)
		if !slices.Contains(parts, part) { // of another machine
			parts = append(parts, part)
		}
		if len(parts) > maxSets {
			parts[maxSets] = "and more"
			break
		}
	}
	return listText(parts, len(parts), "")
}

// contentFacts adds what a log has in addition to values, and what of it is lost.
func contentFacts(s *Summary, f *blg.File, sets []setKeys) {
	names, lost := map[string]int{}, map[string]int64{}
	var ofTitles, ofLost []string
	for _, t := range f.Titles() {
		machine := strings.TrimPrefix(t.Machine, `\\`)
		names[machine] += t.Table.Len()
		ofTitles = append(ofTitles, table.GroupedPlural(t.Table.Len(), "name")+" of "+unknown(machine))
	}
	for reason, n := range f.Lost().All() {
		lost[reason] = n
		ofLost = append(ofLost, strings.ReplaceAll(reason, "_", " ")+" "+table.Grouped(n))
	}
	s.key("titles", names)
	s.key("counter_sets", sets)
	s.key("lost", lost)
	if len(sets) > 0 {
		s.line("sets", setsText(sets))
	}
	s.line("titles", cmp.Or(listText(ofTitles, mostMachines, " machines"), "none"))
	text := "nothing"
	if len(ofLost) > 0 {
		text = strings.Join(ofLost, ", ") + "; perfdump check says where"
	}
	s.line("lost", text)
}

// checkLog yields what blg found in a log, what was lost, and what is wrong or
// unusual in its embedded blocks. Each of them is decoded once.
func checkLog(c *checker, in *detect.Input, o capture.Options) {
	f, err := openLog(in, o)
	if err != nil {
		c.fail(err)
		return
	}
	c.anomalies(f.Anomalies())
	for reason, n := range f.Lost().All() {
		c.find(Finding{Code: capture.CodeLost, Offset: -1, Path: "lost." + reason, Message: fmt.Sprintf("%d in all", n), Severity: SeverityNote})
	}
	if !f.Whole() {
		return // the rest has been checked to index it
	}
	e := embedded{checker: c, o: o.Options, limit: o.Limits.MaxAnomalies()}
	for rec, err := range f.Records() {
		if err != nil {
			c.fail(err)
			return
		}
		if e.record(rec); c.done {
			return
		}
	}
	e.end()
}

// embedded checks the blocks of the whole objects of a log. Findings past the
// limit are counted.
type embedded struct {
	*checker
	o        perfdump.Options
	decoders []*perfdata.Decoder // of each item
	sets     perflib2.Decoder
	limit    int
	found    int
	more     map[perfdump.Code]int
	failed   map[perfdump.Code]int
}

func (e *embedded) record(rec *blg.Record) {
	for i, s := range rec.All() {
		faults, found, err := e.decode(i, s)
		switch {
		case err != nil:
			e.in(s).fail(err)
		case found != nil:
			e.in(s).faults(faults, nil)
			e.in(s).anomalies(found)
		}
		if e.done {
			return
		}
	}
}

// decode decodes the block of a series; other series have no anomalies.
func (e *embedded) decode(i int, s *blg.Series) ([]*perfdump.FormatError, *perfdump.Anomalies, error) {
	switch s.Kind {
	case blg.Object:
		for i >= len(e.decoders) {
			e.decoders = append(e.decoders, &perfdata.Decoder{Options: e.o})
		}
		b, err := e.decoders[i].Decode(s.BlockBytes())
		if err != nil {
			return nil, nil, err
		}
		return slices.Collect(b.Faults()), b.Anomalies(), nil
	case blg.CounterSet:
		e.sets.Options = perfdump.Options{Mode: e.o.Mode, Limits: e.o.Limits}
		b, err := e.sets.Decode(s.BlockBytes())
		if err != nil {
			return nil, nil, err
		}
		return slices.Collect(b.Faults()), b.Anomalies(), nil
	default:
		return nil, nil, nil
	}
}

// in returns a checker of the block of a series, whose offsets are those of the
// block.
func (e *embedded) in(s *blg.Series) *checker {
	return &checker{strict: e.strict, yield: func(f Finding) bool {
		if e.found++; e.found > e.limit || f.Count > 0 {
			e.skip(f)
			return true
		}
		if f.Offset >= 0 {
			f.Offset = s.FileOffset(int(f.Offset))
		}
		at := s.Path().String()
		if f.Path != "" {
			at += "." + f.Path
		}
		f.Path = at
		e.find(f)
		return !e.done
	}}
}

func (e *embedded) skip(f Finding) {
	to := &e.more
	if f.Severity == SeverityError && !e.strict {
		to = &e.failed
	}
	if *to == nil {
		*to = map[perfdump.Code]int{}
	}
	(*to)[f.Code] += max(1, f.Count)
}

// end yields the numbers of findings that were skipped.
func (e *embedded) end() {
	for _, code := range slices.Sorted(maps.Keys(e.failed)) {
		e.checker.more(code, e.failed[code], SeverityError)
	}
	for _, code := range slices.Sorted(maps.Keys(e.more)) {
		e.checker.more(code, e.more[code], e.severity())
	}
}

func logDocument(out io.Writer, in *detect.Input, o *Documents) error {
	f, err := openLog(in, o.Options)
	if err != nil {
		return err
	}
	for _, it := range f.Items() {
		o.item(it.Path, func(p *pdhpath.Pattern, of pdhpath.Path) bool {
			return p.MatchObject(of.Object) && (it.Kind == blg.Object || it.Kind == blg.CounterSet || p.MatchCounter(of.Counter))
		})
	}
	return document.WriteBLG(out, in.Name, f, o.Document)
}
