package blg

import (
	"sync"
	"weak"
)

// memory is what a reader of a File needs while it reads: some hundred
// kilobytes, which the next reader need not make again.
type memory struct {
	window []byte
	events []*event
}

// spare holds the memory of a reader that has come to the end, for as long as
// the collector does not want it.
type spare struct {
	mu sync.Mutex
	of weak.Pointer[memory]
}

// take returns the memory, an empty one if there is none.
func (s *spare) take() memory {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.of.Value()
	if m == nil {
		return memory{}
	}
	s.of = weak.Pointer[memory]{}
	return *m
}

func (s *spare) give(m memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of = weak.Make(&m)
}
