package compare

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// Block compares a block of performance data.
type Block struct {
	Change       Change // Gone or New where one is nil, else Changed
	Older, Newer *capture.Snapshot
	Header       []Field
	Record       int // position in the source, from 0

	partial bool // only a part is compared
}

// Captures compares two captures: it yields each pair of their snapshots, the
// first with the first. Where one capture has more snapshots, the other of the
// pair is nil. The filter and the query of o say what is compared.
//
// Objects are matched by title index, counters by title index and type (else
// by title index alone, and then their type has changed), bases with the
// counters that they belong to, instances by [capture.PairInstances]. Only what
// has a meaning is compared: names, definitions, clocks, values; not where in
// the file it is, nor in which order. See [Bytes] for the rest.
//
// The sequence ends with the first error, an *[InputError] around one of
// [capture.Read]; if both inputs have one, they are joined. Time is linear
// in the inputs. Memory is a few bytes for each instance of one object.
func Captures(older, newer *detect.Input, o capture.Options) iter.Seq2[*Block, error] {
	if o.Names == nil {
		o.Names = capture.NewNames()
	}
	return func(yield func(*Block, error) bool) {
		nextOlder, stopOlder := iter.Pull2(capture.Read(opened.Input(older), o))
		defer stopOlder()
		nextNewer, stopNewer := iter.Pull2(capture.Read(opened.Input(newer), o))
		defer stopNewer()
		for {
			a, errA, okA := nextOlder()
			b, errB, okB := nextNewer()
			if err := Errors(errA, errB); err != nil {
				yield(nil, err)
				return
			}
			if !okA && !okB {
				return
			}
			block := &Block{Change: Changed, Older: a, Newer: b, partial: o.Filter != nil}
			switch {
			case a == nil:
				block.Change, block.Record = New, b.Record
			case b == nil:
				block.Change, block.Record = Gone, a.Record
			default:
				block.Record, block.Header = b.Record, blockHeader(a.Block(), b.Block())
			}
			if !yield(block, nil) {
				return
			}
		}
	}
}

// Interval returns the time between the snapshots, negative where the newer
// one was taken first. It is false if one of them has no time, and where
// [capture.Between] is.
func (b *Block) Interval() (time.Duration, bool) {
	if b.Older == nil || b.Newer == nil || b.Older.Time.IsZero() || b.Newer.Time.IsZero() {
		return 0, false
	}
	return capture.Between(b.Older.Time, b.Newer.Time)
}

// OtherMachine reports whether the snapshots name different machines.
func (b *Block) OtherMachine() bool {
	return b.Older != nil && b.Newer != nil && !strings.EqualFold(b.Older.Host, b.Newer.Host)
}

func blockHeader(older, newer *perfdata.Block) []Field {
	differ := fields(headerPairs(older), headerPairs(newer))
	for i := range differ {
		f := &differ[i]
		was, ok := f.Older.(perfdata.SystemTime)
		if !ok {
			continue
		}
		// They are times where times show the difference.
		is, _ := f.Newer.(perfdata.SystemTime)
		a, okA := was.Time()
		b, okB := is.Time()
		if f.Older, f.Newer = a, b; !okA || !okB || a.Equal(b) {
			f.Older, f.Newer = words(was), words(is)
		}
	}
	return differ
}

func headerPairs(b *perfdata.Block) []Pair {
	return []Pair{
		{"system_name", b.ComputerName()},
		{"system_time", b.SystemTime},
		{"perf_time", b.PerfTime},
		{"perf_freq", b.PerfFreq},
		{"perf_time_100ns", b.PerfTime100nSec},
		{"default_object", int64(b.DefaultObject)},
		{"version", uint64(b.Version)},
		{"revision", uint64(b.Revision)},
		{"little_endian", uint64(b.LittleEndian)},
	}
}

// words writes a time that is none.
func words(t perfdata.SystemTime) string {
	return strings.Trim(fmt.Sprint([8]uint16(t)), "[]")
}

// Count is how many things were added, removed and changed.
type Count struct{ Gone, New, Changed int }

func (c *Count) Add(change Change) {
	switch change {
	case Gone:
		c.Gone++
	case New:
		c.New++
	default:
		c.Changed++
	}
}

func (c Count) any() bool { return c != Count{} }
