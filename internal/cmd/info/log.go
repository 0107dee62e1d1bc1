package info

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// maxMachines bounds the machines that are told in words.
const maxMachines = 8

// maxSets bounds the counter sets that are told in words.
const maxSets = 20

// offsetSources say what the time zone of a log was taken from.
var offsetSources = map[string]string{
	"block":  "by both times of a whole object",
	"sample": "by the clock of a timer",
	"zone":   "by the time zone in the header",
	"header": "by the first cell",
}

// log tells of a log over time.
func (p *printer) log(s *capture.Summary, fact func(name, value string)) {
	l := s.Log
	if l == nil {
		return
	}
	var machines []string
	for i, m := range l.Machines {
		if i == maxMachines {
			machines = append(machines, fmt.Sprintf("and %d more", len(l.Machines)-i))
			break
		}
		machines = append(machines, cell.Clean(m))
	}
	fact("machine", orUnknown(strings.Join(machines, ", ")))
	if l.Writer != "" {
		fact("written by", l.Writer)
	}
	fact("time", p.span(l.Start, l.Offset, l.End, l.EndOffset))
	fact("time zone", zoneText(l, s.Format))
	switch s.Format {
	case detect.BLG:
		fact("records", grouped(l.Records))
		fact("items", itemsText(l))
		if len(l.Sets) > 0 {
			fact("sets", setsText(l))
		}
		fact("titles", titlesText(l))
		fact("lost", lostText(l))
	case detect.Checkmk:
		fact("sections", fmt.Sprintf("%s, of %s", grouped(l.Records), count(l.Series, "object")))
	default:
		fact("columns", grouped(int64(l.Series)))
		fact("rows", grouped(l.Records))
	}
}

// zoneText says how far the recorder's clock is from UTC, and how that is
// known.
func zoneText(l *capture.LogSummary, f detect.Format) string {
	switch {
	case f == detect.Checkmk:
		return "UTC, as agents tell the time"
	case !l.Offset.Known:
		return "unknown: the times are those of the recorder's clock"
	}
	text := "UTC" + l.Offset.String()
	if l.EndOffset != l.Offset && l.EndOffset.Known {
		text += ", at the end UTC" + l.EndOffset.String()
	}
	text += ", " + offsetSources[l.OffsetFrom]
	if l.Zone != "" {
		text += ": " + cell.Clean(l.Zone)
	}
	return text
}

func itemsText(l *capture.LogSummary) string {
	text := grouped(int64(l.Series))
	var parts []string
	if n := l.Series - l.Wild - l.Objects - len(l.Sets); n > 0 {
		parts = append(parts, count(n, "single value"))
	}
	if l.Wild > 0 {
		parts = append(parts, fmt.Sprintf("%d of all instances of a counter", l.Wild))
	}
	if l.Objects > 0 {
		parts = append(parts, count(l.Objects, "whole object"))
	}
	if n := len(l.Sets); n > 0 {
		parts = append(parts, count(n, "version 2 counter set"))
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

func setsText(l *capture.LogSummary) string {
	var parts []string
	for _, s := range l.Sets {
		about := "not registered in the log"
		if s.Registered {
			about = count(s.Counters, "counter")
		}
		part := fmt.Sprintf("%s (%s)", cell.Clean(s.Name), about)
		if !slices.Contains(parts, part) { // of another machine
			parts = append(parts, part)
		}
		if len(parts) > maxSets {
			break
		}
	}
	if len(parts) > maxSets {
		parts[maxSets] = "and more"
	}
	return strings.Join(parts, ", ")
}

func titlesText(l *capture.LogSummary) string {
	var parts []string
	for i, t := range l.Titles {
		if i == maxMachines {
			parts = append(parts, fmt.Sprintf("and %d more machines", len(l.Titles)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s of %s", count(t.Names, "name"), orUnknown(cell.Clean(t.Machine))))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func lostText(l *capture.LogSummary) string {
	var parts []string
	for _, n := range l.Lost {
		parts = append(parts, fmt.Sprintf("%s %s", strings.ReplaceAll(n.Reason, "_", " "), grouped(n.Count)))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ") + "; perfdump check says where"
}

// logDocument is a document of a log. Two of its keys are those of captures,
// too, which a document of all formats could have only once.
type logDocument struct {
	File   string  `json:"file"`
	Format string  `json:"format"`
	Size   int64   `json:"size"`
	Packed *string `json:"packed"`

	Machines   []string         `json:"machines"`
	Start      *string          `json:"start"`
	End        *string          `json:"end"`
	East       *string          `json:"utc_offset"`
	UTCOffset  *int             `json:"utc_offset_minutes"`
	OffsetFrom *string          `json:"utc_offset_from"`
	Zone       *string          `json:"zone"`
	Writer     *string          `json:"writer,omitempty"`
	Records    *int64           `json:"records,omitempty"`
	Rows       *int64           `json:"rows,omitempty"`
	Sections   *int64           `json:"sections,omitempty"`
	Items      *int             `json:"items,omitempty"`
	Columns    *int             `json:"columns,omitempty"`
	Objects    *int             `json:"objects,omitempty"`
	Titles     map[string]int   `json:"titles,omitzero"`
	Sets       []setDocument    `json:"counter_sets,omitzero"`
	Lost       map[string]int64 `json:"lost,omitzero"`

	Anomalies map[string]int `json:"anomalies"`
}

// setDocument is a version 2 counter set of a log. What its registration says
// is null where the log has none.
type setDocument struct {
	Machine   string  `json:"machine"`
	Name      string  `json:"name"`
	GUID      *string `json:"guid"`
	Instances *bool   `json:"has_instances"`
	Counters  *int    `json:"counters"`
}

func newSetDocument(s *capture.LogSet) setDocument {
	d := setDocument{Machine: s.Machine, Name: s.Name}
	if s.Registered {
		several := !s.Single
		d.GUID, d.Instances, d.Counters = &s.GUID, &several, &s.Counters
	}
	return d
}

func newLogDocument(d *document, l *capture.LogSummary) *logDocument {
	k := &logDocument{
		File: d.File, Format: d.Format, Size: d.Size, Packed: d.Packed, Anomalies: d.Anomalies,
		Machines: append([]string{}, l.Machines...), Start: timeOrNull(l.Start), End: timeOrNull(l.End),
		East: orNull(l.Offset.String()), OffsetFrom: orNull(l.OffsetFrom), Zone: orNull(l.Zone), Writer: orNull(l.Writer),
	}
	if l.Offset.Known {
		minutes := -int(l.Offset.East / time.Minute)
		k.UTCOffset = &minutes
	}
	switch detect.Format(d.Format) {
	case detect.BLG:
		k.Records, k.Items, k.Titles, k.Lost = &l.Records, &l.Series, map[string]int{}, map[string]int64{}
		for _, t := range l.Titles {
			k.Titles[t.Machine] += t.Names
		}
		k.Sets = []setDocument{}
		for i := range l.Sets {
			k.Sets = append(k.Sets, newSetDocument(&l.Sets[i]))
		}
		for _, n := range l.Lost {
			k.Lost[n.Reason] = n.Count
		}
	case detect.Checkmk:
		k.Sections, k.Objects = &l.Records, &l.Series
	default:
		k.Rows, k.Columns = &l.Records, &l.Series
	}
	return k
}
