package report

import (
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
)

// How many points a page has. The charts of a series that has more snapshots
// than its share get one point for several of them.
const (
	maxPoints   = 1_250_000 // of all series
	maxPerTrace = 20_000
	minPerTrace = 16
)

// axis is the time axis of the series that come together, mostly those of one
// machine: points, each of which stands for one snapshot or more.
type axis struct {
	hosts     []string        // of the series, in the order of their appearance
	known     map[string]bool // those in lower case; nil while there is one
	per       int             // snapshots of a point
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

// addHost adds a machine, unless it is there already.
func (a *axis) addHost(host string) {
	if n := len(a.hosts); host == "" || n > 0 && a.hosts[n-1] == host {
		return
	}
	if len(a.hosts) > 0 && a.known == nil {
		a.known = map[string]bool{strings.ToLower(a.hosts[0]): true}
	}
	if key := strings.ToLower(host); !a.known[key] {
		if a.known != nil {
			a.known[key] = true
		}
		a.hosts = append(a.hosts, host)
	}
}

// host names the machines, "" for none.
func (a *axis) host() string {
	if len(a.hosts) == 1 {
		return clean(a.hosts[0])
	}
	return some(a.hosts)
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
