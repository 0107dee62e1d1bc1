package report

import (
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
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
	Per      int // most snapshots of a point
	License  string

	HasBytes bool
	BytesOf  string
	TooLarge string
	MaxBytes string
}

// total is a number of something.
type total struct{ Number, What string }

func count(n int, one, many string) total {
	if n == 1 {
		return total{"1", one}
	}
	return total{grouped(n), many}
}

func (t total) String() string { return t.Number + " " + t.What }

// machine is an axis for people.
type machine struct {
	Host, Span, UTC, Interval, Snapshots, Series string
}

func (p *Page) view() *view {
	v := &view{
		Title: clean(p.title), Inputs: p.inputs, Findings: p.findings(), License: uPlotLicense, Per: 1,
		HasBytes: p.bytes != nil, BytesOf: p.bytesOf, MaxBytes: fileSize(MaxBytes),
	}
	if v.Clock = "recorder's clock"; p.Zone != nil {
		v.Clock = capture.ZoneName(p.Zone)
	}
	if p.tooLarge > 0 {
		v.TooLarge = grouped(int(p.tooLarge)) + " bytes"
	}
	snapshots, values, missing, found := 0, 0, 0, 0
	for _, a := range p.axes {
		snapshots += a.snapshots
		v.Per = max(v.Per, a.per)
		v.Machines = append(v.Machines, a.machine())
	}
	for _, t := range p.traces {
		if t != nil {
			values += t.stats.Count
			missing += t.stats.Missing
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
		count(snapshots, "snapshot", "snapshots"), count(len(p.groups), "object", "objects"), count(p.met, "counter", "counters"),
		count(values, "value", "values"),
		{grouped(missing), "without a value"},
	}
	if v.Title == "" {
		v.Title = p.machines()
	}
	return v
}

// machines names the machines for a title.
func (p *Page) machines() string {
	var names []string
	known := map[string]bool{}
	for _, a := range p.axes {
		for _, host := range a.hosts {
			if key := strings.ToLower(host); !known[key] {
				known[key] = true
				names = append(names, host)
			}
		}
	}
	if len(names) == 0 {
		return "Performance report"
	}
	return some(names)
}

// some names the first of many machines.
func some(names []string) string {
	const most = 3
	var text []string
	for _, name := range names[:min(len(names), most)] {
		text = append(text, cell.Cut(clean(name), 60))
	}
	if len(names) > most {
		return strings.Join(text, ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
	}
	return strings.Join(text, ", ")
}

const (
	clock = "2006-01-02 15:04:05"
	never = "no clock"
)

func (a *axis) machine() machine {
	m := machine{Host: a.host(), Span: never, Snapshots: grouped(a.snapshots), Series: count(len(a.traces), "counter", "counters").String()}
	if m.Host == "" {
		m.Host = "unknown machine"
	}
	if a.first.IsZero() {
		return m
	}
	first, last := a.offsets[0], a.offsets[len(a.offsets)-1]
	switch {
	case !first.Known || !last.Known:
		m.Span = between(a.first, a.last) + ", by the recorder's clock, whose time zone is not known"
	case first.East == 0 && last.East == 0:
		m.Span = between(a.first, a.last) + " UTC"
	case first.East == last.East:
		m.Span = between(a.first.Add(first.East), a.last.Add(last.East)) + " " + zone(last)
		m.UTC = between(a.first, a.last)
	default:
		m.Span = a.first.Add(first.East).Format(clock) + " " + zone(first) + " to " + a.last.Add(last.East).Format(clock) + " " + zone(last)
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
	case from.Format(clock) == to.Format(clock):
		return from.Format(clock)
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return from.Format(clock) + " to " + to.Format(time.TimeOnly)
	default:
		return from.Format(clock) + " to " + to.Format(clock)
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
// theirs (@tzres.dll,-111), which tells nothing.
func (o offset) name() string {
	if strings.HasPrefix(o.zone, "@") {
		return ""
	}
	return clean(o.zone)
}

func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

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

var body = template.Must(template.New("").Funcs(template.FuncMap{
	"clean": clean, "grouped": grouped, "size": fileSize, "offset": offsetText,
}).Parse(asset("page.html")))
