package capture

import (
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// Timeline is what several inputs hold as it was recorded, in the order of time:
// the raw counterpart of a [Recording]. Durations of its window count from the
// start of the first input.
type Timeline struct {
	// Reopen opens an input of [Timeline.Add] again, as that of a [Recording].
	Reopen func(name string) (*detect.Input, error)

	r     *Recording // which keeps the inputs
	lanes []*lane
}

// Entry is one moment of a [Timeline]: of its parts, one is there.
type Entry struct {
	Source   string
	Snapshot *Snapshot
	Record   *LogRecord
	Section  *AgentSection
	Sets     *SetBlock
}

// time returns when an entry was recorded, zero where it does not say.
func (e *Entry) time() time.Time {
	switch {
	case e.Snapshot != nil:
		return e.Snapshot.Time
	case e.Record != nil:
		return e.Record.Time
	case e.Section != nil:
		return e.Section.Time
	case e.Sets != nil:
		return e.Sets.Time
	default:
		return time.Time{}
	}
}

// lane is an input of a timeline, or all that hold blocks.
type lane struct {
	machineStart

	entries func(ws *windows) iter.Seq2[*Entry, error]
	parts   []part // of an input that holds blocks
}

// NewTimeline returns an empty one. Of c it takes what says which moments are
// asked for, and whom to tell what is odd.
func NewTimeline(o Options, c CookOptions) *Timeline {
	return &Timeline{r: NewRecording(o, c)}
}

// Add adds an input of the formats perfdata, blg, checkmk and perflib2, which must not
// change from now on; a log belongs to the timeline until [Timeline.Close]. What
// comes before an error in the input is kept. The error is that of [Read].
func (t *Timeline) Add(in *detect.Input) error {
	t.r.Reopen = t.Reopen
	switch in.Format {
	case detect.PerfData:
		n := len(t.r.buffers.parts)
		_, err := t.r.buffers.add(t.r, in)
		if parts := slices.Clone(t.r.buffers.parts[n:]); len(parts) > 0 {
			t.lanes = append(t.lanes, &lane{machineStart: machineStart{time: parts[0].time}, parts: parts, entries: t.blocks(parts)})
		}
		return err
	case detect.BLG:
		return t.addLog(in)
	case detect.Checkmk:
		return t.addSections(in)
	case detect.PerfLib2:
		return t.addSets(in)
	default:
		return &NoCaptureError{Format: in.Format}
	}
}

func (t *Timeline) addLog(in *detect.Input) error {
	l, err := OpenLog(in, t.r.o)
	if err != nil {
		return err
	}
	t.r.tellLost(in.Name, l.File)
	t.r.own(in)
	recorder := startOfLog(l.File)
	entries := func(ws *windows) iter.Seq2[*Entry, error] {
		return func(yield func(*Entry, error) bool) {
			w := ws.fresh()
			e := Entry{Source: l.Name}
			for r, err := range l.Records() {
				if err == nil && !w.Takes(recorder.host, "", r.Time, r.Offset) {
					continue
				}
				if e.Record = r; !yield(&e, err) {
					return
				}
			}
		}
	}
	t.lanes = append(t.lanes, &lane{machineStart: recorder, entries: entries})
	return nil
}

func (t *Timeline) addSections(in *detect.Input) error {
	view := *in
	var start machineStart
	for s, err := range Sections(&view, t.r.o) {
		if err != nil {
			return err
		}
		start = machineStart{host: s.Host, time: s.Time, offset: Offset{Known: true}, last: Offset{Known: true}, zone: "UTC"}
		break
	}
	entries := func(ws *windows) iter.Seq2[*Entry, error] {
		return func(yield func(*Entry, error) bool) {
			w := ws.fresh()
			e := Entry{Source: view.Name}
			for s, err := range Sections(&view, t.r.o) {
				if err == nil && !w.Takes(s.Host, s.Object, s.Time, Offset{Known: true}) {
					continue
				}
				if e.Section = s; !yield(&e, err) {
					return
				}
			}
		}
	}
	t.lanes = append(t.lanes, &lane{machineStart: start, entries: entries})
	return nil
}

func (t *Timeline) addSets(in *detect.Input) error {
	view := *in
	s, err := OpenSetBlock(&view, t.r.o)
	if err != nil {
		return err
	}
	entries := func(ws *windows) iter.Seq2[*Entry, error] {
		return func(yield func(*Entry, error) bool) {
			if ws.fresh().Takes("", "", s.Time, Offset{Known: true}) {
				yield(&Entry{Source: view.Name, Sets: s}, nil)
			}
		}
	}
	t.lanes = append(t.lanes, &lane{machineStart: machineStart{time: s.Time, offset: Offset{Known: true}, last: Offset{Known: true}, zone: "UTC"}, entries: entries})
	return nil
}

// blocks yields the snapshots of parts.
func (t *Timeline) blocks(parts []part) func(ws *windows) iter.Seq2[*Entry, error] {
	return func(ws *windows) iter.Seq2[*Entry, error] {
		return func(yield func(*Entry, error) bool) {
			w := ws.blocks
			d := perfdata.Decoder{Options: t.r.o.perfdata()}
			for i := range parts {
				p := &parts[i]
				if !w.Takes(p.host, "", p.time, Offset{Known: true}) {
					continue
				}
				e := Entry{Source: p.source}
				block, err := t.r.buffers.load(t.r, p, &d)
				if err == nil {
					e.Snapshot = FromBlock(block, t.r.o)
					e.Snapshot.Source, e.Snapshot.Record = p.source, p.record
				}
				if !yield(&e, err) || err != nil {
					return
				}
			}
		}
	}
}

// windows choose the moments of one reading.
type windows struct {
	cook   CookOptions
	first  time.Time
	starts *machineStarts
	blocks *Window // of all inputs that hold blocks
}

// fresh returns a window for an input of its own.
func (ws *windows) fresh() *Window {
	w := NewWindow(ws.cook)
	w.first, w.starts = ws.first, ws.starts
	return w
}

func (t *Timeline) windows() *windows {
	ws := &windows{cook: t.r.cook, first: t.first(), starts: &machineStarts{}}
	for _, l := range t.lanes {
		if l.parts != nil {
			startOfParts(ws.starts, l.parts)
		} else {
			ws.starts.add(l.machineStart)
		}
	}
	ws.blocks = ws.fresh()
	return ws
}

// first returns when the first input begins, zero where none says it.
func (t *Timeline) first() time.Time {
	var first time.Time
	for _, l := range t.lanes {
		if first.IsZero() || !l.time.IsZero() && l.time.Before(first) {
			first = l.time
		}
	}
	return first
}

// Given yields the entries input by input, in the order in which these were
// given. An Entry is valid until the next one. An error, which comes with an
// Entry that has nothing but its Source, ends its input alone.
func (t *Timeline) Given() iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		ws := t.windows()
		for _, l := range t.lanes {
			for e, err := range l.entries(ws) {
				if err != nil {
					e = &Entry{Source: e.Source}
				}
				if !yield(e, err) {
					return
				}
			}
		}
	}
}

// Entries yields the entries in the order of time: blocks by their clocks, those
// of one time by the names of their inputs, and what has no time behind what came
// before it in its input. They are as those of [Timeline.Given].
func (t *Timeline) Entries() iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		var twins twins
		defer func() { twins.tell(t.r) }()
		m := entryMerger{windows: t.windows(), lanes: t.byTime(&twins), last: map[string]lastRecord{}}
		defer m.stop()
		for {
			h := m.next()
			if h == nil {
				return
			}
			e := h.entry
			switch first, ok := m.twin(h); {
			case ok:
				twins.add(e.Source, first)
				m.advance(h)
				continue
			case h.err != nil:
				e = &Entry{Source: e.Source}
			}
			if !yield(e, h.err) {
				return
			}
			m.advance(h)
		}
	}
}

// byTime returns the lanes by their beginnings, those of blocks as one, in which
// none is twice.
func (t *Timeline) byTime(twins *twins) []*lane {
	all := slices.DeleteFunc(slices.Clone(t.lanes), func(l *lane) bool { return l.parts != nil })
	if len(all) < len(t.lanes) {
		t.r.buffers.sort()
		all = append(all, &lane{machineStart: machineStart{time: t.r.buffers.start()}, entries: t.blocks(t.r.buffers.once(t.r, twins))})
	}
	slices.SortStableFunc(all, func(a, b *lane) int { return a.time.Compare(b.time) })
	return all
}

// Readings are those of [Recording.Readings].
func (t *Timeline) Readings(from, to string) []string {
	ws := t.windows()
	return ws.starts.readings(ws.fresh().window, from, to)
}

// Missed is that of [Recording.Missed].
func (t *Timeline) Missed(from string) string {
	ws := t.windows()
	return ws.starts.missed(ws.fresh().window, from)
}

// Close closes the files of the timeline, which must not be used any more.
func (t *Timeline) Close() error { return t.r.Close() }

// entryMerger puts the entries of lanes in the order of time. A lane is opened
// when the time has come at which it begins.
type entryMerger struct {
	windows *windows
	lanes   []*lane
	opened  int
	heads   turns[*entryHead]
	last    map[string]lastRecord // of each recording
}

// lastRecord is the record of a log that came last.
type lastRecord struct {
	time   time.Time
	source string
	track  int
	items  []blg.Item
}

// entryHead is the next entry of an open lane.
type entryHead struct {
	turn

	next  func() (*Entry, error, bool)
	stop  func()
	entry *Entry
	err   error
}

// next returns the head that comes first, nil at the end.
func (m *entryMerger) next() *entryHead {
	for m.opened < len(m.lanes) && m.heads.due(m.lanes[m.opened].time) {
		h := &entryHead{turn: turn{track: m.opened}}
		h.next, h.stop = iter.Pull2(m.lanes[m.opened].entries(m.windows))
		m.opened++
		m.place(h)
	}
	if len(m.heads) == 0 {
		return nil
	}
	return m.heads.first()
}

// twin reports whether an entry is a record that another copy of its log has as
// well, and which file that is.
func (m *entryMerger) twin(h *entryHead) (string, bool) {
	if h.err != nil || h.entry.Record == nil {
		return "", false
	}
	r := h.entry.Record
	last := m.last[r.Log]
	if last.track != h.track && last.source != "" && last.time.Equal(r.Time) &&
		slices.EqualFunc(last.items, r.rec.Items, func(a, b blg.Item) bool { return a.Path == b.Path }) {
		return last.source, true
	}
	m.last[r.Log] = lastRecord{r.Time, r.Source, h.track, r.rec.Items}
	return "", false
}

// advance goes on to the entry behind the first head.
func (m *entryMerger) advance(h *entryHead) {
	m.heads.drop()
	m.place(h)
}

// place reads the next entry of a lane and puts it where it belongs.
func (m *entryMerger) place(h *entryHead) {
	var ok bool
	if h.entry, h.err, ok = h.next(); !ok {
		h.stop()
		return
	}
	if at := h.entry.time(); h.err == nil && !at.IsZero() {
		h.time = at
	}
	h.source = h.entry.Source
	m.heads.add(h)
}

// stop ends all lanes that are open.
func (m *entryMerger) stop() {
	for _, h := range m.heads {
		h.stop()
	}
}
