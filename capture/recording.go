package capture

import (
	"errors"
	"io"
	"math"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
)

// Recording holds the snapshots of one or more inputs in order of time: a directory of
// buffers is one recording, as a log is. It may be read several times, always with the same
// result.
type Recording struct {
	// Reopen returns the bytes of an input of [Recording.Add] again. If it is set, a
	// recording keeps only some megabytes of its inputs in memory.
	Reopen func(name string) ([]byte, error)

	o       Options
	cook    CookOptions
	buffers buffers
	blocks  blockTables
	agents  agentTrack
	tracks  []track // of the other inputs
	files   []io.Closer
	table   seriesTable
	first   time.Time // of all tracks, zero if unknown
	starts  *machineStarts
	ended   map[string]*logCooker // of the logs that have been read, by their recorders
}

// track is a part of a recording that is in order of time.
type track interface {
	start() time.Time
	len() int
	// machines adds the starts of the machines, as far as known.
	machines(*machineStarts)
	// frames yields the frames, without values if values is false. It returns false if
	// yield did.
	frames(r *Recording, values bool, yield func(*Frame, error) bool) bool
}

// CookOptions say which values of a recording are cooked, and how. The zero CookOptions
// cooks everything with the default rules.
type CookOptions struct {
	Types *countertypes.Options // nil for the defaults
	From  Moment                // earlier snapshots are only used for the samples that rates need
	To    Moment                // later snapshots are left out
	Zone  *time.Location        // of moments without a zone; nil for the recorder's
	Every int                   // use every nth snapshot, starting with the first; 0 is all
	Raw   bool                  // set Frame.Tuples
	Texts bool                  // set Frame.Texts
	// Samples sets Frame.Samples and Frame.Tuples. It is for a few series: samples are large.
	Samples bool
	// ByName pairs samples with the same name, whoever the owner, as PDH does. Otherwise
	// samples are paired if name and owner are the same, and where the owner has changed,
	// the status is instance-changed.
	ByName bool
	// ByPID makes series follow owners instead of names if the owner of an instance is
	// known: they follow a process whatever its #n.
	ByPID bool
	// Kept is how many bytes the caller keeps for each series in addition to outputs. They
	// count towards the limit of [Recording.Frames].
	Kept int
	// Interval is the time between two inputs without a clock, such as IPC control blocks.
	// It takes precedence over the times of dumps, which are whole seconds.
	Interval time.Duration
	// Remark is called for anything unusual in or between snapshots, such as a restart of
	// the machine. It may be nil.
	Remark func(Remark)
}

// Remark is something unusual in a recording.
type Remark struct {
	Code   perfdump.Code
	Source string
	Record int
	Text   string
}

// The codes of remarks.
const (
	remarkRestart  = perfdump.Code("restart")   // the machine was restarted
	remarkTwice    = perfdump.Code("twice")     // snapshots of a recording are in two inputs
	remarkOverlap  = perfdump.Code("overlap")   // two recordings of a machine cover the same time
	remarkBadBlock = perfdump.Code("bad-block") // an object in a log cannot be read
	RemarkNoTables = perfdump.Code("no-tables") // a dump has no IPC control blocks
	remarkNoClock  = perfdump.Code("no-clock")  // the time between tables is unknown
)

// NewRecording returns an empty recording.
func NewRecording(o Options, c CookOptions) *Recording {
	if o.Names == nil {
		o.Names = NewNames()
	}
	c.Raw = c.Raw || c.Samples
	return &Recording{o: o, cook: c, table: seriesTable{filter: o.Filter, names: o.Names}}
}

// Add adds the snapshots of an input, whose bytes must not change afterwards. An input with
// random access belongs to the recording until [Recording.Close]. What comes before an
// error in the input is kept. The error is a *[perfdump.FormatError], or a
// *[NoCaptureError] for a format without counter values.
func (r *Recording) Add(in *Input) error {
	format, err := in.prepare()
	if err != nil {
		return err
	}
	r.table.budget.Size += in.reads()
	r.table.budget.Take(len(in.Data))
	add := sources[format].add
	if add == nil {
		return &NoCaptureError{Format: in.Format}
	}
	return add(r, in)
}

func (r *Recording) takeFile(in *Input) {
	if in.Closer != nil {
		r.files = append(r.files, in.Closer)
	}
	in.At, in.Size, in.Closer = nil, 0, nil
}

// Close closes the files of the recording, which must not be used afterwards.
func (r *Recording) Close() error {
	var err error
	for _, f := range r.files {
		err = errors.Join(err, f.Close())
	}
	r.files = nil
	return err
}

// Len returns the number of snapshots, as far as that is known before they are read.
func (r *Recording) Len() int {
	n := 0
	for _, t := range r.inOrder() {
		n += t.len()
	}
	return n
}

func (r *Recording) inOrder() []track {
	tracks := slices.Clone(r.tracks)
	if len(r.buffers.parts) > 0 {
		r.buffers.sort()
		tracks = append(tracks, &r.buffers)
	}
	if len(r.blocks.captures) > 0 {
		tracks = append(tracks, &r.blocks)
	}
	if len(r.agents.inputs) > 0 {
		r.agents.sort()
		tracks = append(tracks, &r.agents)
	}
	slices.SortStableFunc(tracks, func(a, b track) int { return a.start().Compare(b.start()) })
	return tracks
}

// Columns returns all series of the recording in the order of columns: objects, then
// instances in order of appearance, then counters. It reads the recording once. The errors
// are those of [Recording.Frames].
func (r *Recording) Columns() ([]*Series, error) { return r.ColumnsUpTo(math.MaxInt) }

// ColumnsUpTo is Columns for who needs at most n series: once there are more it reads no
// further, and returns those.
func (r *Recording) ColumnsUpTo(n int) ([]*Series, error) {
	for _, err := range r.frames(false) {
		if err != nil {
			return nil, err
		}
		if r.table.n > n {
			break
		}
	}
	if err := r.table.budget.Err(r.table.n); err != nil { // of a track that yielded nothing
		return nil, err
	}
	return r.table.columns(), nil
}

// Unfiltered returns all series, ignoring the filter and the query, as far as they can be
// read within the budget. It reads the recording once.
func (r *Recording) Unfiltered() []*Series {
	o := r.o
	o.Filter, o.Query, o.Names = nil, perfdata.Query{}, o.Names.Fork()
	all := NewRecording(o, CookOptions{Interval: r.cook.Interval})
	all.Reopen, all.buffers, all.blocks, all.agents, all.tracks = r.Reopen, r.buffers, r.blocks, r.agents, r.tracks
	all.table.budget = r.table.budget
	for _, err := range all.frames(false) {
		_ = err // snapshots that cannot be read have no series
	}
	return all.table.columns()
}

// Frames yields the cooked values, snapshot by snapshot. A value that needs two snapshots
// uses the previous one. If series need more than 64 MiB and four times the input, the
// stream ends with an error of code limit.
func (r *Recording) Frames() Frames { return r.frames(true) }

func (r *Recording) frames(values bool) Frames {
	return func(yield func(*Frame, error) bool) {
		tracks := r.begin()
		r.table.cost = seriesCost + r.cook.Kept
		if r.cook.Texts {
			r.table.cost += textCost
		}
		bounded := func(f *Frame, err error) bool {
			if full := r.table.budget.Err(r.table.n); full != nil {
				yield(&Frame{Source: f.Source}, full)
				return false
			}
			return yield(f, err)
		}
		if values && len(tracks) > 1 {
			r.merge(tracks, bounded)
			return
		}
		for _, t := range tracks {
			if !t.frames(r, values, bounded) {
				return
			}
		}
	}
}

// begin finds the start of the recording and returns the sorted tracks.
func (r *Recording) begin() []track {
	tracks := r.inOrder()
	r.first, r.starts, r.ended = time.Time{}, &machineStarts{}, map[string]*logCooker{}
	for _, t := range tracks {
		if r.first.IsZero() {
			r.first = t.start()
		}
		t.machines(r.starts)
	}
	return tracks
}

func (r *Recording) window() window {
	return window{from: r.cook.From, to: r.cook.To, zone: r.cook.Zone, first: r.first, starts: r.starts}
}

// Readings returns texts that say how moments without a zone are interpreted; from and to
// are the moments as written by the user.
func (r *Recording) Readings(from, to string) []string {
	r.begin()
	return r.starts.readings(r.window(), from, to)
}

// Missed returns when a recording begins that has nothing within the requested time, and
// what to write instead of a time of day that is on another day. It returns "" if that is
// not known.
func (r *Recording) Missed(from string) string {
	r.begin()
	return r.starts.missed(r.window(), from)
}

func (r *Recording) report(m Remark) {
	if r.cook.Remark != nil {
		r.cook.Remark(m)
	}
}

func (r *Recording) cooker(names *Names, item string) blockCooker {
	return blockCooker{table: &r.table, names: names, query: r.o.Query, cook: &r.cook, item: item}
}
