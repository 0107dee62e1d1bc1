package capture

import (
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// Options say how a capture is read. The zero Options is tolerant, selects everything, and
// uses the built-in names. What Query does not request is treated as missing; if it
// requests definitions only, there are no instances.
type Options struct {
	perfdump.Options

	Names  *Names  // nil for the built-in names
	Filter *Filter // nil for everything
	Query  perfdata.Query
	PID    bool // set Row.PID
	// TimeFormat is the format of times in a PDH-CSV, see [pdhcsv.Options].
	TimeFormat string
}

// Read yields the snapshots of an input in order. It ends with the first error: a
// *[perfdump.FormatError], or a *[NoCaptureError] for a format without raw values. A
// Snapshot is valid until the next one.
func Read(in *Input, o Options) iter.Seq2[*Snapshot, error] {
	return NewReader(o, CookOptions{}).Read(in)
}

// Reader reads raw snapshots: one input after the other with [Reader.Read], or several
// together in order of time with [Reader.Add] and [Reader.Snapshots]. It is the raw
// counterpart of a [Recording].
type Reader struct {
	// Reopen returns the bytes of an input of [Reader.Add] again, see [Recording].
	Reopen func(name string) ([]byte, error)

	r      *Recording // keeps the inputs
	lanes  []*lane
	blocks *choice // for the blocks of Read
}

// lane is an input of a reader, or all inputs that hold blocks.
type lane struct {
	machineStart

	source    string
	snapshots func(*choices) iter.Seq2[*Snapshot, error]
	parts     []part // of an input that holds blocks
}

// NewReader returns a reader without inputs. Of c it uses the requested moments and Remark.
// Durations count from the start of the first input.
func NewReader(o Options, c CookOptions) *Reader {
	t := &Reader{r: NewRecording(o, c)}
	t.blocks = (&choices{cook: c, starts: &machineStarts{}}).newChoice()
	return t
}

// Read yields the snapshots of an input in order, as the function Read does. It does not
// keep them.
func (t *Reader) Read(in *Input) iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		format, err := in.prepare()
		var l *lane
		if err == nil {
			l, err = t.open(in, format)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for s, err := range l.snapshots(&choices{cook: t.r.cook, starts: &machineStarts{}, blocks: t.blocks}) {
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

func (t *Reader) open(in *Input, format detect.Format) (*lane, error) {
	open := sources[format].open
	if open == nil {
		return nil, &NoCaptureError{Format: in.Format}
	}
	l := &lane{source: in.Name}
	return l, open(t, l, in)
}

// Add adds an input, which must not change afterwards. An input with random access belongs
// to the reader until [Reader.Close]. What comes before an error in the input is kept. The
// errors are those of [Reader.Read].
func (t *Reader) Add(in *Input) error {
	t.r.Reopen = t.Reopen
	format, err := in.prepare()
	if err != nil {
		return err
	}
	if format == detect.PerfData {
		n := len(t.r.buffers.parts)
		_, err := t.r.buffers.add(t.r, in)
		if parts := slices.Clone(t.r.buffers.parts[n:]); len(parts) > 0 {
			t.lanes = append(t.lanes, &lane{machineStart: machineStart{time: parts[0].time}, source: in.Name, parts: parts, snapshots: t.parts(parts)})
		}
		return err
	}
	view := *in
	l, err := t.open(&view, format)
	if err != nil {
		return err
	}
	t.r.takeFile(in)
	t.lanes = append(t.lanes, l)
	return nil
}

func (t *Reader) parts(parts []part) func(*choices) iter.Seq2[*Snapshot, error] {
	return func(c *choices) iter.Seq2[*Snapshot, error] {
		return func(yield func(*Snapshot, error) bool) {
			d := perfdata.Decoder{Options: t.r.o.Options}
			for i := range parts {
				p := &parts[i]
				if !c.blocks.takes(p.host, "", p.time, Offset{Known: true}) {
					continue
				}
				block, err := t.r.buffers.load(t.r, p, &d)
				if err != nil {
					yield(&Snapshot{Source: p.source}, err)
					return
				}
				s := FromBlock(block, t.r.o)
				s.Source, s.Record = p.source, p.record
				if !yield(s, nil) {
					return
				}
			}
		}
	}
}

// choices selects the snapshots of one reading.
type choices struct {
	cook   CookOptions
	first  time.Time
	starts *machineStarts
	blocks *choice // for all inputs that hold blocks
}

// newChoice returns the choice for one input.
func (c *choices) newChoice() *choice {
	return &choice{
		window: window{from: c.cook.From, to: c.cook.To, zone: c.cook.Zone, first: c.first, starts: c.starts},
		every:  max(1, c.cook.Every), seen: map[string]int{},
	}
}

func (t *Reader) choices() *choices {
	c := &choices{cook: t.r.cook, starts: &machineStarts{}}
	for _, l := range t.lanes {
		if l.parts != nil {
			startOfParts(c.starts, l.parts)
		} else {
			c.starts.add(l.machineStart)
		}
		if c.first.IsZero() || !l.time.IsZero() && l.time.Before(c.first) {
			c.first = l.time
		}
	}
	c.blocks = c.newChoice()
	return c
}

// ByInput yields the snapshots input by input, in the order of [Reader.Add]. An error comes
// with a Snapshot that only has its Source set, and ends its input; the other inputs
// follow.
func (t *Reader) ByInput() iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		c := t.choices()
		for _, l := range t.lanes {
			for s, err := range l.snapshots(c) {
				if !yield(l.failed(s, err), err) {
					return
				}
			}
		}
	}
}

// failed returns s, or for an error a Snapshot with only the Source.
func (l *lane) failed(s *Snapshot, err error) *Snapshot {
	if err == nil {
		return s
	}
	source := l.source
	if source == "" && s != nil {
		source = s.Source
	}
	return &Snapshot{Source: source}
}

// Snapshots yields the snapshots in order of time, then of input name. A snapshot without a
// time follows the one before it in its input. Errors are as for [Reader.ByInput].
func (t *Reader) Snapshots() iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		var duplicates duplicates
		defer func() { duplicates.report(t.r) }()
		m := snapshotMerger{choices: t.choices(), lanes: t.byTime(&duplicates), last: map[string]lastRecord{}}
		defer func() {
			for _, h := range m.heads {
				h.stop()
			}
		}()
		for h := m.next(); h != nil; h = m.next() {
			if first, ok := m.duplicate(h); ok {
				duplicates.add(h.snapshot.Source, first)
			} else if !yield(h.snapshot, h.err) {
				return
			}
			m.heads.drop()
			m.place(h)
		}
	}
}

// byTime returns the lanes sorted by start, without duplicates. Those of blocks are
// combined into one.
func (t *Reader) byTime(duplicates *duplicates) []*lane {
	all := slices.DeleteFunc(slices.Clone(t.lanes), func(l *lane) bool { return l.parts != nil })
	if len(all) < len(t.lanes) {
		t.r.buffers.sort()
		all = append(all, &lane{machineStart: machineStart{time: t.r.buffers.start()}, snapshots: t.parts(t.r.buffers.unique(t.r, duplicates))})
	}
	slices.SortStableFunc(all, func(a, b *lane) int { return a.time.Compare(b.time) })
	return all
}

// Readings is like [Recording.Readings].
func (t *Reader) Readings(from, to string) []string {
	c := t.choices()
	return c.starts.readings(c.newChoice().window, from, to)
}

// Missed is like [Recording.Missed].
func (t *Reader) Missed(from string) string {
	c := t.choices()
	return c.starts.missed(c.newChoice().window, from)
}

// Close closes the files of the reader, which must not be used afterwards.
func (t *Reader) Close() error { return t.r.Close() }

// snapshotMerger puts the snapshots of lanes in order of time. It opens a lane when its
// start is reached.
type snapshotMerger struct {
	choices *choices
	lanes   []*lane
	opened  int
	heads   turns[*snapshotHead]
	last    map[string]lastRecord // of each recording
}

// lastRecord is the previous record of a log.
type lastRecord struct {
	time   time.Time
	source string
	track  int
	items  []blg.Item
}

// snapshotHead is the next snapshot of an open lane.
type snapshotHead struct {
	turn

	lane     *lane
	pull     func() (*Snapshot, error, bool)
	stop     func()
	snapshot *Snapshot
	err      error
}

// next returns the head with the earliest snapshot, nil at the end.
func (m *snapshotMerger) next() *snapshotHead {
	for m.opened < len(m.lanes) && m.heads.due(m.lanes[m.opened].time) {
		h := &snapshotHead{turn: turn{track: m.opened}, lane: m.lanes[m.opened]}
		h.pull, h.stop = iter.Pull2(h.lane.snapshots(m.choices))
		m.opened++
		m.place(h)
	}
	if len(m.heads) == 0 {
		return nil
	}
	return m.heads.first()
}

// duplicate reports whether a snapshot is a record that is also in another copy of its log,
// and returns the name of that file.
func (m *snapshotMerger) duplicate(h *snapshotHead) (string, bool) {
	s := h.snapshot
	log, ok := s.other.(*logReader)
	if !ok || h.err != nil {
		return "", false
	}
	last := m.last[s.Log]
	if last.track != h.track && last.source != "" && last.time.Equal(s.Time) &&
		slices.EqualFunc(last.items, log.rec.Items, func(a, b blg.Item) bool { return a.Path == b.Path }) {
		return last.source, true
	}
	m.last[s.Log] = lastRecord{s.Time, s.Source, h.track, log.rec.Items}
	return "", false
}

// place reads the next snapshot of a lane and inserts the lane in order.
func (m *snapshotMerger) place(h *snapshotHead) {
	s, err, ok := h.pull()
	if !ok {
		h.stop()
		return
	}
	h.snapshot, h.err = h.lane.failed(s, err), err
	if !h.snapshot.Time.IsZero() {
		h.time = h.snapshot.Time
	}
	h.source = h.snapshot.Source
	m.heads.add(h)
}
