package capture

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"io"
	"iter"
	"slices"

	"github.com/perfdump/perfdump/checkmk"
)

// One file may hold the output of several hosts, one after the other or interleaved by
// section, and the output of one host may be spread over several files. Moments are tracked
// for each host and sorted by time. The time of a moment is that of its sections, or that
// of the previous moment of its host in the file if that is later. Sections that do not
// name their host belong to one host without a name. Identical sections with the same time
// in two files count once.

type agentMoment struct {
	host   *agentHost
	time   int64 // the sort key, in microseconds
	input  int32
	record int32 // in the input, from 0
}

type agentHost struct {
	name string
	seen map[uint32]bool // the objects of the moment
	last *agentMoment
	same map[uint64]agentPlace // sections of the current time, by a hash of their bytes
}

const agentHostCost = 400

type agentPlace struct {
	*agentMoment

	from, to int64
}

type agentSection struct {
	*checkmk.Section
	*agentMoment
}

// sections yields the sections that have a time, moment by moment in order of time. It
// reads the inputs twice: once for the order, then section by section.
func (t *agentTrack) sections(r *Recording, values bool) iter.Seq2[agentSection, error] {
	return func(yield func(agentSection, error) bool) {
		places, err := t.places(r)
		if err != nil {
			yield(agentSection{}, err)
			return
		}
		var duplicates duplicates
		if values {
			defer func() { duplicates.report(r) }()
		}
		seed := maphash.MakeSeed()
		var duplicate *agentMoment
		for _, p := range places {
			if first, ok := t.duplicate(seed, p); ok {
				if p.agentMoment != duplicate {
					duplicates.add(t.inputs[p.input].name, t.inputs[first.input].name)
				}
				duplicate = p.agentMoment
				continue
			}
			s, err := t.section(p)
			if !yield(agentSection{s, p.agentMoment}, err) || err != nil {
				return
			}
		}
	}
}

// duplicate returns an earlier identical section with the same time in another input, and
// false if there is none.
func (t *agentTrack) duplicate(seed maphash.Seed, p agentPlace) (agentPlace, bool) {
	h := p.host
	if h.same == nil || h.last.time != p.time {
		h.same = map[uint64]agentPlace{}
	}
	h.last = p.agentMoment
	key := maphash.Bytes(seed, t.bytes(p))
	first, ok := h.same[key]
	if !ok {
		h.same[key] = p
	}
	return first, ok && first.input != p.input && bytes.Equal(t.bytes(first), t.bytes(p))
}

func (t *agentTrack) bytes(p agentPlace) []byte { return t.inputs[p.input].data[p.from:p.to] }

// places returns the positions of the sections that have a time, in the order of their
// moments.
func (t *agentTrack) places(r *Recording) ([]agentPlace, error) {
	hosts := map[string]*agentHost{}
	places := make([]agentPlace, 0, t.len())
	for i := range t.inputs {
		first, records := len(places), int32(0)
		for s, err := range checkmk.NewReader(bytes.NewReader(t.inputs[i].data), t.mode).Sections() {
			if err != nil { // cannot happen: addAgent has read it
				return nil, err
			}
			if full := r.table.budget.Err(r.table.n); full != nil {
				return nil, full
			}
			if n := len(places); n > first && places[n-1].to == 0 {
				places[n-1].to = s.Off
			}
			at, ok := s.Time()
			if !ok {
				continue
			}
			h := hosts[s.Host]
			if h == nil {
				r.table.budget.Take(agentHostCost + len(s.Host))
				h = &agentHost{name: cutText(s.Host), seen: map[uint32]bool{}}
				hosts[s.Host] = h
			}
			if h.last == nil || h.last.input != int32(i) || h.seen[s.Object] {
				m := &agentMoment{host: h, time: at.UnixMicro(), input: int32(i), record: records}
				if h.last != nil && h.last.input == int32(i) {
					m.time = max(m.time, h.last.time)
				}
				h.last = m
				records++
				clear(h.seen)
			}
			h.seen[s.Object] = true
			places = append(places, agentPlace{h.last, s.Off, 0})
		}
		if n := len(places); n > first && places[n-1].to == 0 {
			places[n-1].to = int64(len(t.inputs[i].data))
		}
	}
	slices.SortStableFunc(places, func(a, b agentPlace) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.input, b.input), cmp.Compare(a.record, b.record))
	})
	return places, nil
}

func (t *agentTrack) section(p agentPlace) (*checkmk.Section, error) {
	data := t.inputs[p.input].data
	var src io.Reader = bytes.NewReader(data[p.from:p.to])
	if mark := data[:min(2, len(data))]; p.from > 0 && (string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff") {
		src = io.MultiReader(bytes.NewReader(mark), src)
	}
	for s, err := range checkmk.NewReader(src, t.mode).Sections() {
		return s, err
	}
	return nil, io.ErrUnexpectedEOF // cannot happen: it was read before
}
