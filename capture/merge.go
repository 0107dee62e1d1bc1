package capture

import (
	"iter"
	"time"
)

// merger puts the frames of several tracks in order of time. It opens a track when its
// start is reached, so only tracks that overlap are open at once. All tracks make their
// series in the table of the recording; they never run concurrently.
type merger struct {
	r      *Recording
	tracks []track // sorted by start
	starts []time.Time
	heads  turns[*head]

	copies     map[string]*copies // for each recording
	overlaps   overlaps
	duplicates duplicates
}

// head is the next frame of an open track.
type head struct {
	turn

	next  func() (*Frame, error, bool)
	stop  func()
	frame *Frame

	recording string // of the frame
	copies    *copies
}

// merge yields the frames of tracks in order of time, then of source. Errors keep their
// place in their track.
func (r *Recording) merge(tracks []track, yield func(*Frame, error) bool) {
	m := merger{r: r, tracks: tracks, copies: map[string]*copies{}, overlaps: overlaps{}}
	defer func() { m.duplicates.report(r) }()
	for _, t := range tracks {
		m.starts = append(m.starts, t.start())
	}
	defer func() {
		for _, h := range m.heads {
			h.stop()
		}
	}()
	for opened := 0; ; {
		if opened < len(tracks) && m.heads.due(m.starts[opened]) {
			h := &head{turn: turn{track: opened}}
			h.next, h.stop = iter.Pull2(m.frames(opened))
			opened++
			if !m.advance(h, yield) {
				return
			}
			continue
		}
		if len(m.heads) == 0 {
			return
		}
		h := m.heads.first()
		if !m.yield(h, yield) {
			return
		}
		m.heads.drop()
		if !m.advance(h, yield) {
			return
		}
	}
}

func (m *merger) frames(i int) Frames {
	return func(yield func(*Frame, error) bool) {
		m.tracks[i].frames(m.r, true, func(f *Frame, err error) bool {
			f.Track = i
			return yield(f, err)
		})
	}
}

// yield yields the frame of a head without the values that another track of its recording
// had at the same time.
func (m *merger) yield(h *head, yield func(*Frame, error) bool) bool {
	if h.copies.shared {
		some, all, differ := h.copies.cut(h.frame)
		if some {
			m.duplicates.add(h.frame.Source, h.copies.source)
			m.duplicates.differ += differ
		}
		if all {
			return true
		}
	}
	m.overlaps.check(m.r, h.frame, h.recording)
	return yield(h.frame, nil)
}

// place finds the recording of the frame of a head. Among its tracks, the one that begins
// first is read first, since it knows more rates.
func (m *merger) place(h *head) {
	h.source, h.recording = h.frame.Source, h.frame.recording()
	c := m.copies[h.recording]
	switch {
	case c == nil:
		c = &copies{source: h.frame.Source, first: h.track}
		m.copies[h.recording] = c
	case c.first != h.track:
		c.shared = true
	}
	if h.copies = c; c.shared {
		h.source = c.source
	}
}

// advance reads the next frame of a track and inserts the track in order. It returns false
// if yield does.
func (m *merger) advance(h *head, yield func(*Frame, error) bool) bool {
	for {
		frame, err, ok := h.next()
		switch {
		case !ok:
			h.stop()
			return true
		case err != nil:
			if !yield(frame, err) {
				h.stop()
				return false
			}
		default:
			if !frame.Time.IsZero() { // otherwise it has the time of the previous one
				h.time = frame.Time
			}
			h.frame = frame
			m.place(h)
			m.heads.add(h)
			return true
		}
	}
}
