package capture

import (
	"iter"
	"time"
)

// merger puts the frames of several tracks in the order of time. A track is
// opened when the time has come at which it begins, so only those that overlap
// are open at once. All of them make their series in the table of the recording;
// they run in turns, never two at a time.
type merger struct {
	r      *Recording
	tracks []track // by their beginnings
	starts []time.Time
	heads  turns[*head]

	copies   map[string]*copies // of each recording
	overlaps overlaps
	twins    twins
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

// merge yields the frames of tracks, those of one time in the order of their
// sources. An error follows the frame that it follows in its track.
func (r *Recording) merge(tracks []track, yield func(*Frame, error) bool) {
	m := merger{r: r, tracks: tracks, copies: map[string]*copies{}, overlaps: overlaps{}}
	defer func() { m.twins.report(r) }()
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

// yield yields the frame of a head, but for what another track of its recording
// had at the same time.
func (m *merger) yield(h *head, yield func(*Frame, error) bool) bool {
	if h.copies.shared {
		some, all, differ := h.copies.cut(h.frame)
		if some {
			m.twins.add(h.frame.Source, h.copies.source)
			m.twins.differ += differ
		}
		if all {
			return true
		}
	}
	m.overlaps.look(m.r, h.frame, h.recording)
	return yield(h.frame, nil)
}

// place finds the recording that the frame of a head is of. Of its tracks the one
// that begins first comes first, since it knows more rates.
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

// advance goes on to the next frame of a track and puts the track where it
// belongs. It is false where yield wants no more.
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
			if !frame.Time.IsZero() { // else it is of the time before
				h.time = frame.Time
			}
			h.frame = frame
			m.place(h)
			m.heads.add(h)
			return true
		}
	}
}
