// Package page makes one HTML page of a recording: what was wrong with the
// machines, their vital signs, charts to zoom into, a table of all counters with
// their min, average, max and last value and a sparkline each, a summary of
// machines and inputs, the errors and anomalies of the inputs, and of a single
// small input every byte with its meaning. docs/outputs.md shows it.
//
// The page is one file that needs nothing else: it contains script, style and
// data, a policy forbids it to load anything, and only scripts with a known hash
// run. Names from the input are always text (TestHostileNames,
// TestBrowserHostile). The same input gives the same bytes.
//
// Missing values are gaps, counted by their status; they are never 0.
//
// A [Page] does not grow with the length of a recording, only with the number
// of its series (TestLongRecording): beyond a number of points neighbours are
// merged into one, with the min, average and max of their values, and the page
// says so.
package page

import (
	"slices"
	"time"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
)

// Page collects the content of a page. It is for one goroutine at a time.
type Page struct {
	Zone   *time.Location // of times; nil for the recorder's
	Chosen bool           // the counters were chosen, and are charted at first
	Frames int            // how many will come, as far as that is known

	title    string
	inputs   []*input
	codes    []*codeFindings
	axes     []*axis
	from     map[origin]*axis
	traces   []*trace          // by the IDs of the series; nil for those not met
	met      int               // of traces
	full     bool              // there are more than MaxSeries
	groups   map[[2]string]int // objects by host and name, in order of appearance
	reports  []*analyze.Report
	bytes    *hexview.Document // nil for none
	bytesOf  string
	tooLarge int64 // the size of an input too large for a byte map
	touched  []*axis
}

// New returns a page without content. An empty title is made from the names of
// the machines.
func New(title string) *Page {
	return &Page{title: title, from: map[origin]*axis{}, groups: map[[2]string]int{}}
}

// MaxSeries is how many series a page has at most. A browser shows no more.
const MaxSeries = 100_000

// maxAhead is for how many points there is room in a new series.
const maxAhead = 512

// AddFrame adds what the series of a recording say at one moment. Nothing of
// the frame is kept but pointers to its series.
func (p *Page) AddFrame(f *capture.Frame) {
	p.touched = p.touched[:0]
	for i := 0; i < len(f.Cells) && !p.full; i++ {
		t := p.trace(f.Cells[i].Series)
		if t == nil {
			p.full = true
			break
		}
		p.touch(t.axis)
	}
	if p.full {
		return
	}
	home := p.home(f)
	p.touch(home)
	for _, a := range p.touched {
		a.next(f, p.met, p.Zone)
	}
	for i := range f.Cells {
		t := p.traces[f.Cells[i].Series.ID]
		if t.axis == nil {
			t.axis = home
			if home.per == 1 {
				t.curve.values = make([]float64, 0, min(p.Frames, home.share(p.met), maxAhead))
			}
			home.hosts.add(t.series.Host)
			home.traces = append(home.traces, t)
		}
		t.add(&f.Cells[i])
	}
}

// touch notes that an axis has a series in the frame.
func (p *Page) touch(a *axis) {
	if n := len(p.touched); a != nil && (n == 0 || p.touched[n-1] != a) && !slices.Contains(p.touched, a) {
		p.touched = append(p.touched, a)
	}
}

// origin is what frames that follow one another have in common: the part of the
// recording, and in it the machine.
type origin struct {
	track int
	host  string
}

// home returns the axis for series of a frame that are new: that of the
// first of its series, else that of the frames from where it comes.
func (p *Page) home(f *capture.Frame) *axis {
	for i := range f.Cells {
		if id := f.Cells[i].Series.ID; id < len(p.traces) && p.traces[id] != nil && p.traces[id].axis != nil {
			return p.traces[id].axis
		}
	}
	from := origin{f.Track, f.Host}
	a := p.from[from]
	if a == nil {
		a = &axis{per: 1}
		a.hosts.add(f.Host)
		p.from[from] = a
		p.axes = append(p.axes, a)
	}
	return a
}

// trace returns the trace of a series, nil if there are too many.
func (p *Page) trace(s *capture.Series) *trace {
	for s.ID >= len(p.traces) {
		p.traces = append(p.traces, nil)
	}
	t := p.traces[s.ID]
	if t == nil {
		if p.met == MaxSeries {
			return nil
		}
		t = &trace{series: s}
		p.traces[s.ID] = t
		p.met++
		key := [2]string{s.Host, s.Object}
		if _, ok := p.groups[key]; !ok {
			p.groups[key] = len(p.groups)
		}
	}
	return t
}

// MaxBytes is the size up to which an input has a map of its bytes.
const MaxBytes = 256 << 10

// SetBytes gives the page the map of the bytes of an input. One that is
// larger than [MaxBytes] has none, and the page says so.
func (p *Page) SetBytes(name string, size int64, open func() *hexview.Document) {
	p.bytesOf, p.bytes, p.tooLarge = name, nil, size
	if size <= MaxBytes {
		p.bytes, p.tooLarge = open(), 0
	}
}
