package diff

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
)

// total is how much differs in all.
type total struct {
	Blocks, Header                                int
	ObjectsGone, ObjectsNew, ObjectsChanged       int
	CountersGone, CountersNew, CountersChanged    int
	InstancesGone, InstancesNew, InstancesChanged int
	Values                                        int
	EntriesGone, EntriesNew, EntriesChanged       int
	ChunksGone, ChunksNew, ChunksChanged          int
	Older, Newer                                  int // entries
	bytes                                         *capture.ByteDiff
	partial                                       bool // only a part is compared
	failed                                        bool // not all could be read
	nothing                                       bool // which is empty
	machines                                      [2]string
	backwards                                     bool
	numbers                                       map[uint32]bool // title indexes without a name
}

// any reports whether something differs.
func (t *total) any() bool {
	return t.Blocks+t.Header+t.ObjectsGone+t.ObjectsNew+t.ObjectsChanged+t.EntriesGone+t.EntriesNew+t.EntriesChanged+
		t.ChunksGone+t.ChunksNew+t.ChunksChanged > 0 || t.bytes != nil
}

func (t *total) block(s *capture.SnapshotDiff, selective bool) {
	if s.Change != capture.Changed {
		t.Blocks++
		return
	}
	if !selective {
		t.Header += len(s.Header)
	}
	if s.OtherMachine() {
		t.machines = [2]string{s.Older.Host, s.Newer.Host}
	}
	if by, ok := s.Interval(); ok && by < 0 {
		t.backwards = true
	}
}

func (t *total) object(o *capture.ObjectDiff) {
	t.number(o.Index, o.Name)
	switch o.Change {
	case capture.Gone:
		t.ObjectsGone++
		return
	case capture.New:
		t.ObjectsNew++
		return
	default:
		t.ObjectsChanged++
	}
	for i := range o.Counters {
		switch c := &o.Counters[i]; c.Change {
		case capture.Gone:
			t.CountersGone++
		case capture.New:
			t.CountersNew++
		default:
			t.CountersChanged++
		}
	}
	t.InstancesGone += o.InstancesGone
	t.InstancesNew += o.InstancesNew
	if !o.Newer.Single {
		t.InstancesChanged += o.InstancesChanged
	}
	t.Values += o.ValuesChanged
	if o.ValuesChanged > 0 || len(o.Counters) > 0 {
		for i := range o.Newer.Counters {
			if c := &o.Newer.Counters[i]; c.Index != 0 {
				t.number(c.Index, c.Name)
			}
		}
	}
}

func (t *total) entry(e capture.TitleDiff) { t.change(e.Change) }

// change counts an entry.
func (t *total) change(c capture.Change) {
	switch c {
	case capture.Gone:
		t.EntriesGone++
	case capture.New:
		t.EntriesNew++
	default:
		t.EntriesChanged++
	}
}

func (t *total) chunk(c *capture.ChunkDiff) {
	switch c.Change {
	case capture.Gone:
		t.ChunksGone++
	case capture.New:
		t.ChunksNew++
	default:
		t.ChunksChanged++
	}
	t.Values += len(c.Values)
}

func (t *total) number(index uint32, name string) {
	if !unnamed(index, name) {
		return
	}
	if t.numbers == nil {
		t.numbers = map[uint32]bool{}
	}
	t.numbers[index] = true
}

// unnamed reports whether a name is but the index in decimal.
func unnamed(index uint32, name string) bool {
	return name == strconv.FormatUint(uint64(index), 10)
}

// text sums it up for people.
func (t *total) text() string {
	var parts []string
	add := func(gone, added, changed int, what string) {
		var of []string
		for _, c := range []struct {
			n    int
			word string
		}{{gone, "gone"}, {added, "new"}, {changed, "changed"}} {
			if c.n > 0 {
				of = append(of, strconv.Itoa(c.n)+" "+c.word)
			}
		}
		if len(of) > 0 {
			parts = append(parts, what+" "+strings.Join(of, ", "))
		}
	}
	add(t.ObjectsGone, t.ObjectsNew, t.ObjectsChanged, "objects")
	add(t.CountersGone, t.CountersNew, t.CountersChanged, "counters")
	add(t.InstancesGone, t.InstancesNew, t.InstancesChanged, "instances")
	add(t.EntriesGone, t.EntriesNew, t.EntriesChanged, "entries")
	add(t.ChunksGone, t.ChunksNew, t.ChunksChanged, "chunks")
	add(0, 0, t.Values, "values")
	return strings.Join(parts, "; ")
}
