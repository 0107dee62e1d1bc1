package cmdutil

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/cell"
)

const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// Progress is a line on a terminal that shows how far a long run is. It appears
// after the first second, and disappears when anything else is written. A nil
// Progress shows nothing.
type Progress struct {
	now   func() time.Time
	w     io.Writer
	width int

	mu    sync.Mutex
	start time.Time
	last  time.Time
	shown bool
}

// NewProgress returns streams that clear the line when they are written to, and
// the line. If standard error is no terminal the line is nil, and the streams
// are unchanged.
func NewProgress(ios *iostreams.IOStreams, now func() time.Time) (*iostreams.IOStreams, *Progress) {
	if !ios.StderrTTY() {
		return ios, nil
	}
	p := &Progress{now: now, w: ios.ErrOut, width: ios.Width(), start: now()}
	over := *ios
	over.ErrOut = &above{p, ios.ErrOut}
	if ios.StdoutTTY() {
		over.Out = &above{p, ios.Out}
	}
	return &over, p
}

// Tick shows what text returns, if it is time for that.
func (p *Progress) Tick(text func() string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.start) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", cell.Cut(cell.Clean(text()), max(p.width-1, 10)))
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *Progress) clear() {
	if p.shown {
		p.shown = false
		_, _ = io.WriteString(p.w, "\r\x1b[K")
	}
}

// above writes to a terminal that may show the line.
type above struct {
	p *Progress
	w io.Writer
}

func (a *above) Write(b []byte) (int, error) {
	a.p.mu.Lock()
	defer a.p.mu.Unlock()
	a.p.clear()
	return a.w.Write(b)
}
