package page

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/markup"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// view is what the template shows.
type view struct {
	Title    string
	Clock    string // whose times are shown
	Inputs   []*input
	Machines []machine
	Findings []*codeFindings
	Totals   []total
	Found    string
	Errors   int
	Per      string // most snapshots of a point, "" for one
	Files    string // how many
	Few      bool   // of them

	Answers   []answered
	Wrong     int // findings
	Critical  bool
	HasVitals bool

	License string

	HasBytes bool
	BytesOf  string
	TooLarge string
	MaxBytes string
}

// total is a number of something.
type total struct{ Number, What string }

func count(n int, noun string) total {
	number, what, _ := strings.Cut(table.GroupedPlural(n, noun), " ")
	return total{number, what}
}

func (t total) String() string { return t.Number + " " + t.What }

// machine is an axis for people.
type machine struct {
	Host, Span, UTC, Interval, Snapshots, Series string
}

func (p *Page) view() *view {
	v := &view{
		Title: cell.Clean(p.title), Inputs: p.inputs, Findings: p.findings(), License: uPlotLicense(),
		Files: table.GroupedPlural(len(p.inputs), "file"), Few: len(p.inputs) <= 3,
		HasBytes: p.bytes != nil, BytesOf: p.bytesOf, MaxBytes: fileSize(MaxBytes),
	}
	if v.Clock = "local time"; p.Zone != nil {
		v.Clock = capture.ZoneName(p.Zone)
	}
	if p.tooLarge > 0 {
		v.TooLarge = grouped(int(p.tooLarge)) + " bytes"
	}
	if !v.HasBytes && v.TooLarge == "" {
		v.BytesOf = ""
	}
	var all hosts
	snapshots, values, missing, found, per := 0, 0, 0, 0, 1
	for _, a := range p.axes {
		snapshots += a.snapshots
		per = max(per, a.per)
		v.Machines = append(v.Machines, a.machine())
		for _, host := range a.hosts.names {
			all.add(host)
		}
	}
	if per > 1 {
		v.Per = grouped(per)
	}
	for _, t := range p.traces {
		if t != nil {
			values += int(t.stats.Count)
			missing += int(t.stats.Missing)
			for _, m := range t.missing { // a first sample has none
				if m.status == countertypes.StatusNeedsSecondSample {
					missing -= m.n
				}
			}
		}
	}
	for _, c := range p.codes {
		found += c.Count
	}
	for _, in := range p.inputs {
		v.Errors += in.Errors
	}
	v.Found = grouped(found)
	v.Totals = []total{
		count(snapshots, "snapshot"), count(len(p.groups), "object"), count(p.met, "counter"),
		count(values, "value"),
		{grouped(missing), "without a value"},
	}
	v.Answers, v.Critical = p.answers()
	for _, a := range v.Answers {
		v.Wrong += len(a.Findings)
	}
	v.HasVitals = len(p.panels(nil)) > 0
	machines := all.String()
	if len(all.names) == 1 {
		machines = cell.Cut(machines, maxHost)
	}
	v.Title = cmp.Or(v.Title, machines, "Performance report")
	return v
}

func (a *axis) machine() machine {
	m := machine{Host: a.hosts.String(), Span: "no clock", Snapshots: grouped(a.snapshots), Series: count(len(a.traces), "counter").String()}
	if m.Host == "" {
		m.Host = "unknown machine"
	}
	if a.first.IsZero() {
		return m
	}
	first, last := a.offsets[0], a.offsets[len(a.offsets)-1]
	switch {
	case !first.Known || !last.Known:
		m.Span = between(a.first, a.last) + ", local time of the recorder, whose time zone is unknown"
	case first.East == 0 && last.East == 0:
		m.Span = between(a.first, a.last) + " UTC"
	case first.East == last.East:
		m.Span = between(a.first.Add(first.East), a.last.Add(last.East)) + " " + zone(last)
		m.UTC = between(a.first, a.last)
	default:
		m.Span = a.first.Add(first.East).Format(time.DateTime) + " " + zone(first) + " to " + a.last.Add(last.East).Format(time.DateTime) + " " + zone(last)
		m.UTC = between(a.first, a.last)
	}
	if n := a.snapshots - 1; n > 0 && a.last.After(a.first) {
		if d, ok := capture.Between(a.first, a.last); ok {
			m.Interval = rounded(d / time.Duration(n))
			m.Span += " (" + rounded(d) + ")"
		}
	}
	return m
}

// between writes a span of time, with the day once where it is the same.
func between(from, to time.Time) string {
	switch {
	case from.Format(time.DateTime) == to.Format(time.DateTime):
		return from.Format(time.DateTime)
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return from.Format(time.DateTime) + " to " + to.Format(time.TimeOnly)
	default:
		return from.Format(time.DateTime) + " to " + to.Format(time.DateTime)
	}
}

// rounded writes a duration with three digits that matter, from two days on
// in days.
func rounded(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= 2*day {
		return strconv.FormatFloat(math.Round(10*float64(d)/float64(day))/10, 'f', -1, 64) + " days"
	}
	for _, unit := range []time.Duration{time.Minute, time.Second, time.Millisecond} {
		if d >= 100*unit {
			return whole(d.Round(unit))
		}
	}
	return whole(d.Round(time.Millisecond))
}

// whole writes a duration without the zeros of its smaller units.
func whole(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

func zone(o offset) string {
	text := o.String()
	if name := o.name(); name != "" {
		text += " " + name
	}
	return text
}

// name is that of the time zone. Some recorders write the number of a text of
// theirs (@tzres.dll,-111), which says nothing.
func (o offset) name() string {
	if strings.HasPrefix(o.zone, "@") {
		return ""
	}
	return cell.Clean(o.zone)
}

func grouped(n int) string { return table.Grouped(int64(n)) }

func fileSize(n int64) string {
	switch {
	case n >= 10<<20:
		return grouped(int(n>>20)) + " MiB"
	case n >= 10<<10:
		return grouped(int(n>>10)) + " KiB"
	default:
		return grouped(int(n)) + " bytes"
	}
}

// offsetText writes the place of a finding.
func offsetText(off int64) string {
	if off < 0 {
		return ""
	}
	return "0x" + strconv.FormatInt(off, 16)
}

var body = sync.OnceValue(func() *markup.Page {
	return markup.Parse(asset("page.html"), markup.Funcs{
		"clean":   func(v any) string { return cell.Clean(fmt.Sprint(v)) },
		"grouped": func(v any) string { return grouped(v.(int)) },
		"size":    func(v any) string { return fileSize(v.(int64)) },
		"offset":  func(v any) string { return offsetText(v.(int64)) },
	})
})
