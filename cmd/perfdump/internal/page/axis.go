package page

import (
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
)

// How many points a page has. The charts of a series that has more snapshots
// than its share get one point for several of them.
const (
	maxPoints   = 1_250_000 // of all series
	maxPerTrace = 20_000
	minPerTrace = 16
)

// axis is the time axis of the series that come together, mostly those of one
// machine: points of one or more snapshots each.
type axis struct {
	hosts     hosts // of the series
	per       int   // snapshots of a point
	snapshots int
	times     []int64 // of the first snapshot of each point, in ms since 1970
	first     time.Time
	last      time.Time
	clockless bool // there is a snapshot without a time
	offsets   []offset
	traces    []*trace
}

// offset is how far the clock that is shown is from UTC, from a point on.
type offset struct {
	point int
	capture.Offset
	zone string
}

// hosts are machines in order of appearance.
type hosts struct {
	names []string
	known map[string]bool // in lower case
}

// add adds a machine, unless it is there already.
func (h *hosts) add(host string) {
	if n := len(h.names); host == "" || n > 0 && h.names[n-1] == host {
		return
	}
	if h.known == nil {
		h.known = map[string]bool{}
	}
	if key := strings.ToLower(host); !h.known[key] {
		h.known[key] = true
		h.names = append(h.names, host)
	}
}

// How many machines of several are named, and how long their names are.
const maxHosts, maxHost = 3, 60

// String names the first machines, "" for none.
func (h *hosts) String() string {
	names := h.names
	if len(names) == 1 {
		return cell.Clean(names[0])
	}
	var text []string
	for _, name := range names[:min(len(names), maxHosts)] {
		text = append(text, cell.Cut(cell.Clean(name), maxHost))
	}
	if len(names) > maxHosts {
		return strings.Join(text, ", ") + " and " + strconv.Itoa(len(names)-maxHosts) + " more"
	}
	return strings.Join(text, ", ")
}

func (a *axis) share(traces int) int {
	return max(minPerTrace, min(maxPerTrace, maxPoints/max(1, traces)))
}

// next adds a snapshot. traces is the number of series of the page.
func (a *axis) next(f *capture.Frame, traces int, zone *time.Location) {
	for a.snapshots/a.per >= a.share(traces) {
		a.halve()
	}
	if a.snapshots%a.per == 0 {
		a.times = append(a.times, f.Time.UnixMilli())
	}
	if f.Time.IsZero() {
		a.clockless = true
	} else {
		if a.first.IsZero() || f.Time.Before(a.first) {
			a.first = f.Time
		}
		if f.Time.After(a.last) {
			a.last = f.Time
		}
	}
	o := offset{point: len(a.times) - 1, Offset: f.Offset, zone: f.Zone}
	if zone != nil && f.Offset.Known {
		_, east := f.Time.In(zone).Zone()
		o.East, o.zone = time.Duration(east)*time.Second, capture.ZoneName(zone)
	}
	if n := len(a.offsets); n == 0 || a.offsets[n-1].Offset != o.Offset || a.offsets[n-1].zone != o.zone {
		a.offsets = append(a.offsets, o)
	}
	a.snapshots++
}

// point is that of the last snapshot.
func (a *axis) point() int { return len(a.times) - 1 }

// halve makes one point of two.
func (a *axis) halve() {
	for i := 0; 2*i < len(a.times); i++ {
		a.times[i] = a.times[2*i]
	}
	a.times = a.times[:(len(a.times)+1)/2]
	a.per *= 2
	for _, t := range a.traces {
		t.halve()
	}
	kept := a.offsets[:0]
	for _, o := range a.offsets {
		o.point /= 2
		if n := len(kept); n > 0 && kept[n-1].point == o.point {
			kept[n-1] = o
		} else {
			kept = append(kept, o)
		}
	}
	a.offsets = kept
}
