// Package beside uses the frames of a recording while the next ones are cooked.
package beside

import (
	"runtime"
	"sync/atomic"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
)

// Frames takes frames one by one in a goroutine of its own, while the next ones are
// cooked.
type Frames struct {
	use  func(*capture.Frame)
	work chan *capture.Frame // copies; nil without a goroutine
	free chan *capture.Frame
}

// What a goroutine may be behind: so many frames, and none of more cells.
const (
	maxBehind   = 8
	mostCopying = 16 << 10
)

// Take returns what calls use with each frame, in their order. End must be called,
// and use must leave alone what changes as frames come.
func Take(use func(*capture.Frame)) *Frames {
	t := &Frames{use: use}
	if runtime.GOMAXPROCS(0) == 1 {
		return t
	}
	t.work, t.free = make(chan *capture.Frame, maxBehind), make(chan *capture.Frame, maxBehind)
	for range maxBehind {
		t.free <- &capture.Frame{}
	}
	go func() {
		for f := range t.work {
			use(f)
			t.free <- f
		}
		close(t.free)
	}()
	return t
}

// Add gives a frame. Of its cells the tuples are left out.
func (t *Frames) Add(f *capture.Frame) {
	if t.work == nil {
		t.use(f)
		return
	}
	if len(f.Cells) > mostCopying { // copies would take much memory
		var all [maxBehind]*capture.Frame
		for i := range all {
			all[i] = <-t.free
		}
		t.use(f)
		for _, c := range all {
			t.free <- c
		}
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

// writer writes frames while the next one is cooked. It drops their tuples.
type writer struct {
	to     export.FrameWriter
	frames *Frames
	failed atomic.Pointer[error]
}

// Writer returns a writer that gives to its frames in a goroutine of its own.
func Writer(to export.FrameWriter) export.FrameWriter {
	b := &writer{to: to}
	b.frames = Take(func(f *capture.Frame) {
		if b.err() != nil {
			return
		}
		if err := to.WriteFrame(f); err != nil {
			b.failed.Store(&err)
		}
	})
	return b
}

func (b *writer) err() error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// WriteFrame gives a frame. An error of an earlier one may be returned now.
func (b *writer) WriteFrame(f *capture.Frame) error {
	b.frames.Add(f)
	return b.err()
}

// Discard ends the writing. It does nothing after Close.
func (b *writer) Discard() {
	b.frames.End()
	if to, ok := b.to.(interface{ Discard() }); ok {
		to.Discard()
	}
}

func (b *writer) Close() error {
	b.frames.End()
	if err := b.err(); err != nil {
		return err
	}
	return b.to.Close()
}
