package capture

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/perfdump/perfdump/checkmk"
)

// Agents of several hosts may stand in one file, one host behind the other or
// section by section. Each host has moments of its own, and these are put in the
// order of time: a moment is where it says that it is, or where the one of its
// host before it is, if that is later.

// agentMoment is a section with the moment that it is of.
type agentMoment struct {
	*checkmk.Section

	moment int // in the order of the file, from 0
	host   string
	time   time.Time
}

// agentHost is what is remembered of a host between its sections.
type agentHost struct {
	name   string
	met    map[uint32]bool // the objects of the moment
	moment int
	time   time.Time // the latest so far
}

// agentHostCost is what is kept of a host beside its name.
const agentHostCost = 400

// agentHosts finds out of which moment a section is.
type agentHosts struct {
	r     *Recording
	hosts map[string]*agentHost
	n     int // moments
}

// at returns the host of a section, whose moment is that of the section.
func (a *agentHosts) at(s *checkmk.Section, time time.Time) *agentHost {
	h := a.hosts[s.Host]
	if h == nil {
		a.r.table.room.Take(agentHostCost + len(s.Host))
		h = &agentHost{name: cutText(s.Host), moment: -1, met: map[uint32]bool{}}
		a.hosts[s.Host] = h
	}
	if h.moment < 0 || h.met[s.Object] {
		h.moment = a.n
		a.n++
		clear(h.met)
		if time.After(h.time) {
			h.time = time
		}
	}
	h.met[s.Object] = true
	return h
}

// sections yields the sections that have a time, moment by moment in the order
// of time.
func (t *agentTrack) sections(r *Recording) iter.Seq2[agentMoment, error] {
	if t.hosts {
		return t.ofHosts(r)
	}
	return func(yield func(agentMoment, error) bool) {
		hosts := agentHosts{r: r, hosts: map[string]*agentHost{}}
		for s, err := range checkmk.NewReader(bytes.NewReader(t.data), t.mode).Sections() {
			if err != nil {
				yield(agentMoment{}, err)
				return
			}
			at, ok := s.Time()
			if !ok {
				continue
			}
			h := hosts.at(s, at)
			if !yield(agentMoment{s, h.moment, h.name, at}, nil) {
				return
			}
		}
	}
}

// agentPlace is where a section stands in its file.
type agentPlace struct {
	from, to int64
	moment   int32
}

// ofHosts is sections where there are several hosts. It reads the file to find
// out the order, and then the sections one by one.
func (t *agentTrack) ofHosts(r *Recording) iter.Seq2[agentMoment, error] {
	return func(yield func(agentMoment, error) bool) {
		hosts := agentHosts{r: r, hosts: map[string]*agentHost{}}
		places := make([]agentPlace, 0, t.n)
		times := make([]int64, 0, t.n) // of each moment
		owners := make([]*agentHost, 0, t.n)
		for s, err := range checkmk.NewReader(bytes.NewReader(t.data), t.mode).Sections() {
			if err != nil { // not here: addAgent has read it
				yield(agentMoment{}, err)
				return
			}
			if full := r.table.room.Err(r.table.n); full != nil {
				yield(agentMoment{}, full)
				return
			}
			if n := len(places); n > 0 && places[n-1].to == 0 {
				places[n-1].to = s.Off
			}
			at, ok := s.Time()
			if !ok {
				continue
			}
			h := hosts.at(s, at)
			if h.moment == len(times) {
				times, owners = append(times, h.time.UnixMicro()), append(owners, h)
			}
			places = append(places, agentPlace{from: s.Off, moment: int32(h.moment)})
		}
		if n := len(places); n > 0 && places[n-1].to == 0 {
			places[n-1].to = int64(len(t.data))
		}
		slices.SortStableFunc(places, func(a, b agentPlace) int {
			return cmp.Or(cmp.Compare(times[a.moment], times[b.moment]), cmp.Compare(a.moment, b.moment))
		})
		before := agentMoment{moment: -1}
		for _, p := range places {
			s, err := t.section(p)
			if err != nil {
				yield(agentMoment{}, err)
				return
			}
			m := agentMoment{s, int(p.moment), owners[p.moment].name, before.time}
			if m.moment != before.moment {
				m.time, _ = s.Time()
			}
			if before = m; !yield(m, nil) {
				return
			}
		}
	}
}

// section reads a section by itself.
func (t *agentTrack) section(p agentPlace) (*checkmk.Section, error) {
	var src io.Reader = bytes.NewReader(t.data[p.from:p.to])
	if mark := t.data[:min(2, len(t.data))]; p.from > 0 && (string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff") {
		src = io.MultiReader(bytes.NewReader(mark), src)
	}
	for s, err := range checkmk.NewReader(src, t.mode).Sections() {
		return s, err
	}
	return nil, io.ErrUnexpectedEOF // not here: it was read before
}
