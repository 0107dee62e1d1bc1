package dump

import "io"

// gate buffers the output of a run until something that was requested is shown.
// If nothing is, nothing is written.
type gate struct {
	w    io.Writer
	held []byte
	open bool
}

// maxHeld limits the buffer: it is for headers and empty documents.
const maxHeld = 1 << 20

func (g *gate) Write(b []byte) (int, error) {
	if !g.open && len(g.held)+len(b) <= maxHeld {
		g.held = append(g.held, b...)
		return len(b), nil
	}
	if err := g.release(); err != nil {
		return 0, err
	}
	return g.w.Write(b)
}

// release writes what was buffered, and buffers nothing more.
func (g *gate) release() error {
	g.open = true
	_, err := g.w.Write(g.held)
	g.held = nil
	return err
}
