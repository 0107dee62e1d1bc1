package capture

import (
	"runtime"
	"sync/atomic"
	"time"
)

// merger puts the frames of several tracks in the order of time. A track is
// opened when the time has come at which it begins, so only those that overlap
// are open at once; a few more are being cooked ahead.
type merger struct {
	r     *Recording
	yield func(*Frame, error) bool

	tracks []track // by their beginnings
	starts []time.Time
	begun  []*runner // nil where the track is done
	ended  int
	opened int
	heads  turns[*head]
	size   atomic.Int64 // of what runners hand over
	ahead  int          // how many tracks are cooked at a time, unless more overlap
}

// head is the next frame of an open track.
type head struct {
	*runner
	turn

	load   *load
	event  int       // in the load
	from   int       // where its cells begin
	series []*Series // of the recording, by their IDs in the track
}

// merge yields the frames of tracks, those of one time in the order of their
// sources. An error comes behind the frame that it came behind in its track.
func (r *Recording) merge(tracks []track, yield func(*Frame, error) bool) {
	m := merger{r: r, yield: yield, tracks: tracks, ahead: min(runtime.GOMAXPROCS(0), 8)}
	for _, t := range tracks {
		m.starts = append(m.starts, t.start())
	}
	defer m.end()
	for {
		if m.opened < len(tracks) && m.heads.due(m.starts[m.opened]) {
			if !m.open() {
				return
			}
			continue
		}
		if len(m.heads) == 0 {
			return
		}
		h := m.heads.first()
		m.heads.drop()
		if !m.frame(h) || !m.next(h) {
			return
		}
	}
}

// open opens the next track.
func (m *merger) open() bool {
	i := m.opened
	m.opened++
	m.share()
	for len(m.begun) < m.opened || len(m.begun) < len(m.tracks) && len(m.begun)-m.ended < m.ahead {
		m.begun = append(m.begun, m.r.run(m.tracks[len(m.begun)], &m.size))
	}
	return m.next(&head{runner: m.begun[i], turn: turn{track: i}})
}

// share bounds what is cooked ahead, however many tracks are open.
func (m *merger) share() {
	m.size.Store(int64(aheadCells * m.ahead / max(m.ahead, m.opened-m.ended)))
}

// next goes on to the next frame of a track, and puts it in its place. It is
// false where there will be no more of anything.
func (m *merger) next(h *head) bool {
	for {
		for h.load == nil || h.event == len(h.load.events) {
			if !h.refill() {
				return m.close(h)
			}
		}
		e := &h.load.events[h.event]
		switch {
		case e.remark != nil:
			m.r.tell(*e.remark)
			h.event++
		case e.err != nil:
			if !m.frame(h) {
				return false
			}
		default:
			if !e.frame.Time.IsZero() { // else it is of the time before
				h.time = e.frame.Time
			}
			h.source = e.frame.Source
			m.heads.add(h)
			return true
		}
	}
}

// refill goes on to the next load. It is false at the end of the track.
func (h *head) refill() bool {
	if l := h.load; l != nil {
		clear(l.events) // which have texts
		l.events, l.cells, l.tuples, l.texts = l.events[:0], l.cells[:0], l.tuples[:0], 0
		h.free <- l
	}
	h.load, h.event, h.from = <-h.loads, 0, 0
	return h.load != nil
}

// frame yields the frame at hand, with the series of the recording.
func (m *merger) frame(h *head) bool {
	e := &h.load.events[h.event]
	frame := e.frame
	frame.Track = h.track
	frame.Cells = h.load.cells[h.from:e.end]
	if len(h.load.tuples) > 0 {
		frame.Tuples = h.load.tuples[h.from:e.end]
	}
	h.event, h.from = h.event+1, e.end
	frame.Texts = nil
	for i := range frame.Cells {
		c := &frame.Cells[i]
		for c.Series.ID >= len(h.series) {
			h.series = append(h.series, nil)
		}
		s := &h.series[c.Series.ID]
		if *s == nil {
			*s = m.r.table.adopt(c.Series)
		}
		if text, ok := e.frame.Texts[c.Series]; ok {
			if frame.Texts == nil {
				frame.Texts = make(map[*Series]string, len(e.frame.Texts))
			}
			frame.Texts[*s] = text
		}
		c.Series = *s
	}
	return m.yield(&frame, e.err)
}

// close is called at the end of a track. It is false where that is the end of
// all, since the track had more series than there is room for.
func (m *merger) close(h *head) bool {
	h.end()
	m.begun[h.track] = nil
	m.ended++
	m.share()
	return !h.part.table.room.Over()
}

// end stops all runners.
func (m *merger) end() {
	for _, a := range m.begun {
		if a != nil {
			a.end()
		}
	}
}
