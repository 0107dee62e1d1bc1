package cmdutil

import (
	"runtime"

	"github.com/perfdump/perfdump/capture"
)

// Frames takes frames one by one in a goroutine of its own, while the next one is
// cooked.
type Frames struct {
	use  func(*capture.Frame)
	work chan *capture.Frame
	free chan *capture.Frame // the copy that work had
}

// TakeFrames returns what calls use with each frame, in their order. End must be called,
// and use must leave alone what changes as frames come.
func TakeFrames(use func(*capture.Frame)) *Frames {
	t := &Frames{use: use}
	if runtime.GOMAXPROCS(0) > 1 {
		t.work, t.free = make(chan *capture.Frame), make(chan *capture.Frame, 1)
		t.free <- &capture.Frame{}
		go func() {
			for f := range t.work {
				use(f)
				t.free <- f
			}
			close(t.free)
		}()
	}
	return t
}

// Add gives a frame.
func (t *Frames) Add(f *capture.Frame) {
	if t.work == nil {
		t.use(f)
		return
	}
	c := <-t.free
	cells := append(c.Cells[:0], f.Cells...)
	*c = *f
	c.Cells, c.Tuples, c.Samples = cells, nil, nil
	t.work <- c
}

// End waits for the last frame. Calling it again does nothing.
func (t *Frames) End() {
	if t.work == nil {
		return
	}
	close(t.work)
	for range t.free { // until the goroutine has ended
	}
	t.work = nil
}
