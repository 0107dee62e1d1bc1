package dump

import (
	"io"
	"sync"
)

// gate buffers the output of a run until something that was requested is shown.
// If nothing is, nothing is written.
type gate struct {
	mu   sync.Mutex // the writer of a table has workers
	w    io.Writer
	held []byte
	open bool
}

// maxHeld limits the buffer: it is for headers and empty documents.
const maxHeld = 1 << 20

func (g *gate) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open && len(g.held)+len(b) <= maxHeld {
		g.held = append(g.held, b...)
		return len(b), nil
	}
	if err := g.pass(); err != nil {
		return 0, err
	}
	return g.w.Write(b)
}

// release writes what was buffered, and buffers nothing more.
func (g *gate) release() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pass()
}

func (g *gate) pass() error {
	g.open = true
	_, err := g.w.Write(g.held)
	g.held = nil
	return err
}
