package blg

import (
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/etl"
)

// event is a logical event with the joined data of its parts. It is valid until the next
// one is requested.
type event struct {
	typ    uint8
	parts  uint32
	time   int64
	data   []byte
	first  piece   // the first part, without its data
	pieces []chunk // positions of the parts; empty for an event of one part
	seq    int64
}

// chunk is the file offset of the bytes of an event from at on.
type chunk struct {
	at  int
	off int64
}

// at returns the file offset of byte i of the event.
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

// joiner joins the parts of events.
type joiner struct {
	problems *problems
	open     []*event // waiting for their next part, the oldest first
	bytes    int      // in open
	free     []*event
	late     bool     // a part of an event may be the first that is read of it
	whole    event    // an event of one part
	dropped  struct { // whose parts are dropped one after the other
		typ   uint8
		time  int64
		parts uint32
		part  uint32
	}
}

// add adds a part and returns the event that it completes, or nil. An event of one part is
// a view of p; any other belongs to the caller until it is released.
func (j *joiner) add(p *piece) *event {
	if p.parts == 1 && p.part == 1 {
		j.late = false
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
		j.report(codePartOrder, p, "part %d instead of part %d: the event is dropped", int64(p.part), int64(len(e.pieces)+1))
		j.drop(i)
		j.skip(p)
		return nil
	}
	if len(e.data)+len(p.data) > maxEvent {
		j.report(codeEventIncomplete, &e.first, "the event has more than %d bytes: it is dropped", maxEvent)
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

// begin starts an event with a part that continues none; the open event at i, if any, has
// the same time and type.
func (j *joiner) begin(p *piece, i int) *event {
	if p.part != 1 || p.parts == 0 || p.parts > maxParts {
		if g := &j.dropped; !j.late && (g.typ != p.typ || g.time != p.time || g.parts != p.parts || g.part >= p.part) {
			j.problems.lost[lostEvents]++
			j.report(codePartOrder, p, "part %d of %d without the parts before it: the event is dropped", int64(p.part), int64(p.parts))
		}
		j.skip(p)
		return nil
	}
	j.late = false
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
	// All parts but the last usually have the length of the first.
	e.data = slices.Grow(e.data, min(int(p.parts), usualParts)*len(p.data))
	j.grow(e, p)
	j.open = append(j.open, e)
	return nil
}

// usualParts is the number of parts for which memory is reserved at once.
const usualParts = 8

func (j *joiner) grow(e *event, p *piece) {
	e.pieces = append(e.pieces, chunk{len(e.data), p.off})
	e.data = append(e.data, p.data...)
	j.bytes += len(p.data)
}

// skip records that the parts from p on belong to an event that has been counted as lost.
func (j *joiner) skip(p *piece) {
	j.dropped.typ, j.dropped.time, j.dropped.parts, j.dropped.part = p.typ, p.time, p.parts, p.part
}

func (j *joiner) incomplete(i int) {
	e := j.open[i]
	j.report(codeEventIncomplete, &e.first, "the event has only %d of its %d parts: it is dropped", int64(len(e.pieces)), int64(e.parts))
	j.drop(i)
}

func (j *joiner) drop(i int) {
	j.problems.lost[lostEvents]++
	j.forget(i)
}

// forget leaves out an event that is not lost.
func (j *joiner) forget(i int) {
	e := j.open[i]
	j.bytes -= len(e.data)
	j.open = slices.Delete(j.open, i, i+1)
	j.release(e)
}

// end drops the incomplete events.
func (j *joiner) end() {
	for len(j.open) > 0 {
		j.incomplete(0)
	}
}

// maxFree limits the events that are kept for reuse.
const maxFree = 4

// release returns an event for reuse if it is a sample: others do not repeat and may be
// much larger.
func (j *joiner) release(e *event) {
	if e != nil && e != &j.whole && e.typ == etl.EventSample && len(j.free) < maxFree {
		j.free = append(j.free, e)
	}
}

func (j *joiner) report(code perfdump.Code, p *piece, text string, args ...int64) {
	j.problems.report(code, p.off-etl.PartHeaderSize, p.path(), text, args...)
}

// copyView returns e, with copied bytes if it is a view of a buffer.
func (j *joiner) copyView(e *event) *event {
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
