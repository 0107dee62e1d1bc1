package blg

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// event is a logical event: the parts of a piece joined. What it holds is valid
// until the next one is requested.
type event struct {
	typ    uint8
	parts  uint32
	time   int64
	data   []byte
	first  piece   // the first part, less its data
	pieces []chunk // where the parts lie; none for an event of one part
	seq    int64
}

// chunk says where the bytes of an event from at on lie in the file.
type chunk struct {
	at  int
	off int64
}

// at returns where byte i of the event lies in the file.
func (e *event) at(i int) int64 {
	off, from := e.first.off, 0
	for _, p := range e.pieces {
		if p.at > i {
			break
		}
		off, from = p.off, p.at
	}
	return off + int64(i-from)
}

func (e *event) path() perfdump.Path { return e.first.path() }

// joiner puts events together.
type joiner struct {
	found *found
	open  []*event // wait for their next part, the oldest first
	bytes int      // of them
	free  []*event
	whole event    // an event of one part
	gone  struct { // whose parts are dropped one after the other
		typ   uint8
		time  int64
		parts uint32
		part  uint32
	}
}

// add takes a part and returns the event that it completes, nil where there
// is none. The event of one part is a view of p; any other belongs to the
// caller until it is released.
func (j *joiner) add(p *piece) *event {
	if p.parts == 1 && p.part == 1 {
		e := &j.whole
		*e = event{typ: p.typ, time: p.time, data: p.data, first: *p, parts: 1, pieces: e.pieces[:0]}
		return e
	}
	i := slices.IndexFunc(j.open, func(e *event) bool { return e.typ == p.typ && e.time == p.time && e.parts == p.parts })
	if i < 0 || p.part == 1 || p.part > p.parts || p.parts > maxParts {
		return j.begin(p, i)
	}
	e := j.open[i]
	if int(p.part) != len(e.pieces)+1 {
		j.report(codePartOrder, p, "part %d, where part %d is due: the event is dropped", int64(p.part), int64(len(e.pieces)+1))
		j.drop(i)
		j.skip(p)
		return nil
	}
	if len(e.data)+len(p.data) > maxEvent {
		j.report(codeEventIncomplete, &e.first, "an event of more than %d bytes, dropped", maxEvent)
		j.drop(i)
		j.skip(p)
		return nil
	}
	j.grow(e, p)
	if p.part == p.parts {
		j.open = slices.Delete(j.open, i, i+1)
		j.bytes -= len(e.data)
		return e
	}
	for j.bytes > maxOpenBytes && j.open[0] != e {
		j.incomplete(0)
	}
	return nil
}

// begin takes a part that continues no open event; the one at i, if any, has
// the same time and type.
func (j *joiner) begin(p *piece, i int) *event {
	if p.part != 1 || p.parts == 0 || p.parts > maxParts {
		if g := &j.gone; g.typ != p.typ || g.time != p.time || g.parts != p.parts || g.part >= p.part {
			j.found.lost[lostEvents]++
			j.report(codePartOrder, p, "part %d of %d without those before it: the event is dropped", int64(p.part), int64(p.parts))
		}
		j.skip(p)
		return nil
	}
	if i >= 0 {
		j.incomplete(i)
	}
	if len(j.open) >= maxOpen {
		j.incomplete(0)
	}
	var e *event
	if n := len(j.free); n > 0 {
		e = j.free[n-1]
		j.free = j.free[:n-1]
	} else {
		e = &event{}
	}
	*e = event{typ: p.typ, time: p.time, parts: p.parts, first: *p, data: e.data[:0], pieces: e.pieces[:0]}
	e.first.data = nil
	// All parts but the last are mostly as long as the first.
	e.data = slices.Grow(e.data, min(int(p.parts), usualParts)*len(p.data))
	j.grow(e, p)
	j.open = append(j.open, e)
	return nil
}

// usualParts is for how many parts of an event memory is reserved at once.
const usualParts = 8

func (j *joiner) grow(e *event, p *piece) {
	e.pieces = append(e.pieces, chunk{len(e.data), p.off})
	e.data = append(e.data, p.data...)
	j.bytes += len(p.data)
}

// skip remembers that the parts from p on belong to an event that has been
// counted as lost.
func (j *joiner) skip(p *piece) {
	j.gone.typ, j.gone.time, j.gone.parts, j.gone.part = p.typ, p.time, p.parts, p.part
}

func (j *joiner) incomplete(i int) {
	e := j.open[i]
	j.report(codeEventIncomplete, &e.first, "%d of the event's %d parts are there: it is dropped", int64(len(e.pieces)), int64(e.parts))
	j.drop(i)
}

func (j *joiner) drop(i int) {
	e := j.open[i]
	j.found.lost[lostEvents]++
	j.bytes -= len(e.data)
	j.open = slices.Delete(j.open, i, i+1)
	j.release(e)
}

// end drops what is still incomplete.
func (j *joiner) end() {
	for len(j.open) > 0 {
		j.incomplete(0)
	}
}

// maxFree bounds the events that are kept for reuse.
const maxFree = 4

// release gives an event back for reuse: a sample, for others do not come again
// and may be much larger.
func (j *joiner) release(e *event) {
	if e != nil && e != &j.whole && e.typ == etl.EventSample && len(j.free) < maxFree {
		j.free = append(j.free, e)
	}
}

func (j *joiner) report(code perfdump.Code, p *piece, text string, args ...int64) {
	j.found.report(code, p.off-etl.PartHeaderSize, p.path(), text, args...)
}

// own returns e with bytes of its own where it is a view of a buffer.
func (j *joiner) own(e *event) *event {
	if e != &j.whole {
		return e
	}
	c := &event{}
	if n := len(j.free); n > 0 {
		c = j.free[n-1]
		j.free = j.free[:n-1]
	}
	data, pieces := append(c.data[:0], e.data...), c.pieces[:0]
	*c = *e
	c.data, c.pieces, c.first.data = data, pieces, nil
	return c
}
