package capture

import (
	"strconv"

	"github.com/perfdump/perfdump/perflib2"
)

// setBlock reads a separate block of version 2 counter sets. It does not name its machine,
// sets and counters: sets are named by the position of their result, #0, counters by their
// id, #5, or #? if the block does not have it.
func setBlock(in *Input, o Options) (*Snapshot, error) {
	b, err := perflib2.Parse(in.Data, o.Options)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Offset: Offset{Known: true}, Zone: "UTC", Source: in.Name, Sets: b, o: o, other: setValues{b}}
	s.Time, _ = b.Time()
	s.faults = b.Faults()
	return s, nil
}

// setValues are the values of a block of counter sets. Without a registration, types and
// bases are not known.
type setValues struct{ *perflib2.Block }

func setName(result int) string { return "#" + strconv.Itoa(result) }

func (v setValues) rows(s *Snapshot, _ bool, yield func(*Row) bool) bool {
	row := s.row()
	row.NoType, row.NoSecond, row.NoMulti = true, true, true
	for i, r := range v.Results() {
		row.Object = setName(i)
		counters := setCounters(r)
		if len(counters) == 0 {
			continue
		}
		repeats := map[string]int{}
		for _, in := range r.Instances() {
			row.Instance, row.HasInstance = cutText(in.Name()), in.Named
			row.InstanceIndex = count(repeats, row.Instance)
			for j, value := range in.Values() {
				n, ok := value.Uint64()
				row.Counter, row.First, row.NoFirst = counters[j], n, !ok
				if s.o.Filter.matchRow(&row) && !yield(&row) {
					return false
				}
			}
		}
	}
	return true
}

func (v setValues) otherNames(_ *Snapshot, yield func(*ObjectNames) bool) {
	for i, r := range v.Results() {
		n := ObjectNames{Object: setName(i), Counters: setCounters(r)}
		if !yield(&n) {
			return
		}
	}
}

func setCounters(r perflib2.Result) []string {
	if r.Len() == 0 {
		return nil
	}
	names := make([]string, r.NumCounters())
	for j := range names {
		names[j] = "#?"
		if id := r.ID(j); id != perflib2.NoID {
			names[j] = "#" + strconv.FormatUint(uint64(id), 10)
		}
	}
	return names
}
