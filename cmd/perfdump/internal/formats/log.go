package formats

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
)

// logFacts are the facts of a log of counters over time.
type logFacts struct {
	machines   []string
	start, end time.Time      // zero if unknown
	offset     capture.Offset // at start
	endOffset  capture.Offset
	from       string // what offset was taken from, "" where it is not known
	zone       string // the recorder's name of its time zone
	zoneText   string // "" for what follows from the fields above

	seen map[string]bool // machines, in lower case
}

// maxMachines bounds the machines of a summary, mostMachines those of a line.
const (
	maxMachines  = 1000
	mostMachines = 8
)

func (l *logFacts) machine(name string) {
	key := strings.ToLower(name)
	if name == "" || l.seen[key] || len(l.machines) == maxMachines {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[key] = true
	l.machines = append(l.machines, name)
}

// at takes a time of the log.
func (l *logFacts) at(t time.Time) {
	if l.start.IsZero() || t.Before(l.start) {
		l.start = t
	}
	if t.After(l.end) {
		l.end = t
	}
}

// put adds the facts. writer is the program that wrote the log, "" if the format
// does not name it.
func (l *logFacts) put(s *Summary, writer string) {
	s.key("machines", append([]string{}, l.machines...))
	s.key("start", timeOrNil(l.start))
	s.key("end", timeOrNil(l.end))
	s.key("utc_offset", orNil(l.offset.String()))
	var minutes any
	if l.offset.Known {
		minutes = -int(l.offset.East / time.Minute)
	}
	s.key("utc_offset_minutes", minutes)
	s.key("utc_offset_from", orNil(l.from))
	s.key("zone", orNil(l.zone))
	s.line("machine", unknown(listText(l.machines, mostMachines, "")))
	if writer != "" {
		s.key("writer", writer)
		s.line("written by", writer)
	}
	s.line("time", s.view.span(l.start, l.offset, l.end, l.endOffset))
	s.line("time zone", l.zoneLine())
	s.Holds = cell.Clean(strings.Join(l.machines[:min(len(l.machines), 2)], ", "))
	s.at(l.start, l.offset)
}

// table sets what the table of files has of a log: how many samples, until when, and
// how many objects and counters, 0 where that is not known.
func (l *logFacts) table(s *Summary, samples int64, objects, counters int) {
	s.Samples = strconv.FormatInt(samples, 10)
	if !l.end.IsZero() {
		from, to := l.offset.In(l.start, s.view.Zone), l.endOffset.In(l.end, s.view.Zone)
		if s.To = to.Format(time.DateTime); from.Format(time.DateOnly) == to.Format(time.DateOnly) {
			s.To = to.Format(time.TimeOnly)
		}
	}
	if objects > 0 {
		s.Objects = strconv.Itoa(objects)
	}
	if counters > 0 {
		s.Counters = strconv.Itoa(counters)
	}
}

// offsetSources describe how the time zone of a log was found.
var offsetSources = map[string]string{
	"block":  "from the two times of a whole object",
	"sample": "from the raw value of a timer",
	"zone":   "from the time zone in the header",
	"header": "from the first cell",
}

// zoneLine returns the recorder's offset from UTC, and its source.
func (l *logFacts) zoneLine() string {
	switch {
	case l.zoneText != "":
		return l.zoneText
	case !l.offset.Known:
		return "unknown: times are local times of the recorder"
	}
	text := "UTC" + l.offset.String()
	if l.endOffset != l.offset && l.endOffset.Known {
		text += ", at the end UTC" + l.endOffset.String()
	}
	text += ", " + offsetSources[l.from]
	if l.zone != "" {
		text += ": " + cell.Clean(l.zone)
	}
	return text
}

// listText returns the first texts of a list and how many more there are.
func listText(all []string, most int, what string) string {
	var shown []string
	for _, text := range all[:min(len(all), most)] {
		shown = append(shown, cell.Clean(text))
	}
	if n := len(all) - most; n > 0 {
		shown = append(shown, fmt.Sprintf("and %d more%s", n, what))
	}
	return strings.Join(shown, ", ")
}
