package blg

import "container/heap"

// sorter holds events until no earlier one can follow.
type sorter struct {
	events []*event
	seq    int64 // of the next event
	done   bool
}

func (s *sorter) Len() int      { return len(s.events) }
func (s *sorter) Swap(i, j int) { s.events[i], s.events[j] = s.events[j], s.events[i] }
func (s *sorter) Push(x any)    { s.events = append(s.events, x.(*event)) }

func (s *sorter) Less(i, j int) bool {
	a, b := s.events[i], s.events[j]
	return a.time < b.time || a.time == b.time && a.seq < b.seq
}

func (s *sorter) Pop() any {
	n := len(s.events) - 1
	e := s.events[n]
	s.events[n] = nil
	s.events = s.events[:n]
	return e
}

// put keeps an event, which must not be a view.
func (s *sorter) put(e *event) {
	e.seq = s.seq
	s.seq++
	heap.Push(s, e)
}

// take returns the earliest event if it is before the horizon, or any event at the end of
// the log.
func (s *sorter) take(horizon int64) *event {
	if len(s.events) == 0 || !s.done && s.events[0].time >= horizon {
		return nil
	}
	return heap.Pop(s).(*event)
}
