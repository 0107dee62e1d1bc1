package capture

import (
	"sync"
	"sync/atomic"

	"github.com/perfdump/perfdump/internal/room"
)

// Where a recording has several tracks, some of them are cooked at a time, each
// by a goroutine of its own that runs a little ahead of who reads. What they
// yield is put in order by merge.go, and is the same however many run.

const (
	// aheadCells is about how many cells are handed over at a time, and
	// aheadEvents how many events at most, and with texts of how many bytes.
	aheadCells  = 16 << 10
	aheadEvents = 4 << 10
	aheadTexts  = 1 << 20
)

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
	texts  int     // bytes of the texts of the events
}

// runner cooks a track ahead.
type runner struct {
	part  *Recording    // the recording of that track alone
	size  *atomic.Int64 // of its loads, in cells
	loads chan *load
	free  chan *load
	stop  chan struct{}
	done  sync.WaitGroup
	fill  *load
}

// inFlight is how many loads of a track there are.
const inFlight = 3

// run begins to cook a track, and hands over about size cells at a time. Its
// series are not those of r: see adopt.
func (r *Recording) run(t track, size *atomic.Int64) *runner {
	o, c := r.o, r.cook
	o.Names = o.Names.Fork()
	a := &runner{
		size:  size,
		part:  &Recording{first: r.first, Reopen: r.Reopen, o: o, cook: c, table: seriesTable{filter: o.Filter, names: o.Names, room: room.Room{Size: r.table.room.Size}, cost: r.table.cost}},
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
	for _, text := range e.frame.Texts {
		l.texts += len(text) + textCost
	}
	return len(l.cells) < int(a.size.Load()) && len(l.events) < aheadEvents && l.texts < aheadTexts || a.send()
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
