package diffview

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// Total is how much differs in all. It counts what it is told; who compares sets
// the header of what is no capture, and what stands below the counts.
type Total struct {
	Blocks, Header                                int
	ObjectsGone, ObjectsNew, ObjectsChanged       int
	CountersGone, CountersNew, CountersChanged    int
	InstancesGone, InstancesNew, InstancesChanged int
	Values                                        int
	EntriesGone, EntriesNew, EntriesChanged       int
	ChunksGone, ChunksNew, ChunksChanged          int

	Older, Newer int               // entries that tables of names have
	Bytes        *capture.ByteDiff // how inputs of the same content differ, nil where they do not
	Partial      bool              // only what is selected is compared
	Nothing      bool              // which is empty
	InPart       bool              // the format holds more than is compared
	Failed       bool              // not all could be read

	// What Block and Object have seen.
	Machines  [2]string       // of two blocks, where they are of two machines
	Backwards bool            // the newer of two blocks is the older one
	Numbers   map[uint32]bool // title indexes without a name
}

// Any reports whether something differs.
func (t *Total) Any() bool {
	return t.Blocks+t.Header+t.ObjectsGone+t.ObjectsNew+t.ObjectsChanged+t.EntriesGone+t.EntriesNew+t.EntriesChanged+
		t.ChunksGone+t.ChunksNew+t.ChunksChanged > 0 || t.Bytes != nil
}

// Block counts a pair of blocks, and what their headers tell unless only a part
// is compared.
func (t *Total) Block(s *capture.SnapshotDiff) {
	if s.Change != capture.Changed {
		t.Blocks++
		return
	}
	if !t.Partial {
		t.Header += len(s.Header)
	}
	if s.OtherMachine() {
		t.Machines = [2]string{s.Older.Host, s.Newer.Host}
	}
	if !s.Newer.Time.IsZero() && s.Newer.Time.Before(s.Older.Time) {
		t.Backwards = true
	}
}

// Object counts an object and what differs in it.
func (t *Total) Object(o *capture.ObjectDiff) {
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

// Entry counts an entry of tables of names.
func (t *Total) Entry(e capture.TitleDiff) { t.change(e.Change) }

// Said counts an entry of files of text.
func (t *Total) Said(e *capture.TextDiff) { t.change(e.Change) }

// change counts an entry.
func (t *Total) change(c capture.Change) {
	switch c {
	case capture.Gone:
		t.EntriesGone++
	case capture.New:
		t.EntriesNew++
	default:
		t.EntriesChanged++
	}
}

// Chunk counts a chunk and its values.
func (t *Total) Chunk(c *capture.ChunkDiff) {
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

func (t *Total) number(index uint32, name string) {
	if !unnamed(index, name) {
		return
	}
	if t.Numbers == nil {
		t.Numbers = map[uint32]bool{}
	}
	t.Numbers[index] = true
}

// unnamed reports whether a name is but the index in decimal.
func unnamed(index uint32, name string) bool {
	return name == strconv.FormatUint(uint64(index), 10)
}

// keyCount is a count and its key in JSON.
type keyCount struct {
	key string
	n   int
}

// counts returns what is counted of a format.
func (t *Total) counts(f detect.Format) []keyCount {
	switch f {
	case detect.IPCBlock, detect.Minidump:
		return []keyCount{
			{"header", t.Header},
			{"chunks_gone", t.ChunksGone},
			{"chunks_new", t.ChunksNew},
			{"chunks_changed", t.ChunksChanged},
			{"values_changed", t.Values},
		}
	case detect.Titles, detect.INIFile, detect.SymbolH, detect.Reg, detect.PerfStrings, detect.Hive, detect.Manifest:
		return []keyCount{
			{"header", t.Header},
			{"entries_gone", t.EntriesGone},
			{"entries_new", t.EntriesNew},
			{"entries_changed", t.EntriesChanged},
		}
	default:
	}
	return []keyCount{
		{"blocks", t.Blocks},
		{"header", t.Header},
		{"objects_gone", t.ObjectsGone},
		{"objects_new", t.ObjectsNew},
		{"objects_changed", t.ObjectsChanged},
		{"counters_gone", t.CountersGone},
		{"counters_new", t.CountersNew},
		{"counters_changed", t.CountersChanged},
		{"instances_gone", t.InstancesGone},
		{"instances_new", t.InstancesNew},
		{"instances_changed", t.InstancesChanged},
		{"values_changed", t.Values},
	}
}

// text sums it up for people.
func (t *Total) text() string {
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
