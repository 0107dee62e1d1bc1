package capture

import (
	"maps"
	"runtime"
	"sync"

	"github.com/perfdump/perfdump/internal/room"
)

// Where a recording has several tracks, some of them are cooked at a time, each
// by a goroutine of its own that runs a little ahead of who reads. What they
// yield comes in the order of the tracks, and the same however many run.

// aheadCells is about how many cells are handed over at a time.
const aheadCells = 16 << 10

// event is something that a track has yielded: a frame, whose cells end at
// end, or an error with the frame that has its source, or a remark.
type event struct {
	frame  Frame
	end    int
	err    error
	remark *Remark
}

// load is some events of a track.
type load struct {
	events []event
	cells  []Cell
	tuples []Tuple // of the cells, or none
}

// runner cooks a track ahead.
type runner struct {
	part  *Recording // the recording of that track alone
	loads chan *load
	free  chan *load
	stop  chan struct{}
	done  sync.WaitGroup
	fill  *load
}

// inFlight is how many loads of a track there are.
const inFlight = 3

// run begins to cook a track. Its series are not those of r: see adopt.
func (r *Recording) run(t track) *runner {
	o, c := r.o, r.cook
	o.Names = o.Names.fork()
	a := &runner{
		part:  &Recording{Reopen: r.Reopen, o: o, cook: c, table: seriesTable{filter: o.Filter, names: o.Names, room: room.Room{Size: r.table.room.Size}}},
		loads: make(chan *load, inFlight), free: make(chan *load, inFlight), stop: make(chan struct{}),
	}
	a.part.cook.Remark = func(m Remark) { a.add(event{remark: &m}) }
	for range inFlight {
		a.free <- &load{}
	}
	a.done.Go(func() {
		defer close(a.loads)
		t.frames(a.part, true, a.part.bounded(func(f *Frame, err error) bool {
			return a.add(event{frame: *f, err: err})
		}))
		a.send()
	})
	return a
}

// add adds an event to the load at hand. It is false where nobody wants more.
func (a *runner) add(e event) bool {
	if a.fill == nil {
		select {
		case a.fill = <-a.free:
		case <-a.stop:
			return false
		}
	}
	l := a.fill
	l.cells = append(l.cells, e.frame.Cells...)
	l.tuples = append(l.tuples, e.frame.Tuples...)
	e.end = len(l.cells)
	l.events = append(l.events, e)
	return len(l.cells) < aheadCells || a.send()
}

func (a *runner) send() bool {
	if a.fill == nil {
		return true
	}
	select {
	case a.loads <- a.fill:
		a.fill = nil
		return true
	case <-a.stop:
		return false
	}
}

// end stops the runner.
func (a *runner) end() {
	close(a.stop)
	a.done.Wait()
}

// drain yields what a runner has cooked, with the series of r.
func (r *Recording) drain(a *runner, yield func(*Frame, error) bool) bool {
	var series []*Series // of r, by the IDs of the track
	var frame Frame
	for l := range a.loads {
		from := 0
		for i := range l.events {
			e := &l.events[i]
			if e.remark != nil {
				r.tell(*e.remark)
				continue
			}
			frame = e.frame
			frame.Cells = l.cells[from:e.end]
			if len(l.tuples) > 0 {
				frame.Tuples = l.tuples[from:e.end]
			}
			from = e.end
			for j := range frame.Cells {
				c := &frame.Cells[j]
				for c.Series.ID >= len(series) {
					series = append(series, nil)
				}
				if series[c.Series.ID] == nil {
					series[c.Series.ID] = r.table.adopt(c.Series)
				}
				c.Series = series[c.Series.ID]
			}
			if !yield(&frame, e.err) {
				return false
			}
		}
		l.events, l.cells, l.tuples = l.events[:0], l.cells[:0], l.tuples[:0]
		a.free <- l
	}
	maps.Copy(r.o.Names.numbers, a.part.o.Names.numbers)
	return !a.part.table.room.Over() // which was the end of all
}

// ahead yields the frames of several tracks.
func (r *Recording) ahead(tracks []track, yield func(*Frame, error) bool) {
	n := min(runtime.GOMAXPROCS(0), 8)
	runners := make([]*runner, len(tracks))
	begun := 0
	defer func() {
		for _, a := range runners[:begun] {
			if a != nil {
				a.end()
			}
		}
	}()
	for i := range tracks {
		for ; begun < min(i+n, len(tracks)); begun++ {
			runners[begun] = r.run(tracks[begun])
		}
		if !r.drain(runners[i], yield) {
			return
		}
		runners[i].end()
		runners[i] = nil
	}
}
